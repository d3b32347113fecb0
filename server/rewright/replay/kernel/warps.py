"""Operations of a warp: who waits for whom, and whose value a shuffle gives. Must not know memory or scheduling.

Lanes wait in one operation together if it is a barrier, a shuffle of one kind and width of values, or a vote of one
kind, with one mask, wherever in the text it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rewright.model.simt.instructions import Shuffle, ShuffleKind, Vote, VoteKind, WarpBarrier

WarpOperation = WarpBarrier | Shuffle | Vote


class WaitingPlace(NamedTuple):
    """Where lanes wait: the warp, what they wait in, and the mask of those that they wait for."""

    warp: int
    operation: tuple[str, ...]
    mask: int


def operation(instruction: WarpOperation) -> tuple[str, ...]:
    """What makes two instructions the same operation."""
    match instruction:
        case WarpBarrier():
            return ("barrier",)
        case Shuffle():
            return "shuffle", instruction.kind, str(instruction.result.type.bits)
        case Vote():
            return "vote", instruction.kind


def complete(meeting: WaitingPlace, waiting: int, alive: int) -> int:
    """The lanes (as a mask) that may go on: none while one of the mask that has not ended is missing."""
    needed = meeting.mask & alive
    return needed & waiting if needed & ~waiting == 0 else 0


class ShuffleStep(NamedTuple):
    """A shuffle as one lane takes part in it."""

    lane: int
    operand: int
    width: int


def source(kind: ShuffleKind, exchange: ShuffleStep, size: int) -> int:
    """The lane whose value is asked for; the lane itself where that one lies outside its segment."""
    width = min(max(exchange.width, 1), size)
    start = exchange.lane // width * width
    match kind:
        case ShuffleKind.INDEX:
            found = start + exchange.operand % width
        case ShuffleKind.UP:
            found = exchange.lane - exchange.operand
            found = found if found >= start else exchange.lane
        case ShuffleKind.DOWN:
            found = exchange.lane + exchange.operand
        case ShuffleKind.XOR:
            found = exchange.lane ^ exchange.operand
    return found if 0 <= found < start + width else exchange.lane


def voted(kind: VoteKind, truths: Mapping[int, bool]) -> int:
    """What the truths by lane (or thread) come to."""
    match kind:
        case VoteKind.ALL:
            return int(all(truths.values()))
        case VoteKind.ANY:
            return int(any(truths.values()))
        case VoteKind.COUNT:
            return sum(map(bool, truths.values()))
        case VoteKind.BALLOT:
            return sum(1 << lane for lane, truth in truths.items() if truth)
