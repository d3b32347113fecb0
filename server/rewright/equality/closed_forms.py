"""Sums in closed form: of powers over an interval, of powers times those of a base, and quotients that leave nothing.

Owns the formulas. A closed form F of Σ f(k) over k < n is right for every n >= 0 iff F(0) = 0 and F(n + 1) − F(n) =
f(n): by induction on n. That of powers is checked so, in exact numbers, before it is used. They are not asked of sympy,
whose import takes longer than a proof.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

from rewright.terms.node import Coefficient, Number, Term
from rewright.terms.polynomial import expand, multiply, number, plus, scale, subtract

LARGEST = 12
"""Up to this power sums of powers are written out: one of power p has p + 1 monomials."""

LARGEST_BESIDE_A_BASE = 4
"""The same of powers of the index beside a base: that of p has divisors to the power of p + 1."""

POINTS = 1024
"""At so many points it is looked whether a number divides a polynomial, at most."""


def sum_of_powers(power: int, last: Term) -> Term | None:
    """Σ hᵖ for h from 0 to `last`, as a polynomial in it, right also where `last` is −1; None above `LARGEST`.

    >>> sum_of_powers(1, n)  # n² / 2 + n / 2
    """
    if power > LARGEST:
        return None
    total = number(0, last.sort)
    for factor in reversed(_coefficients(power)):
        total = plus(multiply(total, last), factor)
    return total


@cache
def _coefficients(power: int) -> tuple[Fraction, ...]:
    """The coefficients of S with S(m) − S(m − 1) = mᵖ and S(−1) = 0, the constant one first.

    m^(p + 1) − (m − 1)^(p + 1) is (p + 1)·mᵖ and lesser powers, whose sums are known.
    """
    found = [Fraction(0)] * (power + 2)
    found[power + 1] = Fraction(1)
    for lesser in range(power):
        factor = -comb(power + 1, lesser) * (-1) ** (power + 1 - lesser)
        for place, value in enumerate(_coefficients(lesser)):
            found[place] -= factor * value
    # so that it is 0 at −1, where the sums of lesser powers are
    found[0] -= (-1) ** (power + 1)
    result = tuple(value / (power + 1) for value in found)
    _check(power, result)
    return result


def _check(power: int, coefficients: tuple[Fraction, ...]) -> None:
    """S(−1) = 0 and S(m) − S(m − 1) = mᵖ, at more points than the difference has zeros. Raises `ArithmeticError`."""

    def value(at: int) -> Fraction:
        return sum((factor * at**place for place, factor in enumerate(coefficients)), Fraction(0))

    if value(-1) != 0 or any(value(at) - value(at - 1) != at**power for at in range(power + 3)):
        raise ArithmeticError(f"not the sum of powers {power}: {coefficients}")


def beside_a_base(power: int, base: Term, inverse: Term, at: Term) -> Term | None:
    """Q(at), where r·Q(k + 1) − Q(k) = kᵖ for the base r, and `inverse` is 1 / (r − 1); None above the limit.

    So Σ kᵖ·rᵏ over k < n is rⁿ·Q(n) − Q(0), of which r ≠ 1 is demanded. With L(f)(k) = r·f(k + 1) − f(k), which is
    linear in f, L(kᵖ) is (r − 1)·kᵖ and r times lesser powers.
    """
    if power > LARGEST_BESIDE_A_BASE:
        return None
    total = number(1, at.sort)
    for _ in range(power):
        total = multiply(total, at)
    for lesser in range(power):
        part = beside_a_base(lesser, base, inverse, at)
        assert part is not None
        total = subtract(total, scale(comb(power, lesser), multiply(base, part)))
    return multiply(inverse, total)


def exact_quotient(left: Term, right: Term) -> Term | None:
    """left / right with rational coefficients, if the number on the right divides the left at all integers.

    A polynomial has values that d divides everywhere iff it has at 0, …, its degree in each unknown: it is an integer
    combination of products of binomials, whose factors are differences of these values.
    """
    if not isinstance(right, Number) or right.value == 0:
        return None
    total = expand(left)
    if any(not isinstance(factor, int) for factor in total.values()):
        return None
    degrees: dict[Term, int] = {}
    for monomial in total:
        for atom, power in monomial:
            degrees[atom] = max(power, degrees.get(atom, 0))
    if prod(degree + 1 for degree in degrees.values()) > POINTS:
        return None
    for point in product(*(range(degree + 1) for degree in degrees.values())):
        values = dict(zip(degrees, point, strict=True))
        value: Coefficient = sum(
            factor * prod(values[atom] ** power for atom, power in monomial) for monomial, factor in total.items()
        )
        if value % right.value:
            return None
    return scale(Fraction(1) / right.value, left)
