"""Preconditions and assumptions that a proof does not need, and those that it does."""

from __future__ import annotations

import pytest
from rules_text import BUDGET, asked

from rewright.rules.claim import conditions
from rewright.rules.decide import decide
from rewright.rules.decision import Proved
from rewright.rules.unneeded import unneeded


def found(items: str) -> list[int]:
    """The places, in order, of the conjuncts and then the assumptions that are not needed."""
    question = asked(items)
    rule = question.rule
    sites = [part.site for formula in rule.where for part in conditions(formula)]
    sites += [assumption.site for assumption in rule.assumptions]
    decision = decide(question, BUDGET)
    assert isinstance(decision, Proved), decision
    return [sites.index(site) for site in unneeded(question, decision, BUDGET)]


def test_without_preconditions_nothing_is_unneeded() -> None:
    assert found("axes A\nmap n on A\ntensor X: T[A: n]\nX + X => 2 * X") == []


def test_a_needed_precondition_is_not_reported() -> None:
    assert found("axes A\nmap n on A\ntensor X: T[A: n]\nreverse(X, A) => X\nwhere n == 1") == []


@pytest.mark.parametrize(
    ("where", "places"),
    [
        ("where e == n, n == n", [1]),
        ("where s <= e and e == n", [0]),
        ("where e == n, s <= e and 0 <= s", [1, 2]),
        ("where e == n", []),
    ],
)
def test_what_validity_of_the_left_side_implies_is_not_needed(where: str, places: list[int]) -> None:
    rule = "axes A\nmap n, s, e on A\ntensor X: T[A: n]\nslice(X, s, e) => slice(X, s)\n"
    assert found(rule + where) == places


def test_of_two_of_which_one_is_needed_the_last_is_reported() -> None:
    items = "axes A\nmap n, m on A\nint k\ntensor X: T[A: n]\nreverse(X, A) => X\nwhere n == 1, n <= 1"
    assert found(items) == [1]


def test_what_is_reported_can_be_left_out_together() -> None:
    """Each of the first two could go alone, not both."""
    items = "axes A\nmap n on A\ntensor X: T[A: n]\nreverse(X, A) => X\nwhere n == 1, n * 2 == 2, n <= 5"
    assert found(items) == [1, 2]


def test_a_precondition_of_another_form_is_dropped_as_a_whole() -> None:
    rule = "axes A\nmap n, m on A\ntensor X: T[A: n]\nreverse(reverse(X, A), A) => X\n"
    assert found(rule + "where (some A: n == m) or (every A: n < m)") == [0]


def test_an_assumption_is_reported_like_a_precondition() -> None:
    rule = "axes A\nmap n on A\ntensor X, L, H: T[A: n]\nmin(max(X, L), H) => clamp(L, X, H)\n"
    assert found(rule + "where 0 <= n\nassume forall i on A: L[i] < H[i]") == [0, 1]


def test_an_assumption_that_the_solver_needs_is_kept() -> None:
    rule = "axes A\nmap n on A\ntensor X, L, H: T[A: n]\nmax(L, min(X, H)) => clamp(L, X, H)\n"
    assert found(rule + "where n < 7\nassume forall i on A: L[i] <= H[i]") == [0]


def test_a_condition_that_guards_the_next_can_go_without_it() -> None:
    """Where k is 0 the second conjunct divides by zero, so does not hold: it says itself what the first says."""
    items = (
        "axes A\nmap n on A\nint k\ntensor X: T[A: n]\n"
        "slice(X, n / k * 0) => slice(X, 0)\nwhere k != 0 and 6 / k == 6 / k"
    )
    assert found(items) == [0, 1]
