"""Which lanes of a block are where: ready to go on, waiting for the block or for their warp, or ended.

Lanes that are ready at one place are one group. Must not know what instructions do.
"""

from __future__ import annotations

import numpy as np

from rewright.kernels.execution.barriers import Stop, opens_for, standstill
from rewright.kernels.execution.block import RunningBlock
from rewright.kernels.execution.groups import Indices, LaneGroup
from rewright.kernels.execution.warps import NOWHERE, warps_of
from rewright.model.simt.instructions import ShuffleKind
from rewright.model.simt.program import Program
from rewright.model.simt.violation import EarlyExit, Wait

PARKED = -1
"""In place of where a group goes on: it no longer exists, the schedule knows where its lanes are."""


class Schedule:
    """The lanes of a block.

    `ready`: the groups that can go on, by place; those of lanes that an undefined condition misled are in `misled`, so
    that no group has lanes of both sorts. `at_block`: the barrier of the block at which each group waits. `exchanges`:
    where in a group each of its lanes finds what it gets in a shuffle, by what they ask for; None if one of them asks
    for what is not there.
    """

    __slots__ = ("at_block", "block", "code", "ended", "exchanges", "misled", "program", "ready", "warps")

    def __init__(self, block: RunningBlock, program: Program) -> None:
        self.block, self.program, self.code = block, program, program.code
        self.ended = np.full(block.groups.whole.count, NOWHERE, np.int64)
        self.ready: dict[int, LaneGroup] = {0: block.groups.whole}
        self.misled: dict[int, LaneGroup] = {}
        self.at_block: dict[int, LaneGroup] = {}
        self.exchanges: dict[tuple[ShuffleKind, LaneGroup, bytes, bytes], Indices | None] = {}
        self.warps = warps_of(block.groups.whole.count, block.scene.setting.warp)

    def arrive(self, at: int, group: LaneGroup) -> None:
        """A group is ready to go on at a place."""
        if self.block.misled is None:
            self._join(self.ready, at, group)
            return
        misled = self.block.misled[group.lanes]
        for among, lanes in ((self.ready, group.lanes[~misled]), (self.misled, group.lanes[misled])):
            if len(lanes):
                self._join(among, at, self.block.groups.of(lanes))

    def take(self) -> tuple[int, LaneGroup] | None:
        """The group that goes on next, the smallest place first, and where; None if nobody can."""
        among = self.ready
        if self.misled and (not among or min(self.misled) < min(among)):
            among = self.misled
        self.block.muted = among is self.misled
        return (at, among.pop(at)) if (at := min(among, default=None)) is not None else None

    def await_block(self, at: int, group: LaneGroup) -> LaneGroup | None:
        """A group comes to a barrier of the block: those that pass it if all wait at this one now."""
        self._join(self.at_block, at, group)
        return self._opened(at)

    def end(self, at: int, group: LaneGroup) -> tuple[int, LaneGroup] | None:
        """A group ends at an instruction: the barrier that opens for the rest of the block because of that, if any."""
        self.ended[group.lanes] = at
        self.block.log.left[group.lanes] = True
        for place in self.at_block:
            everybody = self._opened(place)
            if everybody is not None:
                return place, everybody
        return None

    def _opened(self, at: int) -> LaneGroup | None:
        """Those that pass a barrier of the block, which wait at it no more; None if some are missing."""
        group = self.at_block[at]
        if not group.whole:
            gone = np.flatnonzero(self.ended != NOWHERE)
            # a warp of which some lanes have ended and others wait has not left: no barrier opens without all of it
            if len(gone) + group.count < len(self.ended) or self._warps(gone) & self._warps(group.lanes):
                return None
            if not opens_for(self.program, at, self.ended[gone]):
                return None
            self._claim_early_exit(at, group, int(gone[0]))
        del self.at_block[at]
        return group

    def _warps(self, lanes: Indices) -> set[int]:
        return set((lanes // self.warps.size).tolist())

    def _claim_early_exit(self, at: int, group: LaneGroup, gone: int) -> None:
        block, place = self.block, self.code[at].place
        here = Wait(block.scene.thread(group.first), place)
        left = Wait(block.scene.thread(gone), None, None, self.code[int(self.ended[gone])].place)
        block.claim((EarlyExit, place), lambda: EarlyExit(block.log.interval, here, left), block.absences)

    def claim_standstill(self) -> None:
        """Claims that whoever waits now waits forever."""
        block = self.block
        at_block = np.full(block.groups.whole.count, NOWHERE, np.int64)
        for at, group in self.at_block.items():
            at_block[group.lanes] = at
        stop = Stop(block.scene, self.program, block.log.interval, at_block, self.ended, self.warps)
        for found in standstill(stop):
            key = type(found), found.first.place
            block.claim(key, lambda found=found: found, block.absences)  # type: ignore[misc]

    def _join(self, among: dict[int, LaneGroup], at: int, group: LaneGroup) -> None:
        others = among.get(at)
        among[at] = group if others is None else self.block.groups.union(others, group)
