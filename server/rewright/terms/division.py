"""Division: of polynomials, rounded down on indices, rounded towards 0 on integer elements.

Owns the quotients. Invariant: a remainder is no atom: x mod b is x − b·⌊x/b⌋, and with the sign of the dividend
x − b·trunc(x/b). Quotients by 0 are 0 here; whoever divides makes sure that this does not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd

from rewright.terms.interning import intern
from rewright.terms.node import INDEX, INT, Coefficient, FloorDivide, Monomial, Number, Term, TruncatedDivide
from rewright.terms.polynomial import (
    Sum,
    collect,
    combine,
    content,
    expand,
    multiply,
    negate,
    number,
    order,
    reduced,
    scale,
    subtract,
    times,
)


def floor_divide(left: Term, right: Term) -> Term:
    """⌊left / right⌋ of indices."""
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


def truncated_divide(left: Term, right: Term) -> Term:
    """left / right of integer elements, rounded towards 0.

    Common integer factors and signs leave; a quotient of a quotient is one; a remainder is too small to be divided.
    """
    zero = number(0, INT)
    if left is zero or right is zero:
        return zero
    above, below = _signed_content(left), _signed_content(right)
    common, sign = gcd(above, below), 1 if (above > 0) == (below > 0) else -1
    upper = scale(Fraction(1 if above > 0 else -1, common), left)
    lower = scale(Fraction(1 if below > 0 else -1, common), right)
    if isinstance(lower, Number) and lower.value == 1:
        return scale(sign, upper)
    if isinstance(upper, Number) and isinstance(lower, Number):
        return number(sign * (int(upper.value) // int(lower.value)), INT)
    if isinstance(upper, TruncatedDivide):
        return scale(sign, truncated_divide(upper.left, multiply(upper.right, lower)))
    if _is_remainder(upper, lower):
        return zero
    return scale(sign, intern(TruncatedDivide, upper, lower, INT))


def _signed_content(term: Term) -> int:
    """The common factor of the coefficients, with the sign of the leading one."""
    total = expand(term)
    return int(content(total)) * (1 if total[max(total, key=order)] > 0 else -1)


def _is_remainder(left: Term, right: Term) -> bool:
    """Whether a term is a remainder by the divisor, or the negative of one."""
    for monomial in expand(left):
        for atom, _ in monomial:
            if isinstance(atom, TruncatedDivide) and atom.right is right:
                rest = subtract(atom.left, multiply(right, atom))
                if left is rest or left is negate(rest):
                    return True
    return False


def truncated_remainder(left: Term, right: Term) -> Term:
    """left − right·(left / right) of integer elements: what is left over has the sign of `left`."""
    return subtract(left, multiply(right, truncated_divide(left, right)))


def divide(dividend: Term, divisor: Term) -> tuple[Term, Term]:
    """Quotient u and rest r with dividend = divisor·u + r, as polynomials with integer coefficients.

    No monomial of r is a multiple of the divisor's leading monomial with a coefficient that could be reduced. Leading
    is meant in the graded lexicographic order, which products respect: what is subtracted lies below what it removes.
    Source: Cox, Little, O'Shea, Ideals, Varieties, and Algorithms, section 2.3.
    """
    return _divide(dividend, divisor, lambda value, lead: value // lead)


def divide_rationally(dividend: Term, divisor: Term) -> tuple[Term, Term]:
    """Quotient and rest as `divide` says, with rational coefficients."""
    return _divide(dividend, divisor, lambda value, lead: Fraction(value) / lead)


def _divide(
    dividend: Term, divisor: Term, ratio_of: Callable[[Coefficient, Coefficient], Coefficient]
) -> tuple[Term, Term]:
    """Atoms are independent unknowns here; their laws are applied to what comes out."""
    remaining, by = expand(dividend), expand(divisor)
    quotient: Sum = {}
    rest: Sum = {}
    if not by:
        return number(0, dividend.sort), dividend
    lead = max(by, key=_graded)
    while remaining:
        monomial = max(remaining, key=_graded)
        value = remaining[monomial]
        factor, ratio = ratio_of(value, by[lead]), _ratio(monomial, lead)
        if ratio is None or not factor:
            rest[monomial] = remaining.pop(monomial)
            continue
        quotient = combine(quotient, {ratio: factor})
        for part, coefficient in by.items():
            remaining = combine(remaining, {times(ratio, part): coefficient}, -factor)
        # over the integers a part of the coefficient is left, which is too small to be divided
        if monomial in remaining:
            rest[monomial] = remaining.pop(monomial)
    return collect(_lawful(quotient), dividend.sort), collect(_lawful(rest), dividend.sort)


def _lawful(total: Sum) -> Sum:
    result: Sum = {}
    for monomial, factor in total.items():
        result = combine(result, reduced(monomial), factor)
    return result


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
