"""Random tiny kernels with warps, as programs and in both languages, against all their schedules and the replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
from kernel_drafts import Draft, draft, statements
from kernel_interleaver import Behaviour, DependsOnUndefined, TooMuch, behaviour
from kernel_programs import program, setting
from kernel_renderings import in_cuda, in_own_syntax
from kernel_traces import Side
from numpy.typing import NDArray
from program_interleaver import all_schedules

from rewright.checks.kernel import answer
from rewright.checks.kernel_coverage import ATOMICS
from rewright.kernels.execution import clocks, collisions, meetings, races, touches, warps
from rewright.kernels.execution.arrays import Column, LaneNumbers
from rewright.kernels.execution.clocks import Barriers, Clocks, barriers_of, clocks_at
from rewright.kernels.execution.log import Log, WarpMeeting
from rewright.kernels.execution.run import Machine
from rewright.kernels.execution.warps import NOWHERE, Warps
from rewright.model.simt.program import Program
from rewright.model.simt.violation import (
    CollisionScope,
    Deadlock,
    Divergence,
    EarlyExit,
    InactiveLane,
    Order,
    OutOfBounds,
    Race,
    Setting,
    Uninitialised,
    Violation,
)
from rewright.replay.kernel import outcome
from rewright.replay.kernel.replayed import replay
from rewright.rules.decision import Budget
from rewright.verdict import Answer, KernelWitness, Site, Verdict

COUNT = 300
MANY = 2000
MOST_STATES = 6000
STEPS = 10_000
ATOMIC_ORDER = "atomic order"


@cache
def pool() -> list[tuple[Draft, Behaviour]]:
    """The kernels of every run."""
    return list(drawn(COUNT, seed=3))


def test_tiny_kernels_agree_with_all_their_schedules() -> None:
    agree(pool()[: COUNT // 2])


def test_programs_have_the_schedules_of_their_drafts() -> None:
    """Two interleavers, one of drafts, one of what the CUDA front end makes of their text."""
    for kernel, expected in pool()[:30]:
        found = all_schedules(in_cuda(kernel).program, setting(kernel, Order.ASCENDING), 10 * MOST_STATES)
        assert len(found.races) == len(expected.races) or uses_atomics(kernel) or expected.unwritten, kernel
        assert bool(found.races) == expected.racy, kernel
        assert found.stuck == (expected.deadlocked or expected.divergent), kernel
        assert found.outside == (expected.outside or expected.inactive), kernel
        assert found.is_harmless or kind(expected) != "clean" or uses_atomics(kernel), kernel


@pytest.mark.soak
def test_2000_tiny_kernels_agree_with_all_their_schedules() -> None:
    agree(list(drawn(MANY, seed=4)))


def test_races_of_traces_are_races_of_schedules() -> None:
    """Where only barriers of the block make threads wait, to reorder traces is to take another schedule."""
    compared: Counter[bool] = Counter()
    for kernel, expected in pool():
        kinds = {statement[0] for statement in statements(kernel.body)}
        if kinds.isdisjoint({"sync", "shuffle", "vote", "return"}):
            assert {pair for pair, _ in expected.races} == expected.next_to_each_other, kernel
            compared[expected.racy] += 1
    assert min(compared.values()) >= COUNT // 20, compared


def agree(kernels: list[tuple[Draft, Behaviour]]) -> None:
    """Holds kernels against their schedules; at least a quarter must be racy, a quarter clean."""
    kinds: Counter[str] = Counter()
    count = len(kernels)
    for kernel, expected in kernels:
        found = executed(kernel)
        hold(found, expected)
        confirm(found)
        for written in (in_own_syntax(kernel), in_cuda(kernel)):
            if written is not None:
                hold(Found(kernel, written.program, written.placed), expected)
        kinds[kind(expected)] += 1
        kinds["in doubt: the order of atomics decides"] += found.in_doubt and expected.racy
    print(count, "kernels:", dict(kinds))
    assert min(kinds["racy"], kinds["clean"]) >= count // 4, kinds
    assert min(kinds["deadlock"], kinds["divergence"], kinds["another fault"]) >= count // 100, kinds
    assert kinds["in doubt: the order of atomics decides"] <= count // 50, kinds


def drawn(count: int, seed: int) -> Iterator[tuple[Draft, Behaviour]]:
    """Different kernels whose behaviour is defined and can be searched, as many of each kind as are wanted."""
    random = Random(seed)
    seen: set[Draft] = set()
    room = Counter({"racy": count * 2 // 5, "clean": count // 2, "another fault": count // 10})
    room |= Counter({"deadlock": count // 10, "divergence": count // 10})
    while len(seen) < count:
        kernel = draft(random)
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
    """What execution says: one run, or one for each order of atomics if control or an address depends on it.

    `placed` gives a race the places of the interleaver's code.
    """

    def __init__(self, kernel: Draft, program: Program, placed: Callable[[Race], Race]) -> None:
        self.kernel, self.program = kernel, program
        machine, where = Machine(program), setting(kernel, Order.ASCENDING)
        self.runs = [(where, machine.run(where, (0, 0, 0), STEPS))]
        self.in_doubt = ATOMIC_ORDER in self.runs[0][1].depends
        if self.in_doubt:
            where = setting(kernel, Order.DESCENDING)
            self.runs.append((where, machine.run(where, (0, 0, 0), STEPS)))
        self.races = [placed(race) for _, run in self.runs for race in run.races.certain()]

    def violations(self) -> Iterator[tuple[Setting, Violation]]:
        """All of them, with the setting."""
        for where, run in self.runs:
            for violation in (*run.violations, *run.races.certain()):
                yield where, violation

    def shows(self, cls: type[Violation]) -> bool:
        """Whether something of this kind was found."""
        return any(isinstance(violation, cls) for _, violation in self.violations())


def executed(kernel: Draft) -> Found:
    """What execution finds, without any front end."""
    return Found(kernel, program(kernel), lambda race: race)


def hold(found: Found, expected: Behaviour) -> None:
    """Compares.

    Where the order of atomics decides, two orders were run, so a race may be missed, but none is false. What atomics
    give is not taken as equal in two threads, even if it always is.
    """
    context = (found.kernel, found.runs, expected)
    assert all(run.undecided is None and not run.excluded for _, run in found.runs), context
    for race in found.races:
        assert sides(race) in {pair for pair, _ in expected.races}, context
        assert race.scope in scopes(race, found.kernel), context
    if found.in_doubt and not found.races:
        return
    assert bool(found.races) == expected.racy, context
    unequal = any(not race.equal for race in found.races)
    assert unequal == expected.unequal or (unequal and uses_atomics(found.kernel)), context
    if expected.steady:
        pairs = {frozenset(side.place for side in pair) for pair, _ in expected.races}
        assert {frozenset(side.place for side in sides(race)) for race in found.races} == pairs, context
    if not expected.racy:
        assert found.shows(Deadlock) == expected.deadlocked, context
        assert found.shows(Divergence) == expected.divergent, context
        assert found.shows(EarlyExit) == expected.early or found.in_doubt, context
        assert found.shows(OutOfBounds) == expected.outside, context
        assert found.shows(Uninitialised) == expected.unwritten, context
        assert found.shows(InactiveLane) == expected.inactive, context


def uses_atomics(kernel: Draft) -> bool:
    """Whether some value may come from an atomic."""
    return any(statement[0] == "atomic" for statement in statements(kernel.body))


def sides(race: Race) -> frozenset[Side]:
    """The two accesses as the schedules name them."""
    found = set()
    for access in (race.first, race.second):
        assert isinstance(access.place, Site)
        found.add(Side(access.place.number, access.thread.index[0]))
    return frozenset(found)


def scopes(race: Race, kernel: Draft) -> set[CollisionScope]:
    """What the scope may be: lock step orders different instructions of one of several warps, and passes of a loop."""
    first, second = (access.thread.index[0] // kernel.warp for access in (race.first, race.second))
    if first != second or kernel.threads <= kernel.warp:
        return {CollisionScope.BLOCK}
    return (
        {CollisionScope.WARP} if race.first.place != race.second.place else {CollisionScope.WARP, CollisionScope.BLOCK}
    )


def confirm(found: Found) -> None:
    """Every claim happens again, one thread at a time."""
    for where, violation in found.violations():
        replayed = replay(found.program, where, violation, STEPS)
        assert replayed.outcome is outcome.ReplayOutcome.HOLDS, (found.kernel, violation)


# ------------------------------------------------------------------------------------------------------ whole answers

CODES = {"deadlocked": "RW302", "divergent": "RW303", "outside": "RW304", "unwritten": "RW305", "inactive": "RW314"}


def test_answers_agree_with_all_schedules() -> None:
    answered(COUNT // 5, seed=7)


@pytest.mark.soak
def test_more_answers_agree_with_all_schedules() -> None:
    answered(MANY // 5, seed=8)


def answered(count: int, seed: int) -> None:
    """Asks for the verdicts of so many kernels, in both languages, as threads of one warp of the usual size."""
    kinds: Counter[str] = Counter()
    for kernel, _ in drawn(count, seed):
        usual = replace(kernel, warp=32)
        try:
            expected = behaviour(usual, MOST_STATES)
        except (TooMuch, DependsOnUndefined):
            continue
        for written in (in_own_syntax(usual), in_cuda(usual)):
            if written is not None:
                judge(usual, answer(written.kernel, written.program, Budget()), expected)
        kinds[kind(expected)] += 1
    print(dict(kinds))
    assert min(kinds["racy"], kinds["clean"]) >= count // 4, kinds


def judge(kernel: Draft, given: Answer, expected: Behaviour) -> None:
    """Compares the verdict, and the codes of what was found."""
    codes = {finding.code for finding in given.findings}
    fails = expected.unequal or any(getattr(expected, name) for name in CODES)
    context = (kernel, given, expected)
    if ATOMICS in given.coverage.assumptions:
        assert fails or given.verdict is Verdict.CHECKED, context
        return
    if given.verdict is Verdict.REFUTED and not fails:
        assert uses_atomics(kernel) and expected.racy, context
        return
    assert given.verdict is (Verdict.REFUTED if fails else Verdict.CHECKED), context
    assert ("RW301" in codes) == expected.unequal or uses_atomics(kernel), context
    if fails:
        assert isinstance(given.witness, KernelWitness) and given.witness.replayed, context
    if not expected.racy:
        assert {code for code in codes if code in CODES.values()} == {
            code for name, code in CODES.items() if getattr(expected, name)
        }, context


# -------------------------------------------------------------------------------------------------------------- faults


def forget_what_others_passed_on(matrix: NDArray[np.int32], lanes: LaneNumbers) -> None:
    """The rule of the paper: at a barrier a lane learns of those that are there, not of what they were told."""
    counts = matrix[lanes, lanes]
    for lane in lanes:
        matrix[lane, lanes] = counts
    matrix[lanes, lanes] += 1


def clocks_of_the_end(lanes: Column, times: Column, barriers: Barriers) -> Clocks:
    """All accesses have the clock that their lane has at the end of the interval."""
    return clocks_at(lanes, np.full_like(times, max(times.max(), barriers.times.max(initial=0))), barriers)


def barriers_of_whole_warps(met: list[WarpMeeting], size: int) -> Barriers:
    """Whoever is in the warp is ordered by its barriers."""
    found = barriers_of(met, size)
    return found._replace(lanes=np.full_like(found.lanes, (1 << size) - 1))


def ordering(exchange: Callable[..., None]) -> Callable[..., None]:
    """An exchange of values that orders memory too."""

    def performed(met: meetings._Together, *rest: object) -> None:
        exchange(met, *rest)
        met.block.log.meet(met.lanes, met.masks())

    return performed


def nobody(warps: Warps, *rest: object) -> LaneNumbers:
    """Nobody goes on."""
    return np.zeros(0, np.int64)


def everybody(warps: Warps, waiting: LaneNumbers) -> LaneNumbers:
    """Whoever waits goes on."""
    warps.at[waiting] = warps.operation[waiting] = NOWHERE
    return waiting


FAULTS: dict[str, tuple[object, str, object]] = {
    "what a lane was told by a third is forgotten": (clocks, "join", forget_what_others_passed_on),
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


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*FAULTS[name])
    for number, (kernel, expected) in enumerate(pool()):
        try:
            hold(executed(kernel), expected)
        except AssertionError:
            print(name, number)
            return
    pytest.fail(f"not noticed in {len(pool())} kernels: {name}")
