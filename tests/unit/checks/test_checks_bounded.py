"""Answers up to a rank: what they cover, and that an example above it counts."""

from __future__ import annotations

from rewright.checks.rule import answer
from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decision import Budget, Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, Method, Verdict

POWER = """axes A+
axis d
map n on A
int k
tensor X: T[d: k]
slice(X, 0, prod(n)) => slice(X, 0, min(prod(n), 4))
where n == 2, prod(n) <= k
"""


def answered(items: str) -> Answer:
    text = f"rule asked<T: any> {{\n{items}\n}}\n"
    (declaration,) = check_file(parse(Text.of("asked.rw", text)), lambda path: None).declarations
    assert isinstance(declaration.value, Rule), declaration
    return answer(RuleQuestion(declaration.value, declaration.value.domains[0], "=>"), Budget(), Mode.NORMAL_FORMS)


def test_the_coverage_names_the_ranks_and_is_bounded() -> None:
    found = answered(POWER)
    assert found.verdict is Verdict.CHECKED
    assert found.coverage.bounded
    assert found.coverage.text == "ranks up to A = 2, all sizes"
    assert found.by is Method.SOLVER
    assert dict(found.bound or ()) == {"A": 2, "d": 1}
    assert set(dict(found.bound_reason)) == {"A", "d"}


def test_an_example_above_the_limit_refutes() -> None:
    """At rank 3 the product is 8."""
    found = answered(POWER + "example { A = 3; n = [2, 2, 2]; k = 8 }")
    assert found.verdict is Verdict.REFUTED
    assert found.by is Method.REPLAY
    assert found.witness is not None


def test_an_example_below_the_limit_changes_nothing() -> None:
    assert answered(POWER + "example { A = 2; n = [2, 2]; k = 5 }").verdict is Verdict.CHECKED
