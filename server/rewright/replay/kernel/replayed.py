"""Confirms a claimed violation by running the block, or the two blocks, that it speaks of.

The entry of this package. Invariant: what is confirmed happened in a run by the rule of schedules, in every part that
the claim has; what needs more than the given steps is neither confirmed nor denied. Must not know who claims.
"""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress
from typing import assert_never

from msgspec import Struct

from rewright.model.simt.instructions import Barrier
from rewright.model.simt.program import Program
from rewright.model.simt.types import Space
from rewright.model.simt.violation import (
    CollisionScope,
    Deadlock,
    Divergence,
    DivisionByZero,
    EarlyExit,
    FailedAssertion,
    InactiveLane,
    Misaligned,
    Order,
    OutOfBounds,
    Race,
    ReadOnly,
    Setting,
    Thread,
    Uninitialised,
    Unset,
    Violation,
)
from rewright.replay.kernel.accesses import Access
from rewright.replay.kernel.block import ExcludedReplay, Nobody, OutOfSteps, ReplayedBlock
from rewright.replay.kernel.claims import access_test, does, element, thread_test
from rewright.replay.kernel.doubtful import doubtful
from rewright.replay.kernel.frame import Rows
from rewright.replay.kernel.local_code import BlockSurroundings, number_of, threads
from rewright.replay.kernel.outcome import Pass, Replayed, ReplayedAccess, ReplayOutcome
from rewright.replay.kernel.pairs import Pair, Sighting, common, confirm, may_collide, sighting
from rewright.replay.kernel.sizes import NoSize
from rewright.replay.kernel.standstill import PassedWithout, diverges, is_deadlocked, waits_at
from rewright.replay.kernel.start import start
from rewright.replay.kernel.unset import Depends, UnsetWatch
from rewright.replay.kernel.watchpoint import Confirmed, Event, Sought, Watchpoint, passes, passes_at
from rewright.replay.kernel.written import Disagree, Written
from rewright.verdict import Place

_FAILS = Replayed(ReplayOutcome.FAILS)


def replay(program: Program, setting: Setting, violation: Violation, steps: int) -> Replayed:
    """Whether a run in the setting shows the violation, with at most so many instructions of single threads."""
    if not all(_exists(setting, thread) for thread in _threads(violation)):
        return _FAILS
    try:
        return _replayed(_Case(program, setting, steps), violation)
    except OutOfSteps:
        return Replayed(ReplayOutcome.TOO_LONG)
    except (ExcludedReplay, NoSize, Disagree):
        return _FAILS


def _threads(violation: Violation) -> tuple[Thread, ...]:
    """The threads that a violation speaks of."""
    match violation:
        case Race() | Divergence() | EarlyExit() | Deadlock():
            return violation.first.thread, violation.second.thread
        case OutOfBounds() | Misaligned() | Uninitialised() | ReadOnly():
            return (violation.access.thread,)
        case DivisionByZero() | FailedAssertion() | InactiveLane() | Unset():
            return (violation.thread,)
        case _:
            assert_never(violation)


def _exists(setting: Setting, thread: Thread) -> bool:
    """Whether the launch has such a thread."""
    at, sizes = (*thread.block, *thread.index), (*setting.grid, *setting.block)
    return all(0 <= each < size for each, size in zip(at, sizes, strict=True))


class _Case(Struct):
    """What is run, and how many steps are left."""

    program: Program
    setting: Setting
    steps: int

    def begin(self, thread: Thread, watched: Container[int]) -> tuple[BlockSurroundings, ReplayedBlock]:
        """The block of a thread, before it runs. Raises `NoSize`."""
        around = BlockSurroundings(self.setting, thread.block)
        return around, start(self.program, around, watched, self.steps)

    def accesses(self, *places: Place) -> frozenset[int]:
        """Where the code accesses memory, and all that stands at some places of the text."""
        code = enumerate(self.program.code)
        return frozenset(at for at, each in code if isinstance(each, Access) or each.place in places)


