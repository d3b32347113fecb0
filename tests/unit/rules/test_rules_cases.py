"""Proofs by cases of elements: no solver is needed, at any rank; a false rule is not closed."""

from __future__ import annotations

import pytest
from rules_text import BUDGET, asked_over

from rewright.rules.decide import decide
from rewright.rules.decision import Mode, Proved, Refuted
from rewright.verdict import Method

ITEMS = """axes A
map n on A
tensor X, Y, Z, lo, hi: T[A: n]
tensor P: pred[A: n]
scalar c: T
fn f: (T) -> T
"""
CLOSED = [
    ("int", "clamp(lo, clamp(lo, X, hi), hi) => clamp(lo, X, hi)"),
    ("real", "max(lo, min(X, hi)) => clamp(lo, X, hi)\nassume forall i on A: lo[i] <= hi[i]"),
    ("int", "sign(X) * abs(X) => X"),
    ("real", "max(X, -X) => abs(X)"),
    ("int", "abs(X / Y) => abs(X) / abs(Y)"),
    ("int", "abs(X % Y) => abs(X) % abs(Y)"),
    ("real", "select(X < 0, -X, X) => abs(X)"),
    ("any", "select(P, X, select(P, Y, Z)) => select(P, X, Z)"),
    ("any", "f(select(P, X, Y)) => select(P, f(X), f(Y))"),
    ("int", "f(max(X, 0)) => select(X < 0, f(X - X), f(X))"),
]
BROKEN = [
    ("int", "clamp(lo, clamp(lo, X, hi), lo) => clamp(lo, X, hi)"),
    ("real", "max(lo, min(X, hi)) => clamp(lo, X, hi)"),
    ("int", "abs(X % Y) => X % abs(Y)"),
    ("any", "f(select(P, X, Y)) => select(P, f(Y), f(X))"),
    ("int", "f(max(X, 0)) => select(X < 1, f(X - X), f(X + 1))"),
]


@pytest.mark.parametrize(("type_", "items"), CLOSED)
def test_elements_are_distinguished_without_a_solver(type_: str, items: str) -> None:
    decision = decide(asked_over(type_, ITEMS + items), BUDGET, Mode.NORMAL_FORMS)
    assert isinstance(decision, Proved)
    assert decision.by is Method.NORMAL_FORM
    assert decision.bound is None


@pytest.mark.parametrize(("type_", "items"), BROKEN)
def test_cases_do_not_close_what_is_false(type_: str, items: str) -> None:
    assert isinstance(decide(asked_over(type_, ITEMS + items), BUDGET, Mode.NORMAL_FORMS), Refuted)
