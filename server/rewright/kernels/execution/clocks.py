"""What warp barriers order within a barrier interval: vector clocks of the lanes of each warp.

The clock of a lane counts, for each lane of its warp, the barriers that lane had passed when the two last synchronised,
directly or by way of others; its own counts from 1. An access of lane u precedes a later one of lane t if t's clock,
then, has at least the count that u had. This is exact and transitive, unlike the `syncMem` rule of "Equivalence
Checking of ML GPU Kernels" (section 4.2), which forgets what a lane knows from a third. Lanes of different warps are
never ordered within an interval, and all clocks start anew in each. Must not know places or values.

Source: Mattern, Virtual Time and Global States of Distributed Systems (1989), for vector clocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rewright.kernels.execution.arrays import Column, Kinds, LaneNumbers, LaneSets, RowFlags, RowValues
from rewright.kernels.execution.log import WarpMeeting
from rewright.kernels.execution.touches import Touches, conflicting


class Barriers(NamedTuple):
    """The warp barriers of an interval, one in a row, sorted by warp and time: which lanes passed it together."""

    warps: Column
    times: Column
    lanes: LaneSets
    size: int


def barriers_of(meetings: Sequence[WarpMeeting], size: int) -> Barriers:
    """The barriers of warps of this size, apart by warp and mask."""
    if not meetings:
        nothing = np.zeros(0, np.int64)
        return Barriers(nothing, nothing, nothing.astype(np.uint64), size)
    lanes = np.concatenate([meeting.lanes for meeting in meetings]).astype(np.int64)
    masks = np.concatenate([meeting.masks for meeting in meetings]).astype(np.int64)
    times = np.repeat([meeting.time for meeting in meetings], [len(meeting.lanes) for meeting in meetings])
    warps = lanes // size
    first, groups = grouped((warps, times, masks))
    passed = np.zeros(len(first), np.uint64)
    np.bitwise_or.at(passed, groups, np.uint64(1) << (lanes % size).astype(np.uint64))
    return Barriers(warps[first], times[first], passed, size)


def grouped(columns: tuple[RowValues, ...]) -> tuple[Column, Column]:
    """A row of each group that agrees in all columns, in ascending order, and the number of the group of each row."""
    # lexsort sorts by its last key first
    order = np.lexsort(columns[::-1])
    changes = np.zeros(len(order), np.bool_)
    changes[:1] = True
    for column in columns:
        changes[1:] |= np.diff(column[order]) != 0
    groups = np.empty(len(order), np.int64)
    groups[order] = np.cumsum(changes) - 1
    return order[changes], groups


def still_contested(touches: Touches, kinds: Kinds, times: Column, barriers: Barriers) -> RowFlags:
    """Which rows may collide: cells of several warps, or those of one between two barriers that all its lanes passed.

    `kinds` and `times` are those of the rows; "all" are the lanes of the warp that touched the cell.
    """
    warps = touches.parties // barriers.size
    across = conflicting(touches.cells, warps, kinds)
    first, places = grouped((touches.cells, warps))
    present = np.zeros(len(first), np.uint64)
    np.bitwise_or.at(present, places, np.uint64(1) << (touches.parties % barriers.size).astype(np.uint64))
    alike, teams = grouped((warps[first], present))
    phases = _phases((warps[first[alike]], present[alike]), (teams[places], times), barriers)
    _, numbers = grouped((places, phases))
    within = conflicting(numbers, touches.parties, kinds)
    return np.asarray(across[touches.cells] | within[numbers])


def _phases(teams: tuple[Column, LaneSets], rows: tuple[Column, Column], barriers: Barriers) -> Column:
    """How many barriers that its whole team passed stand before each row; a team is a warp and some lanes (bits)."""
    numbers, times = rows
    order = np.argsort(numbers, kind="stable")
    phases = np.empty(len(order), np.int64)
    bounds = np.searchsorted(numbers[order], np.arange(len(teams[0]) + 1))
    for number, (warp, lanes) in enumerate(zip(*teams, strict=True)):
        mine = order[bounds[number] : bounds[number + 1]]
        of_warp = slice(*np.searchsorted(barriers.warps, (warp, warp + 1)))
        passed = (barriers.lanes[of_warp] & lanes) == lanes
        phases[mine] = np.searchsorted(barriers.times[of_warp][passed], times[mine], side="right")
    return phases


def _key(warps: Column, moments: Column, times: Column, barriers: Barriers) -> Column:
    """Numbers that ascend by warp and then by moment."""
    most = max(int(times.max(initial=0)), int(barriers.times.max(initial=0)))
    return np.asarray(warps * (most + 1) + moments)


class Clocks(NamedTuple):
    """Vectors, (n, lanes of a warp) int32, and for each row of touches the number of the one that it had."""

    vectors: NDArray[np.int32]
    numbers: Column


def clocks_at(lanes: Column, times: Column, barriers: Barriers) -> Clocks:
    """The clock of each of these lanes at its time."""
    warps, own = lanes // barriers.size, lanes % barriers.size
    if not len(barriers.warps):
        return Clocks(np.eye(barriers.size, dtype=np.int32), own)
    keys = _key(barriers.warps, barriers.times, times, barriers)
    passed = np.searchsorted(keys, _key(warps, times, times, barriers), side="right")
    first, numbers = grouped((warps, passed, own))
    moments = np.stack([passed[first], own[first]])
    vectors = np.zeros((len(first), barriers.size), np.int32)
    for warp in np.unique(warps):
        rows = np.flatnonzero(warps[first] == warp)
        vectors[rows] = _vectors(moments[:, rows], int(np.searchsorted(barriers.warps, warp)), barriers)
    return Clocks(vectors, numbers)


def _vectors(moments: NDArray[np.signedinteger[Any]], first: int, barriers: Barriers) -> NDArray[np.int32]:
    """Rows of one warp's matrix, (n, lanes of a warp); its first barrier is number `first`.

    `moments`: (2, n), the number of barriers that had been passed, and the lane; its columns ascend.
    """
    matrix = np.eye(barriers.size, dtype=np.int32)
    found = np.empty((moments.shape[1], barriers.size), np.int32)
    bits = np.arange(barriers.size, dtype=np.uint64)
    done = first
    for moment in np.unique(moments[0]):
        while done < moment:
            join(matrix, np.flatnonzero(barriers.lanes[done] >> bits & np.uint64(1)))
            done += 1
        rows = np.flatnonzero(moments[0] == moment)
        found[rows] = matrix[moments[1, rows]]
    return found


def join(matrix: NDArray[np.int32], lanes: LaneNumbers) -> None:
    """These lanes pass a barrier together: each knows what any of them knew, and counts one more of its own.

    `matrix`: (lanes of a warp, lanes of a warp) int32, a row for the clock of each; changed in place.
    """
    matrix[lanes] = matrix[lanes].max(axis=0)
    matrix[lanes, lanes] += 1
