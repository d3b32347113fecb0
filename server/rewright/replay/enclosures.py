"""Real numbers that have no exact value here, each enclosed between two fractions.

Owns rigorous interval arithmetic: every bound is rounded outward, so the number meant always lies within. Invariant: an
`Enclosure` has two different ends; a number that is known exactly is a `Fraction`. The same operation on the same
operands gives the same object while it is remembered, and one object is one number: that is how two numbers are known
to be equal. Comparisons that the ends do not decide are None. Must not know operators' names, or what is undefined.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

PRECISION = 128
"""Significant bits of a rounded end."""

TINY = Fraction(1, 1 << 64)
"""What is left of numbers that are equal by a law only, such as 1 and ln(exp(1))."""

REMEMBERED = 1 << 14
"""Results kept of each operation: the same elements are combined again for each index that reads them."""


class Enclosure(Struct, frozen=True, eq=False):
    """A real number between `low` and `high`, which differ.

    Compared by identity: two numbers with the same ends need not be the same.
    """

    low: Fraction
    high: Fraction


Real = Fraction | Enclosure


def ends(number: Real) -> tuple[Fraction, Fraction]:
    """The least and the greatest that the number can be."""
    return (number.low, number.high) if isinstance(number, Enclosure) else (number, number)


@lru_cache(REMEMBERED)
def add(left: Real, right: Real) -> Real:
    """The sum."""
    (low, high), (other_low, other_high) = ends(left), ends(right)
    return between(low + other_low, high + other_high)


@lru_cache(REMEMBERED)
def negate(operand: Real) -> Real:
    """The opposite."""
    low, high = ends(operand)
    return between(-high, -low)


def subtract(left: Real, right: Real) -> Real:
    """The difference; 0 for a number and itself."""
    return Fraction(0) if left is right else add(left, negate(right))


@lru_cache(REMEMBERED)
def multiply(left: Real, right: Real) -> Real:
    """The product."""
    products = [first * second for first in ends(left) for second in ends(right)]
    return between(min(products), max(products))


@lru_cache(REMEMBERED)
def divide(left: Real, right: Real) -> Real | None:
    """The quotient; None where the divisor may be 0."""
    if left is right and not may_be_zero(right):
        return Fraction(1)
    low, high = ends(right)
    return None if may_be_zero(right) else multiply(left, between(1 / high, 1 / low))


@lru_cache(REMEMBERED)
def remainder(left: Real, right: Real) -> Real | None:
    """What is left after the truncated quotient; None where that is not decided."""
    quotient = divide(left, right)
    if quotient is None:
        return None
    whole, other = (math.trunc(end) for end in ends(quotient))
    return subtract(left, multiply(right, Fraction(whole))) if whole == other else None


@lru_cache(REMEMBERED)
def absolute(operand: Real) -> Real:
    """The absolute value."""
    low, high = ends(operand)
    if low >= 0:
        return operand
    return negate(operand) if high <= 0 else between(Fraction(0), max(-low, high))


@lru_cache(REMEMBERED)
def maximum(left: Real, right: Real) -> Real:
    """The greater of two numbers: one of them where that is decided."""
    if (above := at_most(left, right)) is not None:
        return right if above else left
    (low, high), (other_low, other_high) = ends(left), ends(right)
    return between(max(low, other_low), max(high, other_high))


@lru_cache(REMEMBERED)
def minimum(left: Real, right: Real) -> Real:
    """The lesser of two numbers: one of them where that is decided."""
    if (above := at_most(left, right)) is not None:
        return left if above else right
    (low, high), (other_low, other_high) = ends(left), ends(right)
    return between(min(low, other_low), min(high, other_high))


def sign(operand: Real) -> int | None:
    """−1, 0 or 1; None where it is not decided."""
    low, high = ends(operand)
    if low > 0 or high < 0:
        return 1 if low > 0 else -1
    return 0 if low == high else None


def may_be_zero(operand: Real) -> bool:
    """Whether 0 lies within the ends."""
    low, high = ends(operand)
    return low <= 0 <= high


def equals(left: Real, right: Real) -> bool | None:
    """Whether two numbers are equal; None where that is not decided."""
    (low, high), (other_low, other_high) = ends(left), ends(right)
    if left is right or low == high == other_low == other_high:
        return True
    return False if high < other_low or other_high < low else None


def below(left: Real, right: Real) -> bool | None:
    """Whether the left number is less than the right one; None where that is not decided."""
    at_least = at_most(right, left)
    return None if at_least is None else not at_least


def at_most(left: Real, right: Real) -> bool | None:
    """Whether the left number is at most the right one; None where that is not decided."""
    (low, high), (other_low, other_high) = ends(left), ends(right)
    if left is right or high <= other_low:
        return True
    return False if low > other_high else None


def decimal(number: Enclosure) -> str:
    """The number to nine significant digits, for people: 0 for what may be 0 and is tiny otherwise."""
    if may_be_zero(number) and number.high - number.low < TINY:
        return "≈0"
    middle = (number.low + number.high) / 2
    return f"≈{Context(prec=9).divide(Decimal(middle.numerator), Decimal(middle.denominator))}"


def between(low: Fraction, high: Fraction) -> Real:
    """The number between two ends, which is exact if they are the same."""
    return low if low == high else Enclosure(rounded_down(low), rounded_up(high))


def rounded_down(number: Fraction) -> Fraction:
    """The greatest number of `PRECISION` significant bits, or one more, that is at most this one.

    In whole numbers, several times faster than by fractions: most of a replay with `exp` in it is spent here.
    """
    above, below = number.numerator, number.denominator
    shift = PRECISION - above.bit_length() + below.bit_length()
    if shift >= 0:
        return Fraction((above << shift) // below, 1 << shift)
    return Fraction((above // (below << -shift)) << -shift)


def rounded_up(number: Fraction) -> Fraction:
    """The least such number that is at least this one."""
    return -rounded_down(-number)
