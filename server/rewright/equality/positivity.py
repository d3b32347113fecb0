"""Is a polynomial a non-negative combination of others? A small, solver-free search.

Owns the search alone; which facts may be used is the caller's business. Sound, not complete: "no" means "not found".
"""

from __future__ import annotations

from rewright.terms.node import Coefficient, Monomial
from rewright.terms.polynomial import Sum, combine

DEPTH = 4
STEPS = 60


def is_combination(goal: Sum, facts: list[Sum]) -> bool:
    """Whether goal = c + Σ λᵢ·factᵢ with c, λᵢ >= 0 is found, cancelling one monomial after the other, depth first."""
    return _search(goal, facts, DEPTH, [STEPS])


def _search(goal: Sum, facts: list[Sum], depth: int, left: list[int]) -> bool:
    """Whether a combination is found; the goal is kept a positive multiple, so that integers stay integers."""
    if set(goal) <= {()}:
        return goal.get((), 0) >= 0
    if depth == 0 or left[0] <= 0:
        return False
    left[0] -= 1
    hardest: Monomial = ()
    choices: list[Sum] = []
    for monomial, factor in goal.items():
        if monomial:
            usable = [fact for fact in facts if monomial in fact and (fact[monomial] > 0) == (factor > 0)]
            if not usable:
                return False
            if not hardest or len(usable) < len(choices):
                hardest, choices = monomial, usable
    wanted = _size(goal[hardest])
    for fact in sorted(choices, key=len):
        times = _size(fact[hardest])
        grown = goal if times == 1 else {monomial: value * times for monomial, value in goal.items()}
        if _search(combine(grown, fact, -wanted), facts, depth - 1, left):
            return True
    return False


def _size(value: Coefficient) -> Coefficient:
    return value if value > 0 else -value
