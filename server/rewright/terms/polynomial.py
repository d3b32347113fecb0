"""Polynomials over atoms: the arithmetic of terms.

Owns the one representation of numeric terms: a lone number or atom is itself, everything else a `Polynomial` in
canonical order. Invariant: equal polynomials are the same term; the ring's laws hold over the integers and the reals,
so one normal form serves both. Powers of reciprocals, absolute values, exponentials and roots obey their own laws.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm

from rewright.terms.interning import intern
from rewright.terms.node import (
    INDEX,
    REAL,
    Absolute,
    Coefficient,
    Exponential,
    Logarithm,
    Monomial,
    Number,
    Polynomial,
    Reciprocal,
    Root,
    Sort,
    Term,
)

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
    lawful = _has_functions(left) or _has_functions(right)
    for first, a in left.items():
        for second, b in right.items():
            monomial = times(first, second)
            if lawful:
                total = combine(total, reduced(monomial), a * b)
            else:
                total[monomial] = total.get(monomial, 0) + a * b
    return {monomial: factor for monomial, factor in total.items() if factor}


def times(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials, of which `reduced` is the canonical form."""
    if not left or not right:
        return left or right
    if len(left) == len(right) == 1:
        return _of_two(left[0], right[0])
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items(), key=lambda item: item[0].digest))


def _of_two(left: tuple[Term, int], right: tuple[Term, int]) -> Monomial:
    """The product of two powers, which is what most products of monomials are."""
    if left[0] is right[0]:
        return ((left[0], left[1] + right[1]),)
    return (left, right) if left[0].digest < right[0].digest else (right, left)


_FUNCTIONS = frozenset({Reciprocal, Absolute, Exponential, Root})


_ZERO_AT_ZERO = Absolute | Root | Logarithm


def _has_functions(total: Sum) -> bool:
    return any(atom.__class__ in _FUNCTIONS for monomial in total for atom, _ in monomial)


def reduced(monomial: Monomial) -> Sum:
    """The monomial by the laws of its atoms, which hold at every value of them.

    exp(a)·exp(b) = exp(a + b); |x|² = x²; √x·√x = |x|; xᵖ·inv(x)ᑫ is a power of one of them, or x·inv(x) if p = q, and
    nothing at all beside |x|, √x or ln x, which are 0 where x is. Source of the last: Bergstra, Tucker, The Rational
    Numbers as an Abstract Data Type (meadows).
    """
    if not any(atom.__class__ in _FUNCTIONS for atom, _ in monomial):
        return {monomial: 1}
    powers = dict(monomial)
    extra: Sum = {(): 1}
    exponents: Sum = {}
    for atom, power in monomial:
        match atom:
            case Exponential(operand=operand):
                exponents = combine(exponents, expand(operand), powers.pop(atom))
            case Absolute(operand=operand) if power > 1:
                powers[atom] = power % 2
                square = product(expand(operand), expand(operand))
                for _ in range(power // 2):
                    extra = product(extra, square)
            case Root() if power > 1:
                powers[atom] = power % 2
                for _ in range(power // 2):
                    extra = product(extra, _squared(atom))
            case _:
                pass
    for atom, power in monomial:
        if isinstance(atom, Reciprocal) and powers.get(atom.operand):
            _cancel(powers, atom, power)
    if exponents:
        powers[intern(Exponential, collect(exponents, REAL), REAL)] = 1
    kept = tuple(sorted(((atom, power) for atom, power in powers.items() if power), key=lambda item: item[0].digest))
    return {kept: 1} if extra == {(): 1} else product(extra, {kept: 1})


def _squared(atom: Root) -> Sum:
    """√x·√x, which is |x|: the operand of a root is a number above 0, a root, or an atom without a known sign."""
    operand = atom.operand
    return expand(operand if isinstance(operand, Number | Root) else intern(Absolute, operand, REAL))


def _cancel(powers: dict[Term, int], atom: Reciprocal, power: int) -> None:
    """What is left of xᵖ·inv(x)ᑫ."""
    base = atom.operand
    more = powers[base] - power
    # x·inv(x) is 1 but where x is 0, and there |x|, √x and ln x are 0, too
    vanishes = any(isinstance(other, _ZERO_AT_ZERO) and other.operand is base and powers[other] for other in powers)
    one = 0 if vanishes else 1
    powers[base], powers[atom] = (one, one) if more == 0 else (max(more, 0), max(-more, 0))


def factored(term: Term) -> tuple[Coefficient, Monomial, Term]:
    """A number, a monomial and a primitive rest whose product is the term, which is not 0.

    Primitive: integer coefficients without a common factor, the leading one positive, no common atom. It is the number
    1 if the term has a single monomial.
    """
    total = expand(term)
    first, *others = total
    common = dict(first)
    for monomial in others:
        powers = dict(monomial)
        common = {atom: min(power, powers[atom]) for atom, power in common.items() if atom in powers}
    shared = tuple(sorted(common.items(), key=lambda item: item[0].digest))
    rest = {_without(monomial, common): value for monomial, value in total.items()}
    lead = max((monomial for monomial in rest if monomial), key=order, default=())
    factor = content(total) * (1 if rest[lead] > 0 else -1)
    primitive = {monomial: Fraction(value) / factor for monomial, value in rest.items()}
    return _plain(factor), shared, collect(primitive, term.sort)


def _without(monomial: Monomial, common: Mapping[Term, int]) -> Monomial:
    return tuple((atom, left) for atom, power in monomial if (left := power - common.get(atom, 0)))


def content(total: Sum) -> Fraction:
    """The greatest positive number of which every coefficient is an integer multiple."""
    if all(isinstance(value, int) for value in total.values()):
        return Fraction(gcd(*map(int, total.values())))
    values = [Fraction(value) for value in total.values()]
    bottom = lcm(*(value.denominator for value in values))
    return Fraction(gcd(*(int(value * bottom) for value in values)), bottom)
