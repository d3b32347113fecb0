"""Roots and logarithms: √|x| and ln|x|, total and multiplicative.

Owns their laws that hold at every value, 0 and negative numbers included: √ of a product is the product of the roots,
√(x²) = |x|, ln(xᵖ) = p·ln x, ln exp(a) = a. ln 0 is 0, so ln of a product is a sum only where no factor is 0. Numbers
are taken apart into primes. Must not know where √x and ln x are defined: √x is √|x|, ln x is ln|x|.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt

from rewright.terms.comparison import is_evidently_positive
from rewright.terms.functions import absolute, exponential, parts, reciprocal
from rewright.terms.interning import intern
from rewright.terms.node import (
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
    Term,
)
from rewright.terms.polynomial import Sum, add, collect, combine, expand, factored, number, product, scale

DIVISORS = 1 << 10
"""Numbers are divided by primes below this; what is left over counts as one more prime."""

HALF = Fraction(1, 2)


def square_root(term: Term) -> Term:
    """√|term|."""
    if isinstance(term, Number):
        return collect(_root_of_number(term.value), REAL)
    factor, monomial, rest = factored(term)
    total = _root_of_number(factor)
    for atom, power in parts(monomial, rest):
        for _ in range(power // 2):
            total = product(total, expand(absolute(atom)))
        if power % 2:
            total = product(total, expand(_root(atom)))
    return collect(total, REAL)


def _whole_root(term: Polynomial) -> Term | None:
    """A sum whose square is this sum, found term by term from the greatest; None if none is found."""
    square = expand(term)
    result: Sum = {}
    for _ in range(len(square)):
        rest = combine(square, product(result, result), -1)
        if not rest:
            return collect(result, REAL)
        found = _next(result, rest)
        if found is None or found[0] in result:
            return None
        result = {**result, found[0]: found[1]}
    return None


def _next(result: Sum, rest: Sum) -> tuple[Monomial, Coefficient] | None:
    """The next term of a root: what is left, by twice the greatest term; the greatest itself is a root."""
    monomial = max(rest, key=_graded)
    if result:
        first = max(result, key=_graded)
        powers = dict(monomial)
        for atom, power in first:
            powers[atom] = powers.get(atom, 0) - power
        if min(powers.values(), default=0) < 0:
            return None
        left = tuple(sorted(((a, p) for a, p in powers.items() if p), key=lambda item: item[0].digest))
        return left, Fraction(rest[monomial]) / (2 * result[first])
    factor = Fraction(rest[monomial])
    if factor <= 0 or any(power % 2 for _, power in monomial):
        return None
    above, below = isqrt(factor.numerator), isqrt(factor.denominator)
    if above * above != factor.numerator or below * below != factor.denominator:
        return None
    return tuple((atom, power // 2) for atom, power in monomial), Fraction(above, below)


def _graded(monomial: Monomial) -> tuple[int, list[tuple[bytes, int]]]:
    """An order of monomials that multiplying keeps: by degree, then by the powers of atoms from the first one on."""
    return sum(power for _, power in monomial), [(_turned(atom.digest), power) for atom, power in monomial]


def _turned(digest: bytes) -> bytes:
    return bytes(255 - each for each in digest)


def _root_of_number(value: Coefficient) -> Sum:
    total: Sum = {(): 1 if value else 0}
    for prime, power in _primes(value):
        total = {monomial: factor * Fraction(prime) ** (power // 2) for monomial, factor in total.items()}
        if power % 2:
            total = product(total, {((intern(Root, number(prime, REAL), REAL), 1),): 1})
    return total


def _root(atom: Term) -> Term:
    match atom:
        case Exponential(operand=operand):
            return exponential(scale(HALF, operand))
        case Absolute(operand=operand):
            return square_root(operand)
        case Reciprocal(operand=operand):
            return reciprocal(square_root(operand))
        case Polynomial() if (whole := _whole_root(atom)) is not None:
            return absolute(whole)
        case _:
            return intern(Root, atom, REAL)


def logarithm(term: Term) -> Term:
    """ln |term|, 0 where it is 0: by factors where none of them is ever 0, and of powers of one thing."""
    if isinstance(term, Number):
        return _logarithm_of_number(term.value)
    factor, monomial, rest = factored(term)
    among = parts(monomial, rest)
    if all(_never_zero(atom) for atom, _ in among):
        return logarithm_of_product(term)
    if abs(factor) == 1 and len({_base(atom) for atom, _ in among}) == 1:
        return logarithm_of_product(term)
    return intern(Logarithm, scale(-1, term) if factor < 0 else term, REAL)


def logarithm_of_product(term: Term) -> Term:
    """ln |term| by the factors of the term, wherever none of them is 0."""
    if isinstance(term, Number):
        return _logarithm_of_number(term.value)
    factor, monomial, rest = factored(term)
    powers = (scale(power, _logarithm(atom)) for atom, power in parts(monomial, rest))
    return add(_logarithm_of_number(factor), *powers)


def _logarithm_of_number(value: Coefficient) -> Term:
    powers = (scale(power, intern(Logarithm, number(prime, REAL), REAL)) for prime, power in _primes(value))
    return add(number(0, REAL), *powers)


def _logarithm(atom: Term) -> Term:
    match atom:
        case Exponential(operand=operand):
            return operand
        case Absolute(operand=operand):
            return logarithm(operand)
        case Reciprocal(operand=operand):
            return scale(-1, logarithm(operand))
        case Root(operand=operand):
            return scale(HALF, logarithm(operand))
        case _:
            return intern(Logarithm, atom, REAL)


def _never_zero(atom: Term) -> bool:
    return is_evidently_positive(atom.operand if isinstance(atom, Absolute | Reciprocal | Root) else atom)


def _base(atom: Term) -> Term:
    """What an atom is 0 with."""
    return atom.operand if isinstance(atom, Absolute | Reciprocal | Root) else atom


def _primes(value: Coefficient) -> Iterator[tuple[int, int]]:
    """The primes of a fraction's absolute value with their powers; of 0 none."""
    exact = Fraction(value)
    for whole, sign in ((abs(exact.numerator), 1), (exact.denominator, -1)):
        left = whole
        for divisor in range(2, DIVISORS):
            if left < divisor:
                break
            power = 0
            while left % divisor == 0:
                left, power = left // divisor, power + 1
            if power:
                yield divisor, sign * power
        if left > 1:
            yield left, sign
