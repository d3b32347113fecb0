"""Replays what can go wrong in a block by running the threads involved, one after the other.

A race is replayed by bringing both threads, within one barrier interval, to the point where the access of each is the
next thing it does: then either may go first. It takes the two threads alone if neither needs what others wrote, else
all threads of the block. Invariant: this is independent evidence; it shares no code with what found the violation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from math import prod
from typing import assert_never

from rewright.model.body import Array, Body, If, Statement, Store, While
from rewright.model.index import Name
from rewright.model.simt.types import Space
from rewright.model.violation import (
    Access,
    Divergence,
    DivisionByZero,
    FailedAssertion,
    OutOfBounds,
    Race,
    Setting,
    ThreadIndex,
    Violation,
    Wait,
)
from rewright.replay.race_thread import (
    Accessed,
    Cells,
    Excluded,
    Failed,
    NotKnown,
    OutOfSteps,
    Steps,
    Thread,
    evaluate,
)
from rewright.verdict import Place


class Replay(StrEnum):
    """How a replay ends."""

    HOLDS = "holds"
    FAILS = "fails"
    TOO_LONG = "too long"


class Crowd(StrEnum):
    """Who runs besides the threads in question, and what others do in the last interval."""

    NOBODY = "nobody"
    WAITING = "all others, which wait in the last interval"
    AHEAD = "all others, which run first in the last interval"


def replay_violation(program: Body, setting: Setting, violation: Violation, steps: int) -> Replay:
    """Whether running the threads that a violation names shows it, with at most so many steps."""
    budget = Steps(steps)
    for crowd, order in product(Crowd, _orders(violation)):
        try:
            if _shows(_Stage(program, setting, budget, crowd), violation, order):
                return Replay.HOLDS
        except (NotKnown, Excluded):
            continue
        except OutOfSteps:
            return Replay.TOO_LONG
    return Replay.FAILS


def _orders(violation: Violation) -> tuple[tuple[int, int], ...]:
    return ((0, 1), (1, 0)) if isinstance(violation, Race) else ((0, 1),)


def _shows(stage: _Stage, violation: Violation, order: tuple[int, int]) -> bool:
    match violation:
        case Race():
            return _shows_race(stage, violation, order)
        case Divergence():
            return _shows_divergence(stage, violation)
        case OutOfBounds():
            sought = Accessed(
                violation.array, violation.address, violation.access.kind, violation.access.place, inside=False
            )
            return _meets(stage, violation.access.thread, violation.interval, sought)
        case DivisionByZero() | FailedAssertion():
            return _meets(stage, violation.thread, violation.interval, Failed(violation.place))
        case _:
            assert_never(violation)


def _shows_race(stage: _Stage, race: Race, order: tuple[int, int]) -> bool:
    """Both threads stand before accesses to one element that conflict."""
    accesses = (race.first, race.second)
    if race.first.thread == race.second.thread or not any(a.kind.value == "write" for a in accesses):
        return False
    threads = stage.until(race.interval, tuple(access.thread for access in accesses))
    if threads is None:
        return False
    return all(stage.reaches(threads[accesses[i].thread], _sought(race, accesses[i])) for i in order)


def _sought(race: Race, access: Access) -> Accessed:
    return Accessed(race.array, race.address, access.kind, access.place, inside=True)


def _shows_divergence(stage: _Stage, divergence: Divergence) -> bool:
    """The first thread stops at its barrier, the second one elsewhere or not at all."""
    waits = (divergence.first, divergence.second)
    threads = stage.until(divergence.interval, tuple(wait.thread for wait in waits))
    if threads is None or divergence.first.place == divergence.second.place:
        return False
    return all(_stops_as(threads[wait.thread], wait) for wait in waits)


def _stops_as(running: _Running, wait: Wait) -> bool:
    return next(running.steps, None) == wait.place


def _meets(stage: _Stage, thread: ThreadIndex, interval: int, sought: Accessed | Failed) -> bool:
    threads = stage.until(interval, (thread,))
    return threads is not None and stage.reaches(threads[thread], sought)


class _Reached(Exception):
    """The thread is about to do what was sought."""


@dataclass(slots=True)
class _Running:
    """A thread under way; `sought` is where it stops short."""

    sought: Accessed | Failed | None
    steps: Iterator[Place]

    def observe(self, event: Accessed | Failed) -> None:
        """Stops the thread before the event that is sought."""
        if event == self.sought:
            raise _Reached


@dataclass(slots=True)
class _Stage:
    """One attempt: the memory of the block and who runs in it."""

    program: Body
    setting: Setting
    budget: Steps
    crowd: Crowd

    def until(self, interval: int, involved: tuple[ThreadIndex, ...]) -> dict[ThreadIndex, _Running] | None:
        """The threads at the start of an interval (the others as the crowd asks); None if barriers do not match."""
        memory = self._memory()
        running = {thread: self._start(thread, memory) for thread in dict.fromkeys((*involved, *self._others()))}
        for _ in range(interval):
            stops = {next(each.steps, None) for each in running.values()}
            if len(stops) != 1 or None in stops:
                return None
        if self.crowd is Crowd.AHEAD:
            for thread, each in running.items():
                if thread not in involved:
                    next(each.steps, None)
        return running

    def reaches(self, running: _Running, sought: Accessed | Failed) -> bool:
        """Runs a thread within its interval until it is about to do what is sought."""
        running.sought = sought
        try:
            next(running.steps, None)
        except _Reached:
            return True
        return False

    def _others(self) -> Iterator[ThreadIndex]:
        if self.crowd is not Crowd.NOBODY:
            x, y, z = self.setting.block
            yield from ((i, j, k) for k in range(z) for j in range(y) for i in range(x))

    def _start(self, index: ThreadIndex, memory: dict[Name, Cells]) -> _Running:
        running = _Running(None, iter(()))
        thread = Thread(index, self.setting, memory, self.budget, running.observe, dict(self._uniforms()))
        running.steps = thread.run(self.program.body)
        return running

    def _uniforms(self) -> Iterator[tuple[Name, int]]:
        values = dict(self.setting.values)
        for uniform in self.program.uniforms:
            if uniform.name in values and not uniform.type.is_float:
                yield uniform.name, values[uniform.name]

    def _memory(self) -> dict[Name, Cells]:
        """The arrays at the start. Alone, a thread does not know what stands in arrays that anyone may write."""
        written = set(_written(self.program.body)) if self.crowd is Crowd.NOBODY else set()
        scratch = Thread((0, 0, 0), self.setting, {}, self.budget, lambda event: None, dict(self._uniforms()))
        contents = dict(self.setting.contents)
        return {
            array.name: Cells(
                extents := tuple(_size(scratch, array, axis) for axis in range(len(array.extents))),
                None if array.name in written or array.type.is_float else _elements(array, extents, contents),
            )
            for array in self.program.arrays
        }


def _size(scratch: Thread, array: Array, axis: int) -> int:
    value = evaluate(scratch, array.extents[axis])
    if value is None:
        raise NotKnown
    return value


def _elements(array: Array, extents: tuple[int, ...], contents: dict[Name, tuple[int, ...]]) -> list[int | None]:
    if array.space is Space.GLOBAL and array.is_input and array.name in contents:
        return list(contents[array.name])
    return [None] * prod(extents)


def _written(body: tuple[Statement, ...]) -> Iterator[Name]:
    for statement in body:
        match statement:
            case Store():
                yield statement.array
            case If():
                yield from _written(statement.then + statement.otherwise)
            case While():
                yield from _written(statement.body)
            case _:
                pass
