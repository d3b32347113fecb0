"""Numbers of reads that found no value: passed on in arrays, reported by read and lane, forgotten once none is left."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rewright.kernels.execution.unset_reads import FEW, REPORTED, UnsetReads, chosen, computed, first, lost, placed

X = np.array([[0, 0], [0, 7], [5, 0]])
Y = np.array([[9], [0], [9]])


def test_what_is_computed_misses_what_the_first_operand_misses() -> None:
    assert first(X).tolist() == [[0], [7], [5]]
    found = computed([None, X, Y])
    assert found is not None and found.tolist() == [[9], [7], [5]]
    assert computed([None, None]) is None


def test_a_choice_misses_what_its_side_misses_byte_by_byte() -> None:
    truth = np.array([True, True, False])
    assert chosen(truth, X, Y).tolist() == [[0, 0], [0, 7], [9, 9]]
    assert chosen(truth, None, Y).tolist() == [[0], [0], [9]]


def test_lanes_are_placed_among_others_of_another_width() -> None:
    assert placed(None, 3, np.array([1]), X[1:2]).tolist() == [[0, 0], [0, 7], [0, 0]]
    assert placed(Y, 3, np.array([1]), X[1:2]).tolist() == [[9, 9], [0, 7], [9, 9]]
    assert lost(np.array([True, False])).tolist() == [[REPORTED], [0]]


def test_a_number_is_reported_by_its_read_and_lane_also_after_others_were_forgotten() -> None:
    reported: list[tuple[object, int]] = []

    def of(name: object) -> Callable[[int], None]:
        return lambda lane: reported.append((name, lane))

    reads = UnsetReads(of("reported elsewhere"))
    known = reads.once("key", 4, of("known"))
    bases = [reads.add(4, of(at)) for at in range(FEW)]
    assert reads.many and reads.once("key", 4, of("again")) == known
    used = np.array([[0, bases[3] + 2], [REPORTED, bases[-1]]])
    reads.keep([used])
    assert not reads.many
    reads.report(used)
    reads.report(np.array([[known + 3], [known + 3], [reads.add(4, of("new")) + 1]]))
    assert reported == [(3, 2), ("reported elsewhere", 0), (FEW - 1, 0), ("known", 3), ("new", 1)]
