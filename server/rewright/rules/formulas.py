"""Preconditions and assumptions as truths.

Owns when a formula holds. A comparison of maps holds on every axis of its class; inside `some` and `every` it speaks of
one, that of the innermost, so a quantifier inside another is a truth that depends on no axis outside. A formula that
divides by zero, or compares an undefined element, does not hold: every formula comes with the truth that its evaluation
succeeds. `and` and `or` go left to right, as far as needed; all axes are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from msgspec import Struct

from rewright.meaning.denotation import constant
from rewright.meaning.forms import Entry
from rewright.meaning.indices import index_meaning
from rewright.meaning.infinity import compared
from rewright.meaning.pointwise import apply, value_of
from rewright.meaning.scope import MeaningScope, NotCovered
from rewright.model.formula import (
    Conjunction,
    Disjunction,
    ElementComparison,
    Formula,
    IndexComparison,
    Negation,
    Quantified,
    Truth,
)
from rewright.model.index import Name
from rewright.model.operator_table import operator_signed
from rewright.model.tensor import Apply, Constant, ElementOf, Pointwise, ScalarReference, Tensor, TensorReference
from rewright.terms import (
    TRUE,
    RankClass,
    Term,
    at_most,
    complement,
    conjoin,
    disjoin,
    element_of,
    equal,
    every_axis,
    less,
    some_axis,
    truth,
)

Read = Callable[[TensorReference], Term]
"""The element that a tensor stands for in a formula."""


class Judgement(Struct, frozen=True):
    """`value` counts only where `defined` holds."""

    value: Term
    defined: Term = TRUE


class Reader(Struct, frozen=True):
    """How the names of a formula are read; inside `some` and `every`, `on_axis` is the class of the innermost one."""

    scope: MeaningScope
    read: Read
    on_axis: Name | None = None


def no_tensors(reference: TensorReference) -> Term:
    """Refuses tensors, for preconditions."""
    raise NotCovered(f"the tensor `{reference.name}` in a precondition is not decided")


def holds(formula: Formula, scope: MeaningScope, read: Read = no_tensors) -> Term:
    """The truth that a formula's evaluation succeeds and gives true."""
    judged = judge(formula, Reader(scope, read))
    return conjoin(judged.defined, judged.value)


def judge(formula: Formula, reader: Reader) -> Judgement:
    """The truth of a formula, and of its evaluation's success."""
    match formula:
        case Truth(value=known):
            return Judgement(truth(known))
        case IndexComparison():
            return _indices(formula, reader)
        case ElementComparison(operator=operator, left=left, right=right):
            first, second = _element(left, reader), _element(right, reader)
            value = compared(operator_signed(operator).name, first.value, second.value)
            return Judgement(value, conjoin(first.defined, second.defined))
        case Conjunction(left=first_part, right=second_part):
            one, two = judge(first_part, reader), judge(second_part, reader)
            defined = conjoin(one.defined, disjoin(complement(one.value), two.defined))
            return Judgement(conjoin(one.value, two.value), defined)
        case Disjunction(left=first_part, right=second_part):
            one, two = judge(first_part, reader), judge(second_part, reader)
            return Judgement(disjoin(one.value, two.value), conjoin(one.defined, disjoin(one.value, two.defined)))
        case Negation(operand=operand):
            inner = judge(operand, reader)
            return Judgement(complement(inner.value), inner.defined)
        case Quantified(quantifier=quantifier, rank_class=rank_class, body=body):
            axis = reader.scope.of_class(rank_class)
            inner = judge(body, Reader(reader.scope, reader.read, rank_class))
            quantify = some_axis if quantifier == "some" else every_axis
            # evaluated on every axis, for `some` too: what divides by 0 on one of them does not hold
            return Judgement(quantify(axis, inner.value), every_axis(axis, inner.defined))
        case _:
            assert_never(formula)


def _indices(formula: IndexComparison, reader: Reader) -> Judgement:
    left, right = index_meaning(formula.left, reader.scope), index_meaning(formula.right, reader.scope)
    value = _compare(formula.operator, left.term, right.term)
    if formula.rank_class is None or reader.on_axis is not None:
        if formula.rank_class not in (None, reader.on_axis):
            raise NotCovered(f"a comparison on `{formula.rank_class}` inside a quantifier over `{reader.on_axis}`")
        return Judgement(value, conjoin(left.defined, right.defined))
    axis = reader.scope.of_class(formula.rank_class)
    defined = (_whole(side.defined, side.rank_class, axis) for side in (left, right))
    return Judgement(every_axis(axis, value), conjoin(*defined))


def _whole(defined: Term, rank_class: Name | None, axis: RankClass) -> Term:
    """A side of integers alone is evaluated always, one with maps on the axes there are."""
    return defined if rank_class is None else every_axis(axis, defined)


def _compare(operator: str, left: Term, right: Term) -> Term:
    match operator:
        case "==":
            return equal(left, right)
        case "!=":
            return complement(equal(left, right))
        case "<":
            return less(left, right)
        case "<=":
            return at_most(left, right)
        case ">":
            return less(right, left)
        case _:
            return at_most(right, left)


def _element(tensor: Tensor, reader: Reader) -> Entry:
    match tensor:
        case TensorReference():
            return Entry(reader.read(tensor))
        case ScalarReference(name=name):
            return Entry(reader.scope.scalar(name))
        case Constant(text=text, type=type_):
            return Entry(constant(text, reader.scope.sort(type_)))
        case ElementOf(index=index, type=type_):
            meaning = index_meaning(index, reader.scope)
            return Entry(element_of(meaning.term, reader.scope.sort(type_)), meaning.defined)
        case Pointwise(operator=operator, operands=operands):
            return apply(operator, [_element(operand, reader) for operand in operands])
        case Apply(function=function, operands=operands, type=type_):
            return value_of(function, [_element(operand, reader) for operand in operands], reader.scope.sort(type_))
        case _:
            raise NotCovered(f"`{type(tensor).__name__}` in a precondition or an assumption is not decided")
