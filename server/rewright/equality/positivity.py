"""Is a polynomial a non-negative combination of others? A small, solver-free search.

Owns the search alone; which facts may be used is the caller's business. Sound, not complete: "no" means "not found".
"""

from __future__ import annotations

from fractions import Fraction

from rewright.terms.polynomial import Sum, combine

DEPTH = 4
STEPS = 60


def is_combination(goal: Sum, facts: list[Sum]) -> bool:
    """Whether goal = c + Σ λᵢ·factᵢ with c, λᵢ >= 0 is found, cancelling one monomial after the other, depth first."""
    return _search(goal, facts, DEPTH, [STEPS])


def _search(goal: Sum, facts: list[Sum], depth: int, left: list[int]) -> bool:
    if set(goal) <= {()}:
        return goal.get((), 0) >= 0
    if depth == 0 or left[0] <= 0:
        return False
    left[0] -= 1
    hardest: tuple[int, Fraction, list[tuple[Sum, Fraction]]] | None = None
    for monomial, factor in goal.items():
        if monomial:
            usable = [(fact, fact[monomial]) for fact in facts if fact.get(monomial, 0) * factor > 0]
            if not usable:
                return False
            if hardest is None or len(usable) < hardest[0]:
                hardest = len(usable), Fraction(factor), [(fact, Fraction(value)) for fact, value in usable]
    assert hardest is not None
    _, factor, choices = hardest
    choices.sort(key=lambda choice: len(choice[0]))
    return any(_search(combine(goal, fact, -factor / value), facts, depth - 1, left) for fact, value in choices)
