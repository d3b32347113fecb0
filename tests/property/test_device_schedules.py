"""Random sources with variables in device memory: what is told at any launch is what some schedule of it does.

The truth comes from the interleaver, which knows nothing of execution: it runs each kernel at each of its launches with
the first contents, with others, and with what launches of the source's kernels leave behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random

import pytest
from device_drafts import Contents, at_start, later, may_have_changed, source
from kernel_drafts import At, Draft, statements
from kernel_interleaver import Behaviour, DependsOnUndefined, TooMuch, behaviour
from kernel_renderings import Written
from kernel_traces import NO_VALUE, Side
from launch_renderings import Sourced, in_one_source

from rewright.kernels.execution.taint import ATOMIC_ORDER
from rewright.kernels.launches.case import Case
from rewright.kernels.launches.several import Shown, Together, run_all
from rewright.kernels.reasons import Cause
from rewright.model.simt.violation import (
    Deadlock,
    Divergence,
    InactiveLane,
    OutOfBounds,
    Race,
    ReadOnly,
    Setting,
    Uninitialised,
    Unset,
    Violation,
)
from rewright.replay.kernel.outcome import ReplayOutcome
from rewright.replay.kernel.replayed import replay
from rewright.verdict import Site

COUNT = 16
MANY = 2000
MOST_STATES = 1500
MOST_FINALS = 4
STEPS = 200_000


def test_what_is_reported_of_device_variables_is_what_schedules_do() -> None:
    agree(COUNT, seed=1)


@pytest.mark.soak
def test_2000_kernels_with_device_variables() -> None:
    agree(MANY, seed=2)


def agree(count: int, seed: int) -> None:
    """Holds so many kernels against their schedules: none of what is told is false, and no fault is missed."""
    kinds: Counter[str] = Counter()
    for kernels, expected in drawn(count, seed):
        for kernel, read, cases in zip(kernels, in_one_source(kernels, Random(count)), expected, strict=True):
            together = run_all(read.launches, STEPS)
            hold(kernel, read, together)
            kinds[outcome(kernel, read, together, cases)] += 1
            kinds["of several launches"] += len(read.launches) > 1
    print(count, "kernels:", dict(kinds))
    assert min(kinds["clean"], kinds["always"], kinds["by contents or launch"]) >= count // 15, kinds
    assert kinds["of several launches"] >= count // 3, kinds
    assert kinds["in doubt"] <= count // 20 and kinds["undecided"] <= count // 20, kinds


@dataclass(frozen=True)
class Cases:
    """What a kernel does at a launch with the contents that it may find: at the start, and at any time."""

    start: dict[Contents, Behaviour]
    later: dict[Contents, Behaviour]

    @property
    def fails(self) -> bool:
        return any(each.fails for each in self.later.values())


def drawn(count: int, seed: int) -> Iterator[tuple[tuple[Draft, ...], list[dict[At, Cases]]]]:
    """Sources of so many kernels together, whose behaviour is defined with all contents."""
    random = Random(seed)
    done = 0
    while done < count:
        kernels = source(random)
        try:
            cases = [_cases(kernel, kernels) for kernel in kernels]
        except (TooMuch, DependsOnUndefined):
            continue
        # many kernels fail, or do not, whatever they find at whatever launch: of these a part is kept
        if not any(differ(by_launch) for by_launch in cases) and random.random() < 0.6:
            continue
        done += len(kernels)
        yield kernels, cases


def differ(by_launch: dict[At, Cases]) -> bool:
    """Whether a kernel fails, but not always."""
    return len({each.fails for case in by_launch.values() for each in case.later.values()}) > 1


def _cases(kernel: Draft, kernels: tuple[Draft, ...]) -> dict[At, Cases]:
    first = at_start(kernel.outside)
    contents = dict.fromkeys([*first, *later(kernel.outside, kernels), *_left_over(kernels, first[0])])
    found = {}
    for at in kernel.launches:
        behaviours = {each: behaviour(kernel, MOST_STATES, each, at) for each in contents}
        found[at] = Cases({each: behaviours[each] for each in first}, behaviours)
    return found


def _left_over(kernels: tuple[Draft, ...], first: Contents) -> list[Contents]:
    """What launches of the source's kernels leave in its variables, one launch and then another."""
    found: dict[Contents, None] = {}
    for _ in range(2):
        for kernel, at in ((each, at) for each in kernels for at in each.launches):
            for contents in (first, *list(found)[:1]):
                made = behaviour(kernel, MOST_STATES, contents, at)
                if not made.fails:
                    defined = sorted(each for each in made.finals if not any(cell in NO_VALUE for cell in each))
                    found.update(dict.fromkeys(defined[:MOST_FINALS]))
    return list(found)[:MOST_FINALS]


def outcome(kernel: Draft, read: Sourced, together: Together, cases: dict[At, Cases]) -> str:
    """What a kernel is an example of; fails where a launch does wrong and nothing is told of it."""
    errors = [each for each in together.shown if each.found.is_error]
    for at, case in cases.items():
        here = any(at_of(kernel, each.found.setting) == at for each in errors)
        if case.fails and not here and not any(happens_too(kernel, (at, case), each, read.written) for each in errors):
            word = excused(together)
            assert word is not None, (read.written.source, at, [each for each, b in case.later.items() if b.fails])
            return word
    if together.undecided is not None:
        return "undecided"
    if not errors:
        return "clean"
    return "by contents or launch" if differ(cases) else "always"


