"""Sums of polynomials over an interval of integers."""

from __future__ import annotations

from rewright.equality.closed_forms import sum_of_powers
from rewright.equality.sums.linear_forms import has_unknown
from rewright.terms.node import INDEX, Term
from rewright.terms.polynomial import Sum, add, collect, expand, multiply, number, plus, subtract


def summed(weight: Term, unknown: Term, low: Term, high: Term) -> Term | None:
    """The sum of the weight over low <= unknown <= high, right also where high = low − 1; None above a degree."""
    by_power: dict[int, Sum] = {}
    for monomial, value in expand(weight).items():
        others = tuple(item for item in monomial if item[0] is not unknown)
        if any(has_unknown(atom, unknown) for atom, _ in others):
            return None
        power = next((power for atom, power in monomial if atom is unknown), 0)
        by_power.setdefault(power, {})[others] = value
    parts: list[Term] = []
    for power, factor in by_power.items():
        upper, lower = sum_of_powers(power, high), sum_of_powers(power, plus(low, -1))
        if upper is None or lower is None:
            return None
        parts.append(multiply(collect(factor, INDEX), subtract(upper, lower)))
    return add(number(0), *parts)
