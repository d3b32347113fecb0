"""Operations of warps: who waits for whom, and what they come to.

A lane that comes to a warp barrier, shuffle or vote waits until every lane of its mask that has not ended waits in the
same operation with the same mask; then they all go on. The same operation is any warp barrier, any shuffle of one kind
and type, any vote of one kind, wherever in the text they stand (as CUDA has it). A lane outside its own mask never goes
on. Lanes of a warp that its block does not fill have ended from the start. Must not know memory or registers.

Source: "Equivalence Checking of ML GPU Kernels", section 4.1, where masks that overlap and differ are stuck, too.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from rewright.kernels.execution.arrays import LaneFlags, LaneNumbers, LaneSets, LaneValues, Masks, ThreadNumbers
from rewright.model.simt.instructions import Shuffle, ShuffleKind, Vote, VoteKind, WarpBarrier

NOWHERE = -1
"""In place of an instruction: there is none."""


class Arrival(NamedTuple):
    """Lanes that come to the instruction number `at` together, in ascending order, each with its mask (u32)."""

    at: int
    lanes: LaneNumbers
    masks: Masks


class Warps(Struct):
    """Which lanes wait in an operation of their warp.

    By thread: `at` is the instruction where it waits (`NOWHERE`: it does not), `operation` the number that `operations`
    has for what it waits in, `mask` its mask, (threads,) uint64. `alive` has a row for each warp: the lanes that have
    not ended.
    """

    size: int
    at: ThreadNumbers
    operation: ThreadNumbers
    mask: NDArray[np.uint64]
    alive: LaneSets
    operations: dict[object, int]

    def waits(self) -> bool:
        """Whether any lane waits."""
        return bool((self.at != NOWHERE).any())


def warps_of(lanes: int, size: int) -> Warps:
    """The warps of a block of so many lanes, before anything ran."""
    full = np.full(-(-lanes // size), (1 << size) - 1, np.uint64)
    if lanes % size:
        full[-1] = (1 << lanes % size) - 1
    nothing = np.full(lanes, NOWHERE, np.int64)
    return Warps(size, nothing, nothing.copy(), np.zeros(lanes, np.uint64), full, {})


def arrive(warps: Warps, instruction: WarpBarrier | Shuffle | Vote, arrival: Arrival) -> LaneNumbers:
    """The lanes that go on now, ascending; they no longer wait. All others of the arrival do.

    Besides lanes of the arrival these may be lanes that waited before, at other instructions too; where, `Warps.at`
    says until then.
    """
    number = warps.operations.setdefault(operation(instruction), len(warps.operations))
    warps.at[arrival.lanes] = arrival.at
    warps.operation[arrival.lanes] = number
    warps.mask[arrival.lanes] = arrival.masks
    return _released(warps, np.flatnonzero(warps.operation == number))


def end(warps: Warps, lanes: LaneNumbers) -> LaneNumbers:
    """These lanes have ended: the lanes that go on because of that, ascending."""
    np.bitwise_and.at(warps.alive, lanes // warps.size, ~(np.uint64(1) << (lanes % warps.size).astype(np.uint64)))
    if not warps.waits():
        return lanes[:0]
    return _released(warps, np.flatnonzero(warps.at != NOWHERE))


def _released(warps: Warps, waiting: LaneNumbers) -> LaneNumbers:
    """Those of the waiting lanes whose mask is complete; they wait no longer."""
    numbers = (waiting // warps.size).astype(np.uint64)
    needed = warps.mask[waiting] & warps.alive[numbers.astype(np.intp)]
    bits = np.uint64(1) << (waiting % warps.size).astype(np.uint64)
    inside = (needed & bits) != 0
    waiting, needed, numbers, bits = waiting[inside], needed[inside], numbers[inside], bits[inside]
    # a team waits in one operation, in one warp, with one mask: all three in 64 bits, the mask in the lower 32
    operations = warps.operation[waiting].astype(np.uint64)
    teams = _teams(operations * np.uint64(len(warps.alive)) + numbers, warps.mask[waiting])
    present = np.zeros(len(waiting), np.uint64)
    np.bitwise_or.at(present, teams, bits)
    gone: LaneNumbers = waiting[present[teams] == needed]
    warps.at[gone] = warps.operation[gone] = NOWHERE
    return gone


def _teams(numbers: NDArray[np.uint64], masks: NDArray[np.uint64]) -> LaneNumbers:
    """For each lane the number of its team: those that agree in number and mask."""
    return np.asarray(np.unique(numbers << np.uint64(32) | masks, return_inverse=True)[1]).ravel()


def operation(instruction: WarpBarrier | Shuffle | Vote) -> object:
    """What is the same of instructions at which lanes may wait for each other."""
    match instruction:
        case WarpBarrier():
            return "barrier"
        case Shuffle():
            return "shuffle", instruction.kind, instruction.result.type.bits
        case Vote():
            return "vote", instruction.kind
        case _:
            assert_never(instruction)


class ShuffleLanes(NamedTuple):
    """Lanes that shuffle together; per lane its mask, the operand `lane` and the width of its segment.

    Where all have one mask it may be any number.
    """

    lanes: LaneNumbers
    masks: Masks
    operands: LaneValues
    widths: LaneValues


def sources(kind: ShuffleKind, exchange: ShuffleLanes, size: int) -> tuple[LaneNumbers, LaneFlags]:
    """For each lane, the lane (of the block) whose value it gets, and whether that one takes part.

    Where it does not, the value is undefined. The semantics of `__shfl_sync` and its kin in the CUDA C++ Programming
    Guide: a lane gets its own value if the source lies outside its segment (for xor: after it).
    """
    own = exchange.lanes % size
    width = np.clip(exchange.widths.astype(np.int64), 1, size)
    operand = exchange.operands.astype(np.int64)
    low = own - own % width
    match kind:
        case ShuffleKind.INDEX:
            source = low + operand % width
        case ShuffleKind.UP:
            source = np.where(own - operand < low, own, own - operand)
        case ShuffleKind.DOWN:
            source = own + operand
        case ShuffleKind.XOR:
            source = own ^ operand
        case _:
            assert_never(kind)
    source = np.where((source >= low + width) | (source < 0), own, source)
    found = exchange.lanes - own + source
    return found, _takes_part(exchange, found)


def _takes_part(exchange: ShuffleLanes, found: LaneNumbers) -> LaneFlags:
    """Whether the lane found is one of those that shuffle, with the same mask."""
    order = np.searchsorted(exchange.lanes, found)
    # a lane that is asked for may lie after all that take part
    order = np.minimum(order, len(exchange.lanes) - 1)
    return np.asarray((exchange.lanes[order] == found) & (exchange.masks[order] == exchange.masks))


class Ballot(NamedTuple):
    """Lanes that vote together; per lane its mask, and its truth."""

    lanes: LaneNumbers
    masks: Masks
    truths: LaneFlags


def vote(kind: VoteKind, ballot: Ballot, size: int) -> LaneValues:
    """What each lane gets of the truths of those that vote together with it: of one warp, with one mask.

    bool for `all` and `any`, uint32 for a count and a ballot.
    """
    lanes, masks, truths = ballot
    teams = _teams((lanes // size).astype(np.uint64), masks.astype(np.uint64))
    ballots = np.zeros(len(lanes), np.uint64)
    bits = np.uint64(1) << (lanes % size).astype(np.uint64)
    np.bitwise_or.at(ballots, teams, np.where(truths, bits, np.uint64(0)))
    members = np.bincount(teams, minlength=len(lanes))
    counts = np.bincount(teams, weights=truths, minlength=len(lanes)).astype(np.int64)
    match kind:
        case VoteKind.ALL:
            return np.asarray((counts == members)[teams])
        case VoteKind.ANY:
            return np.asarray((counts > 0)[teams])
        case VoteKind.COUNT:
            return counts[teams].astype(np.uint32)
        case VoteKind.BALLOT:
            return ballots[teams].astype(np.uint32)
        case _:
            assert_never(kind)


def active(lanes: LaneNumbers, size: int) -> Masks:
    """The mask, per lane, of the lanes of its warp among those that execute together."""
    masks = np.zeros(int(lanes[-1]) // size + 1, np.uint64)
    np.bitwise_or.at(masks, lanes // size, np.uint64(1) << (lanes % size).astype(np.uint64))
    mine: Masks = masks[lanes // size].astype(np.uint32)
    return mine
