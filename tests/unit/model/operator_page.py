"""The operator table, row by row, as it stands in the page of operators, and the list of what is not decided: Markdown.

Must not know where the pages are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import fill

from rewright.model.operator_table import NOT_DECIDED, OPERATORS
from rewright.model.operators import Family, Operator

NOT_DECIDED_BEGIN = "<!-- not decided: generated from docs/operators.md by `make update` -->"
NOT_DECIDED_END = "<!-- end of not decided -->"

_ROW = re.compile(r"<!-- (row|general): (\w+) -->.*?<!-- end of row -->", re.DOTALL)
_HEADING = re.compile(r"^### (\w+)\n(.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)
_LIMIT = re.compile(r"^Not decided: (.*?)(?=^$)", re.DOTALL | re.MULTILINE)


def with_not_decided(page: str, operators: str) -> str:
    """The page of what is not decided with its list of operators made anew from the page of operators.

    Raises `ValueError` if a marker is missing.
    """
    before, begin, rest = page.partition(NOT_DECIDED_BEGIN)
    _, end, after = rest.partition(NOT_DECIDED_END)
    if not (begin and end):
        raise ValueError("the page has no place for what is not decided")
    known = ", ".join(f"[{each.name}](../operators.md#{each.name})" for each in NOT_DECIDED)
    limits = "".join(f"{limit}\n" for limit in _limits(operators))
    decided = f"Of operators that are decided, this is not:\n\n{limits}"
    return f"{before}{begin}\n\n{fill(known, 120)}.\n\n{decided}\n{end}{after}"


def _limits(operators: str) -> Iterator[str]:
    for name, section in _HEADING.findall(operators):
        for limit in _LIMIT.findall(section):
            words = f"* [{name}](../operators.md#{name}): {' '.join(limit.split())}"
            yield fill(words, 120, subsequent_indent="  ", break_on_hyphens=False)


def with_operator_rows(page: str) -> str:
    """The page with the table between the markers of each operator made anew. Raises `KeyError` for an unknown one."""
    tables = {("row", each.name): operator_row(each) for each in OPERATORS}
    return _ROW.sub(
        lambda found: f"<!-- {found[1]}: {found[2]} -->\n\n{tables[found[1], found[2]]}\n\n<!-- end of row -->", page
    )


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


def _call(operator: Operator) -> str:
    """How the operator is called, under each of its names that the call itself does not show."""
    names = [name for name in operator.names if f"{name}(" not in operator.texts.call]
    only_signs = operator.family is Family.COMPARISON or operator.name in operator.signs
    shown = "" if not names or only_signs else f" (`{'`, `'.join(names)}`)"
    return f"`{operator.texts.call}`{shown}"
