"""Answers up to a rank: what they cover, and that an example above it counts."""

from __future__ import annotations

from rewright.checks.rule import answer
from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decision import Budget, Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, Method, RuleWitness, Verdict

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


FEW = """axes A
map n on A
tensor X: T[A: n]
reverse(X, A) => X
where """


def test_an_input_that_is_found_by_looking_is_an_input() -> None:
    """The solver does not decide whether a product of sizes can be 0."""
    found = answered(FEW + "prod(n) == 0\n")
    assert found.verdict is Verdict.CHECKED, found.reason
    assert found.coverage.text == "ranks up to A = 2, all sizes"


def test_a_rank_that_is_needed_to_meet_the_preconditions_is_looked_at() -> None:
    found = answered(FEW + "n == 2, prod(n) >= 32\n")
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RuleWitness)
    assert dict(found.witness.instance.ranks) == {"A": 5}


def test_without_an_input_nothing_is_said_to_hold_at_greater_ranks() -> None:
    """It fails at rank 6, which is beyond what is looked at."""
    found = answered(FEW + "n == 2, prod(n) >= 64\n")
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason is not None
    assert "it holds" not in found.reason and "of greater ranks nothing is known" in found.reason