def _replayed(case: _Case, violation: Violation) -> Replayed:
    match violation:
        case Race():
            if not _is_shared(case, violation) or not may_collide(violation):
                return _FAILS
            return _race_between(case, violation) if violation.scope is CollisionScope.GRID else _race(case, violation)
        case Divergence() | Deadlock():
            return _standstill(case, violation)
        case EarlyExit():
            return _passed(case, violation)
        case OutOfBounds() | Misaligned() | ReadOnly():
            access = violation.access
            test = access_test(case.program, case.setting, violation)
            return _seen(case, Sought(access.thread, access.interval, access.place, test, _end))
        case DivisionByZero() | FailedAssertion() | InactiveLane():
            test = thread_test(violation)
            return _seen(case, Sought(violation.thread, violation.interval, violation.place, test, _end))
        case Unset() | Uninitialised():
            return _unset(case, violation)
        case _:
            assert_never(violation)


def _end(event: Event) -> None:
    raise Confirmed(passes(event))


def _seen(case: _Case, sought: Sought) -> Replayed:
    """Runs until what is sought happens."""
    watched = case.accesses(sought.place)
    around, block = case.begin(sought.thread, watched)
    watch = Watchpoint(case.program, around, block, watched, (sought,))
    try:
        block.run(watch)
    except Confirmed as found:
        return _holds(case, watch, found.iterations)
    return _FAILS


def _holds(case: _Case, watch: Watchpoint, iterations: tuple[tuple[Pass, ...], ...]) -> Replayed:
    return Replayed(ReplayOutcome.HOLDS, iterations, _opened(case, watch.opened), tuple(watch.moments))


def _opened(case: _Case, at: int | None) -> Place | None:
    """The place of the barrier that opened an interval."""
    return None if at is None else case.program.code[at].place


def _unset(case: _Case, claim: Unset | Uninitialised) -> Replayed:
    """Runs until something depends on what was read without a value."""
    thread = claim.thread if isinstance(claim, Unset) else claim.access.thread
    followed = doubtful(case.program)
    around, block = case.begin(thread, followed.places)
    number = number_of(case.setting, thread.index)
    is_backwards = case.setting.order is Order.DESCENDING
    watch = UnsetWatch(case.program, claim, block, number, followed, is_backwards)
    if isinstance(claim, Uninitialised):
        watch.watch_for(around, claim, access_test(case.program, case.setting, claim))
    try:
        watch.run()
    except Depends as found:
        seen = found.sighting
        return Replayed(ReplayOutcome.HOLDS, (seen.passes,), _opened(case, seen.opened), seen.moments)
    return _FAILS


def _standstill(case: _Case, claim: Divergence | Deadlock) -> Replayed:
    """Runs until nobody can go on: both threads wait as is said."""
    _, block = case.begin(claim.first.thread, ())
    block.run(Nobody())
    waits = (claim.first, claim.second)
    if claim.first.thread.block != claim.second.thread.block:
        return _FAILS
    if block.interval != claim.interval or not all(waits_at(case.program, case.setting, block, wait) for wait in waits):
        return _FAILS
    match claim:
        case Divergence():
            shown = diverges(case.program, case.setting, block, claim)
        case Deadlock():
            shown = is_deadlocked(case.setting, block, claim)
    if not shown:
        return _FAILS
    iterations = tuple(_passes_of(case, block, wait.thread) for wait in waits)
    return Replayed(ReplayOutcome.HOLDS, iterations, _opened(case, block.opened))


def _passed(case: _Case, claim: EarlyExit) -> Replayed:
    """Runs until the barrier opens that a warp skips."""
    _, block = case.begin(claim.first.thread, ())
    barriers = frozenset(at for at, each in enumerate(case.program.code) if isinstance(each, Barrier))
    if claim.first.thread.block != claim.second.thread.block:
        return _FAILS
    try:
        block.run(PassedWithout(case.program, case.setting, block, claim, barriers))
    except Confirmed as found:
        return Replayed(ReplayOutcome.HOLDS, found.iterations, _opened(case, block.opened))
    return _FAILS


