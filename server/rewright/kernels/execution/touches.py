"""Which bytes two parties touched, one of them to write: the scatter method on the log of accesses.

A party is a lane of one block, or a block of a grid: whatever the entries name in `lanes`. Bytes are taken together to
cells of the largest size that divides all accesses. Note the last party of every cell, keep the cells that another one
touched too and where kinds conflict, look at the accesses of only these: about 0.05 µs per access where nothing is
left. Must not know what orders accesses.

It decides afterwards, on arrays, what the context of memory events in "Equivalence Checking of ML GPU Kernels", section
4.2, decides at each access.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from rewright.kernels.execution.arrays import Column, Kinds
from rewright.kernels.execution.log import LoggedAccess
from rewright.verdict import AccessKind, Place

_WIDEST_CELL = 8
"""Bytes of the largest cell: what was written to it is kept as one uint64."""

_SPARSE = 8
"""Cells from the first to the last, per access, above which they are numbered anew."""


class Side(Struct, frozen=True):
    """Accesses of one kind at one place, with the same marks of `handover`.

    `comparable`: they write, and what they write is known whatever the schedule.
    """

    kind: AccessKind
    place: Place
    marks: int
    comparable: bool


class Touches(NamedTuple):
    """One row per access and cell, in the order in which they ran.

    `cells` are numbers, `parties` touched them, with the entry number `orders`, in whose arrays they stand at `at`;
    `sides` are numbers too. `values`: (rows,) uint64, the bytes written, 0 where nothing was.
    """

    cells: Column
    parties: Column
    orders: Column
    at: Column
    sides: Column
    values: NDArray[np.uint64]

    def where(self, chosen: Column) -> Touches:
        """Some of the rows."""
        return Touches._make(column[chosen] for column in self)


class Contest(NamedTuple):
    """The touches of contested cells, and the sides by number."""

    touches: Touches
    sides: tuple[Side, ...]

    def kinds(self) -> Kinds:
        """The kind of each touch, as a number."""
        numbers: Kinds = np.array([_KINDS[side.kind] for side in self.sides], np.int8)[self.touches.sides]
        return numbers


def contest(entries: Sequence[LoggedAccess]) -> Contest | None:
    """What conflicts among accesses of one object, if anything does."""
    if all(entry.kind is AccessKind.READ for entry in entries):
        return None
    unit = _unit(entries)
    cells = _dense(np.concatenate([_cells(entry, unit) for entry in entries]))
    parties = np.concatenate([np.repeat(entry.lanes, entry.width // unit) for entry in entries])
    sizes = np.array([len(entry.lanes) * (entry.width // unit) for entry in entries])
    kinds = np.repeat(np.array([_KINDS[entry.kind] for entry in entries], np.int8), sizes)
    chosen = np.flatnonzero(conflicting(cells, parties, kinds)[cells])
    if not len(chosen):
        return None
    orders = np.repeat(np.arange(len(entries)), sizes)[chosen]
    # the place of each row among those of its entry, of which each access has `width // unit`
    local = chosen - (np.cumsum(sizes) - sizes)[orders]
    at = local // np.array([entry.width // unit for entry in entries])[orders]
    values = np.concatenate([_values(entry, unit) for entry in entries])[chosen]
    numbers, sides = _sides(entries, orders, at)
    return Contest(Touches(cells[chosen], parties[chosen], orders, at, numbers, values), sides)


def conflicting(cells: Column, parties: Column, kinds: Kinds) -> NDArray[np.bool_]:
    """For each cell, whether two parties touched it and not all of it was reading, or all of it atomic.

    (cells up to the highest number,) bool.
    """
    size = int(cells.max()) + 1
    last = np.empty(size, np.int32)
    # whichever party NumPy leaves there, another one that touched the cell differs from it
    last[cells] = parties
    found = np.zeros(size, np.bool_)
    found[cells[last[cells] != parties]] = True
    if not found.any():
        return found
    written, atomic, read = (np.zeros(size, np.bool_) for _ in range(3))
    written[cells[kinds == _WRITE]] = True
    atomic[cells[kinds == _ATOMIC]] = True
    read[cells[kinds == _READ]] = True
    return found & (written | atomic & read)


def conflict(left: AccessKind, right: AccessKind) -> bool:
    """Whether two accesses of these kinds may not be unordered."""
    return left is not right or left in (AccessKind.WRITE, AccessKind.BLOCK_ATOMIC)


_READ, _WRITE, _ATOMIC = 0, 1, 2
_KINDS = {
    AccessKind.READ: _READ,
    AccessKind.WRITE: _WRITE,
    AccessKind.ATOMIC: _ATOMIC,
    AccessKind.BLOCK_ATOMIC: _WRITE,
}
"""Atomics of block scope are looked at as such between blocks only, where they are as bad as writes."""


def _unit(entries: Sequence[LoggedAccess]) -> int:
    common = gcd(*{entry.width for entry in entries})
    return min(common & -common, _WIDEST_CELL)


def _cells(entry: LoggedAccess, unit: int) -> Column:
    first: Column = entry.offsets // unit
    if entry.width == unit:
        return first
    return np.ravel(first[:, None] + np.arange(entry.width // unit))


def _dense(cells: Column) -> Column:
    """Numbers for cells that are not many more than there are accesses."""
    low, high = int(cells.min()), int(cells.max())
    # to number anew is to sort; below 64 Ki cells an array with a place for each is cheaper in any case
    if high - low > _SPARSE * len(cells) + (1 << 16):
        return np.asarray(np.unique(cells, return_inverse=True)[1]).ravel()
    return cells - low


def _values(entry: LoggedAccess, unit: int) -> NDArray[np.uint64]:
    if entry.written is None:
        return np.zeros(len(entry.lanes) * (entry.width // unit), np.uint64)
    return np.ascontiguousarray(entry.written).view(f"u{unit}").ravel().astype(np.uint64)


def _sides(entries: Sequence[LoggedAccess], orders: Column, at: Column) -> tuple[Column, tuple[Side, ...]]:
    """The side of each row, by entry and position in it."""
    known: dict[Side, int] = {}
    numbers = np.empty(len(orders), np.int64)
    starts = np.flatnonzero(np.diff(orders, prepend=-1))
    for start, stop in zip(starts, [*starts[1:], len(orders)], strict=True):
        entry = entries[int(orders[start])]
        marks = np.zeros(stop - start, np.int64) if entry.marks is None else entry.marks[at[start:stop]]
        for mark in np.unique(marks).tolist():
            side = Side(entry.kind, entry.place, mark, entry.written is not None)
            numbers[start:stop][marks == mark] = known.setdefault(side, len(known))
    return numbers, tuple(known)
