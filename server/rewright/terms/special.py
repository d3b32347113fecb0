"""Functions of which few laws are known: sine, cosine, the error function, rounding, powers.

Owns their laws that hold at every value: sine and the error function are odd, cosine is even; what is whole leaves the
rounding; a power with a whole or half exponent is a product, one of a number above 0 an exponential. Powers are total:
x to the power y is xʸ for whole y, where 1 / 0 is 0, otherwise |x|ʸ, and 0 where x is 0.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor as rounded_down

from rewright.terms.functions import exponential, reciprocal
from rewright.terms.interning import intern
from rewright.terms.node import (
    REAL,
    Coefficient,
    ElementOf,
    Exponential,
    Number,
    Polynomial,
    Special,
    SpecialFunction,
    Term,
)
from rewright.terms.polynomial import Sum, add, collect, expand, factored, multiply, negate, number, scale
from rewright.terms.roots import logarithm, square_root

LARGEST_OF_MONOMIAL = 256
"""Up to this exponent a power of a monomial is multiplied out."""

LARGEST_OF_SUM = 8
"""Up to this exponent a power of a sum is multiplied out."""


def special(function: SpecialFunction, operands: tuple[Term, ...]) -> Term:
    """The function at the operands."""
    match function:
        case "sine":
            return sine(*operands)
        case "cosine":
            return cosine(*operands)
        case "erf":
            return error_function(*operands)
        case "floor":
            return floor(*operands)
        case "power":
            return power(*operands)


def sine(term: Term) -> Term:
    """The sine."""
    return _odd("sine", term)


def error_function(term: Term) -> Term:
    """erf: 2/√π times the integral of exp(−t²) from 0 to the term."""
    return _odd("erf", term)


def cosine(term: Term) -> Term:
    """The cosine."""
    if _is_none(term):
        return number(1, REAL)
    return _of("cosine", negate(term) if _leads_below(term) else term)


def _odd(function: SpecialFunction, term: Term) -> Term:
    if _is_none(term):
        return term
    return negate(_of(function, negate(term))) if _leads_below(term) else _of(function, term)


def _is_none(term: Term) -> bool:
    return isinstance(term, Number) and term.value == 0


def _leads_below(term: Term) -> bool:
    """Whether the number that the term is a multiple of is below 0: of a term and its negative one is chosen."""
    return (term.value if isinstance(term, Number) else factored(term)[0]) < 0


def _of(function: SpecialFunction, *operands: Term) -> Term:
    return intern(Special, function, operands, operands[0].sort)


def floor(term: Term) -> Term:
    """The greatest whole number that is at most the term: ⌊n + x⌋ = n + ⌊x⌋."""
    whole: Sum = {}
    rest: Sum = {}
    for monomial, factor in expand(term).items():
        if not monomial:
            whole[()] = rounded_down(factor)
            rest[()] = factor - whole[()]
        elif Fraction(factor).denominator == 1 and all(_is_whole(atom) for atom, _ in monomial):
            whole[monomial] = factor
        else:
            rest[monomial] = factor
    left = collect(rest, REAL)
    outside = collect({monomial: factor for monomial, factor in whole.items() if factor}, REAL)
    return outside if isinstance(left, Number) else add(outside, _of("floor", left))


def _is_whole(atom: Term) -> bool:
    return isinstance(atom, ElementOf) or (isinstance(atom, Special) and atom.function == "floor")


def ceiling(term: Term) -> Term:
    """The least whole number that is at least the term."""
    return negate(floor(negate(term)))


def power(base: Term, exponent: Term) -> Term:
    """base to the power of the exponent."""
    if isinstance(exponent, Number):
        found = _number_power(base, exponent.value)
        if found is not None:
            return found
    if base.sort == REAL and _is_above_zero(base):
        return exponential(multiply(exponent, logarithm(base)))
    return _of("power", base, exponent)


def _number_power(base: Term, value: Coefficient) -> Term | None:
    """A power with a whole or half exponent that is not too large; over the integers with no negative one."""
    most = LARGEST_OF_SUM if isinstance(base, Polynomial) and len(base.monomials) > 1 else LARGEST_OF_MONOMIAL
    exact = Fraction(value)
    if abs(exact) > most or exact.denominator > 2 or (base.sort != REAL and exact < 0):
        return None
    inner = square_root(base) if exact.denominator == 2 else base
    if exact < 0:
        inner = reciprocal(inner)
    result = number(1, base.sort)
    for _ in range(abs(exact.numerator)):
        result = multiply(result, inner)
    return result


def _is_above_zero(term: Term) -> bool:
    """Whether the term is above 0 by its form: a positive number times exponentials."""
    if isinstance(term, Number):
        return term.value > 0
    total = expand(term)
    atoms = [atom for monomial in total for atom, _ in monomial]
    return (
        len(total) == 1
        and all(factor > 0 for factor in total.values())
        and all(isinstance(atom, Exponential) for atom in atoms)
    )


def logistic(term: Term) -> Term:
    """1 / (1 + exp(−term)), whose divisor is above 0."""
    return reciprocal(add(number(1, REAL), exponential(negate(term))))


def hyperbolic_tangent(term: Term) -> Term:
    """1 − 2 / (1 + exp(2·term)), whose divisor is above 0."""
    return add(number(1, REAL), scale(-2, reciprocal(add(number(1, REAL), exponential(scale(2, term))))))
