"""Barriers of the whole block, and what it means that nobody can go on.

A barrier opens when every thread of the block waits at it, at the same place of the code, which the schedule sees to;
warps that have left before, all of their lanes, are not waited for. Must not know memory, registers or how threads are
scheduled.

Source: "Equivalence Checking of ML GPU Kernels", section 4.1, rule SYNC, to which any thread that returned has arrived.
Here only whole warps have, at barriers before which they left by a `return`.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np
from msgspec import Struct

from rewright.kernels.execution.arrays import LaneNumbers, ThreadFlags, ThreadNumbers
from rewright.kernels.execution.log import Scene
from rewright.kernels.execution.warps import NOWHERE, Warps
from rewright.model.simt.instructions import Exit, VoteKind
from rewright.model.simt.program import Program
from rewright.model.simt.violation import Deadlock, Divergence, Wait


class Stop(Struct, frozen=True):
    """Nobody can go on.

    By thread: the instruction at which it waits for its block, and the one at which it ended (`NOWHERE`: it does not).
    """

    scene: Scene
    program: Program
    interval: int
    at_block: ThreadNumbers
    ended: ThreadNumbers
    warps: Warps


def standstill(stop: Stop) -> tuple[Deadlock | Divergence, ...]:
    """Who waits for whom forever; nothing if all threads have ended.

    One deadlock for each warp operation in the text at which a lane waits. Only where there are none it is the block's
    barrier that is at fault: its first one, by place, against those that wait elsewhere or have ended.
    """
    places: dict[int, Deadlock] = {}
    for lane in np.flatnonzero(stop.warps.at != NOWHERE):
        at = int(stop.warps.at[lane])
        if at not in places:
            missing = _missing(stop.warps, int(lane))
            places[at] = Deadlock(stop.interval, _wait(stop, int(lane)), _wait(stop, missing))
    if places:
        return tuple(places[at] for at in sorted(places))
    waiting = stop.at_block[stop.at_block != NOWHERE]
    if not len(waiting):
        return ()
    at = int(waiting.min())
    here = int(np.flatnonzero(stop.at_block == at)[0])
    others = np.flatnonzero(stop.at_block != at)
    waits = others[stop.at_block[others] != NOWHERE]
    other = int(waits[np.argmin(stop.at_block[waits])]) if len(waits) else int(others[0])
    return (Divergence(stop.interval, _wait(stop, here), absent(stop, other, at)),)


def opens_for(program: Program, at: int, ended: LaneNumbers) -> bool:
    """Whether a barrier of the block may open for the others where lanes ended at these places, all of their warps.

    Hardware does not wait for warps whose lanes have all returned; no document promises it.
    """
    return all(has_left(program, int(each), at) for each in np.unique(ended))


def has_left(program: Program, ended: int, at: int) -> bool:
    """Whether the end of a thread is a `return` that stands before a barrier, in the text or in a loop around both."""
    if not (ended < len(program.code) and isinstance(program.code[ended], Exit)):
        return False
    return ended < at or any(loop.head <= at < loop.end and loop.head <= ended < loop.end for loop in program.loops)


def absent(stop: Stop, lane: int, at: int) -> Wait:
    """Why a lane does not come to a barrier of the block: it waits elsewhere, has left, or went another way."""
    ended = int(stop.ended[lane])
    if ended != NOWHERE and has_left(stop.program, ended, at):
        return Wait(stop.scene.thread(lane), None, None, stop.program.code[ended].place)
    return _wait(stop, lane)


def _missing(warps: Warps, lane: int) -> int:
    """A lane that this one waits for: itself if it is not in its mask."""
    number, own = divmod(lane, warps.size)
    mask, alive = int(warps.mask[lane]), int(warps.alive[number])
    if not mask >> own & 1:
        return lane
    for other in range(warps.size):
        there = number * warps.size + other
        if mask & alive & 1 << other and not (
            warps.operation[there] == warps.operation[lane] and int(warps.mask[there]) == mask
        ):
            return there
    raise AssertionError(lane)


def _wait(stop: Stop, lane: int) -> Wait:
    thread = stop.scene.thread(lane)
    if stop.warps.at[lane] != NOWHERE:
        return Wait(thread, stop.program.code[int(stop.warps.at[lane])].place, int(stop.warps.mask[lane]))
    if stop.at_block[lane] != NOWHERE:
        return Wait(thread, stop.program.code[int(stop.at_block[lane])].place)
    return Wait(thread, None)


def vote(kind: VoteKind, truths: ThreadFlags) -> int:
    """What the truths of all threads at a barrier come to: 0 or 1, or how many hold."""
    match kind:
        case VoteKind.ALL:
            return int(truths.all())
        case VoteKind.ANY:
            return int(truths.any())
        case VoteKind.COUNT:
            return int(np.count_nonzero(truths))
        case VoteKind.BALLOT:
            raise AssertionError(kind)
        case _:
            assert_never(kind)
