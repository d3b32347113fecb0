"""Truths about axes as bits: one for each axis of each input of a pool.

Owns the layout and what is computed on it. The bits of axis k of all inputs stand together, so that a truth on all axes
of a class, or on some, is a few operations on whole numbers. Expressions of integers alone have a single lane. Must not
know which truths are worth a look.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from rewright.model.index import Name
from rewright.replay.inputs import Inputs

Bits = int
"""A set of positions, or of inputs."""


class Lanes(Struct, frozen=True, dict=True):
    """The axes of a rank class (None: integers) on the inputs of a pool; `present` has a bit where there is an axis."""

    rank_class: Name | None
    count: int
    ranks: tuple[int, ...]

    @cached_property
    def width(self) -> int:
        """How many lanes there are."""
        return max(self.ranks, default=0)

    @cached_property
    def positions(self) -> tuple[tuple[int, int], ...]:
        """Each axis that there is, as the number of its input and its own."""
        return tuple(
            (place, axis) for axis in range(self.width) for place, rank in enumerate(self.ranks) if axis < rank
        )

    @cached_property
    def everything(self) -> Bits:
        """All inputs."""
        return (1 << self.count) - 1

    @cached_property
    def single(self) -> tuple[Bits, ...]:
        """For each of the positions, the set that has it alone."""
        return tuple(1 << axis * self.count + place for place, axis in self.positions)

    @cached_property
    def present(self) -> Bits:
        """The positions where there is an axis."""
        return sum(self.single)

    def on_every_axis(self, truth: Bits) -> Bits:
        """The inputs on all of whose axes a truth holds."""
        missing = self.present & ~truth
        return self.everything & ~self._folded(missing)

    def on_some_axis(self, truth: Bits) -> Bits:
        """The inputs on some of whose axes a truth holds."""
        return self._folded(truth & self.present)

    def _folded(self, truth: Bits) -> Bits:
        found = 0
        for _ in range(self.width):
            found |= truth & self.everything
            truth >>= self.count
        return found


def lanes_of(rank_class: Name | None, inputs: Sequence[Inputs]) -> Lanes:
    """The lanes of a class on these inputs; integers have one for each input."""
    ranks = tuple(1 if rank_class is None else each.ranks[rank_class] for each in inputs)
    return Lanes(rank_class, len(inputs), ranks)


class Values:
    """The values of an expression on the axes of some lanes, and where they are equal to or less than others'."""

    def __init__(self, lanes: Lanes, values: tuple[int, ...]) -> None:
        self.values = values
        found: dict[int, Bits] = {}
        for value, place in zip(values, lanes.single, strict=True):
            found[value] = found.get(value, 0) | place
        self._at = {value: found[value] for value in sorted(found)}
        self._order = list(self._at)
        self._at_least = [0] * (len(self._order) + 1)
        for place in reversed(range(len(self._order))):
            self._at_least[place] = self._at_least[place + 1] | self._at[self._order[place]]

    def equal_to(self, other: Values) -> Bits:
        """Where this expression and another one have the same value."""
        found = 0
        for value, where in self._at.items():
            found |= where & other._at.get(value, 0)
        return found

    def at_most(self, other: Values) -> Bits:
        """Where this expression's value is at most another one's."""
        found = 0
        for value, where in self._at.items():
            found |= where & other._at_least[bisect_left(other._order, value)]
        return found
