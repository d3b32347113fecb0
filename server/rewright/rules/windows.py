"""Windows on padded operands: `reduce_window`.

Owns how many windows there are along a group, and which element of the padded operand stands at which place of which
window. The padding is that of `pad`, over which a reduction runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rewright.model.index import Name
from rewright.model.tensor import ReduceWindow, Window
from rewright.rules.combining import combination
from rewright.rules.meaning import Entry, Indices, Meaning, Side
from rewright.rules.movement import Grid, padded, spread
from rewright.terms import Range, Term, add, at_most, floor_divide, maximum, multiply, number, plus, subtract


@dataclass(frozen=True, slots=True)
class Windows:
    """The windows along a group, on an operand that is spread over a grid and padded."""

    grid: Grid
    high: Term
    size: Term
    stride: Term
    step: Term

    @property
    def padded(self) -> Term:
        """The operand's size with padding, less than 0 where more is cut off than there is."""
        return add(self.grid.extent, self.grid.low, self.high)

    @property
    def count(self) -> Term:
        """How many windows fit; for windows of size 1 or more."""
        room = subtract(self.padded, spread(self.size, self.step))
        return maximum(number(0), plus(floor_divide(room, self.stride), 1))

    def place(self, window: Term, within: Term) -> Term:
        """The index in the padded operand of a place within a window."""
        return add(multiply(self.stride, window), multiply(self.step, within))


def reduce_window(node: ReduceWindow, operand: Meaning, initial: Meaning | None, side: Side) -> Meaning:
    """All of each window, padding included, combined with the initial value; sizes, strides and dilations >= 1."""
    along = {group: windows_of(window, operand.shape[group], group, side) for group, window in node.windows}
    for group, windows in along.items():
        side.need(group, at_most(number(1), windows.size))
    ranges = {group: Range(side.scope.classes[group], windows.size) for group, windows in along.items()}
    combined = combination(node.monoid, initial, operand.sort, ranges)
    read = padded(operand, combined.start, {group: windows.grid for group, windows in along.items()}, side)

    def at(indices: Indices) -> Entry:
        return combined.over(indices, lambda bound: read({**indices, **places(along, indices, bound)}))

    shape = {**operand.shape, **{group: windows.count for group, windows in along.items()}}
    return Meaning(shape, operand.sort, at)


def windows_of(window: Window, operand: Term, group: Name, side: Side) -> Windows:
    """The windows along a group on an operand of that size; valid only with strides and dilations >= 1."""
    stride, base, step, low, high = (
        side.attribute(part, group) for part in (window.stride, window.base, window.window, window.low, window.high)
    )
    side.need(group, *(at_most(number(1), distance) for distance in (stride, base, step)))
    size = number(1) if window.size is None else side.attribute(window.size, group)
    return Windows(Grid(low, base, operand), high, size, stride, step)


def places(along: Mapping[Name, Windows], indices: Indices, bound: Indices) -> dict[Name, Term]:
    """The indices in the padded operand of places within windows."""
    return {group: windows.place(indices[group], bound[group]) for group, windows in along.items()}
