"""Pinned maps and scalars: equalities among the facts become substitutions.

Owns the elimination of unknowns that an equation gives as a polynomial in the others, of scalars over the reals, too.
Invariant: the substitution and the remaining facts together say what the facts said. A fact about the axes of a class
never pins a single unknown, because at rank 0 it says nothing (`facts` has moved it already if the class is known to
have an axis).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from msgspec import Struct

from rewright.equality.facts import EVERYWHERE, Fact
from rewright.terms.binding import substitute
from rewright.terms.interning import subterms
from rewright.terms.node import INDEX, REAL, Monomial, NonNegative, Term, Variable, Zero
from rewright.terms.polynomial import collect, expand, negate, scale
from rewright.terms.truth import TRUE

Preference = Callable[[Variable], Any]
"""Ranks unknowns; of those that an equation pins the least is eliminated."""


class Elimination(Struct, frozen=True):
    """What the pinned unknowns are, in terms of the others, and the facts that remain."""

    pinned: dict[Term, Term]
    facts: tuple[Fact, ...]

    def apply(self, term: Term) -> Term:
        """The term without the pinned unknowns."""
        return substitute(term, self.pinned)


def eliminate(facts: Iterable[Fact], preference: Preference) -> Elimination:
    """The facts with every pinned unknown eliminated."""
    pinned: dict[Term, Term] = {}
    left = list(dict.fromkeys(facts))
    while (found := _first(left, preference)) is not None:
        unknown, value = found
        pinned = {key: substitute(term, {unknown: value}) for key, term in pinned.items()}
        pinned[unknown] = value
        changed = [(home, substitute(fact, {unknown: value})) for home, fact in left]
        left = [item for item in dict.fromkeys(changed) if item[1] is not TRUE]
    return Elimination(pinned, tuple(left))


def _first(facts: list[Fact], preference: Preference) -> tuple[Variable, Term] | None:
    bounds = {(home, fact.polynomial) for home, fact in facts if isinstance(fact, NonNegative)}
    for home, fact in facts:
        equation = _equation(home, fact, bounds)
        if equation is not None:
            candidates = _solutions(home, equation)
            if candidates:
                return min(candidates, key=lambda pair: preference(pair[0]))
    return None


def _equation(home: str, fact: Term, bounds: set[tuple[str, Term]]) -> Term | None:
    match fact:
        case Zero(polynomial=polynomial) if polynomial.sort in (INDEX, REAL):
            return polynomial
        case NonNegative(polynomial=polynomial) if polynomial.sort == INDEX and (home, negate(polynomial)) in bounds:
            return polynomial
        case _:
            return None


def _solutions(home: str, equation: Term) -> list[tuple[Variable, Term]]:
    """Each unknown that stands alone in one monomial, and nowhere else in the equation; over ℤ with factor ±1."""
    total = expand(equation)
    found = []
    for monomial, factor in total.items():
        unknown = _lone(monomial)
        divides = abs(factor) == 1 or equation.sort == REAL
        if unknown is None or unknown.sort != equation.sort or not divides or not equation.classes <= unknown.classes:
            continue
        # at rank 0 a fact of a class says nothing: it must not pin what does not depend on its axes
        if not unknown.classes and home != EVERYWHERE:
            continue
        rest = {other: value for other, value in total.items() if other != monomial}
        if unknown not in subterms(*(atom for other in rest for atom, _ in other)):
            found.append((unknown, scale(-1 / Fraction(factor), collect(rest, equation.sort))))
    return found


def _lone(monomial: Monomial) -> Variable | None:
    if len(monomial) == 1 and monomial[0][1] == 1 and isinstance(monomial[0][0], Variable):
        return monomial[0][0]
    return None
