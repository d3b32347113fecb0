"""Windows on padded arrays: `reduce_window`, and what `convolution` shares with it.

Owns the enumeration of windows: a padded array is filled by scattering, the first index of each window is counted up
to the last that fits, and what a window holds is gathered. Every function takes operands that were evaluated, and
raises `Invalid`. Must not know where operands come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.tensor import ReduceWindow, Window
from rewright.replay.arrays import Array, Data, axes_of, filled, from_flat, positions, require_room, scattered
from rewright.replay.conditions import NamedOperation, axis_text
from rewright.replay.elements import Element
from rewright.replay.index import along
from rewright.replay.inputs import Inputs
from rewright.replay.provenance import padding, reduced
from rewright.replay.reductions import ReductionSetting, combined, start_of


class AxisWindow(Struct, frozen=True):
    """The windows along one axis of an array."""

    size: int
    stride: int = 1
    low: int = 0
    high: int = 0
    base: int = 1
    step: int = 1

    def padded(self, operand: int) -> int:
        """The size with padding of an operand of that size; 0 where more is cut off."""
        inside = (operand - 1) * self.base + 1 if operand else 0
        return max(self.low + inside + self.high, 0)

    def firsts(self, operand: int) -> range:
        """Where each window begins in the padded operand."""
        room = self.padded(operand)
        reach = (self.size - 1) * self.step + 1
        return range(0, room - reach + 1, self.stride)


def reduce_window(node: ReduceWindow, operand: Array, initial: Array | None, setting: ReductionSetting) -> Array:
    """All elements of each window, padding included, combined with the initial value or the identity."""
    start = start_of(node.monoid, initial, setting)
    windows = axis_windows(NamedOperation("reduce_window", node.site), node.windows, operand, setting.inputs)
    data = spread_out(operand.data, padding(start, setting.marking), windows)
    firsts = [window.firsts(size) for window, size in zip(windows, operand.data.shape, strict=True)]
    shape = tuple(map(len, firsts))
    require_room(shape)
    offsets = list(positions(tuple(window.size for window in windows)))
    function = setting.marking.lift(partial(combined, node.monoid), reduced(node.monoid, offsets))
    cells, within = data.ravel().tolist(), distances(inside(windows), data.shape)
    found = (function(start, *[cells[first + at] for at in within]) for first in distances(firsts, data.shape))
    return Array(operand.groups, from_flat(shape, found))


def axis_windows(
    operation: NamedOperation, given: Sequence[tuple[Name, Window]], operand: Array, inputs: Inputs
) -> list[AxisWindow]:
    """The windows along each axis of the operand: of size 1 and without padding where none are given."""
    windows = [AxisWindow(1)] * operand.data.ndim
    for group, window in given:
        axes = axes_of(operand.groups, inputs.ranks, group)
        parts = (window.size, window.stride, window.low, window.high, window.base, window.window)
        columns = [along(part, len(axes), inputs) for part in parts if part is not None]
        for number, axis in enumerate(axes):
            values = [column[number] for column in columns]
            windows[axis] = AxisWindow(*values) if window.size is not None else AxisWindow(1, *values)
            _check(operation, windows[axis], axis_text(group, number))
    return windows


def _check(operation: NamedOperation, window: AxisWindow, axis: str) -> None:
    parts = {"size": window.size, "stride": window.stride, "base": window.base, "window": window.step}
    for name, value in parts.items():
        operation.require(value >= 1, f"{name} {value} is less than 1 on {axis}")


def spread_out(data: Data, value: Element, windows: Sequence[AxisWindow]) -> Data:
    """The elements set apart and shifted in an array of the value; those that fall outside are dropped."""
    sizes = tuple(window.padded(size) for window, size in zip(windows, data.shape, strict=True))
    return scattered(data, filled(sizes, value), [(window.low, window.base) for window in windows])


def inside(windows: Sequence[AxisWindow]) -> list[range]:
    """On each axis, how far the places of a window are from its first one."""
    return [range(0, window.size * window.step, window.step) for window in windows]


def distances(along_axes: Sequence[range], shape: Sequence[int]) -> list[int]:
    """How far each combination of steps along the axes leads among the elements of a shape, both row-major."""
    found = [0]
    for steps, size in zip(along_axes, shape, strict=True):
        found = [size * before + step for before in found for step in steps]
    return found
