"""Functions of real numbers to a hundred digits, by series in `decimal`; and the total functions that terms mean.

Owns its own arithmetic: neither the prover nor the replay has a part in it. A value within `NEAR` of a whole number is
that number, since the functions that jump there are asked at values that were rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from fractions import Fraction

EXACT = Context(prec=120)
NEAR = Decimal(10) ** -70
APART = Decimal(10) ** -30
LARGEST = Decimal(50)


class TooLarge(Exception):
    """A value beyond what is worth computing."""


def snapped(value: Decimal) -> Decimal:
    """The value, or the whole number that it is near. Raises `TooLarge` where it is not clear whether it is one."""
    whole = value.to_integral_value()
    apart = abs(value - whole)
    if NEAR <= apart < APART:
        raise TooLarge
    return whole if apart < NEAR else value


def of(value: Fraction | int) -> Decimal:
    """A fraction as a decimal."""
    exact = Fraction(value)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def exponential(value: Decimal) -> Decimal:
    if abs(value) > LARGEST:
        raise TooLarge
    return value.exp()


def logarithm(value: Decimal) -> Decimal:
    """ln |x|, and 0 for 0."""
    return abs(value).ln() if snapped(value) else Decimal(0)


def root(value: Decimal) -> Decimal:
    """√|x|."""
    return abs(value).sqrt() if snapped(value) else Decimal(0)


def inverse(value: Decimal) -> Decimal:
    """1 / x, and 0 for 0."""
    return 1 / value if snapped(value) else Decimal(0)


def floor(value: Decimal) -> Decimal:
    return snapped(value).to_integral_value(rounding="ROUND_FLOOR")


def ceiling(value: Decimal) -> Decimal:
    return snapped(value).to_integral_value(rounding="ROUND_CEILING")


def _series(first: Decimal, square: Decimal, divisor: Callable[[int], Decimal]) -> Decimal:
    """first − first·square / d(1) + …"""
    total = term = first
    count = 0
    while abs(term) > Decimal(10) ** -110:
        count += 1
        term = -term * square / divisor(count)
        total += term
    return total


def sine(value: Decimal) -> Decimal:
    if abs(value) > 30:
        raise TooLarge
    return _series(value, value * value, lambda k: Decimal(2 * k * (2 * k + 1)))


def cosine(value: Decimal) -> Decimal:
    if abs(value) > 30:
        raise TooLarge
    return _series(Decimal(1), value * value, lambda k: Decimal((2 * k - 1) * 2 * k))


def error_function(value: Decimal) -> Decimal:
    """2/√π · Σ (−1)ᵏ x²ᵏ⁺¹ / (k! (2k + 1))."""
    if abs(value) > 4:
        raise TooLarge
    total = term = value
    count = 0
    while abs(term) > Decimal(10) ** -110:
        count += 1
        term = -term * value * value / count
        total += term / (2 * count + 1)
    return 2 * total / PI.sqrt()


def power(base: Decimal, exponent: Decimal) -> Decimal:
    """xʸ for whole y, where 1 / 0 is 0; otherwise |x|ʸ, and 0 where x is 0."""
    base, exponent = snapped(base), snapped(exponent)
    if exponent == exponent.to_integral_value():
        if abs(exponent) > 64:
            raise TooLarge
        return inverse(base) ** int(-exponent) if exponent < 0 else base ** int(exponent) if exponent else Decimal(1)
    return exponential(exponent * abs(base).ln()) if base else Decimal(0)


def _pi() -> Decimal:
    """16·arctan(1/5) − 4·arctan(1/239), by Machin."""

    def arctangent(inverse_of: int) -> Decimal:
        total, step, sign = Decimal(0), Decimal(1) / inverse_of, 1
        for count in range(1, 200, 2):
            total += sign * step / count
            step, sign = step / inverse_of**2, -sign
        return total

    return 16 * arctangent(5) - 4 * arctangent(239)


with localcontext(EXACT):
    PI = _pi()


def same(left: Decimal, right: Decimal) -> bool:
    """Whether two values agree to thirty digits."""
    return abs(left - right) <= Decimal(10) ** -30 * max(Decimal(1), abs(left), abs(right))
