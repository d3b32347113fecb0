"""Logarithms and their powers under facts: ln of a product by factors, exponentials of logarithms as products.

Owns the laws that need a domain. Invariant: the result equals the term wherever the facts hold. ln(x·y) = ln x + ln y
where no factor is 0; exp(k·ln x + r) = xᵏ·exp(r) where x is above 0, for whole and half k. Tests of sums with
logarithms become tests of products, since the exponential is injective and increasing: ln x − ln y + r = 0 iff
x·exp(r) = y.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from rewright.equality.facts import Facts
from rewright.equality.fractions import not_zero
from rewright.equality.signs import Sign, sign_of
from rewright.terms.binding import OpenReduce, close_reduce, open_reduce
from rewright.terms.comparison import negative, zero
from rewright.terms.functions import exponential, parts
from rewright.terms.node import (
    REAL,
    Coefficient,
    Exponential,
    Logarithm,
    Monomial,
    Negative,
    Number,
    Reduce,
    Term,
    Zero,
)
from rewright.terms.polynomial import Sum, collect, expand, factored, multiply, number, subtract
from rewright.terms.roots import logarithm_of_product
from rewright.terms.special import power

LARGEST = 8
"""Up to this exponent a power of a logarithm's operand is multiplied out."""


def split(term: Logarithm, facts: Facts) -> Term:
    """The logarithm by factors, if it is of a product and none of them is 0."""
    if isinstance(term.operand, Number):
        return term
    factor, monomial, rest = factored(term.operand)
    among = parts(monomial, rest)
    if factor == 1 and len(among) == 1 and among[0][1] == 1:
        return term
    return logarithm_of_product(term.operand) if all(not_zero(atom, facts) for atom, _ in among) else term


def as_product(term: Exponential, facts: Facts) -> Term:
    """The exponential without the logarithms in its exponent whose operands are known to be above 0."""
    result = number(1, REAL)
    left: Sum = {}
    for monomial, factor in expand(term.operand).items():
        base = _base(monomial, factor, facts) or (_of_sum(monomial, facts) if isinstance(factor, int) else None)
        if base is None:
            left[monomial] = factor
        else:
            result = multiply(result, power(base, number(factor, REAL)))
    return multiply(result, exponential(collect(left, REAL)))


def raised(test: Zero | Negative, facts: Facts) -> Term:
    """The test of a sum as one of powers of e, without the logarithms of what is known to be above 0."""
    total = expand(test.polynomial)
    found = {monomial: base for monomial, factor in total.items() if (base := _base(monomial, factor, facts))}
    scaling = lcm(*(Fraction(total[monomial]).denominator for monomial in found))
    powers = [(base, int(total[monomial] * scaling)) for monomial, base in found.items()]
    if not found or sum(abs(exponent) for _, exponent in powers) > LARGEST:
        return test
    rest = collect({m: factor * scaling for m, factor in total.items() if m not in found}, REAL)
    left, right = exponential(rest), number(1, REAL)
    for base, exponent in powers:
        for _ in range(abs(exponent)):
            left, right = (multiply(left, base), right) if exponent > 0 else (left, multiply(right, base))
    return (zero if isinstance(test, Zero) else negative)(subtract(left, right))


def _of_sum(monomial: Monomial, facts: Facts) -> Term | None:
    """Π x, if the monomial is Σ ln x, and each x is above 0. Of nothing, it is 1 = exp 0."""
    atom = monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else None
    if not isinstance(atom, Reduce) or atom.monoid != "add":
        return None
    part = open_reduce(atom, facts.opened)
    if not isinstance(part.body, Logarithm) or sign_of(part.body.operand, facts.below(part)) is not Sign.ABOVE_ZERO:
        return None
    return close_reduce(OpenReduce("multiply", part.indices, part.ranges, part.body.operand))


def _base(monomial: Monomial, factor: Coefficient, facts: Facts) -> Term | None:
    """x, if the monomial is ln x with a whole or half factor, and x is above 0."""
    if len(monomial) != 1 or monomial[0][1] != 1 or abs(Fraction(factor)) > LARGEST:
        return None
    atom = monomial[0][0]
    if not isinstance(atom, Logarithm) or Fraction(factor).denominator > 2:
        return None
    return atom.operand if sign_of(atom.operand, facts) is Sign.ABOVE_ZERO else None
