"""Which lanes of a block are where: ready to go on, waiting for the block or for their warp, or ended.

Lanes that are ready at one place are one group. Must not know what instructions do.
"""

from __future__ import annotations

import numpy as np

from rewright.kernels.execution.barriers import Stop, standstill
from rewright.kernels.execution.block import Block
from rewright.kernels.execution.groups import Group, Indices
from rewright.kernels.execution.warps import NOWHERE, warps_of
from rewright.model.simt.instructions import Instruction, ShuffleKind

PARKED = -1
"""In place of where a group goes on: it no longer exists, the schedule knows where its lanes are."""


class Schedule:
    """The lanes of a block.

    `at_block`: the barrier of the block at which each group waits. `exchanges`: where in a group each of its lanes
    finds what it gets in a shuffle, by what they ask for; None if one of them asks for what is not there.
    """

    __slots__ = ("at_block", "block", "code", "exchanges", "ready", "warps")

    def __init__(self, block: Block, code: tuple[Instruction, ...]) -> None:
        self.block, self.code = block, code
        self.ready: dict[int, Group] = {0: block.groups.whole}
        self.at_block: dict[int, Group] = {}
        self.exchanges: dict[tuple[ShuffleKind, Group, bytes, bytes], Indices | None] = {}
        self.warps = warps_of(block.groups.whole.count, block.scene.setting.warp)

    def arrive(self, at: int, group: Group) -> None:
        """A group is ready to go on at a place."""
        self._join(self.ready, at, group)

    def await_block(self, at: int, group: Group) -> Group | None:
        """A group comes to a barrier of the block: the whole block if all wait at this one now."""
        self._join(self.at_block, at, group)
        if self.at_block[at].whole:
            del self.at_block[at]
            return self.block.groups.whole
        return None

    def claim_standstill(self) -> None:
        """Claims that whoever waits now waits in vain."""
        block = self.block
        at_block = np.full(block.groups.whole.count, NOWHERE, np.int64)
        for at, group in self.at_block.items():
            at_block[group.lanes] = at
        for found in standstill(Stop(block.scene, self.code, block.log.interval, at_block, self.warps)):
            block.claim((type(found), found.first.place), lambda found=found: found)  # type: ignore[misc]

    def _join(self, among: dict[int, Group], at: int, group: Group) -> None:
        others = among.get(at)
        among[at] = group if others is None else self.block.groups.union(others, group)
