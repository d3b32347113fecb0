"""The operators that move elements, on dense arrays.

Owns their meaning by what they do to an array: `pad` scatters into a filled array, `slice` is a NumPy slice, `reverse`
a flip. This is on purpose another road than the symbolic semantics, which says what stands at an index; the two share
nothing but the rule's value. Every function takes operands that were evaluated, and raises `Invalid`. Must not know
what the elements are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from rewright.model.index import Index, Name
from rewright.model.tensor import (
    Bitcast,
    Broadcast,
    Concatenate,
    DynamicSlice,
    DynamicUpdateSlice,
    Pad,
    Reshape,
    Reverse,
    Slice,
    Transpose,
)
from rewright.replay.arrays import Array, aligned, as_array, axes_of, filled, only, require_room, scattered
from rewright.replay.conditions import NamedOperation, axis_names, axis_text, require_equal_shapes
from rewright.replay.elements import Element
from rewright.replay.index import along
from rewright.replay.inputs import Inputs


def broadcast(node: Broadcast, operand: Array, inputs: Inputs) -> Array:
    """New groups in front, along which nothing changes."""
    new = sizes(NamedOperation("broadcast", node.site), node.sizes, inputs)
    groups = tuple(group for group, _ in node.sizes) + operand.groups
    require_room(new + operand.data.shape)
    return Array(groups, as_array(np.broadcast_to(operand.data, new + operand.data.shape)))


def slice_(node: Slice, operand: Array, inputs: Inputs) -> Array:
    """Every stride-th element from start to limit."""
    operation = NamedOperation("slice", node.site)
    window = [slice(None)] * operand.data.ndim
    for group, attributes in node.ranges:
        axes = axes_of(operand.groups, inputs.ranks, group)
        sizes = tuple(operand.data.shape[axis] for axis in axes)
        starts = along(attributes.start, len(axes), inputs)
        limits = sizes if attributes.limit is None else along(attributes.limit, len(axes), inputs)
        strides = along(attributes.stride, len(axes), inputs)
        for axis, start, limit, stride, size in zip(axes, starts, limits, strides, sizes, strict=True):
            on = f"on {axis_text(group, axis - axes[0])}"
            operation.require(start >= 0, f"start {start} is negative {on}")
            operation.require(start <= limit, f"start {start} exceeds the limit {limit} {on}")
            operation.require(limit <= size, f"limit {limit} exceeds the size {size} {on}")
            operation.require(stride >= 1, f"stride {stride} is less than 1 {on}")
            window[axis] = slice(start, limit, stride)
    return Array(operand.groups, as_array(operand.data[tuple(window)]))


def dynamic_slice(node: DynamicSlice, operand: Array, inputs: Inputs) -> Array:
    """A window of the given length, its start clamped so that it fits."""
    operation = NamedOperation("dynamic_slice", node.site)
    window = [slice(None)] * operand.data.ndim
    for group, attributes in node.ranges:
        axes = axes_of(operand.groups, inputs.ranks, group)
        starts = along(attributes.start, len(axes), inputs)
        lengths = along(attributes.length, len(axes), inputs)
        for axis, start, length in zip(axes, starts, lengths, strict=True):
            size = operand.data.shape[axis]
            on = f"on {axis_text(group, axis - axes[0])}"
            operation.require(length >= 0, f"length {length} is negative {on}")
            operation.require(length <= size, f"length {length} exceeds the size {size} {on}")
            window[axis] = _clamped_window(start, length, size)
    return Array(operand.groups, as_array(operand.data[tuple(window)]))


def dynamic_update_slice(node: DynamicUpdateSlice, operand: Array, update: Array, inputs: Inputs) -> Array:
    """The operand with a window, its start clamped so that it fits, overwritten."""
    operation = NamedOperation("dynamic_update_slice", node.site)
    update = aligned(update, operand.groups, inputs.ranks)
    starts = [0] * operand.data.ndim
    for group, attribute in node.starts:
        axes = axes_of(operand.groups, inputs.ranks, group)
        for axis, value in zip(axes, along(attribute, len(axes), inputs), strict=True):
            starts[axis] = value
    window = []
    names = axis_names(operand.groups, inputs.ranks)
    for start, length, size, name in zip(starts, update.data.shape, operand.data.shape, names, strict=True):
        operation.require(length <= size, f"update of size {length} exceeds the size {size} on {name}")
        window.append(_clamped_window(start, length, size))
    result = operand.data.copy()
    result[tuple(window)] = update.data if window else only(update)
    return Array(operand.groups, result)


def _clamped_window(start: int, length: int, size: int) -> slice:
    first = max(0, min(start, size - length))
    return slice(first, first + length)


def pad(node: Pad, operand: Array, value: Element, inputs: Inputs) -> Array:
    """The operand's elements spread out and shifted in an array of the value; those that fall outside are dropped."""
    operation = NamedOperation("pad", node.site)
    old = operand.data.shape
    offsets, steps, sizes = [0] * len(old), [1] * len(old), list(old)
    for group, padding in node.paddings:
        axes = axes_of(operand.groups, inputs.ranks, group)
        lows, highs, interiors = (
            along(part, len(axes), inputs) for part in (padding.low, padding.high, padding.interior)
        )
        for axis, low, high, interior in zip(axes, lows, highs, interiors, strict=True):
            on = f"on {axis_text(group, axis - axes[0])}"
            operation.require(interior >= 0, f"interior padding {interior} is negative {on}")
            offsets[axis], steps[axis] = low, interior + 1
            sizes[axis] = low + old[axis] + max(old[axis] - 1, 0) * interior + high
            operation.require(sizes[axis] >= 0, f"result has the negative size {sizes[axis]} {on}")
    layout = list(zip(offsets, steps, strict=True))
    return Array(operand.groups, scattered(operand.data, filled(tuple(sizes), value), layout))


