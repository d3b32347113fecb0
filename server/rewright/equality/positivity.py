"""Is a polynomial a non-negative combination of others? A small, solver-free search.

Owns the search alone; which facts may be used is the caller's business. Sound, not complete: "no" means "not found".
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from rewright.terms import variable
from rewright.terms.node import REAL, Coefficient, Monomial, Term
from rewright.terms.polynomial import Sum, combine, expand

DEPTH = 4
"""Facts that one combination is made of, at most; the search grows exponentially with it."""

STEPS = 60
"""Monomials that are cancelled in one search; what is found in the library's rules takes 15 at most."""

SLACK: Monomial = ((variable("(slack)", None, REAL), 1),)
"""A positive number below every other: p > 0 is p − SLACK >= 0. Its name is none that can be declared."""

Enough = Callable[[Coefficient, Coefficient], bool]
"""Whether a constant and a multiple of SLACK, all that is left of a goal, suffice."""


def above_zero(term: Term) -> Sum:
    """term > 0, over the reals, as a sum that is non-negative."""
    return combine(expand(term), {SLACK: 1}, -1)


def is_combination(goal: Sum, facts: list[Sum]) -> bool:
    """Whether goal = c + Σ λᵢ·factᵢ with c, λᵢ >= 0 is found, cancelling one monomial after the other, depth first."""
    return _Search(facts, lambda constant, slack: constant >= 0).finds(goal, DEPTH)


def is_positive_combination(goal: Sum, facts: list[Sum]) -> bool:
    """The same with c > 0, or with a fact among those used that is above 0."""
    return _Search(facts, lambda constant, slack: constant > 0 or (constant == 0 and slack > 0)).finds(goal, DEPTH)


class _Search(Struct):
    """The facts that may be used, what may be left of a goal, and how many steps are left."""

    facts: list[Sum]
    enough: Enough
    steps: int = STEPS

    def finds(self, goal: Sum, depth: int) -> bool:
        """Whether a combination is found; the goal is kept a positive multiple, so that integers stay integers."""
        if set(goal) <= {(), SLACK}:
            return self.enough(goal.get((), 0), goal.get(SLACK, 0))
        if depth == 0 or self.steps <= 0:
            return False
        self.steps -= 1
        hardest, choices = self._hardest(goal)
        # short facts first: they leave few monomials of their own to be cancelled
        for fact in sorted(choices, key=len):
            needed, times = _size(goal[hardest]), _size(fact[hardest])
            grown = goal if times == 1 else {monomial: value * times for monomial, value in goal.items()}
            if self.finds(combine(grown, fact, -needed), depth - 1):
                return True
        return False

    def _hardest(self, goal: Sum) -> tuple[Monomial, list[Sum]]:
        """The monomial that the fewest facts cancel, with these; no facts if there is one that none cancels."""
        hardest: Monomial = ()
        choices: list[Sum] = []
        for monomial, factor in goal.items():
            if monomial and monomial != SLACK:
                usable = [fact for fact in self.facts if monomial in fact and (fact[monomial] > 0) == (factor > 0)]
                if not usable:
                    return (), []
                # fewest choices first, so that a dead end is met early
                if not hardest or len(usable) < len(choices):
                    hardest, choices = monomial, usable
        return hardest, choices


def _size(value: Coefficient) -> Coefficient:
    return value if value > 0 else -value
