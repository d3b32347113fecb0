"""Which accesses a fence and an atomic may hand over to another thread, so that they race with nothing that follows.

A thread hands over what it did before a fence by an atomic after it; another takes it over by an atomic before what it
does (a release and an acquire pattern of PTX, "Memory Consistency Model", with less asked of them: any atomic counts,
whatever its element, and the one who takes over need not run a fence). Where warp barriers stand between, the lanes of
a warp do so for each other, where barriers of the block stand between, its threads. What is marked here is not claimed
to race. Must not know which accesses conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rewright.kernels.execution.arrays import LaneNumbers
from rewright.kernels.execution.log import Log, LoggedAccess

FENCED, HANDED, TAKEN = 1, 2, 4
"""Marks of an access: its thread ran a fence before; it may be handed over later; its thread may have taken over."""


def marked(log: Log, warp: int) -> list[LoggedAccess]:
    """The entries of an interval, marked; `warp` is the number of lanes of one."""
    return _marked(log.entries, (0,) * len(log.entries), warp if log.meetings else 1)


def marked_between(entries: Sequence[tuple[int, LoggedAccess]], warp: int) -> list[LoggedAccess]:
    """The entries of a block's run, each with its interval, marked for other blocks."""
    return _marked([entry for _, entry in entries], [interval for interval, _ in entries], warp)


def handed_on(entry: LoggedAccess) -> LoggedAccess:
    """An entry of lanes that have left, as later intervals see it.

    Whoever took over what was handed over has passed a barrier since then, and so synchronised with all the others.
    """
    if entry.marks is None:
        return entry
    return entry._replace(marks=np.where(entry.marks & HANDED, entry.marks | FENCED, entry.marks))


def may_hand_over(left: int, right: int) -> bool:
    """Whether accesses with these marks may be ordered by a fence and an atomic, in either direction."""
    handed = (left & HANDED and right & TAKEN) or (right & HANDED and left & TAKEN)
    return bool(handed or (left | right) & FENCED)


def _marked(entries: Sequence[LoggedAccess], intervals: Sequence[int], team: int) -> list[LoggedAccess]:
    """Lanes of a team (so many that follow each other) hand over and take over for each other."""
    atomics = [at for at, entry in enumerate(entries) if entry.kind.is_atomic]
    if not atomics or entries[0].fences is None:
        return list(entries)
    seen = _Atomics(entries, atomics, team)
    last = max((intervals[at] for at in atomics if _fences(entries[at]).any()), default=-1)
    first = intervals[atomics[0]]
    assert all(one <= other for one, other in pairwise(intervals))
    return [
        entry._replace(marks=seen.marks(at, entry) | HANDED * (intervals[at] < last) | TAKEN * (first < intervals[at]))
        for at, entry in enumerate(entries)
    ]


class _Atomics:
    """By lane, the most fences that stood before an atomic of it; by team, its first atomic, its last after a fence.

    `most`: (lanes up to the highest seen,) int64, -1 where there was none. `first` and `last`: (teams,) int64, numbers
    of entries; their number, and -1, where there was none.
    """

    def __init__(self, entries: Sequence[LoggedAccess], atomics: Sequence[int], team: int) -> None:
        lanes = 1 + max(int(entry.lanes.max()) for entry in entries)
        self.team = team
        self.most = np.full(lanes, -1)
        self.first, self.last = np.full(-(-lanes // team), len(entries)), np.full(-(-lanes // team), -1)
        for at in atomics:
            chosen, fences = entries[at].lanes, _fences(entries[at])
            self.most[chosen] = np.maximum(self.most[chosen], fences)
            np.minimum.at(self.first, chosen // team, at)
            self.last[chosen[fences > 0] // team] = at

    def marks(self, at: int, entry: LoggedAccess) -> LaneNumbers:
        """The marks of the access of each lane in the entry number `at`."""
        fences, teams = _fences(entry), entry.lanes // self.team
        handed = fences < self.most[entry.lanes]
        if self.team > 1:
            handed |= at < self.last[teams]
        marks: LaneNumbers = FENCED * (fences > 0) | HANDED * handed | TAKEN * (self.first[teams] < at)
        return marks


def _fences(entry: LoggedAccess) -> LaneNumbers:
    assert entry.fences is not None
    return entry.fences
