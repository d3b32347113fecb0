"""Floor divisions under facts."""

from __future__ import annotations

from rewright.equality.facts import Facts
from rewright.terms.division import divide, floor_divide
from rewright.terms.node import FloorDivide, Term
from rewright.terms.polynomial import add, expand, multiply, negate, number, plus, subtract


def simplify_quotient(left: Term, right: Term, facts: Facts) -> Term:
    """⌊left / right⌋ where right >= 1 is known: whole multiples leave, nested divisions merge, small quotients vanish.

    ⌊(⌊y/c⌋ + z) / b⌋ = ⌊(y + z·c) / (b·c)⌋ for c >= 1.
    """
    if not facts.non_negative(plus(right, -1)):
        return floor_divide(left, right)
    whole, rest = divide(left, right)
    for monomial, factor in expand(rest).items():
        inner = monomial[0][0] if factor == 1 and len(monomial) == 1 and monomial[0][1] == 1 else None
        if isinstance(inner, FloorDivide) and facts.non_negative(plus(inner.right, -1)):
            merged = add(inner.left, multiply(subtract(rest, inner), inner.right))
            return add(whole, _quotient(merged, multiply(right, inner.right), facts))
    return add(whole, _small(rest, right, facts))


def _quotient(left: Term, right: Term, facts: Facts) -> Term:
    quotient = floor_divide(left, right)
    return simplify_quotient(left, right, facts) if isinstance(quotient, FloorDivide) else quotient


def _small(rest: Term, right: Term, facts: Facts) -> Term:
    """The quotient of a rest that facts show to lie within one divisor of 0."""
    if facts.non_negative(rest):
        if facts.non_negative(plus(subtract(right, rest), -1)):
            return number(0)
    elif facts.non_negative(add(rest, right)) and facts.non_negative(plus(negate(rest), -1)):
        return number(-1)
    return floor_divide(rest, right)
