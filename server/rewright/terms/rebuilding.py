"""Rebuilding terms without binders through the normalising constructors."""

from __future__ import annotations

from collections.abc import Callable

from rewright.terms.axis_product import axis_product
from rewright.terms.comparison import negative, non_negative, zero
from rewright.terms.conversion import element_of, index_of
from rewright.terms.division import floor_divide, truncated_divide
from rewright.terms.extremum import extremum_of
from rewright.terms.functions import absolute, applied, exponential, reciprocal
from rewright.terms.node import (
    Absolute,
    Access,
    And,
    Applied,
    AxisProduct,
    Choose,
    Digit,
    ElementOf,
    Exponential,
    Extremum,
    FloorDivide,
    Fold,
    IndexOf,
    Logarithm,
    Negative,
    NonNegative,
    Not,
    Polynomial,
    Position,
    Reciprocal,
    Root,
    Slot,
    Special,
    Term,
    TruncatedDivide,
    Zero,
)
from rewright.terms.polynomial import Sum, collect, combine, expand, product
from rewright.terms.roots import logarithm, square_root
from rewright.terms.row_major import digit, position
from rewright.terms.selection import access, choose
from rewright.terms.special import special
from rewright.terms.truth import complement, conjoin, every_axis

Step = Callable[[Term], Term]


def rebuild_plain(term: Term, step: Step) -> Term:
    """The term, no `Reduce`, with `step` applied to each immediate subterm, renormalised."""
    match term:
        case Polynomial():
            return _polynomial(term, step)
        case Access(tensor=tensor, slots=slots, sort=sort):
            return access(tensor, tuple(Slot(s.group, s.rank_class, step(s.index)) for s in slots), sort)
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            return choose(step(condition), step(consequent), step(alternative))
        case Extremum(operands=operands):
            return extremum_of(term, tuple(map(step, operands)))
        case FloorDivide(left=left, right=right):
            return floor_divide(step(left), step(right))
        case AxisProduct(rank_class=rank_class, factor=factor):
            return axis_product(rank_class, step(factor))
        case Position(rank_class=rank_class, index=index, size=size):
            return position(rank_class, step(index), step(size))
        case Digit(rank_class=rank_class, place=place, size=size):
            return digit(rank_class, step(place), step(size))
        case ElementOf(index=index, sort=sort):
            return element_of(step(index), sort)
        case IndexOf(element=element):
            return index_of(step(element))
        case Not() | And() | Fold() | NonNegative() | Negative() | Zero():
            return _truth(term, step)
        case _:
            return _function(term, step)


def _function(term: Term, step: Step) -> Term:
    match term:
        case Reciprocal(operand=operand):
            return reciprocal(step(operand))
        case TruncatedDivide(left=left, right=right):
            return truncated_divide(step(left), step(right))
        case Absolute(operand=operand):
            return absolute(step(operand))
        case Exponential(operand=operand):
            return exponential(step(operand))
        case Root(operand=operand):
            return square_root(step(operand))
        case Logarithm(operand=operand):
            return logarithm(step(operand))
        case Special(function=function, operands=operands):
            return special(function, tuple(map(step, operands)))
        case Applied(function=function, operands=operands, sort=sort):
            return applied(function, tuple(map(step, operands)), sort)
        case _:
            return term


def _truth(term: Term, step: Step) -> Term:
    match term:
        case And(operands=operands):
            return conjoin(*map(step, operands))
        case Not(operand=operand):
            return complement(step(operand))
        case Fold(rank_class=rank_class, predicate=predicate):
            return every_axis(rank_class, step(predicate))
        case NonNegative(polynomial=polynomial):
            return non_negative(step(polynomial))
        case Negative(polynomial=polynomial):
            return negative(step(polynomial))
        case Zero(polynomial=polynomial):
            return zero(step(polynomial))
        case _:
            return term


def _polynomial(term: Polynomial, step: Step) -> Term:
    total: Sum = {}
    for monomial, factor in term.monomials:
        image: Sum = {(): 1}
        for atom, power in monomial:
            part = expand(step(atom))
            for _ in range(power):
                image = product(image, part)
        total = combine(total, image, factor)
    return collect(total, term.sort)
