"""docs/operators.md has a heading for each operator: its row, a rule that is proved and one that is refuted.

That the verdicts are those that come out is what `tests/spec/test_spec.py` checks of every page.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from operator_page import with_not_decided, with_operator_rows

from rewright.model.operator_table import OPERATORS
from rewright.model.operators import Operator

PAGE = Path(__file__).parents[3] / "docs" / "operators.md"
LIMITS = PAGE.parent / "reference" / "not-decided.md"
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
RULE = re.compile(r"^rule .*?^}$", re.DOTALL | re.MULTILINE)
VERDICT = re.compile(r"// (proved|refuted|unknown): ")


def rules(operator: Operator) -> Iterator[tuple[str, str]]:
    """Each rule under the heading of an operator, with the verdict that it states."""
    for rule in RULE.findall("".join(re.findall(r"^```rw\n(.*?)^```", SECTIONS[operator.name], re.S | re.M))):
        (verdict,) = VERDICT.findall(rule)
        yield rule, verdict


def uses(operator: Operator, rule: str) -> bool:
    """Whether a rule calls an operator by one of its names or signs."""
    body = rule.partition("\n")[2]
    named = any(re.search(rf"\b{name}\(", body) for name in operator.names)
    signs = ("-",) if operator.name == "negate" else operator.signs
    return named or any(re.search(rf"(?<![<=>!]){re.escape(sign)}(?![<=>])", body) for sign in signs)


def test_the_page_holds_the_rows_of_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    if os.environ.get("REWRIGHT_UPDATE"):
        PAGE.write_text(with_operator_rows(page), encoding="utf-8")
        page = PAGE.read_text(encoding="utf-8")
    assert page == with_operator_rows(page)


def test_what_is_not_decided_is_gathered_on_one_page() -> None:
    page, operators = LIMITS.read_text(encoding="utf-8"), PAGE.read_text(encoding="utf-8")
    if os.environ.get("REWRIGHT_UPDATE"):
        LIMITS.write_text(with_not_decided(page, operators), encoding="utf-8")
        page = LIMITS.read_text(encoding="utf-8")
    assert page == with_not_decided(page, operators)


def test_a_page_without_a_place_for_the_list_is_refused() -> None:
    with pytest.raises(ValueError, match="no place"):
        with_not_decided("# What is not decided\n", "")


def test_each_operator_has_a_heading_in_the_order_of_the_table() -> None:
    assert list(SECTIONS) == [operator.name for operator in OPERATORS]


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_an_operator_has_its_row_and_its_name_in_stablehlo(operator: Operator) -> None:
    section = SECTIONS[operator.name]
    assert section.count(f"<!-- row: {operator.name} -->") == 1
    assert section.lstrip().startswith("StableHLO: `")


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_an_operator_has_its_examples(operator: Operator) -> None:
    found = list(rules(operator))
    expected = ["proved", "refuted"] if operator.decided else ["unknown"]
    assert [verdict for _, verdict in found[: len(expected)]] == expected
    assert all(uses(operator, rule) for rule, _ in found)
