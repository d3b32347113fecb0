"""Whether the preconditions of a rule imply another formula, at every rank and size."""

from __future__ import annotations

import pytest

from rewright.checks.table import rule_questions
from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.rules.decision import Budget
from rewright.rules.implied import implies
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

SLICED = "axes A\nmap n, start, limit on A\ntensor X: T[A: n]\nslice(X, start, limit) => slice(X, start, limit)"


def rule(where: str) -> Rule:
    text = Text.of("asked.rw", f"rule asked<T: any> {{\n{SLICED}\nwhere {where}\n}}\n")
    (declared,) = check_file(parse(text), lambda path: None).declarations
    assert isinstance(declared.value, Rule), declared.findings
    return declared.value


@pytest.mark.parametrize(
    ("where", "other", "expected"),
    [
        ("start == 0", "start <= 1", True),
        ("start <= 1", "start == 0", False),
        ("start <= 1", "start >= 0", True),  # the left side is valid
        ("limit >= 3", "n >= 3, n + start >= 3", True),
        ("limit >= 3", "n >= 3 and n >= 4", False),
        ("every A: start == 1 or start == 2", "start >= 1", True),
        ("start >= 1", "some A: start >= 1", False),  # not at rank 0
        ("some A: start >= 2", "some A: start >= 1", True),
        ("start == 1", "every A: start <= 0 or limit >= 1", True),
    ],
)
def test_implications(where: str, other: str, expected: bool) -> None:
    (question,) = rule_questions(rule(where))
    assert all(implies(question, formula, Budget()) is True for formula in rule(other).where) is expected
