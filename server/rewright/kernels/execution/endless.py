"""Notices that a loop goes round without end: a group is back at its head and nothing at all has changed.

What a block does is a function of its registers, its memory and where its lanes are, so a state that comes twice comes
for ever. Only long runs are looked at, at loop heads, in the manner of Brent's search for cycles: a state is kept, the
next ones are compared with it, then a later one is kept. Must not know what instructions do.

Source: Brent, An Improved Monte Carlo Factorization Algorithm (BIT 20, 1980), for the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct

from rewright.kernels.execution.block import UndecidedRun
from rewright.kernels.execution.groups import LaneGroup
from rewright.kernels.execution.schedule import Schedule
from rewright.kernels.reasons import Cause
from rewright.model.simt.instructions import Atomic, Load

STEPS = 10_000
"""Shorter runs are not looked at: 97 of 100 runs of the library's kernels are."""

_COMPARED = 32
"""States that are compared with the one kept; a round of more passes is not noticed."""

_MOST_BYTES = 1 << 20
"""Bytes of memory that are looked at, and kept."""

WAITS = "threads wait in this loop for other threads' writes, which is not modelled"
ENDLESS = "this loop never ends: each iteration leaves the state unchanged"


class Endless:
    """The states of one run that were kept; there is one at a time."""

    __slots__ = ("_at", "_changing", "_compared", "_kept", "_schedule", "_seen")

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._at, self._kept = -1, tuple[bytes, ...]()
        self._seen = self._compared = self._changing = 0

    def look(self, head: int, tail: int, group: LaneGroup) -> None:
        """Looks at a group that goes back from `tail` to `head`. Raises `UndecidedRun` if it does so for ever."""
        self._seen += 1
        # at powers of two: however long it takes until states come again, at last one of those is kept
        keeps = not self._seen & (self._seen - 1)
        if not keeps and (head != self._at or self._compared >= _COMPARED):
            return
        parts = _parts(self._schedule, head, group)
        if keeps:
            self._at, self._kept, self._compared = head, tuple(b"".join(each.contents()) for each in parts), 0
            return
        self._compared += 1
        if parts and self._is_kept(parts):
            code = self._schedule.code[head : tail + 1]
            reads = any(isinstance(each, Load | Atomic) for each in code)
            reason, cause = (WAITS, Cause.ATOMICS) if reads else (ENDLESS, Cause.CONSTRUCT)
            raise UndecidedRun(reason, self._schedule.code[head].place, cause)

    def _is_kept(self, parts: Sequence[_Part]) -> bool:
        """Whether a state is the one kept. What changed last time, such as a counter, is looked at first."""
        if len(parts) != len(self._kept):
            return False
        for number in (self._changing, *range(len(parts))):
            if b"".join(parts[number].contents()) != self._kept[number]:
                self._changing = number
                return False
        return True


class _Part(Protocol):
    """A part of a state."""

    def contents(self) -> Iterator[bytes]:
        """All that it holds."""


class _Where(Struct, frozen=True):
    """Where the lanes of a block are."""

    groups: tuple[tuple[int, LaneGroup], ...]

    def contents(self) -> Iterator[bytes]:
        """The places and the lanes at each."""
        for at, group in self.groups:
            yield b"%d:" % at + np.ascontiguousarray(group.lanes).tobytes()


def _parts(schedule: Schedule, head: int, group: LaneGroup) -> tuple[_Part, ...]:
    """All that a block goes on from; none if that is too much to look at."""
    block = schedule.block
    if sum(region.size for region in block.regions) > _MOST_BYTES:
        return ()
    return _Where(((head, group), *_places(schedule))), *block.cells, *block.regions


def _places(schedule: Schedule) -> Iterator[tuple[int, LaneGroup]]:
    for groups in (schedule.ready, schedule.misled, schedule.at_block):
        yield from sorted(groups.items(), key=lambda item: item[0])
