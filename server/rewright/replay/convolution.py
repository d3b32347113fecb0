"""`convolution` on dense arrays, as StableHLO writes it down.

Owns the cutting of features and batches into parts that are convolved each for itself and joined along the output
features, and the sums of products of windows with the kernel. Operands were evaluated; what is wrong raises `Invalid`.
Must not know where operands come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from math import prod

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from rewright.model.tensor import Convolution
from rewright.replay.arrays import Array, Data, aligned, as_array, axes_of, from_flat, positions, require_room
from rewright.replay.conditions import NamedOperation
from rewright.replay.elements import Element, element_of
from rewright.replay.index import integer
from rewright.replay.provenance import WrittenConstant, contracted
from rewright.replay.reductions import ReductionSetting, inner_product
from rewright.replay.windows import AxisWindow, axis_windows, distances, inside, spread_out


class _Layout(Struct, frozen=True):
    """How many axes the roles have, in their order: batch, feature, spatial, and output, feature, spatial."""

    batch: int
    output: int
    feature: int


def convolution(node: Convolution, operand: Array, kernel: Array, setting: ReductionSetting) -> Array:
    """The convolutions of the parts into which axes are cut, one after the other along the output features."""
    inputs, operation = setting.inputs, NamedOperation("convolution", node.site)
    spatial = tuple(group for group, _ in node.windows)
    batch = tuple(group for group in operand.groups if group not in kernel.groups)
    output = tuple(group for group in kernel.groups if group not in operand.groups)
    image = aligned(operand, (*batch, *node.feature, *spatial), inputs.ranks)
    filters = aligned(kernel, (*output, *node.feature, *spatial), inputs.ranks)
    layout = _Layout(*(sum(inputs.ranks[group] for group in groups) for groups in (batch, output, node.feature)))
    windows = axis_windows(operation, node.windows, image, inputs)
    pairs = _cut(operation, (image.data, _turned(node, filters, setting)), layout, _counts(node, operation, setting))
    parts = [_convolved(operation, pair, (layout, windows), setting) for pair in pairs]
    data = np.concatenate(parts, axis=layout.batch) if len(parts) > 1 else parts[0]
    return Array((*batch, *output, *spatial), data)


def _counts(node: Convolution, operation: NamedOperation, setting: ReductionSetting) -> tuple[int, int]:
    features, batches = (integer(count, setting.inputs) for count in (node.feature_groups, node.batch_groups))
    operation.require(features >= 1, f"feature_groups {features} is less than 1")
    operation.require(batches >= 1, f"batch_groups {batches} is less than 1")
    operation.require(1 in (features, batches), f"has both {features} feature_groups and {batches} batch_groups")
    return features, batches


def _turned(node: Convolution, filters: Array, setting: ReductionSetting) -> Data:
    """The kernel from its end along the reversed axes."""
    axes = [axis for group in node.reversed for axis in axes_of(filters.groups, setting.inputs.ranks, group)]
    return as_array(np.flip(filters.data, tuple(axes))) if axes else filters.data


def _cut(
    operation: NamedOperation, pair: tuple[Data, Data], layout: _Layout, counts: tuple[int, int]
) -> list[tuple[Data, Data]]:
    """The parts of image and kernel that belong together; an axis that is cut is the only one of its role."""
    image, kernel = pair
    features, batches = counts
    if features > 1:
        images = _split(operation, image, layout.batch, features)
        return list(zip(images, _split(operation, kernel, 0, features), strict=True))
    if batches > 1:
        images = _split(operation, image, 0, batches)
        return list(zip(images, _split(operation, kernel, 0, batches), strict=True))
    return [pair]


def _split(operation: NamedOperation, data: Data, axis: int, count: int) -> list[Data]:
    size = data.shape[axis]
    operation.require(size % count == 0, f"cannot cut an axis of size {size} into {count} parts")
    return np.split(data, count, axis)


def _convolved(
    operation: NamedOperation,
    pair: tuple[Data, Data],
    along: tuple[_Layout, Sequence[AxisWindow]],
    setting: ReductionSetting,
) -> Data:
    """For each batch, output feature and window the inner product of the window and the kernel."""
    image, kernel = pair
    layout, given = along
    before = layout.batch + layout.feature
    features, sizes = image.shape[layout.batch : before], kernel.shape[layout.output + layout.feature :]
    for one, other in zip(features, kernel.shape[layout.output :], strict=False):
        operation.require(one == other, f"operands have {one} and {other} features")
    for size in sizes:
        operation.require(size >= 1, f"has a window of size {size}")
    spatial = [replace(window, size=size) for window, size in zip(given[before:], sizes, strict=True)]
    windows = [*given[:before], *spatial]
    zero = setting.marking.mark(element_of(0, setting.domain), WrittenConstant("0"))
    padded = spread_out(image, zero, windows)
    firsts = [window.firsts(size) for window, size in zip(spatial, image.shape[before:], strict=True)]
    counts = (image.shape[: layout.batch], kernel.shape[: layout.output], tuple(map(len, firsts)))
    shape = sum(counts, ())
    require_room(shape)
    indices = list(positions((*features, *sizes)))
    function = setting.marking.lift(partial(inner_product, setting.domain), contracted(indices))
    within = distances([*map(range, features), *inside(spatial)], padded.shape[layout.batch :])
    corners = distances(firsts, padded.shape[before:])
    weights = _rows(kernel, layout.output)
    found: list[Element] = []
    for cells in _rows(padded, layout.batch):
        by_output: list[list[Element]] = [[] for _ in weights]
        for corner in corners:
            window = [cells[corner + at] for at in within]
            for results, row in zip(by_output, weights, strict=True):
                results.append(function(*window, *row))
        found += chain.from_iterable(by_output)
    return from_flat(shape, found)


def _rows(data: Data, axes: int) -> list[list[Element]]:
    """For each index of the first axes the elements there, all row-major."""
    size, flat = prod(data.shape[axes:]), data.ravel().tolist()
    return [flat[size * row : size * (row + 1)] for row in range(prod(data.shape[:axes]))]
