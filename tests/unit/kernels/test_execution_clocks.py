"""Clocks of warps against reachability in the graph of events, and against rules that forget."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random

import numpy as np

from rewright.kernels.execution.clocks import barriers_of, clocks_at
from rewright.kernels.execution.log import WarpMeeting

WARP = 6


def sequence(random: Random) -> list[set[int]]:
    """Up to six barriers of two to four lanes."""
    return [set(random.sample(range(WARP), random.randint(2, 4))) for _ in range(random.randint(1, 6))]


def known(barriers: list[set[int]], lane: int, when: int) -> set[int]:
    """The lanes that know at the end what a lane did when so many barriers were passed: reachability, step by step."""
    reached = {lane}
    for barrier in barriers[when:]:
        if reached & barrier:
            reached |= barrier
    return reached


def ordered(barriers: list[set[int]]) -> Iterator[tuple[int, int, set[int]]]:
    """For each lane and number of barriers passed, the same by the clocks."""
    meetings = []
    for time, barrier in enumerate(barriers):
        lanes = np.array(sorted(barrier))
        mask = sum(1 << lane for lane in barrier)
        meetings.append(WarpMeeting(time + 1, lanes, np.full(len(lanes), mask, np.uint32)))
    starts = list(itertools.product(range(WARP), range(len(barriers) + 1)))
    lanes = np.array([lane for lane, _ in starts] + list(range(WARP)))
    times = np.array([when for _, when in starts] + [len(barriers)] * WARP)
    clocks = clocks_at(lanes, times, barriers_of(meetings, WARP))
    ends = clocks.vectors[clocks.numbers[len(starts) :]]
    for (lane, when), number in zip(starts, clocks.numbers, strict=False):
        yield lane, when, set(np.flatnonzero(ends[:, lane] >= clocks.vectors[number, lane]).tolist())


def test_random_sequences_are_ordered_as_in_the_graph() -> None:
    """All 27 cases of a sequence at once, on average: a hundred thousand."""
    random = Random(5)
    for _ in range(4_000):
        barriers = sequence(random)
        for lane, when, later in ordered(barriers):
            assert later == known(barriers, lane, when), (barriers, lane, when)


def test_a_chain_of_barriers_orders_the_last_after_the_first() -> None:
    """The rule of the paper forgets this: at the second barrier the writer is not among those that wait."""
    assert (0, 0, {0, 1, 2}) in ordered([{0, 1}, {1, 2}])
    assert (0, 0, {0, 1}) in ordered([{1, 2}, {0, 1}])


def test_disjoint_barriers_at_once_are_two() -> None:
    masks = np.array([0b0011, 0b0011, 0b1100, 0b1100], np.uint32)
    clocks = clocks_at(np.arange(4), np.full(4, 1), barriers_of([WarpMeeting(1, np.arange(4), masks)], 4))
    assert clocks.vectors[clocks.numbers].tolist() == [[2, 1, 0, 0], [1, 2, 0, 0], [0, 0, 2, 1], [0, 0, 1, 2]]
