"""Wrong rules with reductions are refuted by replay before the prover does what takes long; right ones do not pay."""

from __future__ import annotations

import pytest
from test_checks_rule import ask, question

from rewright.checks import rule as checks
from rewright.checks.sampled import FIRST, failing_input, failing_near_solved
from rewright.rules import decide as deciding
from rewright.rules import paths
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Mode, Refuted
from rewright.rules.reductions import QUICK, THOROUGH, rank_vectors
from rewright.verdict import Failure, Method, RuleWitness, Verdict

DOT = "axes A, B, C\nmap n on A\nmap m on B\nmap k on C\ntensor X: T[A: n, C: k]\ntensor Y: T[B: m, C: k]\n"
PAD = """axes C
map k, low, high, interior, padded on C
tensor X: T[C: k]
tensor Y: T[C: padded]
dot(pad(X, 0, C: (low, high, interior)), Y, contract = C) => dot(X, slice(Y, C: (low, low + k)), contract = C)
where 0 <= low, 0 <= high
"""
FALSE = {
    "reversed": (DOT + "dot(reverse(X, C), Y, contract = C) => dot(X, Y, contract = C)", {"k": (2,)}),
    "stride": (PAD, {"k": (2,), "low": (0,), "high": (0,), "interior": (1,), "padded": (3,)}),
    "windows": (
        "axes A\nmap n, first, second on A\ntensor X: T[A: n]\n"
        "reduce_window(add, reduce_window(add, X, size = first), size = second)\n"
        "=> reduce_window(add, X, size = first + second - 1)\nwhere first + second <= n + 1",
        {"n": (3,), "first": (2,), "second": (2,)},
    ),
}
TRUE = DOT + "dot(reverse(X, C), reverse(Y, C), contract = C) => dot(X, Y, contract = C)"


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.parametrize("parameter", ["T: int", "T: real"])
def test_refuted_by_replay_with_a_small_input(name: str, parameter: str) -> None:
    items, maps = FALSE[name]
    found = ask(items, parameter)
    assert (found.verdict, found.by) == (Verdict.REFUTED, Method.REPLAY)
    assert isinstance(found.witness, RuleWitness)
    assert found.witness.replayed and found.witness.fails is Failure.VALUE
    assert {name: value for name, value in found.witness.instance.maps if value} == maps


def test_the_same_input_every_time() -> None:
    asked = question(FALSE["stride"][0], "T: int")
    first, second = failing_input(asked, FIRST), failing_input(asked, FIRST)
    assert first is not None and first == second


def test_nothing_is_looked_for_where_the_first_comparison_proves() -> None:
    asked = question(TRUE, "T: int")
    looks: list[int] = []
    decide(asked, Budget(), Mode.NORMAL_FORMS, lambda: looks.append(1))
    assert looks == []


def test_one_look_for_a_question() -> None:
    asked = question(FALSE["stride"][0], "T: int")
    looks: list[int] = []
    found = decide(asked, Budget(), Mode.NORMAL_FORMS, lambda: looks.append(1))
    assert isinstance(found, Refuted) and found.instance is None
    assert looks == [1]


def test_nothing_is_looked_for_by_the_solver_alone_or_without_reductions() -> None:
    looks: list[int] = []
    decide(question(FALSE["reversed"][0], "T: int"), Budget(), Mode.SOLVER_ONLY, lambda: looks.append(1))
    plain = "axes A\nmap n on A\ntensor X: T[A: n]\nX => reverse(X, A)"
    decide(question(plain, "T: int"), Budget(), Mode.NORMAL_FORMS, lambda: looks.append(1))
    assert looks == []


def test_a_right_rule_that_needs_many_implications_is_still_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first comparison that is broken off is taken up again after the look."""
    monkeypatch.setattr(paths, "FEW", 0)
    concatenated = (
        "axis d\nmap p, q on d\ntensor X: T[d: p]\ntensor Y: T[d: q]\n"
        "reduce(add, reverse(concatenate(X, Y, d), d), d) => reduce(add, X, d) + reduce(add, Y, d)"
    )
    looks: list[int] = []
    asked = question(concatenated, "T: int")
    assert not isinstance(decide(asked, Budget(), Mode.NORMAL_FORMS, lambda: looks.append(1)), Refuted)
    assert looks == [1]
    assert checks.answer(asked, Budget(), Mode.NORMAL_FORMS).verdict is Verdict.PROVED


def test_without_a_failing_input_small_reductions_are_spelled_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = []

    def searched(claim: object, oracle: object, search: object) -> None:
        searches.append(search)

    monkeypatch.setattr(deciding, "countermodel", searched)
    decide(question(FALSE["reversed"][0], "T: int"), Budget(), Mode.NORMAL_FORMS)
    assert searches == [QUICK, THOROUGH]


def test_sizes_that_preconditions_make_large_are_solved_for() -> None:
    """No input that is drawn has a size of 13; the solver is asked for one that meets the preconditions."""
    overlapping = (
        "axis d\nmap m, cut on d\ntensor X: T[d: m]\nreduce(add, X, d)\n"
        "=> reduce(add, slice(X, d: (limit = cut + 1)), d) + reduce(add, slice(X, d: (start = cut)), d)\n"
        "where 12 <= cut, cut < m"
    )
    assert failing_input(question(overlapping, "T: int")) is None
    found = ask(overlapping, "T: int")
    assert (found.verdict, found.by) == (Verdict.REFUTED, Method.REPLAY)
    assert isinstance(found.witness, RuleWitness)
    assert dict(found.witness.instance.maps) == {"m": (13,), "cut": (12,)}
    assert failing_near_solved(question(overlapping.replace("cut + 1", "cut"), "T: int")) is None


def test_rank_vectors_come_by_their_sum() -> None:
    assert list(rank_vectors([0, 1])) == [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2)]
    assert next(rank_vectors([0] * 40)) == (0,) * 40
