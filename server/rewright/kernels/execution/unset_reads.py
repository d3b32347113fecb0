"""Where values that are missing came from: a number for each lane and each read of what has no value.

`Whys` says of each lane of a group, for each byte of a value from the lowest, 0 if the byte has a value, else the
number of the read that found none; a single column speaks for all bytes. A read takes one number for each lane, so that
numbers are passed on by arithmetic on arrays, and only what comes to be reported is looked up. Must not know
what is reported.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable

import numpy as np

from rewright.kernels.execution.arrays import LaneFlags, LaneNumbers, Whys

REPORTED = 1
"""The number of all reads that are reported elsewhere."""

FEW = 1 << 10
"""So many reads are kept before it is asked which of them still matter."""

ReportLane = Callable[[int], None]
"""Reports that something depends on what a lane, by its position in the read, did not get."""


class UnsetReads:
    """The reads of one run that found no value. `many`: so many are kept that it is time for `keep`."""

    __slots__ = ("_bases", "_known", "_limit", "_next", "_reports")

    def __init__(self, drop: ReportLane) -> None:
        self._bases, self._reports, self._next = [REPORTED], [drop], REPORTED + 1
        self._known: dict[object, int] = {}
        self._limit = FEW

    @property
    def many(self) -> bool:
        """Whether there are many more than when it was last asked which matter."""
        return len(self._bases) > self._limit

    def add(self, count: int, report: ReportLane) -> int:
        """The number of a read for its first lane; those of the other lanes follow."""
        base = self._next
        self._bases.append(base)
        self._reports.append(report)
        self._next += count
        return base

    def once(self, key: object, count: int, report: ReportLane) -> int:
        """The same, for a read that may be known by a key."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self.add(count, report)
        return found

    def report(self, numbers: Whys) -> None:
        """Reports that something depends on what these reads did not get; 0 is none."""
        for number in dict.fromkeys(numbers.ravel().tolist()):
            if number:
                at = bisect_right(self._bases, number) - 1
                self._reports[at](number - self._bases[at])

    def keep(self, used: Iterable[Whys]) -> None:
        """Forgets all reads whose numbers are not in these arrays, but those that are known by a key."""
        live = {0, *(bisect_right(self._bases, base) - 1 for base in self._known.values())}
        for numbers in used:
            found = np.unique(numbers)
            live.update((np.searchsorted(self._bases, found[found > 0], side="right") - 1).tolist())
        kept = sorted(live)
        self._bases, self._reports = [self._bases[at] for at in kept], [self._reports[at] for at in kept]
        self._limit = max(FEW, 2 * len(kept))


def first(whys: Whys) -> Whys:
    """Of each lane the first byte without a value; (lanes, 1) int64."""
    if whys.shape[1] == 1:
        return whys
    at = (whys != 0).argmax(axis=1)
    return np.take_along_axis(whys, at[:, None], axis=1)


def computed(operands: Iterable[Whys | None]) -> Whys | None:
    """Why what is computed of some values has none: the first of them with a missing byte says so."""
    found: Whys | None = None
    for each in operands:
        if each is not None:
            found = first(each) if found is None else np.where(found != 0, found, first(each))
    return found


def chosen(truth: LaneFlags, on_true: Whys | None, on_false: Whys | None) -> Whys:
    """Of each lane what is missing in its side."""
    nothing = np.zeros((len(truth), 1), np.int64)
    x, y = (nothing if each is None else each for each in (on_true, on_false))
    return np.where(truth[:, None], x, y)


def placed(whole: Whys | None, count: int, at: LaneNumbers, part: Whys) -> Whys:
    """What so many lanes miss, once the lanes at some positions were seen to miss this; a new array."""
    width = part.shape[1] if whole is None else max(whole.shape[1], part.shape[1])
    found = np.zeros((count, width), np.int64)
    if whole is not None:
        found[:] = whole
    found[at] = part
    return found


def lost(marked: LaneFlags) -> Whys:
    """The marked lanes have no value for a reason that is reported elsewhere."""
    return np.where(marked, REPORTED, 0)[:, None].astype(np.int64)
