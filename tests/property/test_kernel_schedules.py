"""Random tiny kernels with warps: what execution finds, against all their schedules and against the replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import numpy as np
import pytest
from kernel_schedules import Behaviour, DependsOnUndefined, Side, TooMuch, behaviour
from kernel_simt import program, setting
from kernel_sketches import Sketch, sketch, statements

from rewright.kernels.execution import clocks, collisions, meetings, races, touches, warps
from rewright.kernels.execution.clocks import Barriers, Clocks, barriers_of, clocks_at
from rewright.kernels.execution.log import Array, Log, Meeting
from rewright.kernels.execution.run import Machine
from rewright.kernels.execution.warps import NOWHERE, Warps
from rewright.model.simt.program import Program
from rewright.model.simt.violation import (
    Deadlock,
    Divergence,
    InactiveLane,
    Order,
    OutOfBounds,
    Race,
    Scope,
    Setting,
    Uninitialised,
    Violation,
)
from rewright.replay.kernel import outcome
from rewright.replay.kernel.replayed import replay
from rewright.verdict import Site

COUNT = 300
MANY = 2000
MOST_STATES = 6000
STEPS = 10_000
ATOMIC_ORDER = "atomic order"


def test_tiny_kernels_agree_with_all_their_schedules() -> None:
    agree(COUNT, seed=3)


@pytest.mark.soak
def test_2000_tiny_kernels_agree_with_all_their_schedules() -> None:
    agree(MANY, seed=4)


def agree(count: int, seed: int) -> None:
    """Holds so many kernels against their schedules; at least a quarter must be racy, a quarter clean."""
    kinds: Counter[str] = Counter()
    for kernel, expected in drawn(count, seed):
        found = executed(kernel)
        hold(kernel, found, expected)
        confirm(kernel, found)
        kinds[kind(expected)] += 1
        kinds["in doubt: the order of atomics decides"] += found.in_doubt and expected.racy
    print(count, "kernels:", dict(kinds))
    assert min(kinds["racy"], kinds["clean"]) >= count // 4, kinds
    assert min(kinds["deadlock"], kinds["divergence"], kinds["another fault"]) >= count // 50, kinds
    assert kinds["in doubt: the order of atomics decides"] <= count // 50, kinds


def drawn(count: int, seed: int) -> Iterator[tuple[Sketch, Behaviour]]:
    """Different kernels whose behaviour is defined and can be searched, as many of each kind as are wanted."""
    random = Random(seed)
    seen: set[Sketch] = set()
    room = Counter({"racy": count * 2 // 5, "clean": count * 2 // 5, "another fault": count // 15})
    room |= Counter({"deadlock": count // 15, "divergence": count})
    while len(seen) < count:
        kernel = sketch(random)
        if kernel in seen:
            continue
        try:
            expected = behaviour(kernel, MOST_STATES)
        except (TooMuch, DependsOnUndefined):
            continue
        if room[kind(expected)] > 0:
            room[kind(expected)] -= 1
            seen.add(kernel)
            yield kernel, expected


def kind(expected: Behaviour) -> str:
    """What is said first of a kernel."""
    if expected.racy:
        return "racy"
    if expected.deadlocked:
        return "deadlock"
    if expected.divergent:
        return "divergence"
    return "another fault" if expected.outside or expected.unwritten or expected.inactive else "clean"


# ---------------------------------------------------------------------------------------------------------- execution


class Found:
    """What execution says: one run, or one for each order of atomics if control or an address depends on it."""

    def __init__(self, program: Program, kernel: Sketch) -> None:
        machine = Machine(program)
        self.runs = [
            (setting(kernel, Order.ASCENDING), machine.run(setting(kernel, Order.ASCENDING), (0, 0, 0), STEPS))
        ]
        self.in_doubt = ATOMIC_ORDER in self.runs[0][1].depends
        if self.in_doubt:
            other = setting(kernel, Order.DESCENDING)
            self.runs.append((other, machine.run(other, (0, 0, 0), STEPS)))

    def violations(self) -> Iterator[tuple[Setting, Violation]]:
        """All of them, with the setting."""
        for where, run in self.runs:
            for violation in (*run.violations, *run.races.certain()):
                yield where, violation

    def races(self) -> list[Race]:
        """The races."""
        return [violation for _, violation in self.violations() if isinstance(violation, Race)]

    def shows(self, cls: type[Violation]) -> bool:
        """Whether something of this kind was found."""
        return any(isinstance(violation, cls) for _, violation in self.violations())


def executed(kernel: Sketch) -> Found:
    """What execution finds."""
    return Found(program(kernel), kernel)


def hold(kernel: Sketch, found: Found, expected: Behaviour) -> None:
    """Compares.

    Where the order of atomics decides, two orders were run, so a race may be missed, but none is false. What atomics
    give is not taken as equal in two threads, even if it always is.
    """
    told = (kernel, found.runs, expected)
    assert all(run.undecided is None and not run.excluded for _, run in found.runs), told
    for race in found.races():
        assert sides(race) in {pair for pair, _ in expected.races}, told
        assert (race.scope is Scope.WARP) == in_step(race, kernel), told
    if found.in_doubt and not found.races():
        return
    assert bool(found.races()) == expected.racy, told
    unequal = any(not race.equal for race in found.races())
    assert unequal == expected.unequal or (unequal and uses_atomics(kernel)), told
    if expected.steady:
        assert places(found) == {frozenset(side.place for side in pair) for pair, _ in expected.races}, told
    if not expected.racy:
        assert found.shows(Deadlock) == expected.deadlocked, told
        assert found.shows(Divergence) == expected.divergent, told
        assert found.shows(OutOfBounds) == expected.outside, told
        assert found.shows(Uninitialised) == expected.unwritten, told
        assert found.shows(InactiveLane) == expected.inactive, told


def uses_atomics(kernel: Sketch) -> bool:
    """Whether some value may come from an atomic."""
    return any(statement[0] == "atomic" for statement in statements(kernel.body))


def sides(race: Race) -> frozenset[Side]:
    """The two accesses as the schedules name them."""
    found = set()
    for access in (race.first, race.second):
        assert isinstance(access.place, Site)
        found.add(Side(access.place.number, access.thread.index[0]))
    return frozenset(found)


def places(found: Found) -> set[frozenset[int]]:
    """The pairs of places that race."""
    return {frozenset(side.place for side in sides(race)) for race in found.races()}


def in_step(race: Race, kernel: Sketch) -> bool:
    """Whether both threads are of one of several warps, in which lock step would order different instructions."""
    warps_of = {access.thread.index[0] // kernel.warp for access in (race.first, race.second)}
    return len(warps_of) == 1 and kernel.threads > kernel.warp and race.first.place != race.second.place


def confirm(kernel: Sketch, found: Found) -> None:
    """Every claim happens again, one thread at a time."""
    for where, violation in found.violations():
        replayed = replay(program(kernel), where, violation, STEPS)
        assert replayed.outcome is outcome.Outcome.HOLDS, (kernel, violation)


# -------------------------------------------------------------------------------------------------------------- faults


def forget_what_others_told(matrix: Array, lanes: Array) -> None:
    """The rule of the paper: at a barrier a lane learns of those that are there, not of what they were told."""
    counts = matrix[lanes, lanes]
    for lane in lanes:
        matrix[lane, lanes] = counts
    matrix[lanes, lanes] += 1


def clocks_of_the_end(lanes: Array, times: Array, barriers: Barriers) -> Clocks:
    """All accesses have the clock that their lane has at the end of the interval."""
    return clocks_at(lanes, np.full_like(times, max(times.max(), barriers.times.max(initial=0))), barriers)


def barriers_of_whole_warps(met: list[Meeting], size: int) -> Barriers:
    """Whoever is in the warp is ordered by its barriers."""
    found = barriers_of(met, size)
    return found._replace(lanes=np.full_like(found.lanes, (1 << size) - 1))


def ordering(exchange: Callable[..., None]) -> Callable[..., None]:
    """An exchange of values that orders memory too."""

    def performed(met: meetings._Together, *rest: object) -> None:
        exchange(met, *rest)
        met.block.log.meet(met.lanes, met.masks())

    return performed


def nobody(warps: Warps, *rest: object) -> Array:
    """Nobody goes on."""
    return np.zeros(0, np.int64)


def everybody(warps: Warps, waiting: Array) -> Array:
    """Whoever waits goes on."""
    warps.at[waiting] = warps.operation[waiting] = NOWHERE
    return waiting


FAULTS: dict[str, tuple[object, str, object]] = {
    "what a lane was told by a third is forgotten": (clocks, "join", forget_what_others_told),
    "clocks are those of the end": (races, "clocks_at", clocks_of_the_end),
    "a barrier of some lanes orders the warp": (races, "barriers_of", barriers_of_whole_warps),
    "warp barriers order nothing": (Log, "meet", lambda log, lanes, masks: None),
    "shuffles order memory": (meetings, "_shuffle", ordering(meetings._shuffle)),
    "votes order memory": (meetings, "_vote", ordering(meetings._vote)),
    "those that have ended are waited for": (warps, "end", nobody),
    "nobody waits in a warp": (warps, "_released", everybody),
    "equal values are not looked at": (touches, "_values", lambda entry, unit: np.zeros(len(entry.lanes), np.uint64)),
    "atomics do not race with reads": (touches, "_KINDS", dict.fromkeys(touches._KINDS, touches._READ)),
    "one row of each group is looked at": (collisions, "_first_where", lambda found, chosen, inverse: None),
    "accesses of different warps are in step": (races, "prod", lambda block: 1),
}


@cache
def pool() -> list[tuple[Sketch, Behaviour]]:
    """Kernels that faults are looked for with."""
    return list(drawn(120, seed=6))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*FAULTS[name])
    for number, (kernel, expected) in enumerate(pool()):
        try:
            hold(kernel, executed(kernel), expected)
        except AssertionError:
            print(name, number)
            return
    pytest.fail(f"not noticed in {len(pool())} kernels: {name}")
