"""The replay confirms what is so and refuses what is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kernel_texts import declared

from rewright.kernels.lockstep import run
from rewright.model.body import Body
from rewright.model.kernel import Kernel
from rewright.model.violation import AccessKind, Divergence, OutOfBounds, Race, Setting, Violation
from rewright.replay.race import Replay, replay_violation

STEPS = 1_000_000


def found(statements: str, threads: int = 4) -> tuple[Body, Setting, Violation]:
    text = f"kernel k(x: in f32[8], y: out f32[8]) {{\n launch block({threads})\n shared c: s32[8]\n {statements}\n}}\n"
    kernel = declared(text).value
    assert isinstance(kernel, Kernel)
    assert isinstance(kernel.body, Body)
    setting = Setting((1, 1, 1), (threads, 1, 1), (0, 0, 0), (), ())
    return kernel.body, setting, run(kernel.body, setting, STEPS).violations[0]


def test_a_race_holds_and_its_variations_do_not() -> None:
    program, setting, race = found("barrier()\n c[thread.x] = 1\n let v = c[(thread.x + 1) % 4]")
    assert isinstance(race, Race)
    assert replay_violation(program, setting, race, STEPS) is Replay.HOLDS
    for wrong in (
        replace(race, interval=0),
        replace(race, interval=2),
        replace(race, address=(race.address[0] + 1,)),
        replace(race, second=replace(race.second, thread=race.first.thread)),
        replace(race, second=replace(race.second, thread=(1, 0, 0))),
        replace(race, second=replace(race.second, kind=AccessKind.WRITE)),
        replace(race, first=race.second),
    ):
        assert replay_violation(program, setting, wrong, STEPS) is Replay.FAILS


def test_a_race_across_a_barrier_is_refused() -> None:
    program, setting, race = found("c[thread.x] = 1\n let v = c[(thread.x + 1) % 4]")
    kernel = declared(
        "kernel k(x: in f32[8], y: out f32[8]) {\n launch block(4)\n shared c: s32[8]\n c[thread.x] = 1\n"
        " barrier()\n let v = c[(thread.x + 1) % 4]\n}\n"
    ).value
    assert isinstance(kernel, Kernel)
    assert isinstance(kernel.body, Body)
    assert replay_violation(program, setting, race, STEPS) is Replay.HOLDS
    assert replay_violation(kernel.body, setting, race, STEPS) is Replay.FAILS


def test_divergence_holds_and_its_variations_do_not() -> None:
    program, setting, claim = found("if thread.x > 1 { return }\n barrier()")
    assert isinstance(claim, Divergence)
    assert replay_violation(program, setting, claim, STEPS) is Replay.HOLDS
    met = replace(claim, second=replace(claim.second, thread=(1, 0, 0)))
    same = replace(claim, second=replace(claim.second, place=claim.first.place))
    later = replace(claim, interval=1)
    for wrong in (met, same, later):
        assert replay_violation(program, setting, wrong, STEPS) is Replay.FAILS


def test_bounds_hold_and_their_variations_do_not() -> None:
    program, setting, claim = found("y[thread.x * 3] = 1.0")
    assert isinstance(claim, OutOfBounds)
    assert replay_violation(program, setting, claim, STEPS) is Replay.HOLDS
    inside = replace(claim, address=(6,))
    other = replace(claim, access=replace(claim.access, thread=(1, 0, 0)))
    for wrong in (inside, other):
        assert replay_violation(program, setting, wrong, STEPS) is Replay.FAILS


@pytest.mark.parametrize("statements", ["let v = 1 / (thread.x - 1)", "assert thread.x != 1"])
def test_other_failures_hold_for_their_thread_only(statements: str) -> None:
    program, setting, claim = found(statements)
    assert replay_violation(program, setting, claim, STEPS) is Replay.HOLDS
    assert not isinstance(claim, Race | Divergence | OutOfBounds)
    assert replay_violation(program, setting, replace(claim, thread=(2, 0, 0)), STEPS) is Replay.FAILS


def test_a_value_from_another_thread_is_found_by_running_all() -> None:
    program, setting, race = found("c[thread.x] = thread.x\n barrier()\n y[c[3 - thread.x] / 2] = 1.0")
    assert isinstance(race, Race)
    assert replay_violation(program, setting, race, STEPS) is Replay.HOLDS


def test_a_long_replay_ends() -> None:
    program, setting, claim = found("for i in 0..1000 { let v = i }\n y[8] = 1.0")
    assert replay_violation(program, setting, claim, 500) is Replay.TOO_LONG
