"""Quotients under facts: rounded down on indices, towards 0 on integer elements."""

from __future__ import annotations

from rewright.equality.definitions import sign_of
from rewright.equality.facts import Facts, decided
from rewright.terms.comparison import zero
from rewright.terms.conversion import as_index, element_of
from rewright.terms.division import divide, floor_divide, truncated_divide
from rewright.terms.node import INT, FloorDivide, Term
from rewright.terms.polynomial import add, expand, multiply, negate, number, plus, scale, subtract
from rewright.terms.truth import FALSE


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


def simplify_truncated(left: Term, right: Term, facts: Facts) -> Term:
    """left / right of integer elements, rounded towards 0, by the signs that are known.

    With known signs it is a quotient of numbers that are not negative, rounded down.
    """
    sign = sign_of(right, facts)
    if not sign:
        return _exact(left, right, facts)
    above = 1 if facts.non_negative(left) else -1 if facts.non_negative(negate(left)) else 0
    dividend, divisor = scale(above or 1, left), scale(sign, right)
    if above:
        return scale(sign * above, _rounded_down(dividend, divisor, facts))
    if all(facts.positive(subtract(divisor, side)) for side in (left, negate(left))):
        return number(0, INT)
    return scale(sign, _exact(left, divisor, facts))


def _rounded_down(left: Term, right: Term, facts: Facts) -> Term:
    """left / right where left >= 0 and right >= 1."""
    dividend, divisor = as_index(left), as_index(right)
    if dividend is not None and divisor is not None:
        return element_of(_quotient(dividend, divisor, facts), INT)
    whole, rest = divide(left, right)
    if facts.non_negative(rest):
        return add(whole, number(0, INT) if facts.positive(subtract(right, rest)) else truncated_divide(rest, right))
    return truncated_divide(left, right)


def _exact(left: Term, right: Term, facts: Facts) -> Term:
    """left / right where it is known to leave nothing over, by a divisor that is not 0."""
    whole, rest = divide(left, right)
    if rest is number(0, INT) and decided(facts, zero(right)) is FALSE:
        return whole
    return truncated_divide(left, right)
