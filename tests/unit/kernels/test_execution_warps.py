"""Who goes on at operations of warps and barriers of the block, and what shuffles and votes come to."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from rewright.kernels.execution import barriers
from rewright.kernels.execution.barriers import Stop, standstill
from rewright.kernels.execution.log import Scene
from rewright.kernels.execution.warps import (
    NOWHERE,
    Arrival,
    Ballot,
    ShuffleLanes,
    Warps,
    active,
    arrive,
    end,
    sources,
    vote,
    warps_of,
)
from rewright.model.simt.instructions import (
    Barrier,
    Constant,
    Instruction,
    Register,
    Shuffle,
    ShuffleKind,
    Vote,
    VoteKind,
    WarpBarrier,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import Scalar
from rewright.model.simt.violation import Deadlock, Divergence, Setting
from rewright.verdict import Site

U32, S32 = Scalar.U32, Scalar.S32
FULL = Constant((1 << 32) - 1, U32)
SYNC = WarpBarrier(FULL, Site(1))
VOTE = Vote(VoteKind.ANY, None, FULL, Constant(1, Scalar.PRED), Site(2))


def shuffle(kind: ShuffleKind, scalar: Scalar = S32) -> Shuffle:
    """A shuffle of one type."""
    return Shuffle(kind, Register(0, scalar), FULL, Register(0, scalar), Constant(1, S32), Constant(32, S32), Site(3))


def come(warps: Warps, instruction: WarpBarrier | Shuffle | Vote, at: int, masks: dict[int, int]) -> list[int]:
    """Lanes arrive with their masks; those that go on."""
    lanes = np.array(sorted(masks))
    arrival = Arrival(at, lanes, np.array([masks[lane] for lane in sorted(masks)], np.uint32))
    return [int(lane) for lane in arrive(warps, instruction, arrival)]


def test_lanes_wait_for_those_of_their_mask() -> None:
    warps = warps_of(8, 4)
    assert come(warps, SYNC, 5, dict.fromkeys((0, 2, 4, 5), 0b0111)) == []
    assert warps.waits()
    assert come(warps, SYNC, 5, {1: 0b0111}) == [0, 1, 2]
    assert warps.at.tolist() == [NOWHERE] * 4 + [5, 5, NOWHERE, NOWHERE]
    assert come(warps, SYNC, 5, dict.fromkeys((6, 7), 0b0111)) == [4, 5, 6]
    assert warps.waits(), "lane 7 is not in its own mask"


def test_lanes_that_have_ended_are_not_waited_for() -> None:
    warps = warps_of(6, 4)
    assert come(warps, SYNC, 5, dict.fromkeys((4, 5), 0xF)) == [4, 5], "the block does not fill its second warp"
    assert come(warps, SYNC, 5, dict.fromkeys((0, 1), 0xF)) == []
    assert end(warps, np.array([2])).tolist() == []
    assert end(warps, np.array([3, 5])).tolist() == [0, 1]
    assert not warps.waits()


def test_operations_match_by_what_they_are_and_by_mask() -> None:
    warps = warps_of(4, 4)
    assert come(warps, SYNC, 5, dict.fromkeys((0, 1), 0b1111)) == []
    assert come(warps, SYNC, 9, dict.fromkeys((2, 3), 0b1111)) == [0, 1, 2, 3], "wherever in the text"
    for first, second in (
        (SYNC, VOTE),
        (shuffle(ShuffleKind.UP), shuffle(ShuffleKind.DOWN)),
        (shuffle(ShuffleKind.UP), shuffle(ShuffleKind.UP, Scalar.S64)),
    ):
        warps = warps_of(2, 2)
        assert come(warps, first, 5, {0: 0b11}) == []
        assert come(warps, second, 6, {1: 0b11}) == []
    warps = warps_of(4, 4)
    assert come(warps, SYNC, 5, {0: 0b0011, 1: 0b0111, 2: 0b0110}) == []
    assert come(warps, SYNC, 5, {3: 0b1000}) == [3]


def test_disjoint_masks_go_on_by_themselves() -> None:
    warps = warps_of(4, 4)
    assert come(warps, SYNC, 5, {0: 0b0011, 2: 0b1100, 3: 0b1100}) == [2, 3]
    assert come(warps, SYNC, 5, {1: 0b0011}) == [0, 1]


def test_random_arrivals_go_on_as_one_by_one() -> None:
    random = Random(3)
    for _ in range(500):
        warps, lanes, gone = warps_of(8, 4), list(range(8)), set[int]()
        masks = {lane: random.choice((0b1111, 0b0011, 0b1100)) for lane in lanes}
        waiting: set[int] = set()
        while lanes:
            part = random.sample(lanes, random.randint(1, len(lanes)))
            lanes = [lane for lane in lanes if lane not in part]
            ends = random.random() < 0.3
            freed = (
                set(end(warps, np.array(sorted(part))))
                if ends
                else set(come(warps, SYNC, 1, {lane: masks[lane] for lane in part}))
            )
            gone, waiting = (gone | set(part), waiting) if ends else (gone, waiting | set(part))
            expected = {lane for lane in waiting if complete(lane, masks, waiting, gone)}
            assert freed == expected
            waiting -= freed


def complete(lane: int, masks: dict[int, int], waiting: set[int], gone: set[int]) -> bool:
    """Whether a lane that waits has all that it waits for."""
    needed = [lane // 4 * 4 + own for own in range(4) if masks[lane] >> own & 1]
    return lane in needed and all(
        other in gone or (other in waiting and masks[other] == masks[lane]) for other in needed
    )


# ------------------------------------------------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("kind", "operand", "width", "expected"),
    [
        (ShuffleKind.INDEX, 2, 8, [2] * 8),
        (ShuffleKind.INDEX, 5, 4, [1, 1, 1, 1, 5, 5, 5, 5]),
        (ShuffleKind.INDEX, 9, 32, [1] * 8),
        (ShuffleKind.UP, 1, 4, [0, 0, 1, 2, 4, 4, 5, 6]),
        (ShuffleKind.DOWN, 2, 4, [2, 3, 2, 3, 6, 7, 6, 7]),
        (ShuffleKind.DOWN, 8, 8, list(range(8))),
        (ShuffleKind.XOR, 1, 8, [1, 0, 3, 2, 5, 4, 7, 6]),
        (ShuffleKind.XOR, 4, 4, [0, 1, 2, 3, 0, 1, 2, 3]),
    ],
)
def test_shuffles_take_the_lane_that_cuda_says(
    kind: ShuffleKind, operand: int, width: int, expected: list[int]
) -> None:
    lanes = np.arange(8)
    exchange = ShuffleLanes(lanes, np.full(8, 0xFF, np.uint32), np.full(8, operand), np.full(8, width))
    found, takes_part = sources(kind, exchange, 8)
    assert found.tolist() == expected
    assert takes_part.all()


def test_a_lane_that_does_not_take_part_has_no_value() -> None:
    lanes = np.array([0, 1, 4, 5, 6, 7])
    masks = np.array([0b0011, 0b0011, 0b1111, 0b1111, 0b1111, 0b1111], np.uint32)
    exchange = ShuffleLanes(lanes, masks, np.full(6, 2), np.full(6, 4))
    found, takes_part = sources(ShuffleKind.XOR, exchange, 4)
    assert found.tolist() == [2, 3, 6, 7, 4, 5]
    assert takes_part.tolist() == [False, False, True, True, True, True]


def test_votes_are_of_one_warp_and_mask() -> None:
    lanes = np.arange(8)
    masks = np.array([0b0011] * 2 + [0b1100] * 2 + [0b1111] * 4, np.uint32)
    ballot = Ballot(lanes, masks, np.array([1, 1, 0, 1, 0, 0, 0, 0], np.bool_))
    assert vote(VoteKind.ALL, ballot, 4).tolist() == [True] * 2 + [False] * 6
    assert vote(VoteKind.ANY, ballot, 4).tolist() == [True] * 4 + [False] * 4
    assert vote(VoteKind.COUNT, ballot, 4).tolist() == [2, 2, 1, 1, 0, 0, 0, 0]
    assert vote(VoteKind.BALLOT, ballot, 4).tolist() == [3, 3, 8, 8, 0, 0, 0, 0]


def test_active_lanes_are_those_of_the_warp_that_are_here() -> None:
    assert active(np.array([0, 2, 5]), 4).tolist() == [0b0101, 0b0101, 0b0010]


# -------------------------------------------------------------------------------------------------------- standstill

CODE: tuple[Instruction, ...] = (Barrier(None, None, None, Site(10)), SYNC, Barrier(None, None, None, Site(12)))


def stop(at_block: list[int], warps: Warps) -> Stop:
    """A standstill of four threads in two warps."""
    scene, nobody = Scene(Setting((1, 1, 1), (4, 1, 1), (), (), warp=2), (0, 0, 0), ()), np.full(4, NOWHERE)
    return Stop(scene, Program((), (), (), CODE, ()), 3, np.array(at_block), nobody, warps)


def test_threads_at_different_barriers_diverge() -> None:
    (found,) = standstill(stop([2, 0, 2, NOWHERE], warps_of(4, 2)))
    assert isinstance(found, Divergence)
    assert (found.interval, found.first.place, found.second.place) == (3, Site(10), Site(12))
    assert (found.first.thread.index[0], found.second.thread.index[0]) == (1, 0)


def test_a_barrier_after_some_have_ended_diverges() -> None:
    (found,) = standstill(stop([0, 0, NOWHERE, 0], warps_of(4, 2)))
    assert isinstance(found, Divergence)
    assert (found.second.thread.index[0], found.second.place) == (2, None)
    assert standstill(stop([NOWHERE] * 4, warps_of(4, 2))) == ()


def test_a_lane_that_waits_for_one_at_a_barrier_is_a_deadlock() -> None:
    warps = warps_of(4, 2)
    come(warps, SYNC, 1, {2: 0b11})
    (found,) = standstill(stop([0, 0, NOWHERE, 0], warps))
    assert isinstance(found, Deadlock)
    assert (found.first.thread.index[0], found.first.place, found.first.mask) == (2, Site(1), 0b11)
    assert (found.second.thread.index[0], found.second.place, found.second.mask) == (3, Site(10), None)


def test_overlapping_masks_are_a_deadlock() -> None:
    warps = warps_of(4, 4)
    come(warps, SYNC, 1, {0: 0b0011, 1: 0b0110, 2: 0b1100, 3: 0b1001})
    (found,) = standstill(stop([NOWHERE] * 4, warps))
    assert isinstance(found, Deadlock)
    assert (found.first.thread.index[0], found.second.thread.index[0], found.second.mask) == (0, 1, 0b0110)


def test_votes_of_the_block() -> None:
    truths = np.array([True, False, True])
    assert [barriers.vote(kind, truths) for kind in (VoteKind.ALL, VoteKind.ANY, VoteKind.COUNT)] == [0, 1, 2]
