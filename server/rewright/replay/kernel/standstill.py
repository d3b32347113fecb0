"""Who waits for whom when nobody can go on. Must not know how it came to that."""

from __future__ import annotations

from msgspec import Struct

from rewright.model.simt.instructions import Barrier, Exit
from rewright.model.simt.program import Program
from rewright.model.simt.violation import Deadlock, Divergence, EarlyExit, Setting, Wait
from rewright.replay.kernel.block import ReplayedBlock
from rewright.replay.kernel.frame import Rows
from rewright.replay.kernel.local_code import number_of
from rewright.replay.kernel.warps import WaitingPlace
from rewright.replay.kernel.watchpoint import Confirmed, among, passes_at
from rewright.verdict import Place


def waits_at(program: Program, setting: Setting, block: ReplayedBlock, wait: Wait) -> bool:
    """Whether a thread waits, or has ended, as is said."""
    number = number_of(setting, wait.thread.index)
    at = block.waiting.get(number)
    if (None if at is None else program.code[at].place) != wait.place or block.masks.get(number) != wait.mask:
        return False
    return wait.left is None or (number in block.ended and left_at(program, block, number) == wait.left)


def left_at(program: Program, block: ReplayedBlock, number: int) -> Place | None:
    """The `return` by which a thread has ended, if it was one."""
    at = block.ended[number].at
    return program.code[at].place if at < len(program.code) and isinstance(program.code[at], Exit) else None


def diverges(program: Program, setting: Setting, block: ReplayedBlock, claim: Divergence) -> bool:
    """Whether the first thread waits at a barrier of the block, and the second one is not at it."""
    first, second = (block.waiting.get(number_of(setting, wait.thread.index)) for wait in (claim.first, claim.second))
    if first is None or not isinstance(program.code[first], Barrier) or first == second:
        return False
    return claim.second.left is None or block.left(number_of(setting, claim.second.thread.index), first)


class PassedWithout(Struct):
    """Looks out for a barrier that a thread passes and the whole warp of another skips, which has left before."""

    program: Program
    setting: Setting
    block: ReplayedBlock
    claim: EarlyExit
    watched: frozenset[int]

    def before(self, at: int, rows: Rows) -> None:
        """These threads pass a barrier. Raises `Confirmed`."""
        claim, block = self.claim, self.block
        first, second = (number_of(self.setting, wait.thread.index) for wait in (claim.first, claim.second))
        row = among(rows, first)
        if row is None or (block.interval, self.program.code[at].place) != (claim.interval, claim.first.place):
            return
        start = second // block.warp * block.warp
        warp = range(start, min(start + block.warp, len(block.rows)))
        if all(block.left(number, at) for number in warp) and left_at(self.program, block, second) == claim.second.left:
            raise Confirmed(passes_at(block, row, at), ())


def is_deadlocked(setting: Setting, block: ReplayedBlock, claim: Deadlock) -> bool:
    """Whether the first thread waits in its warp for the second: that is not in the same operation, or it is itself."""
    first, second = (number_of(setting, wait.thread.index) for wait in (claim.first, claim.second))
    meeting = _meeting(block, first)
    warp, lane = divmod(second, block.warp)
    if meeting is None or meeting.warp != warp:
        return False
    if first == second:
        return not meeting.mask >> lane & 1
    asked = meeting.mask >> lane & 1 and claim.second.place is not None
    return bool(asked) and _meeting(block, second) != meeting


def _meeting(block: ReplayedBlock, number: int) -> WaitingPlace | None:
    """The operation of its warp that a thread waits in."""
    for meeting, rows in block.meetings.items():
        if any(row is block.rows[number] for row in rows):
            return meeting
    return None
