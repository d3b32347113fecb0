"""Tensor expressions on one concrete input.

Owns the meaning of every operator by what it does to a dense array: `pad` scatters into a filled array, `slice` is a
NumPy slice, `reverse` a flip, `reduce` a loop over the reduced axes. This is on purpose another road than the symbolic
semantics, which says what stands at an index; the two share nothing but the rule's value. The table of operators is in
the language page, section 2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from rewright.model.index import Index, Name
from rewright.model.tensor import (
    Apply,
    Broadcast,
    Concatenate,
    Constant,
    DynamicSlice,
    DynamicUpdateSlice,
    ElementOf,
    Iota,
    Pad,
    Pointwise,
    Reduce,
    Reshape,
    Reverse,
    ScalarReference,
    Slice,
    Tensor,
    TensorReference,
    Transpose,
)
from rewright.replay.arrays import (
    Array,
    Data,
    aligned,
    as_array,
    axes_of,
    filled,
    only,
    positions,
    require_room,
    scalar,
)
from rewright.replay.elements import NotReplayable, combine, constant, domain_of, element_of, identity, pointwise
from rewright.replay.index import DivisionByZero, along, integer
from rewright.replay.inputs import Inputs


class Invalid(Exception):
    """A side is invalid on this input: the operator at `site` is applied to what it does not take."""

    def __init__(self, why: str, site: int) -> None:
        super().__init__(why)
        self.site = site


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """What evaluating needs: the input, and whom to tell each intermediate value (operands before operators)."""

    inputs: Inputs
    observe: Callable[[int, Array], None]


def evaluate(tensor: Tensor, evaluation: Evaluation) -> Array:
    """The value of a tensor expression, its axes in the order of `tensor.groups`. Raises `Invalid`."""
    try:
        value = _apply(tensor, evaluation)
    except DivisionByZero as error:
        raise Invalid("an attribute divides by zero", error.site) from error
    value = aligned(value, tensor.groups, evaluation.inputs.ranks)
    evaluation.observe(tensor.site, value)
    return value


def _apply(tensor: Tensor, evaluation: Evaluation) -> Array:
    inputs = evaluation.inputs
    match tensor:
        case TensorReference(name=name):
            return inputs.tensors[name]
        case ScalarReference(name=name):
            return scalar(inputs.scalars[name])
        case Constant(text=text, type=type_):
            return scalar(constant(text, domain_of(type_, inputs.domain)))
        case ElementOf(index=index, type=type_):
            return scalar(element_of(integer(index, inputs), domain_of(type_, inputs.domain)))
        case Pointwise():
            return _pointwise(tensor, evaluation)
        case Broadcast():
            return _broadcast(tensor, evaluation)
        case Iota():
            return _iota(tensor, evaluation)
        case Slice():
            return _slice(tensor, evaluation)
        case DynamicSlice():
            return _dynamic_slice(tensor, evaluation)
        case DynamicUpdateSlice():
            return _dynamic_update_slice(tensor, evaluation)
        case Pad():
            return _pad(tensor, evaluation)
        case Concatenate():
            return _concatenate(tensor, evaluation)
        case Reverse():
            return _reverse(tensor, evaluation)
        case Transpose():
            return _transpose(tensor, evaluation)
        case Reduce():
            return _reduce(tensor, evaluation)
        case Apply() | Reshape():
            raise NotReplayable(f"`{type(tensor).__name__}` is not replayed")
        case _:
            assert_never(tensor)


def _pointwise(node: Pointwise, evaluation: Evaluation) -> Array:
    operands = [evaluate(operand, evaluation) for operand in node.operands]
    ranks = evaluation.inputs.ranks
    dense = [aligned(operand, node.groups, ranks).data for operand in operands if operand.groups]
    shape = dense[0].shape if dense else ()
    for other in dense:
        if other.shape != shape:
            raise Invalid(f"`{node.operator}` needs equal shapes, has {list(shape)} and {list(other.shape)}", node.site)
    spread = iter(dense)
    columns = [next(spread) if operand.groups else filled(shape, only(operand)) for operand in operands]
    result = filled(shape, False)
    for position in positions(shape):
        result[position] = pointwise(node.operator, tuple(column[position] for column in columns))
    return Array(node.groups, result)


def _broadcast(node: Broadcast, evaluation: Evaluation) -> Array:
    operand = evaluate(node.operand, evaluation)
    new = _sizes(node.sizes, node.site, evaluation.inputs)
    groups = tuple(group for group, _ in node.sizes) + operand.groups
    require_room(new + operand.data.shape)
    return Array(groups, as_array(np.broadcast_to(operand.data, new + operand.data.shape)))


def _iota(node: Iota, evaluation: Evaluation) -> Array:
    inputs = evaluation.inputs
    groups = tuple(group for group, _ in node.sizes)
    shape = _sizes(node.sizes, node.site, inputs)
    (axis,) = axes_of(groups, inputs.ranks, node.axis)
    domain = domain_of(node.type, inputs.domain)
    result = filled(shape, 0)
    for position in positions(shape):
        result[position] = element_of(position[axis], domain)
    return Array(groups, result)


def _slice(node: Slice, evaluation: Evaluation) -> Array:
    operand = evaluate(node.operand, evaluation)
    window = [slice(None)] * operand.data.ndim
    for group, attributes in node.ranges:
        axes = axes_of(operand.groups, evaluation.inputs.ranks, group)
        sizes = tuple(operand.data.shape[axis] for axis in axes)
        starts = along(attributes.start, len(axes), evaluation.inputs)
        limits = sizes if attributes.limit is None else along(attributes.limit, len(axes), evaluation.inputs)
        strides = along(attributes.stride, len(axes), evaluation.inputs)
        for axis, start, limit, stride, size in zip(axes, starts, limits, strides, sizes, strict=True):
            if not 0 <= start <= limit <= size:
                why = f"`slice` needs 0 <= start <= limit <= size, has start {start}, limit {limit}, size {size}"
                raise Invalid(why, node.site)
            if stride < 1:
                raise Invalid(f"`slice` needs a stride of at least 1, has {stride}", node.site)
            window[axis] = slice(start, limit, stride)
    return Array(operand.groups, as_array(operand.data[tuple(window)]))


def _dynamic_slice(node: DynamicSlice, evaluation: Evaluation) -> Array:
    operand = evaluate(node.operand, evaluation)
    window = [slice(None)] * operand.data.ndim
    for group, attributes in node.ranges:
        axes = axes_of(operand.groups, evaluation.inputs.ranks, group)
        starts = along(attributes.start, len(axes), evaluation.inputs)
        lengths = along(attributes.length, len(axes), evaluation.inputs)
        for axis, start, length in zip(axes, starts, lengths, strict=True):
            size = operand.data.shape[axis]
            if not 0 <= length <= size:
                why = f"`dynamic_slice` needs 0 <= length <= size, has length {length}, size {size}"
                raise Invalid(why, node.site)
            window[axis] = _clamped_window(start, length, size)
    return Array(operand.groups, as_array(operand.data[tuple(window)]))


def _dynamic_update_slice(node: DynamicUpdateSlice, evaluation: Evaluation) -> Array:
    operand = evaluate(node.operand, evaluation)
    update = aligned(evaluate(node.update, evaluation), operand.groups, evaluation.inputs.ranks)
    starts = [0] * operand.data.ndim
    for group, attribute in node.starts:
        axes = axes_of(operand.groups, evaluation.inputs.ranks, group)
        for axis, value in zip(axes, along(attribute, len(axes), evaluation.inputs), strict=True):
            starts[axis] = value
    window = []
    for start, length, size in zip(starts, update.data.shape, operand.data.shape, strict=True):
        if length > size:
            why = f"`dynamic_update_slice` needs an update that fits, has size {length} in {size}"
            raise Invalid(why, node.site)
        window.append(_clamped_window(start, length, size))
    result = operand.data.copy()
    result[tuple(window)] = update.data if window else only(Array((), update.data))
    return Array(operand.groups, result)


def _clamped_window(start: int, length: int, size: int) -> slice:
    first = max(0, min(start, size - length))
    return slice(first, first + length)


def _pad(node: Pad, evaluation: Evaluation) -> Array:
    operand = evaluate(node.operand, evaluation)
    value = only(evaluate(node.value, evaluation))
    old = operand.data.shape
    offsets, steps, sizes = [0] * len(old), [1] * len(old), list(old)
    for group, padding in node.paddings:
        axes = axes_of(operand.groups, evaluation.inputs.ranks, group)
        lows, highs, interiors = (
            along(part, len(axes), evaluation.inputs) for part in (padding.low, padding.high, padding.interior)
        )
        for axis, low, high, interior in zip(axes, lows, highs, interiors, strict=True):
            if interior < 0:
                raise Invalid(f"`pad` needs an interior padding of at least 0, has {interior}", node.site)
            offsets[axis], steps[axis] = low, interior + 1
            sizes[axis] = low + old[axis] + max(old[axis] - 1, 0) * interior + high
            if sizes[axis] < 0:
                raise Invalid(f"`pad` needs a result of size at least 0, has {sizes[axis]}", node.site)
    return Array(operand.groups, _scattered(operand.data, filled(tuple(sizes), value), offsets, steps))


def _scattered(data: Data, target: Data, offsets: list[int], steps: list[int]) -> Data:
    for position in positions(data.shape):
        place = tuple(offset + step * at for offset, step, at in zip(offsets, steps, position, strict=True))
        if all(0 <= at < size for at, size in zip(place, target.shape, strict=True)):
            target[place] = data[position]
    return target


def _concatenate(node: Concatenate, evaluation: Evaluation) -> Array:
    ranks = evaluation.inputs.ranks
    parts = [aligned(evaluate(operand, evaluation), node.groups, ranks) for operand in node.operands]
    (axis,) = axes_of(node.groups, ranks, node.axis)
    first = parts[0].data.shape
    for part in parts:
        shape = part.data.shape
        if shape[:axis] + shape[axis + 1 :] != first[:axis] + first[axis + 1 :]:
            why = f"`concatenate` needs equal sizes off `{node.axis}`, has {list(first)} and {list(shape)}"
            raise Invalid(why, node.site)
    return Array(node.groups, np.concatenate([part.data for part in parts], axis=axis))


def _reverse(node: Reverse, evaluation: Evaluation) -> Array:
    operand = evaluate(node.operand, evaluation)
    axes = [axis for group in node.reversed for axis in axes_of(operand.groups, evaluation.inputs.ranks, group)]
    return Array(operand.groups, as_array(np.flip(operand.data, tuple(axes))) if axes else operand.data)


def _transpose(node: Transpose, evaluation: Evaluation) -> Array:
    operand = evaluate(node.operand, evaluation)
    renamed = dict(node.renaming)
    return Array(tuple(renamed.get(group, group) for group in operand.groups), operand.data)


def _reduce(node: Reduce, evaluation: Evaluation) -> Array:
    operand = evaluate(node.operand, evaluation)
    inputs = evaluation.inputs
    start = identity(node.monoid, domain_of(node.type, inputs.domain))
    if node.init is not None:
        start = only(evaluate(node.init, evaluation))
    kept = tuple(group for group in operand.groups if group not in node.reduced)
    ordered = aligned(operand, kept + tuple(node.reduced), inputs.ranks)
    rank = sum(inputs.ranks[group] for group in kept)
    shape, inner = ordered.data.shape[:rank], ordered.data.shape[rank:]
    result = filled(shape, start)
    for position in positions(shape):
        result[position] = combine(node.monoid, (ordered.data[position + at] for at in positions(inner)), start)
    return Array(kept, result)


def _sizes(sizes: tuple[tuple[Name, Index], ...], site: int, inputs: Inputs) -> tuple[int, ...]:
    values = tuple(value for group, size in sizes for value in along(size, inputs.ranks[group], inputs))
    if any(value < 0 for value in values):
        raise Invalid(f"a size must be at least 0, got {list(values)}", site)
    return values