def concatenate(node: Concatenate, operands: Sequence[Array], inputs: Inputs) -> Array:
    """The operands one after another along a single axis."""
    ranks = inputs.ranks
    parts = [aligned(operand, node.groups, ranks) for operand in operands]
    (axis,) = axes_of(node.groups, ranks, node.axis)
    names = list(axis_names(node.groups, ranks))
    names[axis] = ""
    operation = NamedOperation("concatenate", node.site)
    for part in parts:
        require_equal_shapes(operation, (parts[0].data.shape, part.data.shape), names)
    return Array(node.groups, np.concatenate([part.data for part in parts], axis=axis))


def reverse(node: Reverse, operand: Array, inputs: Inputs) -> Array:
    """The operand from its end along every axis of the groups."""
    axes = [axis for group in node.reversed for axis in axes_of(operand.groups, inputs.ranks, group)]
    return Array(operand.groups, as_array(np.flip(operand.data, tuple(axes))) if axes else operand.data)


def transpose(node: Transpose, operand: Array) -> Array:
    """The operand with its groups renamed; no element moves within its row-major order."""
    renamed = dict(node.renaming)
    return Array(tuple(renamed.get(group, group) for group in operand.groups), operand.data)


def reshape(node: Reshape, operand: Array, inputs: Inputs) -> Array:
    """The operand without the groups dropped, all of whose sizes are 1, and with new ones of size 1."""
    operation = NamedOperation("reshape", node.site)
    shape: tuple[int, ...] = ()
    for group in operand.groups:
        axes = axes_of(operand.groups, inputs.ranks, group)
        here = operand.data.shape[axes.start : axes.stop]
        if group not in node.dropped:
            shape += here
            continue
        for number, size in enumerate(here):
            operation.require(size == 1, f"drops {axis_text(group, number)} of size {size}, not 1")
    kept = tuple(group for group in operand.groups if group not in node.dropped)
    new = (1,) * sum(inputs.ranks[group] for group in node.added)
    return Array((*kept, *node.added), operand.data.reshape(shape + new))


def bitcast(node: Bitcast, operand: Array, inputs: Inputs) -> Array:
    """The operand with the axes that go brought together as its last ones, and these cut anew."""
    operation = NamedOperation("reshape", node.site)
    kept = tuple(group for group in operand.groups if group not in node.sources)
    new = tuple(group for group, _ in node.targets)
    together = aligned(operand, (*kept, *node.sources), inputs.ranks)
    first = together.data.ndim - sum(inputs.ranks[group] for group in node.sources)
    shape, old = together.data.shape[:first], together.data.shape[first:]
    cut: list[int] = []
    for group, size in node.targets:
        for number, value in enumerate((prod(old),) if size is None else along(size, inputs.ranks[group], inputs)):
            operation.require(value >= 0, f"size {value} is negative on {axis_text(group, number)}")
            cut.append(value)
    elements = f"{prod(old)} elements along {' and '.join(node.sources) or 'no axis'}"
    operation.require(prod(old) == prod(cut), f"{elements} do not fill the sizes {cut} of {' and '.join(new)}")
    return Array((*kept, *new), together.data.reshape((*shape, *cut)))


def sizes(operation: NamedOperation, given: Sequence[tuple[Name, Index]], inputs: Inputs) -> tuple[int, ...]:
    """The sizes given for groups, axis by axis."""
    values: list[int] = []
    for group, size in given:
        for number, value in enumerate(along(size, inputs.ranks[group], inputs)):
            operation.require(value >= 0, f"size {value} is negative on {axis_text(group, number)}")
            values.append(value)
    return tuple(values)
