"""Polynomials over atoms, with floor division: the arithmetic of terms.

Owns the one representation of numeric terms: a lone number or atom is itself, everything else a `Polynomial` in
canonical order. Invariant: equal polynomials are the same term; the ring's laws hold over the integers and the reals,
so one normal form serves both. Remainders are not atoms: x mod b is x − b·⌊x/b⌋.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rewright.terms.node import INDEX, Coefficient, FloorDivide, Monomial, Number, Polynomial, Sort, Term, intern

Sum = dict[Monomial, Coefficient]
"""A polynomial as a mapping from monomials to non-zero coefficients."""


def number(value: Coefficient, sort: Sort = INDEX) -> Term:
    """The number as a term of the sort."""
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    return intern(Number, value, sort)


def expand(term: Term) -> Sum:
    """The monomials of a numeric term."""
    if isinstance(term, Polynomial):
        return dict(term.monomials)
    if isinstance(term, Number):
        return {(): term.value} if term.value else {}
    return {((term, 1),): 1}


def collect(total: Mapping[Monomial, Coefficient], sort: Sort) -> Term:
    """The canonical term of a sum of monomials."""
    items = [(monomial, _plain(factor)) for monomial, factor in total.items() if factor]
    if not items:
        return number(0, sort)
    if len(items) == 1:
        monomial, factor = items[0]
        if not monomial:
            return number(factor, sort)
        if factor == 1 and len(monomial) == 1 and monomial[0][1] == 1:
            return monomial[0][0]
    items.sort(key=lambda item: order(item[0]))
    return intern(Polynomial, tuple(items), sort)


def order(monomial: Monomial) -> tuple[int, list[tuple[bytes, int]]]:
    """The place of a monomial: by total degree, then by its atoms' digests."""
    return sum(power for _, power in monomial), [(atom.digest, power) for atom, power in monomial]


def _plain(value: Coefficient) -> Coefficient:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def combine(left: Sum, right: Mapping[Monomial, Coefficient], factor: Coefficient = 1) -> Sum:
    """left + factor · right."""
    result = dict(left)
    for monomial, value in right.items():
        changed = result.get(monomial, 0) + factor * value
        if changed:
            result[monomial] = changed
        else:
            result.pop(monomial, None)
    return result


def add(first: Term, *others: Term) -> Term:
    """The sum."""
    total = expand(first)
    for other in others:
        total = combine(total, expand(other))
    return collect(total, first.sort)


def subtract(left: Term, right: Term) -> Term:
    """The difference."""
    return collect(combine(expand(left), expand(right), -1), left.sort)


def scale(factor: Coefficient, term: Term) -> Term:
    """The multiple of a term by a number."""
    if isinstance(term, Polynomial) and factor and len(term.monomials) > 1:
        if factor == 1:
            return term
        return intern(Polynomial, tuple((m, _plain(factor * value)) for m, value in term.monomials), term.sort)
    return collect({monomial: factor * value for monomial, value in expand(term).items()}, term.sort)


def negate(term: Term) -> Term:
    """The negative."""
    return scale(-1, term)


def plus(term: Term, value: Coefficient) -> Term:
    """The term plus a number."""
    return collect(combine(expand(term), {(): value} if value else {}), term.sort)


def multiply(left: Term, right: Term) -> Term:
    """The product, multiplied out."""
    return collect(product(expand(left), expand(right)), left.sort)


def product(left: Sum, right: Sum) -> Sum:
    """The product of two sums."""
    total: Sum = {}
    for first, a in left.items():
        for second, b in right.items():
            monomial = times(first, second)
            total[monomial] = total.get(monomial, 0) + a * b
    return {monomial: factor for monomial, factor in total.items() if factor}


def times(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    if not left or not right:
        return left or right
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items(), key=lambda item: item[0].digest))


def divide(dividend: Term, divisor: Term) -> tuple[Term, Term]:
    """Quotient u and rest r with dividend = divisor·u + r, as polynomials with integer coefficients.

    No monomial of r is a multiple of the divisor's leading monomial with a coefficient that could be reduced. Leading
    is meant in the graded lexicographic order, which products respect: what is subtracted lies below what it removes.
    Source: Cox, Little, O'Shea, Ideals, Varieties, and Algorithms, section 2.3.
    """
    remaining, by = expand(dividend), expand(divisor)
    quotient: Sum = {}
    rest: Sum = {}
    if not by:
        return number(0, dividend.sort), dividend
    lead = max(by, key=_graded)
    while remaining:
        monomial = max(remaining, key=_graded)
        value = remaining[monomial]
        factor, ratio = value // by[lead], _ratio(monomial, lead)
        if ratio is None or not factor:
            rest[monomial] = remaining.pop(monomial)
            continue
        quotient = combine(quotient, {ratio: factor})
        for part, coefficient in by.items():
            remaining = combine(remaining, {times(ratio, part): coefficient}, -factor)
        if monomial in remaining:
            rest[monomial] = remaining.pop(monomial)
    return collect(quotient, dividend.sort), collect(rest, dividend.sort)


def _graded(monomial: Monomial) -> tuple[int, list[tuple[int, int]]]:
    """The place in the graded lexicographic order of exponents, the atom with the least digest first."""
    powers = [(-int.from_bytes(atom.digest), power) for atom, power in monomial]
    return sum(power for _, power in monomial), powers


def _ratio(monomial: Monomial, lead: Monomial) -> Monomial | None:
    powers = dict(monomial)
    for atom, power in lead:
        left = powers.get(atom, 0) - power
        if left < 0:
            return None
        powers[atom] = left
    return tuple((atom, power) for atom, power in powers.items() if power)


def floor_divide(left: Term, right: Term) -> Term:
    """⌊left / right⌋; 0 where the divisor is 0 (whoever divides makes sure that this does not matter)."""
    if isinstance(right, Number):
        if right.value == 0:
            return number(0)
        if isinstance(left, Number):
            return number(left.value // right.value)
        if right.value == 1:
            return left
        if right.value == -1:
            return negate(left)
    return intern(FloorDivide, left, right, INDEX)


def remainder(left: Term, right: Term) -> Term:
    """left − right·⌊left / right⌋."""
    return subtract(left, multiply(right, floor_divide(left, right)))
