"""What terms are by their meaning at least: the bounds that need no fact about them.

Owns the definitions of quotients, minima, maxima, products over axes and functions of elements as sums that are
non-negative. Facts are asked for the signs of operands only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rewright.equality.positivity import above_zero
from rewright.terms.axis_product import axis_product
from rewright.terms.conversion import element_of
from rewright.terms.node import (
    INDEX,
    Absolute,
    AxisProduct,
    Digit,
    Exponential,
    Extremum,
    FloorDivide,
    Position,
    Reciprocal,
    Root,
    Sort,
    Term,
    TruncatedDivide,
)
from rewright.terms.polynomial import Sum, add, expand, multiply, negate, plus, scale, subtract

if TYPE_CHECKING:
    from rewright.equality.facts import Facts


def meant(term: Term, facts: Facts, sort: Sort) -> Iterator[Sum]:
    """Sums of elements of `sort` (or of indices) that are non-negative by what the term means."""
    if isinstance(term, Extremum) and term.sort == sort:
        yield from (expand(bound) for bound in _extremum(term, facts))
    elif term.sort == INDEX:
        yield from (lifted(bound, sort) for bound in _index(term, facts))
    elif term.sort == sort:
        yield from _element(term, facts)


def lifted(bound: Term, sort: Sort) -> Sum:
    """An index term among terms of a sort."""
    return expand(bound if sort == INDEX else element_of(bound, sort))


def _index(term: Term, facts: Facts) -> Iterator[Term]:
    match term:
        case FloorDivide(left=left, right=right) if facts.non_negative(plus(right, -1)):
            rest = subtract(left, multiply(right, term))
            yield rest
            yield plus(subtract(right, rest), -1)
            if facts.non_negative(left):
                yield term
            # the weaker bound only where the stronger one is not known: each is one more column for linear arithmetic
            elif facts.non_negative(add(left, right)):
                yield plus(term, 1)
            if facts.non_negative(plus(negate(left), -1)):
                yield plus(negate(term), -1)
        case AxisProduct(rank_class=rank_class, factor=factor):
            inside = facts.on_axis(rank_class)
            if inside.non_negative(plus(factor, -1)):
                yield plus(term, -1)
            elif inside.non_negative(factor):
                yield term
        case Position(rank_class=rank_class, index=index, size=size):
            inside = facts.on_axis(rank_class)
            if inside.non_negative(index) and inside.non_negative(plus(subtract(size, index), -1)):
                yield term
                yield plus(subtract(axis_product(rank_class, size), term), -1)
        case Digit(rank_class=rank_class, size=size):
            if facts.on_axis(rank_class).non_negative(plus(size, -1)):
                yield term
                yield plus(subtract(size, term), -1)
        case Extremum():
            yield from _extremum(term, facts)
        case _:
            pass


def _extremum(term: Extremum, facts: Facts) -> Iterator[Term]:
    sign = 1 if term.greatest else -1
    for operand in term.operands:
        yield scale(sign, subtract(term, operand))
    for operand in term.operands:
        if all(facts.non_negative(scale(sign, subtract(operand, other))) for other in term.operands):
            yield scale(sign, subtract(operand, term))


def _element(term: Term, facts: Facts) -> Iterator[Sum]:
    match term:
        case TruncatedDivide():
            yield from (expand(bound) for bound in _truncated(term, facts))
        case Root():
            yield expand(term)
        case Absolute(operand=operand):
            yield expand(term)
            yield expand(subtract(term, operand))
            yield expand(add(term, operand))
        case Exponential():
            yield above_zero(term)
        case Reciprocal(operand=operand):
            if facts.positive(operand):
                yield above_zero(term)
            elif facts.positive(negate(operand)):
                yield above_zero(negate(term))
        case _:
            pass


def _truncated(term: TruncatedDivide, facts: Facts) -> Iterator[Term]:
    """What is left over has the sign of the dividend and is smaller than the divisor."""
    sign = sign_of(term.right, facts)
    above = 1 if facts.non_negative(term.left) else -1 if facts.non_negative(negate(term.left)) else 0
    if sign and above:
        rest = scale(above, subtract(term.left, multiply(term.right, term)))
        yield rest
        yield plus(subtract(scale(sign, term.right), rest), -1)
        yield scale(sign * above, term)


def sign_of(term: Term, facts: Facts) -> int:
    """1 or −1 for a term known to be above or below 0, else 0."""
    if facts.positive(term):
        return 1
    return -1 if facts.positive(negate(term)) else 0
