"""What a block did in the barrier interval under way: its accesses, and which lanes warp barriers brought together.

Invariants: entries stand in the order in which they ran; an entry's offsets are multiples of its width and lie in the
object (what does not is left out by whoever logs), its lanes are pairwise different; no array of an entry is changed
later. Local memory, and objects that nobody writes, are not logged. Must not know what a race is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rewright.kernels.execution.taint import Taint
from rewright.model.index import Name
from rewright.model.simt.violation import AccessKind, Setting, Thread, Triple
from rewright.verdict import Place

Array: TypeAlias = NDArray[Any]


class Entry(NamedTuple):
    """One executed access: `lanes[i]` touched `width` bytes of an object from `offsets[i]` on.

    `object` is the number in the program, `time` is `Log.time` when it ran. `written`: the bytes of a write, as
    `uint8[lanes, width]`; None if it is no write, or if they depend on the schedule or on undefined values. `fenced`:
    which lanes ran a fence before (None: none of them, or the program has no atomics). `sources`: the inputs that what
    is written was computed from.
    """

    object: int
    kind: AccessKind
    place: Place
    width: int
    offsets: Array
    lanes: Array
    written: Array | None
    fenced: Array | None
    time: int
    sources: Taint = frozenset()


class Meeting(NamedTuple):
    """Warp barriers that were passed together: each set of lanes of one warp that has one mask is ordered by it."""

    time: int
    lanes: Array
    masks: Array


@dataclass(slots=True)
class Log:
    """The interval under way. `interval` counts barriers of the whole block, `time` meetings since the last of them."""

    interval: int = 0
    time: int = 0
    entries: list[Entry] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)
    accesses: int = 0

    def record(self, entry: Entry) -> None:
        """Logs an access."""
        self.entries.append(entry)
        self.accesses += len(entry.lanes)

    def meet(self, lanes: Array, masks: Array) -> None:
        """Lanes pass a warp barrier, each with its mask (u32), together with all others that pass it with that mask."""
        self.time += 1
        self.meetings.append(Meeting(self.time, lanes, masks))

    def clear(self) -> None:
        """Starts the next interval."""
        self.interval += 1
        self.time = self.accesses = 0
        self.entries, self.meetings = [], []


class Layout(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class Scene:
    """The block of a setting that runs, and the objects of its program by number."""

    setting: Setting
    block: Triple
    objects: tuple[Layout, ...]

    def thread(self, lane: int) -> Thread:
        """The thread that runs as this lane."""
        x, y, _ = self.setting.block
        return Thread(self.block, (lane % x, lane // x % y, lane // (x * y)))
