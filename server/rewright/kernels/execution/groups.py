"""Sets of lanes that execute together, each made once per run, so that equal groups are identical.

A value of a group is a NumPy scalar if it is the same in every lane of it, else an array with one element per lane. So
a lane that goes a way of its own is computed with scalars, several times faster than with arrays of one element. Must
not know registers, memory or control.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rewright.kernels.execution.arrays import LaneValues

Value: TypeAlias = Any
"""A NumPy scalar, or (lanes,) where lanes differ, of the dtype of its scalar type; never changed in place."""

Indices: TypeAlias = NDArray[np.intp]
"""(lanes,) intp: lanes of the block by number."""


class LaneGroup:
    """Lanes in ascending order. `whole`: every lane of the block; `single`: one lane, `first`."""

    __slots__ = ("_fills", "count", "first", "lanes", "single", "whole")

    def __init__(self, lanes: Indices, whole: bool) -> None:
        self.lanes = lanes
        self.whole = whole
        self.count = len(lanes)
        self.first = int(lanes[0])
        self.single = self.count == 1
        self._fills: bool | None = None

    def fills_warps(self, size: int, lanes: int) -> bool:
        """Whether it consists of whole warps of this size, in a block of so many lanes."""
        if self._fills is None:
            members = np.bincount(self.lanes // size)
            sizes = np.minimum(size, lanes - np.arange(len(members)) * size)
            self._fills = bool(((members == 0) | (members == sizes)).all())
        return self._fills

    def spread(self, value: Value) -> LaneValues:
        """The value with an element per lane, even where all are the same."""
        return value if isinstance(value, np.ndarray) else np.full(self.count, value)

    def take(self, whole: Value) -> Value:
        """The part of a value of the whole block that belongs to these lanes."""
        if self.whole or not isinstance(whole, np.ndarray):
            return whole
        return whole[self.first] if self.single else whole[self.lanes]


class Groups:
    """All groups of a block of so many lanes."""

    __slots__ = ("_known", "whole")

    def __init__(self, lanes: int) -> None:
        self.whole = LaneGroup(np.arange(lanes), whole=True)
        self._known = {self.whole.lanes.tobytes(): self.whole}

    def of(self, lanes: Indices) -> LaneGroup:
        """The group of these lanes, which ascend and are at least one."""
        key = lanes.tobytes()
        found = self._known.get(key)
        if found is None:
            if len(self._known) > _MOST_KNOWN:
                self._known = {self.whole.lanes.tobytes(): self.whole}
            found = self._known[key] = LaneGroup(lanes, whole=False)
        return found

    def union(self, left: LaneGroup, right: LaneGroup) -> LaneGroup:
        """The lanes of two disjoint groups."""
        return self.of(np.sort(np.concatenate([left.lanes, right.lanes])))


_MOST_KNOWN = 1 << 12
"""Groups that are remembered: the library's kernels make 66, one that parts its lanes by data would make ever new
ones."""
