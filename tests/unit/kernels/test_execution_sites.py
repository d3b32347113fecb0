"""Numbers of reads that found no value: passed on in arrays, reported by read and lane, forgotten once none is left."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rewright.kernels.execution.sites import FEW, TOLD, Sites, chosen, computed, first, lost, placed

X = np.array([[0, 0], [0, 7], [5, 0]])
Y = np.array([[9], [0], [9]])


def test_what_is_computed_lacks_what_the_first_operand_lacks() -> None:
    assert first(X).tolist() == [[0], [7], [5]]
    found = computed([None, X, Y])
    assert found is not None and found.tolist() == [[9], [7], [5]]
    assert computed([None, None]) is None


def test_a_choice_lacks_what_its_side_lacks_byte_by_byte() -> None:
    truth = np.array([True, True, False])
    assert chosen(truth, X, Y).tolist() == [[0, 0], [0, 7], [9, 9]]
    assert chosen(truth, None, Y).tolist() == [[0], [0], [9]]


def test_lanes_are_placed_among_others_of_another_width() -> None:
    assert placed(None, 3, np.array([1]), X[1:2]).tolist() == [[0, 0], [0, 7], [0, 0]]
    assert placed(Y, 3, np.array([1]), X[1:2]).tolist() == [[9, 9], [0, 7], [9, 9]]
    assert lost(np.array([True, False])).tolist() == [[TOLD], [0]]


def test_a_number_is_told_by_its_read_and_lane_also_after_others_were_forgotten() -> None:
    told: list[tuple[object, int]] = []

    def of(name: object) -> Callable[[int], None]:
        return lambda lane: told.append((name, lane))

    sites = Sites(of("told elsewhere"))
    known = sites.once("key", 4, of("known"))
    bases = [sites.add(4, of(at)) for at in range(FEW)]
    assert sites.many and sites.once("key", 4, of("again")) == known
    used = np.array([[0, bases[3] + 2], [TOLD, bases[-1]]])
    sites.keep([used])
    assert not sites.many
    sites.tell(used)
    sites.tell(np.array([[known + 3], [known + 3], [sites.add(4, of("new")) + 1]]))
    assert told == [(3, 2), ("told elsewhere", 0), (FEW - 1, 0), ("known", 3), ("new", 1)]
