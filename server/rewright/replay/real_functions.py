"""Functions of real numbers: enclosed between two fractions by ball arithmetic, exact where the value is a fraction.

Owns powers, roots, logarithms and the others that have no exact values, and where each of them is defined. Every bound
is `arb`'s (F. Johansson, Arb: efficient arbitrary-precision midpoint-radius interval arithmetic), rounded outward.
`OUTSIDE` is an operand wholly outside the domain, None what is not decided: an operand that may be on either side, or a
value too large to be enclosed. Must not know operators' names. The library is loaded with the first value without an
exact one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from rewright.replay.enclosures import (
    PRECISION,
    REMEMBERED,
    Enclosure,
    Real,
    absolute,
    between,
    divide,
    ends,
    multiply,
    rounded_down,
    rounded_up,
)

LARGEST_POWER = 4096
"""Powers of e beyond this are not enclosed; below its opposite they lie between 0 and a tiny number."""

LARGEST_ANGLE = 1 << 64
"""Sines beyond this are not enclosed."""

LARGEST_EXACT = 1 << 16
"""Exact powers with more bits than this are not worked out."""


class Outside(Enum):
    """No value: the operand is outside the domain."""

    OUTSIDE = "outside"


OUTSIDE = Outside.OUTSIDE
Found = Real | Outside | None
"""The value; OUTSIDE where there is none, None where neither is decided."""

Ball = Any
"""A number of `arb`."""


@cache
def _flint() -> Any:
    import flint

    flint.ctx.prec = PRECISION + 32
    return flint


def _ball(low: Fraction, high: Fraction) -> Ball:
    """A ball around all numbers between two fractions."""
    flint = _flint()
    first = flint.arb(flint.fmpq(low.numerator, low.denominator))
    return first if low == high else first.union(flint.arb(flint.fmpq(high.numerator, high.denominator)))


def _ends(ball: Ball) -> tuple[Fraction, Fraction]:
    low, high = (_fraction(end.man_exp()) for end in (ball.lower(), ball.upper()))
    return rounded_down(low), rounded_up(high)


def _fraction(exact: tuple[Any, Any]) -> Fraction:
    mantissa, exponent = int(exact[0]), int(exact[1])
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _increasing(function: Callable[[Ball], Ball], operand: Real) -> tuple[Fraction, Fraction]:
    """Two ends around the values of an increasing function."""
    low, high = ends(operand)
    first = _ends(function(_ball(low, low)))
    last = first if low == high else _ends(function(_ball(high, high)))
    return first[0], last[1]


@lru_cache(REMEMBERED)
def exponential(operand: Real) -> Found:
    """e to the power of a number."""
    low, high = ends(operand)
    if low == high == 0:
        return Fraction(1)
    if high > LARGEST_POWER:
        return None
    least = Fraction(-LARGEST_POWER)
    below, above = _increasing(lambda ball: ball.exp(), between(max(low, least), max(high, least)))
    return Enclosure(below if low >= least else Fraction(0), above)


@lru_cache(REMEMBERED)
def exponential_less_one(operand: Real) -> Found:
    """e to the power of a number, less 1."""
    low, high = ends(operand)
    if low == high == 0:
        return Fraction(0)
    if high > LARGEST_POWER:
        return None
    least = Fraction(-LARGEST_POWER)
    below, above = _increasing(lambda ball: ball.expm1(), between(max(low, least), max(high, least)))
    return Enclosure(below if low >= least else Fraction(-1), above)


@lru_cache(REMEMBERED)
def logarithm(operand: Real) -> Found:
    """The natural logarithm, above 0."""
    low, high = ends(operand)
    if low <= 0:
        return OUTSIDE if high <= 0 else None
    return Fraction(0) if low == high == 1 else Enclosure(*_increasing(lambda ball: ball.log(), operand))


@lru_cache(REMEMBERED)
def logarithm_plus_one(operand: Real) -> Found:
    """The natural logarithm of a number plus 1, above −1."""
    low, high = ends(operand)
    if low <= -1:
        return OUTSIDE if high <= -1 else None
    return Fraction(0) if low == high == 0 else Enclosure(*_increasing(lambda ball: ball.log1p(), operand))


@lru_cache(REMEMBERED)
def root(operand: Real) -> Found:
    """The square root, from 0 on; exact of the square of a fraction."""
    low, high = ends(operand)
    if low < 0:
        return OUTSIDE if high < 0 else None
    if isinstance(operand, Fraction):
        above, below = math.isqrt(operand.numerator), math.isqrt(operand.denominator)
        if Fraction(above * above, below * below) == operand:
            return Fraction(above, below)
    return Enclosure(*_increasing(lambda ball: ball.sqrt(), operand))


@lru_cache(REMEMBERED)
def reciprocal_root(operand: Real) -> Found:
    """1 / the square root, above 0."""
    if ends(operand)[0] <= 0:
        return OUTSIDE if ends(operand)[1] <= 0 else None
    found = root(operand)
    return divide(Fraction(1), found) if isinstance(found, Fraction | Enclosure) else found


@lru_cache(REMEMBERED)
def logistic(operand: Real) -> Found:
    """1 / (1 + exp(−x)), between 0 and 1."""
    return Fraction(1, 2) if operand == 0 else _flattened(lambda ball: 1 / (1 + (-ball).exp()), operand, 0)


@lru_cache(REMEMBERED)
def hyperbolic_tangent(operand: Real) -> Found:
    """The hyperbolic tangent, between −1 and 1."""
    return Fraction(0) if operand == 0 else _flattened(lambda ball: ball.tanh(), operand, -1)


@lru_cache(REMEMBERED)
def error_function(operand: Real) -> Found:
    """erf, between −1 and 1."""
    return Fraction(0) if operand == 0 else _flattened(lambda ball: ball.erf(), operand, -1)


def _flattened(function: Callable[[Ball], Ball], operand: Real, least: int) -> Real:
    """An increasing function that tends to `least` and to 1, not asked beyond the largest power."""
    low, high = ends(operand)
    most = Fraction(LARGEST_POWER)
    within = between(*(min(max(end, -most), most) for end in (low, high)))
    below, above = _increasing(function, within)
    if low <= -most:
        below = Fraction(least)
    if high >= most:
        above = Fraction(1)
    return Enclosure(max(below, Fraction(least)), min(above, Fraction(1)))


@lru_cache(REMEMBERED)
def sine(operand: Real) -> Found:
    """The sine, between −1 and 1."""
    return Fraction(0) if operand == 0 else _wave(lambda ball: ball.sin(), operand)


@lru_cache(REMEMBERED)
def cosine(operand: Real) -> Found:
    """The cosine, between −1 and 1."""
    return Fraction(1) if operand == 0 else _wave(lambda ball: ball.cos(), operand)


def _wave(function: Callable[[Ball], Ball], operand: Real) -> Found:
    low, high = ends(operand)
    if max(-low, high) > LARGEST_ANGLE:
        return Enclosure(Fraction(-1), Fraction(1))
    below, above = _ends(function(_ball(low, high)))
    return Enclosure(max(below, Fraction(-1)), min(above, Fraction(1)))


def floor(operand: Real) -> Found:
    """The greatest whole number that is at most a number."""
    least, most = (Fraction(math.floor(end)) for end in ends(operand))
    return least if least == most else None


def ceiling(operand: Real) -> Found:
    """The least whole number that is at least a number."""
    least, most = (Fraction(math.ceil(end)) for end in ends(operand))
    return least if least == most else None


def whole_power(base: int, exponent: int) -> int | Outside | None:
    """An integer to the power of another, from 0 on."""
    if exponent < 0:
        return OUTSIDE
    return None if base.bit_length() * exponent > LARGEST_EXACT and base not in (-1, 0, 1) else base**exponent


@lru_cache(REMEMBERED)
def power(base: Real, exponent: Real) -> Found:
    """A number to the power of another: of a negative one only whole powers, of 0 none below 0."""
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return _repeated(base, exponent.numerator)
    low, high = ends(base)
    if low == high == 0:
        return _power_of_none(exponent)
    if low <= 0:
        # a negative number to the power of what is no fraction: whether that is whole is not known
        return OUTSIDE if high < 0 and isinstance(exponent, Fraction) else None
    if isinstance(exponent, Fraction) and exponent.denominator == 2 and isinstance(found := root(base), Fraction):
        return _repeated(found, exponent.numerator)
    natural = logarithm(base)
    if not isinstance(natural, Fraction | Enclosure):
        return natural
    return exponential(multiply(exponent, natural))


def _power_of_none(exponent: Real) -> Found:
    low, high = ends(exponent)
    if low > 0:
        return Fraction(0)
    return OUTSIDE if high < 0 else None


def _repeated(base: Real, exponent: int) -> Found:
    """A whole power."""
    low, high = ends(base)
    if exponent < 0:
        if low <= 0 <= high:
            return OUTSIDE if low == high else None
        found = _repeated(base, -exponent)
        return divide(Fraction(1), found) if isinstance(found, Fraction | Enclosure) else found
    bits = max(abs(end.numerator).bit_length() + end.denominator.bit_length() for end in (low, high))
    if isinstance(base, Fraction):
        return None if bits * exponent > LARGEST_EXACT and abs(base) not in (0, 1) else base**exponent
    if exponent < 2:
        return base if exponent else Fraction(1)
    if bits * exponent > LARGEST_EXACT:
        return None
    if exponent % 2 == 0:
        low, high = ends(absolute(base))
    return between(low**exponent, high**exponent)
