"""Powers with whole exponents under facts: by factors of the base, and by summands of the exponent.

Owns their laws over the reals, which hold of the total extension: xᵉ is xᵉ for whole e, 0⁰ = 1, 1 / 0 = 0. So
(x·y)ᵉ = xᵉ·yᵉ and (1 / x)ᵉ = 1 / xᵉ hold at every x and y, 0 included; xᵃ⁺ᵇ = xᵃ·xᵇ only where x ≠ 0, or where
a >= 0 and b >= 0: of x = 0, a = 1 and b = −1 it is 1 and 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from rewright.equality.closed_forms import exact_quotient
from rewright.equality.facts import Facts
from rewright.equality.fractions import not_zero
from rewright.terms.conversion import element_of
from rewright.terms.functions import parts, reciprocal
from rewright.terms.node import REAL, Coefficient, ElementOf, FloorDivide, Monomial, Number, Reciprocal, Special, Term
from rewright.terms.polynomial import Sum, collect, combine, expand, factored, multiply, number, plus, scale
from rewright.terms.special import power

LARGEST = 8
"""Up to this factor of an exponent, xᶜᵐ is (xᵐ)ᶜ."""


def whole(exponent: Term) -> Term | None:
    """The exponent without quotients that leave nothing, if it is an integer whatever its atoms are; else None."""
    total: Sum = {}
    for monomial, factor in expand(exponent).items():
        image = number(factor, REAL)
        for atom, times in monomial:
            if not (isinstance(atom, ElementOf) or (isinstance(atom, Special) and atom.function == "floor")):
                return None
            plain = exactly(atom)
            for _ in range(times):
                image = multiply(image, plain)
        total = combine(total, expand(image))
    denominator = lcm(*(Fraction(factor).denominator for factor in total.values()))
    dividend = scale(denominator, collect(total, REAL))
    return collect(total, REAL) if exact_quotient(dividend, number(denominator, REAL)) is not None else None


def exactly(atom: ElementOf | Special) -> Term:
    """The element of a quotient that leaves nothing as a polynomial with rational coefficients."""
    if not isinstance(atom, ElementOf) or not isinstance(atom.index, FloorDivide):
        return atom
    exact = exact_quotient(atom.index.left, atom.index.right)
    return atom if exact is None else element_of(exact, atom.sort)


def is_power(term: Term) -> bool:
    """Whether a term is a power of a real with a whole exponent."""
    return (
        isinstance(term, Special)
        and term.function == "power"
        and term.sort == REAL
        and whole(term.operands[1]) is not None
    )


def whole_power(base: Term, exponent: Term, facts: Facts) -> Term:
    """The power as a product; as it is, if its exponent is not seen to be whole."""
    found = whole(exponent)
    if found is None or isinstance(found, Number):
        return power(base, exponent if found is None else found)
    exponent = found
    factor, monomial, rest = (base.value, (), base) if isinstance(base, Number) else factored(base)
    result = _of_number(factor, exponent, facts)
    for atom, times in parts(monomial, rest):
        turned = isinstance(atom, Reciprocal)
        each = _split(atom.operand if isinstance(atom, Reciprocal) else atom, exponent, facts)
        for _ in range(times):
            result = multiply(result, reciprocal(each) if turned else each)
    return result


def _of_number(value: Coefficient, exponent: Term, facts: Facts) -> Term:
    """The power of a number; of one below 0, by its sign."""
    if value >= 0:
        return power(number(value, REAL), exponent)
    return multiply(_of_minus_one(exponent), _of_number(-value, exponent, facts))


def _of_minus_one(exponent: Term) -> Term:
    """(−1)ᵉ, in which even parts of the exponent do not count."""
    if _has_fraction(exponent):
        return power(number(-1, REAL), exponent)
    odd = {monomial: 1 for monomial, factor in expand(exponent).items() if int(factor) % 2}
    result = number(-1 if () in odd else 1, REAL)
    for monomial in odd:
        if monomial:
            result = multiply(result, power(number(-1, REAL), collect({monomial: 1}, REAL)))
    return result


def _split(base: Term, exponent: Term, facts: Facts) -> Term:
    """The power of what is no product, by summands of the exponent as far as that is known to be right."""
    total = expand(exponent)
    if _has_fraction(exponent):
        # its summands are no integers
        return power(base, exponent)
    separate = [collect({monomial: factor}, REAL) for monomial, factor in total.items()]
    result = number(1, REAL)
    if not_zero(base, facts) or all(facts.non_negative(part) for part in separate):
        for monomial, factor in total.items():
            result = multiply(result, _of_monomial(base, monomial, int(factor)))
        return result
    constant = int(total.get((), 0))
    rest = plus(exponent, -constant)
    if constant > 0 and facts.non_negative(rest):
        return multiply(power(base, number(constant, REAL)), power(base, rest))
    return power(base, exponent)


def _of_monomial(base: Term, monomial: Monomial, factor: int) -> Term:
    """base to factor · monomial: (xᵐ)ᶜ holds of x = 0, too, as c is not 0."""
    if not monomial or abs(factor) > LARGEST:
        return power(base, collect({monomial: factor}, REAL))
    one = power(base, collect({monomial: 1}, REAL))
    result = number(1, REAL)
    for each in _times(abs(factor), reciprocal(one) if factor < 0 else one):
        result = multiply(result, each)
    return result


def _has_fraction(exponent: Term) -> bool:
    return any(not isinstance(factor, int) for factor in expand(exponent).values())


def _times(count: int, term: Term) -> Iterator[Term]:
    return (term for _ in range(count))
