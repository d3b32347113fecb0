"""Comparisons of numbers as canonical tests of one polynomial.

Owns p >= 0 over the integers (common factors removed, the constant floored), p < 0 over the reals, and p == 0 (a
common factor removed, the leading coefficient positive; of elements, a product is 0 where a factor is). A minimum or
maximum that stands alone in its monomial is spread into a conjunction or disjunction, unless there are many; so is an
absolute value. Element tests whose atoms all come from indices become index tests.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from math import lcm

from rewright.terms.conversion import as_index, element_of
from rewright.terms.interning import intern
from rewright.terms.node import (
    INDEX,
    REAL,
    TRUTH,
    Absolute,
    ElementOf,
    Exponential,
    Extremum,
    Logarithm,
    Monomial,
    Negative,
    NonNegative,
    Number,
    Reciprocal,
    Root,
    Sort,
    Term,
    Zero,
)
from rewright.terms.polynomial import (
    Sum,
    collect,
    combine,
    content,
    expand,
    factored,
    negate,
    number,
    order,
    plus,
    scale,
    subtract,
)
from rewright.terms.truth import FALSE, complement, conjoin, disjoin, truth


def non_negative(term: Term) -> Term:
    """term >= 0, of sort INDEX or INT."""
    index = as_index(term)
    term = term if index is None else index
    total = expand(term)
    constant = total.get((), 0)
    rest = {monomial: factor for monomial, factor in total.items() if monomial}
    if not rest:
        return truth(constant >= 0)
    if term.sort != INDEX and (evident := _evident(total)) is not None:
        return truth(evident >= 0)
    spread = _spread(non_negative, total, term.sort, conjoin, disjoin)
    if spread is not None:
        return spread
    common = content(rest)
    if common == 1:
        return intern(NonNegative, term, TRUTH)
    reduced: Sum = {monomial: Fraction(factor) / common for monomial, factor in rest.items()}
    return intern(NonNegative, collect(combine(reduced, {(): constant // common}), term.sort), TRUTH)


def negative(term: Term) -> Term:
    """term < 0, over the reals."""
    index = as_index(scale(_denominator(term), term))
    if index is not None:
        return non_negative(plus(negate(index), -1))
    total = expand(term)
    if set(total) <= {()}:
        return truth(total.get((), 0) < 0)
    evident = _evident(total)
    if evident is not None:
        return truth(evident < 0)
    exponents = _exponents(total)
    if exponents is not None:
        return negative(subtract(*exponents))
    inverse = _inverse(total)
    if inverse is not None:
        return negative(inverse)
    spread = _spread(negative, total, term.sort, disjoin, conjoin)
    if spread is not None:
        return spread
    return intern(Negative, scale(1 / content(total), term), TRUTH)


def zero(term: Term) -> Term:
    """term == 0."""
    index = as_index(scale(_denominator(term), term))
    term = term if index is None else index
    total = expand(term)
    rest = {monomial: value for monomial, value in total.items() if monomial}
    constant = total.get((), 0)
    if not rest:
        return truth(constant == 0)
    # the rest is a multiple of its content, whatever the integers are
    if term.sort != REAL and constant % content(rest):
        return FALSE
    if term.sort != INDEX:
        return _element_zero(term, total)
    common = content(total)
    lead = max(rest, key=order)
    sign = 1 if rest[lead] > 0 else -1
    return intern(Zero, term if common == sign else scale(sign / common, term), TRUTH)


def _element_zero(term: Term, total: Sum) -> Term:
    if (evident := _evident(total)) is not None and evident != 0:
        return FALSE
    exponents = _exponents(total)
    if exponents is not None:
        return zero(subtract(*exponents))
    _, monomial, rest = factored(term)
    factors = [_zero_of(atom) for atom, _ in monomial]
    if rest is not number(1, term.sort):
        factors.append(intern(Zero, rest, TRUTH) if not monomial else zero(rest))
    return disjoin(*factors)


def _zero_of(atom: Term) -> Term:
    match atom:
        case Reciprocal(operand=operand) | Absolute(operand=operand) | Root(operand=operand):
            return zero(operand)
        case _ if _is_positive(atom):
            return FALSE
        case ElementOf(index=index):
            return zero(index)
        case _:
            return intern(Zero, atom, TRUTH)


def is_evidently_positive(term: Term) -> bool:
    """Whether a real term is above 0 by its form, whatever its atoms are."""
    return _evident(expand(term)) == 1


def _evident(total: Sum) -> int | None:
    """1, 0 or −1 for a sum that is above, at least, or below 0 by the form of its monomials; None where none is.

    A sum that is evidently at most 0 is None: nothing asks for it.
    """
    signs = [_sign(monomial) for monomial in total]
    if None in signs:
        return None
    if all(factor > 0 for factor in total.values()):
        return max(sign or 0 for sign in signs)
    if all(factor < 0 for factor in total.values()) and 1 in signs:
        return -1
    return None


def _sign(monomial: Monomial) -> int | None:
    """1 for a monomial above 0, 0 for one that is at least 0, None where neither is evident."""
    if any(not (isinstance(atom, Absolute | Root) or _is_positive(atom)) and power % 2 for atom, power in monomial):
        return None
    return int(all(_is_positive(atom) for atom, _ in monomial))


def _is_positive(atom: Term) -> bool:
    """Whether an atom is above 0 by its form: exponentials, and roots and logarithms of integers above 1."""
    return isinstance(atom, Exponential) or (isinstance(atom, Root | Logarithm) and isinstance(atom.operand, Number))


def _exponents(total: Sum) -> tuple[Term, Term] | None:
    """a and b of a positive multiple of exp(a) − exp(b); 1 is exp(0)."""
    if len(total) != 2 or sum(total.values()) != 0:
        return None
    exponents = {factor > 0: _exponent(monomial) for monomial, factor in total.items()}
    above, below = exponents[True], exponents[False]
    return None if above is None or below is None else (above, below)


def _inverse(total: Sum) -> Term | None:
    """x, with a number's sign, of a multiple of inv(x) alone: both are 0, above or below it together."""
    ((monomial, factor),) = total.items() if len(total) == 1 else (((), 0),)
    if len(monomial) != 1 or monomial[0][1] != 1 or not isinstance(monomial[0][0], Reciprocal):
        return None
    return scale(1 if factor > 0 else -1, monomial[0][0].operand)


