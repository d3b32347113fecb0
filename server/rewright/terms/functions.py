"""Functions of elements: reciprocal, absolute value, sign, exponential, and declared functions.

Owns their laws of one argument; those of products are `polynomial`'s. Reciprocals and absolute values are
multiplicative, so they are pushed down to atoms and to sums without a common factor. Total: the reciprocal of 0 is 0.
"""

from __future__ import annotations

from fractions import Fraction

from rewright.terms.comparison import less, zero
from rewright.terms.interning import intern
from rewright.terms.node import (
    REAL,
    Absolute,
    Applied,
    Exponential,
    Monomial,
    Number,
    Polynomial,
    Reciprocal,
    Root,
    Sort,
    Term,
)
from rewright.terms.polynomial import Sum, collect, expand, factored, multiply, negate, number, plus, product
from rewright.terms.selection import choose


def reciprocal(term: Term) -> Term:
    """1 / term over the reals, 0 where the term is 0: inv(x·y) = inv(x)·inv(y), inv(inv(x)) = x."""
    if isinstance(term, Number):
        return number(Fraction(1) / term.value if term.value else 0, REAL)
    factor, monomial, rest = factored(term)
    total: Sum = {(): Fraction(1) / factor}
    for atom, power in parts(monomial, rest):
        for _ in range(power):
            total = product(total, expand(_reciprocal(atom)))
    return collect(total, REAL)


def _reciprocal(atom: Term) -> Term:
    match atom:
        case Reciprocal(operand=operand):
            return operand
        case Exponential(operand=operand):
            return exponential(negate(operand))
        case Absolute(operand=operand):
            return _inverse_absolute(operand)
        case Root(operand=operand):
            return multiply(atom, reciprocal(absolute(operand)))
        case Polynomial() if (exponent := _exponent_beside_one(atom)) is not None and _leads_below(exponent):
            # 1 / (1 + exp(−x)) is exp(x) / (1 + exp(x)): one form for the two
            opposite = exponential(negate(exponent))
            return multiply(opposite, intern(Reciprocal, plus(opposite, 1), REAL))
        case _:
            return intern(Reciprocal, atom, REAL)


def _exponent_beside_one(term: Polynomial) -> Term | None:
    """x of 1 + exp(x)."""
    total = expand(term)
    powers = [monomial[0][0] for monomial, factor in total.items() if len(monomial) == 1 and factor == 1]
    if len(total) != 2 or total.get(()) != 1 or len(powers) != 1 or not isinstance(powers[0], Exponential):
        return None
    return powers[0].operand


def _leads_below(term: Term) -> bool:
    """Whether the number that the term is a multiple of is below 0: of a term and its negative one is."""
    return (term.value if isinstance(term, Number) else factored(term)[0]) < 0


def _inverse_absolute(operand: Term) -> Term:
    """1 / |x| is |x| / x²."""
    inverse = intern(Reciprocal, operand, REAL)
    return multiply(intern(Absolute, operand, REAL), multiply(inverse, inverse))


def absolute(term: Term) -> Term:
    """|term|: |x·y| = |x|·|y|."""
    if isinstance(term, Number):
        return number(max(term.value, -term.value), term.sort)
    factor, monomial, rest = factored(term)
    total: Sum = {(): max(factor, -factor)}
    for atom, power in parts(monomial, rest):
        for _ in range(power):
            total = product(total, expand(_absolute(atom)))
    return collect(total, term.sort)


def _absolute(atom: Term) -> Term:
    match atom:
        case Exponential() | Absolute() | Root():
            return atom
        case Reciprocal(operand=operand):
            return _inverse_absolute(operand)
        case _:
            return intern(Absolute, atom, atom.sort)


def parts(monomial: Monomial, rest: Term) -> Monomial:
    """The factors of a term that are no numbers, with their powers, of what `factored` returns."""
    return monomial if isinstance(rest, Number) else (*monomial, (rest, 1))


def sign(term: Term) -> Term:
    """−1, 0 or 1, as the term is below, at or above 0."""
    one, none = number(1, term.sort), number(0, term.sort)
    return choose(zero(term), none, choose(less(term, none), negate(one), one))


def exponential(term: Term) -> Term:
    """e to the power of the term, over the reals."""
    return number(1, REAL) if isinstance(term, Number) and term.value == 0 else intern(Exponential, term, REAL)


def applied(function: str, operands: tuple[Term, ...], sort: Sort) -> Term:
    """A declared function at the operands: the same at the same operands."""
    return intern(Applied, function, operands, sort)