def excused(together: Together) -> str | None:
    """Why something may be missed: hand-overs are not followed, the order of atomics decides, writes may be equal."""
    if together.undecided is not None:
        return "undecided"
    depends = frozenset[str]().union(*(each.depends for ran in together.ran for each in ran.searched.covered))
    in_doubt = not ATOMIC_ORDER.isdisjoint(depends)
    equal = any(isinstance(each.found.violation, Race) and each.found.violation.equal for each in together.shown)
    return "in doubt" if in_doubt or equal else None


# --------------------------------------------------------------------------------------------------- what is told


def hold(kernel: Draft, read: Sourced, together: Together) -> None:
    """All launches were run, and what is told of them is true."""
    written, reason = read.written, together.undecided
    assert reason is None or reason.cause is Cause.ATOMICS, (reason, written.source)
    assert not together.left_out, (together.left_out, written.source)
    errors = [each for each in together.shown if each.found.is_error]
    cases = [covered.case for ran in together.ran for covered in ran.searched.covered]
    runs: list[Setting | Case] = [*cases, *(each.found.setting for each in errors)]
    ran = {at_of(kernel, each) for each in runs}
    assert reason or ran == set(kernel.launches), (ran, written.source)
    for each in errors:
        check_true(kernel, written, each)


def check_true(kernel: Draft, written: Written, shown: Shown) -> None:
    """What is told happens with the contents that it names, replays, and names no more than it needs."""
    found = shown.found
    context = (written.source, found)
    assert replay(shown.launch.program, found.setting, found.violation, STEPS).outcome is ReplayOutcome.HOLDS, context
    contents, at = held(kernel, found.setting), at_of(kernel, found.setting)
    try:
        expected = behaviour(kernel, 4 * MOST_STATES, contents, at)
    except (TooMuch, DependsOnUndefined):
        return  # such contents make a loop long, or the fault is one of undefined values
    assert happens(found.violation, expected, written, at), context
    if not found.unstated and not uses_atomics(kernel):
        starts = at_start(kernel.outside)
        assert any(behaviour(kernel, 4 * MOST_STATES, each, at).fails for each in starts), context


def happens_too(kernel: Draft, at: tuple[At, Cases], shown: Shown, written: Written) -> bool:
    """Whether what is told at another launch also happens at this one, at the same places: it is told once."""
    found, behaviours = shown.found, list(at[1].later.values())
    with suppress(TooMuch, DependsOnUndefined):
        behaviours.append(behaviour(kernel, 4 * MOST_STATES, held(kernel, found.setting), at[0]))
    return any(happens(found.violation, each, written, None) for each in behaviours)


def happens(violation: Violation, expected: Behaviour, written: Written, at: At | None) -> bool:
    """Whether some schedule does what is told; at no launch in particular only the places of a race count."""
    match violation:
        case Race() as race:
            pairs = {pair for pair, _ in expected.races}
            mine = sides(written, race, at)
            return mine in pairs or (at is None and places(mine) in map(places, pairs))
        case Divergence() | Deadlock():
            return expected.divergent or expected.deadlocked
        case OutOfBounds():
            return expected.outside
        case Uninitialised() | Unset():
            return expected.unwritten or expected.outside
        case ReadOnly():
            return expected.kept
        case InactiveLane():
            return expected.inactive
        case other:
            raise AssertionError(other)


def held(kernel: Draft, setting: Setting) -> Contents:
    """What the variables hold in a setting, one after the other."""
    given = {str(name): tuple(map(int, cells)) for name, cells in setting.contents}
    return tuple(
        value
        for each in kernel.outside
        for value in (given.get(each.name, each.initial or ()) + (0,) * each.size)[: each.size]
    )


def at_of(kernel: Draft, where: Setting | Case) -> At:
    """The launch of a run."""
    given = {str(name): value for name, value in where.values}
    mine = where.grid[0], where.block[0], given["n"]
    (found,) = (each for each in kernel.launches if (each.blocks, each.threads, each.n) == mine)
    return found


def sides(written: Written, race: Race, at: At | None) -> frozenset[Side]:
    """The two accesses as the schedules name them; without a launch by thread 0."""
    placed = written.placed(race)
    found = set()
    for access in (placed.first, placed.second):
        assert isinstance(access.place, Site)
        thread = 0 if at is None else access.thread.block[0] * at.threads + access.thread.index[0]
        found.add(Side(access.place.number, thread))
    return frozenset(found)


def places(pair: frozenset[Side]) -> frozenset[int]:
    """The places of a race."""
    return frozenset(side.place for side in pair)


def uses_atomics(kernel: Draft) -> bool:
    """Whether some value may come from an atomic."""
    return any(statement[0] == "atomic" for statement in statements(kernel.body))


def test_the_drafts_say_what_may_change() -> None:
    """Of device memory with a first value only what a kernel of the source writes is looked at with other contents."""
    seen: set[tuple[bool, bool]] = set()
    for number in range(40):
        for kernel in (kernels := source(Random(number))):
            seen |= {(each.initial is None, may_have_changed(each, kernels)) for each in kernel.outside}
    assert seen == {(True, True), (True, False), (False, True), (False, False)}
