"""Windows on padded operands: `reduce_window` and `convolution`.

Owns how many windows there are along a group, and which element of the padded operand stands at which place of which
window. The padding is that of `pad`, over which a reduction runs.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from rewright.meaning.combining import combination
from rewright.meaning.forms import Entry, Indices, Meaning, RuleSide
from rewright.meaning.movement import Grid, padded
from rewright.meaning.parts import parts_of
from rewright.meaning.pointwise import apply
from rewright.model.index import Name
from rewright.model.tensor import Convolution, ReduceWindow, Window
from rewright.terms import (
    Range,
    Term,
    add,
    at_most,
    floor_divide,
    identity,
    maximum,
    multiply,
    number,
    plus,
    subtract,
)


class Windows(Struct, frozen=True):
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
        """How many windows fit."""
        reach = plus(multiply(plus(self.size, -1), self.step), 1)
        room = subtract(self.padded, reach)
        return maximum(number(0), plus(floor_divide(room, self.stride), 1))

    def place(self, window: Term, within: Term) -> Term:
        """The index in the padded operand of a place within a window."""
        return add(multiply(self.stride, window), multiply(self.step, within))


def reduce_window(node: ReduceWindow, operand: Meaning, initial: Meaning | None, side: RuleSide) -> Meaning:
    """All of each window, padding included, combined with the initial value; sizes, strides and dilations >= 1."""
    along: dict[Name, Windows] = {}
    for group, window in node.windows:
        size = number(1) if window.size is None else side.attribute(window.size, group)
        along[group] = windows_of(window, (operand.shape[group], size), group, side)
    ranges = {group: Range(side.scope.classes[group], windows.size) for group, windows in along.items()}
    combined = combination(node.monoid, initial, operand.sort, ranges)
    read = padded(operand, combined.start, {group: windows.grid for group, windows in along.items()}, side)

    def at(indices: Indices) -> Entry:
        return combined.over(indices, lambda bound: read({**indices, **places(along, indices, bound)}))

    shape = {**operand.shape, **{group: windows.count for group, windows in along.items()}}
    return Meaning(shape, operand.sort, at)


def convolution(node: Convolution, operand: Meaning, kernel: Meaning, side: RuleSide) -> Meaning:
    """At each window the sum of products with the kernel over features and places; grouped axes are cut into parts."""
    along = {
        group: windows_of(window, (operand.shape[group], kernel.shape[group]), group, side)
        for group, window in node.windows
    }
    zeros = Entry(identity("add", operand.sort))
    read = padded(operand, zeros, {group: windows.grid for group, windows in along.items()}, side)
    parts = parts_of(node, operand, kernel, side)
    summed = (*node.feature, *along)
    ranges = {group: Range(side.scope.classes[group], kernel.shape[group]) for group in summed}
    combined = combination("add", None, operand.sort, ranges)

    def at(indices: Indices) -> Entry:
        def term(bound: Indices) -> Entry:
            here = {**indices, **bound}
            moved = {group: add(here[group], shift) for group, shift in parts.shifts(indices).items()}
            ends = {group: plus(subtract(kernel.shape[group], bound[group]), -1) for group in node.reversed}
            one = read(_of({**here, **moved, **places(along, indices, bound)}, operand))
            return apply("multiply", [one, kernel.at(_of({**here, **ends}, kernel))])

        return combined.over(indices, term)

    sizes = {**kernel.shape, **operand.shape, **parts.sizes}
    shape = {group: along[group].count if group in along else sizes[group] for group in node.groups}
    return Meaning(shape, operand.sort, at)


def _of(indices: Indices, operand: Meaning) -> Indices:
    return {group: indices[group] for group in operand.shape}


def windows_of(window: Window, sizes: tuple[Term, Term], group: Name, side: RuleSide) -> Windows:
    """The windows along a group, by the sizes of operand and window; valid only if all distances are >= 1."""
    operand, size = sizes
    stride, base, step, low, high = (
        side.attribute(part, group) for part in (window.stride, window.base, window.window, window.low, window.high)
    )
    side.need(group, *(at_most(number(1), distance) for distance in (size, stride, base, step)))
    return Windows(Grid(low, base, operand), high, size, stride, step)


def places(along: Mapping[Name, Windows], indices: Indices, bound: Indices) -> dict[Name, Term]:
    """The indices in the padded operand of places within windows."""
    return {group: windows.place(indices[group], bound[group]) for group, windows in along.items()}
