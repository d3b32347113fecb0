"""The operator table as it stands in the language page and, row by row, in the page of operators: Markdown.

Must not know where the page is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rewright.model.operator_table import DECIDED, NOT_DECIDED, OPERATORS
from rewright.model.operators import Family, Operator

BEGIN = "<!-- operators: generated from server/rewright/model/operator_table.py by `make update` -->"
END = "<!-- end of operators -->"

_ROW = re.compile(r"<!-- row: (\w+) -->.*?<!-- end of row -->", re.DOTALL)
_HEAD = """| call | operands | shape | valid when | defined when | element at i |
|---|---|---|---|---|---|"""


def operator_tables() -> str:
    """The two tables: the operators that this version decides, and those that it knows."""
    decided = "\n".join((_HEAD, *_rows(DECIDED)))
    general = [replace(operator, texts=operator.general) for operator in DECIDED if operator.general is not None]
    known = "\n".join((_HEAD, *_rows((*NOT_DECIDED, *general))))
    return (
        f"{BEGIN}\n\n"
        "Decided in this version:\n\n"
        f"{decided}\n\n"
        "Known, and checked as far as names and types go; a rule that uses one is unknown, with that reason:\n\n"
        f"{known}\n\n"
        f"{END}"
    )


def with_operator_tables(page: str) -> str:
    """The page with the tables between its two markers made anew. Raises `ValueError` if a marker is missing."""
    before, _, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError("the page has no place for the operator tables")
    return before + operator_tables() + after


def with_operator_rows(page: str) -> str:
    """The page with the table between the markers of each operator made anew. Raises `KeyError` for an unknown one."""
    rows = {operator.name: operator_row(operator) for operator in OPERATORS}
    return _ROW.sub(lambda found: f"<!-- row: {found[1]} -->\n\n{rows[found[1]]}\n\n<!-- end of row -->", page)


def operator_row(operator: Operator) -> str:
    """What one operator means, a line for each column of the table."""
    return "\n".join((_line("call", _call(operator)), "|---|---|", *_facts(operator)))


def _facts(operator: Operator) -> Iterator[str]:
    texts = operator.texts
    yield _line("operands", texts.types)
    yield _line("shape", texts.shape)
    if texts.valid:
        yield _line("valid when", texts.valid)
    yield _line("defined when", texts.defined)
    yield _line("element at i", texts.element)


def _line(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _rows(operators: Sequence[Operator]) -> Iterator[str]:
    for operator in operators:
        texts = operator.texts
        cells = (_call(operator), texts.types, texts.shape, texts.valid, texts.defined, texts.element)
        yield _line(*cells)


def _call(operator: Operator) -> str:
    """How the operator is called, under each of its names that the call itself does not show."""
    names = [name for name in operator.names if f"{name}(" not in operator.texts.call]
    only_signs = operator.family is Family.COMPARISON or operator.name in operator.signs
    shown = "" if not names or only_signs else f" (`{'`, `'.join(names)}`)"
    return f"`{operator.texts.call}`{shown}"
