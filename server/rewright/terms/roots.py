"""Roots and logarithms: √|x| and ln|x|, total and multiplicative.

Owns their laws that hold at every value, 0 and negative numbers included: √ of a product is the product of the roots,
√(x²) = |x|, ln(xᵖ) = p·ln x, ln exp(a) = a. ln 0 is 0, so ln of a product is a sum only where no factor is 0. Numbers
are taken apart into primes. Must not know where √x and ln x are defined: √x is √|x|, ln x is ln|x|.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rewright.terms.functions import absolute, exponential, parts, reciprocal
from rewright.terms.node import (
    REAL,
    Absolute,
    Coefficient,
    Exponential,
    Logarithm,
    Number,
    Reciprocal,
    Root,
    Term,
    intern,
)
from rewright.terms.polynomial import Sum, add, collect, expand, factored, number, product, scale

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
    return isinstance(atom, Exponential) or (isinstance(atom, Root) and isinstance(atom.operand, Number))


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
