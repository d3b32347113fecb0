"""Who waits for whom when nobody can go on. Must not know how it came to that."""

from __future__ import annotations

from rewright.model.simt.instructions import Barrier
from rewright.model.simt.program import Program
from rewright.model.simt.violation import Deadlock, Divergence, Setting, Wait
from rewright.replay.kernel.block import Block
from rewright.replay.kernel.local_code import number_of
from rewright.replay.kernel.warps import Meeting


def waits_at(program: Program, setting: Setting, block: Block, wait: Wait) -> bool:
    """Whether a thread waits, or has ended, as is said."""
    number = number_of(setting, wait.thread.index)
    at = block.waiting.get(number)
    return (None if at is None else program.code[at].place) == wait.place and block.masks.get(number) == wait.mask


def diverges(program: Program, setting: Setting, block: Block, claim: Divergence) -> bool:
    """Whether the first thread waits at a barrier of the block, and the second one is not at it."""
    first, second = (block.waiting.get(number_of(setting, wait.thread.index)) for wait in (claim.first, claim.second))
    return first is not None and isinstance(program.code[first], Barrier) and first != second


def is_deadlocked(setting: Setting, block: Block, claim: Deadlock) -> bool:
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


def _meeting(block: Block, number: int) -> Meeting | None:
    """The operation of its warp that a thread waits in."""
    for meeting, rows in block.meetings.items():
        if any(row is block.rows[number] for row in rows):
            return meeting
    return None
