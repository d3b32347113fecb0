"""Comparisons of numbers as canonical tests of one polynomial.

Owns p >= 0 over the integers (common factors removed, the constant floored), p < 0 over the reals, and p == 0 (a
common factor removed, the leading coefficient positive). A minimum or maximum that stands alone in its monomial is
spread into a conjunction or disjunction, unless there are many. Element tests whose atoms all come from indices become
index tests.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from rewright.terms.conversion import as_index, element_of
from rewright.terms.node import (
    REAL,
    TRUTH,
    ElementOf,
    Extremum,
    Monomial,
    Negative,
    NonNegative,
    Sort,
    Term,
    Zero,
    intern,
)
from rewright.terms.polynomial import Sum, collect, combine, expand, negate, order, plus, scale, subtract
from rewright.terms.truth import FALSE, complement, conjoin, disjoin, truth


def non_negative(term: Term) -> Term:
    """term >= 0, of sort INDEX or INT."""
    index = as_index(term)
    term = term if index is None else index
    total = expand(term)
    constant = total.get((), 0)
    rest = {monomial: factor for monomial, factor in total.items() if monomial}
    if not rest:
        return truth(constant >= 0)
    spread = _spread(non_negative, total, term.sort, conjoin, disjoin)
    if spread is not None:
        return spread
    common = _common(rest)
    if common == 1:
        return intern(NonNegative, term, TRUTH)
    reduced: Sum = {monomial: Fraction(factor) / common for monomial, factor in rest.items()}
    return intern(NonNegative, collect(combine(reduced, {(): constant // common}), term.sort), TRUTH)


def negative(term: Term) -> Term:
    """term < 0, over the reals."""
    index = as_index(scale(_denominator(term), term))
    if index is not None:
        return non_negative(plus(negate(index), -1))
    total = expand(term)
    if set(total) <= {()}:
        return truth(total.get((), 0) < 0)
    spread = _spread(negative, total, term.sort, disjoin, conjoin)
    if spread is not None:
        return spread
    return intern(Negative, scale(1 / _common(total), term), TRUTH)


def zero(term: Term) -> Term:
    """term == 0."""
    index = as_index(scale(_denominator(term), term))
    term = term if index is None else index
    total = expand(term)
    rest = {monomial: value for monomial, value in total.items() if monomial}
    constant = total.get((), 0)
    if not rest:
        return truth(constant == 0)
    if term.sort != REAL and constant % _common(rest):
        return FALSE
    common = _common(total)
    lead = max(rest, key=order)
    sign = 1 if rest[lead] > 0 else -1
    return intern(Zero, term if common == sign else scale(sign / common, term), TRUTH)


def _denominator(term: Term) -> int:
    """The least positive integer whose multiple of the term has integer coefficients."""
    return reduce(lcm, (Fraction(value).denominator for value in expand(term).values()), 1)


def _common(total: Sum) -> Fraction:
    """The greatest positive number of which every coefficient is an integer multiple."""
    if all(isinstance(value, int) for value in total.values()):
        return Fraction(gcd(*map(int, total.values())))
    values = [Fraction(value) for value in total.values()]
    bottom = reduce(lcm, (value.denominator for value in values), 1)
    return Fraction(reduce(gcd, (int(value * bottom) for value in values), 0), bottom)


Connective = Callable[..., Term]

SPREAD_WITHIN = 6
"""A sum of more minima and maxima is left as it is: each doubles the tests."""


def _spread(
    test: Callable[[Term], Term], total: Sum, sort: Sort, all_hold: Connective, one_holds: Connective
) -> Term | None:
    """The test of a sum with an extremum e alone in a monomial, as tests of the sum with each operand of e.

    None if there is no such e, or there are too many. `all_hold` joins them where e is a minimum with a positive
    factor.
    """
    lone = [(monomial, found) for monomial in total if (found := _extremum(monomial))]
    if not lone or len(lone) > SPREAD_WITHIN:
        return None
    monomial, found = lone[0]
    factor = total[monomial]
    rest = {other: value for other, value in total.items() if other != monomial}
    join = one_holds if found.greatest == (factor > 0) else all_hold
    operands = (operand if operand.sort == sort else element_of(operand, sort) for operand in found.operands)
    return join(*(test(collect(combine(rest, expand(operand), factor), sort)) for operand in operands))


def _extremum(monomial: Monomial) -> Extremum | None:
    """The extremum, or the index extremum as an element, that a monomial consists of."""
    if len(monomial) != 1 or monomial[0][1] != 1:
        return None
    atom = monomial[0][0].index if isinstance(monomial[0][0], ElementOf) else monomial[0][0]
    return atom if isinstance(atom, Extremum) else None


def at_most(left: Term, right: Term) -> Term:
    """left <= right."""
    if left.sort == REAL:
        return complement(negative(subtract(right, left)))
    return non_negative(subtract(right, left))


def less(left: Term, right: Term) -> Term:
    """left < right."""
    if left.sort == REAL:
        return negative(subtract(left, right))
    return non_negative(plus(subtract(right, left), -1))


def equal(left: Term, right: Term) -> Term:
    """left == right, of numbers."""
    return zero(subtract(left, right))
