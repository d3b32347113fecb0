"""Tensor expressions on one concrete input.

Owns the order of evaluation, operands before operators, and the operators that make elements: elementwise ones,
declared functions, `iota`. Those that move elements are in `movement`, those that combine many in `reductions`,
`windows` and `convolution`. The table of operators is in the language page, section 2.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import assert_never

from msgspec import Struct

from rewright.model.tensor import (
    DECLARED,
    Apply,
    Bitcast,
    Broadcast,
    Combine,
    Concatenate,
    Constant,
    Convolution,
    Dot,
    DynamicSlice,
    DynamicUpdateSlice,
    ElementOf,
    Iota,
    Pad,
    Pointwise,
    Reduce,
    ReduceWindow,
    Reshape,
    Reverse,
    ScalarReference,
    Slice,
    Tensor,
    TensorReference,
    Transpose,
)
from rewright.replay import convolution, functions, movement, reductions, windows, work
from rewright.replay.arrays import Array, aligned, axes_of, filled, only, positions, scalar
from rewright.replay.conditions import Invalid, NamedOperation, axis_names, require_equal_shapes
from rewright.replay.elements import Element, constant, domain_of, element_of, pointwise
from rewright.replay.index import IndexDivisionByZero, integer
from rewright.replay.inputs import Inputs
from rewright.replay.provenance import (
    BARE,
    Counted,
    FromIndex,
    Function,
    Marking,
    OriginOf,
    WrittenConstant,
    chosen,
    computed,
    entries,
    padding,
)


class Evaluation(Struct, frozen=True, eq=False):
    """What evaluating needs.

    The input, whom to tell each intermediate value (operands before operators), and what arrays hold.
    """

    inputs: Inputs
    observe: Callable[[int, Array], None]
    marking: Marking = BARE


def evaluate(tensor: Tensor, evaluation: Evaluation) -> Array:
    """The value of a tensor expression, its axes in the order of `tensor.groups`. Raises `Invalid`."""
    try:
        value = _apply(tensor, evaluation)
    except IndexDivisionByZero as error:
        raise Invalid("an attribute divides by zero", error.site) from error
    value = aligned(value, tensor.groups, evaluation.inputs.ranks)
    work.count(value.data.size)
    evaluation.observe(tensor.site, value)
    return evaluation.marking.passed(tensor.site, value)


_Moving = (
    Broadcast | Slice | DynamicSlice | DynamicUpdateSlice | Pad | Concatenate | Reverse | Transpose | Reshape | Bitcast
)


def _apply(tensor: Tensor, evaluation: Evaluation) -> Array:
    match tensor:
        case TensorReference() | ScalarReference() | Constant() | ElementOf() | Iota():
            return _leaf(tensor, evaluation)
        case Pointwise(operator=name):
            origin = chosen if name == "select" else computed(name)
            return _elementwise(tensor, _Elementwise(name, partial(_pointwise, name), origin), evaluation)
        case Apply(function=name):
            call = partial(_call, evaluation.inputs.functions[name])
            return _elementwise(tensor, _Elementwise(name, call, computed(name)), evaluation)
        case Combine(monoid=name):
            combined = _Elementwise(name, partial(_pointwise, DECLARED), computed(name))
            return _elementwise(tensor, combined, evaluation)
        case Reduce() | ReduceWindow() | Convolution() | Dot():
            return _reduced(tensor, evaluation)
        case _:
            return _moved(tensor, evaluation)


def _moved(tensor: _Moving, evaluation: Evaluation) -> Array:
    inputs = evaluation.inputs
    match tensor:
        case Broadcast(operand=operand):
            return movement.broadcast(tensor, evaluate(operand, evaluation), inputs)
        case Slice(operand=operand):
            return movement.slice_(tensor, evaluate(operand, evaluation), inputs)
        case DynamicSlice(operand=operand):
            return movement.dynamic_slice(tensor, evaluate(operand, evaluation), inputs)
        case DynamicUpdateSlice(operand=operand, update=update):
            values = evaluate(operand, evaluation), evaluate(update, evaluation)
            return movement.dynamic_update_slice(tensor, *values, inputs)
        case Pad(operand=operand, value=value):
            values = evaluate(operand, evaluation), evaluate(value, evaluation)
            return movement.pad(tensor, values[0], padding(only(values[1]), evaluation.marking), inputs)
        case Concatenate(operands=operands):
            return movement.concatenate(tensor, [evaluate(operand, evaluation) for operand in operands], inputs)
        case Reverse(operand=operand):
            return movement.reverse(tensor, evaluate(operand, evaluation), inputs)
        case Transpose(operand=operand):
            return movement.transpose(tensor, evaluate(operand, evaluation))
        case Reshape(operand=operand):
            return movement.reshape(tensor, evaluate(operand, evaluation), inputs)
        case Bitcast(operand=operand):
            return movement.bitcast(tensor, evaluate(operand, evaluation), inputs)
        case _:
            assert_never(tensor)


def _reduced(tensor: Reduce | ReduceWindow | Convolution | Dot, evaluation: Evaluation) -> Array:
    setting = reductions.ReductionSetting(
        evaluation.inputs, evaluation.marking, domain_of(tensor.type, evaluation.inputs.domain)
    )
    match tensor:
        case Reduce(operand=operand, init=init):
            initial = None if init is None else evaluate(init, evaluation)
            return reductions.reduce(tensor, evaluate(operand, evaluation), initial, setting)
        case ReduceWindow(operand=operand, init=init):
            initial = None if init is None else evaluate(init, evaluation)
            return windows.reduce_window(tensor, evaluate(operand, evaluation), initial, setting)
        case Convolution(operand=operand, kernel=kernel):
            pair = evaluate(operand, evaluation), evaluate(kernel, evaluation)
            return convolution.convolution(tensor, *pair, setting)
        case Dot(left=left, right=right):
            pair = evaluate(left, evaluation), evaluate(right, evaluation)
            return reductions.dot(tensor, *pair, setting)
        case _:
            assert_never(tensor)


def _leaf(tensor: TensorReference | ScalarReference | Constant | ElementOf | Iota, evaluation: Evaluation) -> Array:
    inputs, marking = evaluation.inputs, evaluation.marking
    match tensor:
        case TensorReference(name=name):
            return entries(name, inputs.tensors[name], marking)
        case ScalarReference(name=name):
            return entries(name, scalar(inputs.scalars[name]), marking)
        case Constant(text=text, type=type_):
            return scalar(marking.mark(constant(text, domain_of(type_, inputs.domain)), WrittenConstant(text)))
        case ElementOf(index=index, type=type_):
            element = element_of(integer(index, inputs), domain_of(type_, inputs.domain))
            return scalar(marking.mark(element, FromIndex()))
        case Iota():
            return _iota(tensor, evaluation)
        case _:
            assert_never(tensor)


def _iota(node: Iota, evaluation: Evaluation) -> Array:
    inputs = evaluation.inputs
    groups = tuple(group for group, _ in node.sizes)
    shape = movement.sizes(NamedOperation("iota", node.site), node.sizes, inputs)
    (axis,) = axes_of(groups, inputs.ranks, node.axis)
    domain, origin = domain_of(node.type, inputs.domain), Counted(node.axis)
    result = filled(shape, 0)
    for position in positions(shape):
        result[position] = evaluation.marking.mark(element_of(position[axis], domain), origin)
    return Array(groups, result)


class _Elementwise(Struct, frozen=True, eq=False):
    """An operator or a function on elements."""

    name: str
    function: Function
    origin: OriginOf


def _pointwise(name: str, *operands: Element) -> Element:
    return pointwise(name, operands)


def _call(table: functions.FunctionTable, *operands: Element) -> Element:
    return functions.apply(table, operands)


def _elementwise(node: Pointwise | Apply | Combine, operation: _Elementwise, evaluation: Evaluation) -> Array:
    operands = [evaluate(operand, evaluation) for operand in node.operands]
    dense = [aligned(operand, node.groups, evaluation.inputs.ranks).data for operand in operands if operand.groups]
    shape = dense[0].shape if dense else ()
    for other in dense[1:]:
        if other.shape != shape:
            names = tuple(axis_names(node.groups, evaluation.inputs.ranks))
            require_equal_shapes(NamedOperation(operation.name, node.site), (shape, other.shape), names)
    spread = iter(dense)
    columns = [next(spread) if operand.groups else filled(shape, only(operand)) for operand in operands]
    function = evaluation.marking.lift(operation.function, operation.origin)
    result = filled(shape, False)
    for position in positions(shape):
        result[position] = function(*(column[position] for column in columns))
    return Array(node.groups, result)
