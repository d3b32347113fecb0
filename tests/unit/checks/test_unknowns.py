"""What is said of a rule that stays undecided: one of a list of reasons, the sums, and what to do next."""

from __future__ import annotations

import pytest
from test_checks_rule import question

from rewright.checks.rule import answer
from rewright.report.codes import lookup, sentence
from rewright.rules.decision import Budget, Mode
from rewright.verdict import Verdict
from rewright.verdict.diagnostics.rules import RuleNotDecided
from rewright.verdict.undecided import ADVICE, UnknownReason

GEOMETRIC = """
axis k
int n
scalar r: T
reduce(add, power(broadcast(r, k: n), iota(T, k, k: n)), k) * (r - 1) => power(r, elem(n)) - 1
where n >= 0
"""


@pytest.mark.parametrize("reason", UnknownReason)
def test_each_reason_has_its_row(reason: UnknownReason) -> None:
    entry = lookup("RW205")
    assert entry is not None
    (row,) = (line for line in entry.page.splitlines() if line.startswith(f"| {ADVICE[reason].meaning} |"))
    assert ADVICE[reason].next_step[1:] in row


def _said(items: str, type_: str, budget: Budget | None = None) -> RuleNotDecided:
    found = answer(question(items, type_), budget or Budget(), Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.UNKNOWN
    (said,) = (each.diagnosis for each in found.findings if isinstance(each.diagnosis, RuleNotDecided))
    assert said.reason == found.reason
    assert sentence(said).splitlines()[-1] == f"next: {ADVICE[said.why].next_step}"
    return said


def test_sums_are_shown_with_what_would_pair_them() -> None:
    said = _said(GEOMETRIC, "T: real")
    assert said.why is UnknownReason.REDUCTIONS
    assert said.left == "−Σ[k < n] power(r, elem(k)) + Σ[k < n] r·power(r, elem(k))"
    assert said.right == "−1 + power(r, elem(n))"
    assert said.unpaired_left[0] == "−Σ[k < n] power(r, elem(k))"
    assert said.fact == "r != 1"
    assert "they are equal where r != 1" in sentence(said)


def test_what_a_maximum_runs_along_has_a_letter_too() -> None:
    said = _said(
        "axes A\naxis d\nmap n on A\nmap m on d\ntensor X: T[A: n, d: m]\n"
        "reduce(max, X * X, d) => reduce(max, abs(X), d) * reduce(max, abs(X), d)\nwhere m >= 1",
        "T: int",
    )
    assert said.left == "max[k < m](X[A: i_A, d: k]^2)"
    assert said.right == "max[k < m](abs(X[A: i_A, d: k]))·max[k < m](abs(X[A: i_A, d: k]))"


def test_no_condition_is_named_that_does_not_prove_the_rule() -> None:
    assert _said(GEOMETRIC, "T: int").fact == ""


def test_reasons_of_other_rules() -> None:
    assert _said("axes A\nmap n on A\ntensor X: T[A: n]\nX => X", "T: s32").why is UnknownReason.CONSTRUCT
    assert _said(GEOMETRIC, "T: real", Budget(steps=0)).why is UnknownReason.STEPS
