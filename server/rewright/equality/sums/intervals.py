"""Sums of polynomials over an interval of integers."""

from __future__ import annotations

from fractions import Fraction

from rewright.equality.sums.linear_forms import has_unknown
from rewright.terms.node import INDEX, Term
from rewright.terms.polynomial import Sum, add, collect, expand, multiply, number, plus, scale, subtract

DEGREE = 3
"""Up to this power Faulhaber's formulas are written out below; the library's weights are linear at most."""


def summed(weight: Term, unknown: Term, low: Term, high: Term) -> Term | None:
    """The sum of the weight over low <= unknown <= high, right also where high = low − 1; None above degree 3.

    Source: Faulhaber's formulas.
    """
    by_power: dict[int, Sum] = {}
    for monomial, value in expand(weight).items():
        others = tuple(item for item in monomial if item[0] is not unknown)
        if any(has_unknown(atom, unknown) for atom, _ in others):
            return None
        power = next((power for atom, power in monomial if atom is unknown), 0)
        by_power.setdefault(power, {})[others] = value
    if max(by_power, default=0) > DEGREE:
        return None
    below = plus(low, -1)
    parts = (
        multiply(collect(factor, INDEX), subtract(_of_powers(power, high), _of_powers(power, below)))
        for power, factor in by_power.items()
    )
    return add(number(0), *parts)


def _of_powers(power: int, last: Term) -> Term:
    """Σ hᵖ for h from 0 to `last`, as a polynomial in it."""
    after = plus(last, 1)
    match power:
        case 0:
            return after
        case 1:
            return scale(Fraction(1, 2), multiply(last, after))
        case 2:
            return scale(Fraction(1, 6), multiply(multiply(last, after), plus(scale(2, last), 1)))
        case _:
            return scale(Fraction(1, 4), multiply(multiply(last, last), multiply(after, after)))
