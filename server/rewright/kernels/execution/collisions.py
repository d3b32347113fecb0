"""Pairs of touches of one cell that nothing orders, the worst and earliest of two sides.

Whether some pair differs in two labels (party and value, say) is decided on five rows of each group: the first; the
first with another party; of those the first with another value; the first with another value; of those the first with
another party. Whatever row of the other side differs from any in both differs from one of these in both. Pairs of one
warp are looked for by their clocks. Must not know places or objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rewright.kernels.execution.arrays import Column, RowFlags, RowValues
from rewright.kernels.execution.clocks import Clocks, grouped
from rewright.kernels.execution.touches import Touches

Pair = tuple[int, int]
"""Two rows, the earlier one first."""

_MOST_AT_ONCE = 1 << 18
"""Elements of the largest array made: rows that are looked at together, times the lanes of a warp."""


class SideRows(NamedTuple):
    """Rows of one side, and for each a group and two labels."""

    rows: Column
    groups: Column
    parties: Column
    values: RowValues


def apart(left: SideRows, right: SideRows) -> Pair | None:
    """Rows of a common group that differ in both labels; those of which the later one stands first."""
    groups, chosen = zip(_chosen(left), _chosen(right), strict=True)
    _, at_left, at_right = np.intersect1d(*groups, assume_unique=True, return_indices=True)
    best: Pair | None = None
    for i in chosen[0][:, at_left]:
        for j in chosen[1][:, at_right]:
            hits = np.flatnonzero(
                (i >= 0) & (j >= 0) & (left.parties[i] != right.parties[j]) & (left.values[i] != right.values[j])
            )
            if len(hits):
                one, other = left.rows[i[hits]], right.rows[j[hits]]
                first = int(np.argmin(np.maximum(one, other)))
                pair = _sorted(int(one[first]), int(other[first]))
                best = pair if best is None or pair[::-1] < best[::-1] else best
    return best


def _chosen(side: SideRows) -> tuple[Column, NDArray[np.int64]]:
    """The groups, ascending, and for each five positions in the side, (5, groups); -1 where there is none."""
    groups, first, inverse = np.unique(side.groups, return_index=True, return_inverse=True)
    inverse = inverse.ravel()
    found = np.full((5, len(groups)), -1)
    found[0] = first
    otherwise = side.parties != side.parties[first][inverse]
    _first_where(found[1], otherwise, inverse)
    _first_where(found[2], otherwise & (side.values != side.values[found[1]][inverse]), inverse)
    otherwise = side.values != side.values[first][inverse]
    _first_where(found[3], otherwise, inverse)
    _first_where(found[4], otherwise & (side.parties != side.parties[found[3]][inverse]), inverse)
    return groups, found


def _first_where(found: Column, chosen: RowFlags, inverse: Column) -> None:
    """Notes for each group the first position that is chosen."""
    # backwards: of several assignments to one place NumPy keeps the last
    positions = np.flatnonzero(chosen)[::-1]
    found[inverse[positions]] = positions


Timed = tuple[Column, RowValues]
"""Rows of one side, and for each the value that must differ."""


def unordered(touches: Touches, clocks: Clocks, sides: tuple[Timed, Timed]) -> Pair | None:
    """Rows of two lanes of one warp, at one cell, of different entries and values, that no warp barrier orders."""
    met = list(_met(touches, clocks.vectors.shape[1], sides))
    if any(not len(rows) for rows, _ in met):
        return None
    left, right = (_distinct(touches, clocks, side) for side in met)
    return _earlier(touches, clocks, (left, right)) or _earlier(touches, clocks, (right, left))


def _met(touches: Touches, size: int, sides: tuple[Timed, Timed]) -> Iterator[Timed]:
    """The rows of each side whose cell two lanes of their warp touched."""
    rows = np.concatenate([side[0] for side in sides])
    parties = touches.parties[rows]
    keys = touches.cells[rows].astype(np.int64) * (parties.max() + 1) + parties // size
    groups = np.unique(keys, return_inverse=True)[1]
    last = np.empty(len(rows), parties.dtype)
    last[groups] = parties
    several = np.zeros(len(rows), np.bool_)
    several[groups[last[groups] != parties]] = True
    kept = np.split(several[groups], [len(sides[0][0])])
    for (chosen, values), mine in zip(sides, kept, strict=True):
        yield chosen[mine], values[mine]


def _distinct(touches: Touches, clocks: Clocks, side: Timed) -> Timed:
    """One row for all that agree in cell, lane, clock and value, the first; sorted by cell, lane and time."""
    rows, values = side
    first, _ = grouped((touches.cells[rows], touches.parties[rows], clocks.numbers[rows], values))
    kept = first[np.lexsort((rows[first], touches.parties[rows[first]], touches.cells[rows[first]]))]
    return rows[kept], values[kept]


def _earlier(touches: Touches, clocks: Clocks, sides: tuple[Timed, Timed]) -> Pair | None:
    """Such a pair whose row of the first side ran before that of the second."""
    size = clocks.vectors.shape[1]
    step = max(1, _MOST_AT_ONCE // size)
    search = _Search(touches, clocks, sides[0])
    rows, values = sides[1]
    order = np.argsort(rows, kind="stable")
    for start in range(0, len(order), step):
        part = order[start : start + step]
        pair = search.before(rows[part], values[part])
        if pair is not None:
            return pair
    return None


class _Search:
    """Looks among the rows of a side, sorted by cell, lane and time, for one that later rows do not know of."""

    def __init__(self, touches: Touches, clocks: Clocks, side: Timed) -> None:
        self.touches, self.clocks = touches, clocks
        self.rows, self.values = rows, values = side
        self.size = clocks.vectors.shape[1]
        self.parties = (int(touches.parties.max()) // self.size + 1) * self.size
        keys = touches.cells[rows].astype(np.int64) * self.parties + touches.parties[rows]
        self.last_order = int(touches.orders[-1]) + 1
        self.last_count = int(clocks.vectors.max()) + 2
        counts = clocks.vectors[clocks.numbers[rows], touches.parties[rows] % self.size]
        self.by_order = keys * self.last_order + touches.orders[rows]
        self.by_count = keys * self.last_count + counts
        changes = values != np.concatenate([values[:1], values[:-1]])
        self.since = np.maximum.accumulate(np.where(changes, np.arange(len(rows)), 0))

    def before(self, rows: Column, values: RowValues) -> Pair | None:
        """A row of the side, and one of these that ran later and does not know of it."""
        touches = self.touches
        lanes = touches.parties[rows][:, None] // self.size * self.size + np.arange(self.size)
        keys = touches.cells[rows].astype(np.int64)[:, None] * self.parties + lanes
        known = self.clocks.vectors[self.clocks.numbers[rows]]
        # of each lane's rows at the cell, those from `low` on have counts that are not known, those below `high` ran
        # earlier
        low = np.searchsorted(self.by_count, keys * self.last_count + known, side="right")
        high = np.searchsorted(self.by_order, keys * self.last_order + touches.orders[rows][:, None], side="left")
        last = np.maximum(high - 1, 0)
        # the last of them; if its value is equal, the last one before the run of equal values that it ends
        found = np.where(self.values[last] != values[:, None], last, self.since[last] - 1)
        hits = np.argwhere((low < high) & (found >= low) & (lanes != touches.parties[rows][:, None]))
        if not len(hits):
            return None
        at, lane = hits[0]
        return int(self.rows[found[at, lane]]), int(rows[at])


def _sorted(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)
