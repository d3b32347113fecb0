"""What a block did in the barrier interval under way: its accesses, and which lanes warp barriers brought together.

Invariants: entries stand in the order in which they ran; an entry's offsets are multiples of its width and lie in the
object (what does not is left out by whoever logs), its lanes are pairwise different; no array of an entry is changed
later. Local memory, and objects that nobody writes, are not logged. Must not know what a race is.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from rewright.kernels.execution.arrays import LaneNumbers, Masks, ThreadFlags
from rewright.kernels.execution.taint import Taint
from rewright.model.index import Name
from rewright.model.simt.violation import Setting, Thread, Triple
from rewright.verdict import AccessKind, Place


class LoggedAccess(NamedTuple):
    """One executed access: `lanes[i]` touched `width` bytes of an object from `offsets[i]` on.

    `object` is the number in the program, `time` is `Log.time` when it ran; `offsets` are bytes from its start.
    `written`: the bytes of a write, (lanes, width) uint8; None if it is no write, or if they depend on the schedule or
    on undefined values. `fences`: how many fences each lane ran before (None: nobody asks). `sources`: the inputs that
    what is written was computed from. `marks`: those of `handover` (None: there are none).
    """

    object: int
    kind: AccessKind
    place: Place
    width: int
    offsets: LaneNumbers
    lanes: LaneNumbers
    written: NDArray[np.uint8] | None
    fences: LaneNumbers | None
    time: int
    sources: Taint = frozenset()
    marks: LaneNumbers | None = None

    def is_of(self, chosen: ThreadFlags) -> bool:
        """Whether it is an access of some of these lanes, marked by lane."""
        return bool(chosen[self.lanes].any())

    def of(self, chosen: ThreadFlags) -> LoggedAccess:
        """The accesses of these lanes, marked by lane, in it."""
        kept = chosen[self.lanes]
        written = None if self.written is None else self.written[kept]
        fences = None if self.fences is None else self.fences[kept]
        marks = None if self.marks is None else self.marks[kept]
        where = self._replace(offsets=self.offsets[kept], lanes=self.lanes[kept])
        return where._replace(written=written, fences=fences, marks=marks)


class WarpMeeting(NamedTuple):
    """Warp barriers that were passed together: each set of lanes of one warp that has one mask is ordered by it."""

    time: int
    lanes: LaneNumbers
    masks: Masks


class Log(Struct):
    """The interval under way. `interval` counts barriers of the whole block, `time` meetings since the last of them.

    `left`: the lanes that have ended, by lane. `remaining`: what lanes did that had ended when their interval closed,
    which no later barrier orders, each with its interval.
    """

    left: ThreadFlags = field(default_factory=lambda: np.zeros(0, np.bool_))
    remaining: list[tuple[int, LoggedAccess]] = field(default_factory=list)
    interval: int = 0
    time: int = 0
    entries: list[LoggedAccess] = field(default_factory=list)
    meetings: list[WarpMeeting] = field(default_factory=list)
    accesses: int = 0

    def record(self, entry: LoggedAccess) -> None:
        """Logs an access."""
        self.entries.append(entry)
        self.accesses += len(entry.lanes)

    def meet(self, lanes: LaneNumbers, masks: Masks) -> None:
        """Lanes pass a warp barrier, each with its mask (u32), together with all others that pass it with that mask."""
        self.time += 1
        self.meetings.append(WarpMeeting(self.time, lanes, masks))

    def clear(self) -> None:
        """Starts the next interval."""
        if self.left.any():
            self.remaining += [(self.interval, entry.of(self.left)) for entry in self.entries if entry.is_of(self.left)]
        self.interval += 1
        self.time = self.accesses = 0
        self.entries, self.meetings = [], []


class ObjectLayout(NamedTuple):
    """An object as messages name its elements: so many bytes each; `extents` are None where they are not known."""

    name: Name
    bytes: int
    extents: tuple[int, ...] | None
    is_global: bool

    def element(self, offset: int) -> tuple[int, ...]:
        """The index of the element that a byte belongs to, one number per dimension if there is such an element."""
        number = offset // self.bytes
        if self.extents is None or not 0 <= number < prod(self.extents):
            return (number,)
        return tuple(int(i) for i in np.unravel_index(number, self.extents))


class Scene(Struct, frozen=True):
    """The block of a setting that runs, and the objects of its program by number."""

    setting: Setting
    block: Triple
    objects: tuple[ObjectLayout, ...]

    def thread(self, lane: int) -> Thread:
        """The thread that runs as this lane."""
        x, y, _ = self.setting.block
        return Thread(self.block, (lane % x, lane // x % y, lane // (x * y)))
