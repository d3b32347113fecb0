"""Notices that a loop goes round without end: a group is back at its head and nothing at all has changed.

What a block does is a function of its registers, its memory and where its lanes are, so a state that comes twice comes
for ever. Only long runs are looked at, at loop heads, in the manner of Brent's search for cycles: a state is kept, the
next ones are compared with it, then a later one is kept. Must not know what instructions do.

Source: Brent, An Improved Monte Carlo Factorization Algorithm (BIT 20, 1980), for the search.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

import numpy as np

from rewright.kernels.execution.block import RunningBlock, UndecidedRun
from rewright.kernels.execution.groups import LaneGroup
from rewright.kernels.execution.schedule import Schedule
from rewright.kernels.reasons import Cause
from rewright.model.simt.instructions import Atomic, Load

STEPS = 10_000
"""Shorter runs are not looked at: 97 of 100 runs of the library's kernels are."""

_COMPARED = 32
"""States that are compared with the one kept, each a digest of all memory; a round of more passes is not noticed."""

_MOST_BYTES = 1 << 20
"""Bytes of memory that are digested: at each look all of it is."""

WAITS = "threads wait in this loop for other threads' writes, which is not modelled"
ENDLESS = "this loop never ends: each iteration leaves the state unchanged"


class Endless:
    """The states of one run that were kept; there is one at a time."""

    __slots__ = ("_at", "_compared", "_kept", "_schedule", "_seen")

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._at, self._kept = -1, b""
        self._seen = self._compared = 0

    def look(self, head: int, tail: int, group: LaneGroup) -> None:
        """Looks at a group that goes back from `tail` to `head`. Raises `UndecidedRun` if it does so for ever."""
        self._seen += 1
        # at powers of two: however long it takes until states come again, at last one of those is kept
        keeps = not self._seen & (self._seen - 1)
        if not keeps and (head != self._at or self._compared >= _COMPARED):
            return
        state = _digest(self._schedule, head, group)
        if keeps:
            self._at, self._kept, self._compared = head, state, 0
            return
        self._compared += 1
        if state and state == self._kept:
            code = self._schedule.code[head : tail + 1]
            reads = any(isinstance(each, Load | Atomic) for each in code)
            reason, cause = (WAITS, Cause.ATOMICS) if reads else (ENDLESS, Cause.CONSTRUCT)
            raise UndecidedRun(reason, self._schedule.code[head].place, cause)


def _digest(schedule: Schedule, head: int, group: LaneGroup) -> bytes:
    """A digest of all that a block goes on from; empty if that is too much to look at."""
    block = schedule.block
    if sum(region.size for region in block.regions) > _MOST_BYTES:
        return b""
    digest = blake2b(digest_size=16)
    for at, lanes in [(head, group), *_places(schedule)]:
        digest.update(b"%d:" % at + np.ascontiguousarray(lanes.lanes).tobytes())
    for part in _contents(block):
        digest.update(part)
    return digest.digest()


def _places(schedule: Schedule) -> Iterator[tuple[int, LaneGroup]]:
    for groups in (schedule.ready, schedule.misled, schedule.at_block):
        yield from sorted(groups.items(), key=lambda item: item[0])


def _contents(block: RunningBlock) -> Iterator[bytes]:
    for cell in block.cells:
        yield from cell.contents()
    for region in block.regions:
        yield from region.contents()