def _passes_of(case: _Case, block: ReplayedBlock, thread: Thread) -> tuple[Pass, ...]:
    """The loops around the place where a thread waits, none if it has ended."""
    number = number_of(case.setting, thread.index)
    at = block.waiting.get(number)
    return () if at is None else passes_at(block, block.rows[number], at)


# ------------------------------------------------------------------------------------------------------------- races


def _is_shared(case: _Case, race: Race) -> bool:
    """Whether both may reach the object, and it is the one that is named."""
    number = race.first.object
    if not 0 <= number < len(case.program.objects):
        return False
    made = case.program.objects[number]
    spaces = (Space.GLOBAL,) if race.scope is CollisionScope.GRID else (Space.GLOBAL, Space.SHARED)
    common = max(race.first.offset, race.second.offset)
    named = (made.name, element(case.program, case.setting, number, common))
    return made.space in spaces and named == (race.array, race.address)


def _race(case: _Case, race: Race) -> Replayed:
    """A race within a block; of writes that are said to be equal, all are compared."""
    if race.scope is CollisionScope.WARP and threads(case.setting) <= case.setting.warp:
        return _FAILS
    watched = case.accesses()
    around, block = case.begin(race.first.thread, watched)
    found: list[tuple[Sighting, Sighting]] = []
    pair = Pair(race, (lambda first, second: found.append((first, second))) if race.equal else confirm)
    watch = Watchpoint(case.program, around, block, watched, pair.sought())
    try:
        block.run(_Both(watch, Written(race, case.program, block, watch.reaches)) if race.equal else watch)
    except Confirmed as confirmed:
        return _holds(case, watch, confirmed.iterations)
    return _holds(case, watch, (found[0][0].passes, found[0][1].passes)) if found else _FAILS


class _Both(Struct):
    """Two observers of one run."""

    watch: Watchpoint
    written: Written

    @property
    def watched(self) -> Container[int]:
        """The places of the code where both look."""
        return self.watch.watched

    def before(self, at: int, rows: Rows) -> None:
        """These threads are about to execute the instruction at a place. Raises `Disagree`."""
        self.watch.before(at, rows)
        self.written.before(at, rows)


class _Footstep(Struct, frozen=True):
    """What one block did, run alone, of a race between blocks."""

    sighting: Sighting
    opened: Place | None
    moments: tuple[ReplayedAccess, ...]
    written: Written


def _race_between(case: _Case, race: Race) -> Replayed:
    """Both blocks are run alone: each does what is said of it, and nothing orders blocks."""
    first, second = _footstep(case, race, 0), _footstep(case, race, 1)
    if first is None or second is None:
        return _FAILS
    if race.equal and not _all_agree(race, first, second):
        return _FAILS
    iterations = (first.sighting.passes, second.sighting.passes)
    return Replayed(ReplayOutcome.HOLDS, iterations, first.opened, first.moments + second.moments)


def _footstep(case: _Case, race: Race, side: int) -> _Footstep | None:
    access = (race.first, race.second)[side]
    watched = case.accesses()
    around, block = case.begin(access.thread, watched)
    seen: list[Sighting] = []

    def note(event: Event) -> None:
        if not seen:
            seen.append(sighting(event))
        if not race.equal:
            raise Confirmed

    sought = Sought(access.thread, access.interval, access.place, lambda event: does(access, event), note)
    watch = Watchpoint(case.program, around, block, watched, (sought,))
    written = Written(race, case.program, block, watch.reaches)
    with suppress(Confirmed):
        block.run(_Both(watch, written) if race.equal else watch)
    case.steps = block.steps
    return _Footstep(seen[0], _opened(case, watch.opened), tuple(watch.moments), written) if seen else None


def _all_agree(race: Race, first: _Footstep, second: _Footstep) -> bool:
    """Whether all writes of the two blocks to a common byte, at the two places, are of one value."""
    if common(race, race.first, first.sighting) != common(race, race.second, second.sighting):
        return False
    for (byte, place), values in first.written.values.items():
        other = race.second.place if place == race.first.place else race.first.place
        there = second.written.values.get((byte, other))
        if there is not None and len(values | there) > 1:
            return False
    return True
