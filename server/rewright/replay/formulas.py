"""Preconditions and assumptions on one concrete input.

Owns when a `where` holds. A comparison of maps is read on every axis of its class, inside `some` and `every` on one. A
formula whose evaluation divides by zero or compares an undefined element raises, and then the whole `where` does not
hold; `and` and `or` go left to right, as far as needed, while all axes of a quantifier are always looked at. Must not
know the two sides of the rule.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from typing import assert_never, cast

from msgspec.structs import replace

from rewright.model.formula import (
    Assumption,
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
from rewright.model.tensor import Apply, Constant, ElementOf, Pointwise, ScalarReference, Tensor, TensorReference
from rewright.replay.arrays import axes_of
from rewright.replay.elements import UNDECIDED, UNDEFINED, Element, constant, domain_of, element_of, pointwise
from rewright.replay.functions import apply
from rewright.replay.index import IndexDivisionByZero, integer, on_axis, rank_class
from rewright.replay.inputs import Inputs, Undetermined

_COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_POINTWISE = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
"""The rows of the signs, a copy as those in `elements`."""


class Undefined(Exception):
    """A formula has no truth value on this input."""


def holds(formula: Formula, inputs: Inputs) -> bool:
    """Whether a precondition holds; one without a truth value does not. Raises `Undetermined`."""
    try:
        return _truth(formula, inputs, None)
    except (IndexDivisionByZero, Undefined):
        return False


def assumption_holds(assumption: Assumption, inputs: Inputs) -> bool:
    """Whether an assumption holds at every index that is in range in all tensors read by its body.

    Raises `Undetermined`.
    """
    return all(holds(assumption.body, at) for at in places(assumption, inputs))


def places(assumption: Assumption, inputs: Inputs) -> Iterator[Inputs]:
    """The inputs at every index of which an assumption speaks."""
    references = _references(assumption.body)
    groups = [group for group in assumption.groups if any(group in reference.groups for reference in references)]
    ranges = [_common_range(group, references, inputs) for group in groups]
    for choice in itertools.product(*(itertools.product(*map(range, sizes)) for sizes in ranges)):
        yield replace(inputs, bound=dict(zip(groups, choice, strict=True)))


def _truth(formula: Formula, inputs: Inputs, axis: int | None) -> bool:
    match formula:
        case Truth(value=value):
            return value
        case IndexComparison():
            return _compare_indices(formula, inputs, axis)
        case ElementComparison():
            return _compare_elements(formula, inputs)
        case Conjunction(left=left_formula, right=right_formula):
            return _truth(left_formula, inputs, axis) and _truth(right_formula, inputs, axis)
        case Disjunction(left=left_formula, right=right_formula):
            return _truth(left_formula, inputs, axis) or _truth(right_formula, inputs, axis)
        case Negation(operand=operand):
            return not _truth(operand, inputs, axis)
        case Quantified():
            on_axes = [_truth(formula.body, inputs, k) for k in range(inputs.ranks[formula.rank_class])]
            return any(on_axes) if formula.quantifier == "some" else all(on_axes)
        case _:
            assert_never(formula)


def _compare_elements(formula: ElementComparison, inputs: Inputs) -> bool:
    operands = (element(formula.left, inputs), element(formula.right, inputs))
    found = pointwise(_POINTWISE[formula.operator], operands)
    if found is UNDEFINED:
        raise Undefined
    if found is UNDECIDED:
        raise Undetermined("enclosures of numbers do not decide whether a precondition holds")
    return bool(found)


def _compare_indices(formula: IndexComparison, inputs: Inputs, axis: int | None) -> bool:
    compare = _COMPARE[formula.operator]
    if formula.rank_class is None:
        return bool(compare(integer(formula.left, inputs), integer(formula.right, inputs)))
    if axis is not None:
        return bool(compare(on_axis(formula.left, axis, inputs), on_axis(formula.right, axis, inputs)))
    for side in (formula.left, formula.right):
        if rank_class(side) is None:
            integer(side, inputs)
    pairs = [
        (on_axis(formula.left, k, inputs), on_axis(formula.right, k, inputs))
        for k in range(inputs.ranks[formula.rank_class])
    ]
    return all(compare(left, right) for left, right in pairs)


def element(tensor: Tensor, inputs: Inputs) -> Element:
    """The element that an expression in a formula is, at the bound index. Raises `IndexDivisionByZero`."""
    match tensor:
        case TensorReference(name=name):
            array = inputs.tensors[name]
            return cast(Element, array.data[tuple(k for group in array.groups for k in inputs.bound[group])])
        case ScalarReference(name=name):
            return inputs.scalars[name]
        case Constant(text=text, type=type_):
            return constant(text, domain_of(type_, inputs.domain))
        case ElementOf(index=index, type=type_):
            return element_of(integer(index, inputs), domain_of(type_, inputs.domain))
        case Pointwise(operator=name, operands=operands):
            return pointwise(name, tuple(element(operand, inputs) for operand in operands))
        case Apply(function=name, operands=operands):
            return apply(inputs.functions[name], tuple(element(operand, inputs) for operand in operands))
        case _:
            raise TypeError(f"{type(tensor).__name__} in a formula")


def _references(formula: Formula) -> list[TensorReference]:
    match formula:
        case ElementComparison(left=left, right=right):
            return references_in(left) + references_in(right)
        case Conjunction(left=first, right=second) | Disjunction(left=first, right=second):
            return _references(first) + _references(second)
        case Negation(operand=body) | Quantified(body=body):
            return _references(body)
        case Truth() | IndexComparison():
            return []
        case _:
            assert_never(formula)


def references_in(tensor: Tensor) -> list[TensorReference]:
    """The tensors that an expression in a formula reads, each as often as it does."""
    match tensor:
        case TensorReference():
            return [tensor]
        case Pointwise(operands=operands) | Apply(operands=operands):
            return [reference for operand in operands for reference in references_in(operand)]
        case _:
            return []


def _common_range(group: Name, references: list[TensorReference], inputs: Inputs) -> list[int]:
    sizes = [
        [array.data.shape[axis] for axis in axes_of(array.groups, inputs.ranks, group)]
        for array in (inputs.tensors[reference.name] for reference in references)
        if group in array.groups
    ]
    return [min(on_one_axis) for on_one_axis in zip(*sizes, strict=True)]