def _exponent(monomial: Monomial) -> Term | None:
    if not monomial:
        return number(0, REAL)
    atom = monomial[0][0]
    return atom.operand if len(monomial) == 1 and isinstance(atom, Exponential) else None


def _denominator(term: Term) -> int:
    """The least positive integer whose multiple of the term has integer coefficients."""
    return reduce(lcm, (Fraction(value).denominator for value in expand(term).values()), 1)


Connective = Callable[..., Term]

SPREAD_WITHIN = 6
"""A sum of more minima and maxima is left as it is: each doubles the tests."""


def _spread(
    test: Callable[[Term], Term], total: Sum, sort: Sort, all_hold: Connective, one_holds: Connective
) -> Term | None:
    """The test of a sum with an extremum e alone in a monomial, as tests of the sum with each operand of e.

    None if there is no such e, or there are too many. `all_hold` joins them where e is a minimum with a positive
    factor.
    """
    lone = [(monomial, *found) for monomial in total if (found := _extremum(monomial))]
    if not lone or len(lone) > SPREAD_WITHIN:
        return None
    monomial, greatest, parts = lone[0]
    factor = total[monomial]
    rest = {other: value for other, value in total.items() if other != monomial}
    join = one_holds if greatest == (factor > 0) else all_hold
    operands = (operand if operand.sort == sort else element_of(operand, sort) for operand in parts)
    return join(*(test(collect(combine(rest, expand(operand), factor), sort)) for operand in operands))


def _extremum(monomial: Monomial) -> tuple[bool, tuple[Term, ...]] | None:
    """The operands of the maximum (true) or minimum that a monomial consists of: |x| is the maximum of x and −x."""
    if len(monomial) != 1 or monomial[0][1] != 1:
        return None
    match monomial[0][0]:
        case (
            Extremum(greatest=greatest, operands=operands)
            | ElementOf(index=Extremum(greatest=greatest, operands=operands))
        ):
            return greatest, operands
        case Absolute(operand=operand):
            return True, (operand, negate(operand))
        case _:
            return None


def at_most(left: Term, right: Term) -> Term:
    """left <= right."""
    if left.sort == REAL:
        return complement(negative(subtract(right, left)))
    return non_negative(subtract(right, left))


def less(left: Term, right: Term) -> Term:
    """left < right."""
    if left.sort == REAL:
        return negative(subtract(left, right))
    return non_negative(plus(subtract(right, left), -1))


def equal(left: Term, right: Term) -> Term:
    """left == right, of numbers."""
    return zero(subtract(left, right))
