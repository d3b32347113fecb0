"""What warp barriers order within a barrier interval: vector clocks of the lanes of each warp.

The clock of a lane counts, for each lane of its warp, the barriers that lane had passed when it last told, directly or
by way of others; its own counts from 1. An access of lane u precedes a later one of lane t if t's clock, then, has at
least the count that u had. This is exact and transitive, unlike the `syncMem` rule of "Equivalence Checking of ML GPU
Kernels" (section 4), which forgets what a lane was told by a third. Lanes of different warps are never ordered within
an interval, and all clocks start anew in each. Must not know places or values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rewright.kernels.execution.log import Array, Meeting
from rewright.kernels.execution.touches import Touches, conflicting


class Barriers(NamedTuple):
    """The warp barriers of an interval, sorted by warp and time: which lanes (bits) passed one together."""

    warps: Array
    times: Array
    lanes: Array
    size: int


def barriers_of(meetings: Sequence[Meeting], size: int) -> Barriers:
    """The barriers of warps of this size, apart by warp and mask."""
    if not meetings:
        nothing = np.zeros(0, np.int64)
        return Barriers(nothing, nothing, nothing.astype(np.uint64), size)
    lanes = np.concatenate([meeting.lanes for meeting in meetings]).astype(np.int64)
    masks = np.concatenate([meeting.masks for meeting in meetings]).astype(np.int64)
    times = np.repeat([meeting.time for meeting in meetings], [len(meeting.lanes) for meeting in meetings])
    (warps, times, _), inverse = np.unique(np.stack([lanes // size, times, masks]), axis=1, return_inverse=True)
    passed = np.zeros(len(warps), np.uint64)
    np.bitwise_or.at(passed, inverse.ravel(), np.uint64(1) << (lanes % size).astype(np.uint64))
    return Barriers(warps, times, passed, size)


def still_contested(touches: Touches, kinds: Array, times: Array, barriers: Barriers) -> Array:
    """Which rows may collide: cells of several warps, or those of one between two barriers that all its lanes passed.

    `kinds` and `times` are those of the rows; "all" are the lanes that touched any contested cell.
    """
    warps = touches.parties // barriers.size
    across = conflicting(touches.cells, warps, kinds)
    present = np.zeros(int(warps.max()) + 1, np.uint64)
    np.bitwise_or.at(present, warps, np.uint64(1) << (touches.parties % barriers.size).astype(np.uint64))
    known = barriers.warps < len(present)
    needed = present[barriers.warps[known]]
    full = np.flatnonzero(known)[(barriers.lanes[known] & needed) == needed]
    keys = _key(barriers.warps[full], barriers.times[full], times, barriers)
    phases = np.searchsorted(keys, _key(warps, times, times, barriers), side="right")
    parts = (touches.cells.astype(np.int64) * len(present) + warps) * (len(keys) + 1) + phases
    _, numbers = np.unique(parts, return_inverse=True)
    numbers = numbers.ravel()
    within = conflicting(numbers, touches.parties, kinds)
    return np.asarray(across[touches.cells] | within[numbers])


def _key(warps: Array, moments: Array, times: Array, barriers: Barriers) -> Array:
    """Numbers that ascend by warp and then by moment."""
    most = max(int(times.max(initial=0)), int(barriers.times.max(initial=0)))
    return np.asarray(warps * (most + 1) + moments)


class Clocks(NamedTuple):
    """Vectors `[n, lanes of a warp]`, and the number of the one that each row of touches had."""

    vectors: Array
    numbers: Array


def clocks_at(lanes: Array, times: Array, barriers: Barriers) -> Clocks:
    """The clock of each of these lanes at its time."""
    warps, own = lanes // barriers.size, lanes % barriers.size
    keys = _key(barriers.warps, barriers.times, times, barriers)
    passed = np.searchsorted(keys, _key(warps, times, times, barriers), side="right")
    wanted, numbers = np.unique(np.stack([warps, passed, own]), axis=1, return_inverse=True)
    vectors = np.zeros((wanted.shape[1], barriers.size), np.int32)
    for warp in np.unique(wanted[0]):
        rows = np.flatnonzero(wanted[0] == warp)
        vectors[rows] = _vectors(wanted[1:, rows], int(np.searchsorted(barriers.warps, warp)), barriers)
    return Clocks(vectors, numbers.ravel())


def _vectors(wanted: Array, first: int, barriers: Barriers) -> Array:
    """Rows of one warp's matrix: (number of barriers that had been passed, lane), ascending; its first is `first`."""
    matrix = np.eye(barriers.size, dtype=np.int32)
    found = np.empty((wanted.shape[1], barriers.size), np.int32)
    bits = np.arange(barriers.size, dtype=np.uint64)
    done = first
    for moment in np.unique(wanted[0]):
        while done < moment:
            join(matrix, np.flatnonzero(barriers.lanes[done] >> bits & np.uint64(1)))
            done += 1
        rows = np.flatnonzero(wanted[0] == moment)
        found[rows] = matrix[wanted[1, rows]]
    return found


def join(matrix: Array, lanes: Array) -> None:
    """These lanes pass a barrier together: each knows what any of them knew, and counts one more of its own."""
    matrix[lanes] = matrix[lanes].max(axis=0)
    matrix[lanes, lanes] += 1
