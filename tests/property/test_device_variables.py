"""Random sources with variables in device memory: what a search tells is what some schedule does with such contents.

The truth comes from the interleaver, which knows nothing of execution: it runs each kernel with the first contents,
with others, and with what launches of the source's kernels leave behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from device_drafts import Contents, at_start, later, may_have_changed, source
from kernel_drafts import Draft, statements
from kernel_interleaver import Behaviour, DependsOnUndefined, TooMuch, behaviour
from kernel_renderings import Written, in_one_source
from kernel_traces import UNDEFINED, Side

from rewright.kernels.execution.taint import ATOMIC_ORDER
from rewright.kernels.launches.search import Found, Searched, search
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
)
from rewright.replay.kernel.outcome import Outcome
from rewright.replay.kernel.replayed import replay
from rewright.verdict import Site

COUNT = 60
MANY = 2000
MOST_STATES = 1500
MOST_FINALS = 4
STEPS = 200_000


def test_what_is_told_of_device_variables_is_what_schedules_do() -> None:
    agree(COUNT, seed=1)


@pytest.mark.soak
def test_2000_kernels_with_device_variables() -> None:
    agree(MANY, seed=2)


def agree(count: int, seed: int) -> None:
    """Holds so many kernels against their schedules: none of what is told is false, and no fault is missed."""
    kinds: Counter[str] = Counter()
    for kernels, expected in drawn(count, seed):
        for kernel, written, cases in zip(kernels, in_one_source(kernels), expected, strict=True):
            told = (written.source, written.text)
            searched = search(written.kernel, written.program, STEPS)
            assert searched.undecided is None, (searched.undecided, told)
            errors = [each for each in searched.found if each.is_error]
            for each in errors:
                check_true(kernel, written, each)
            kinds[missed(searched, cases, errors) or kind(cases, errors)] += 1
            if missed(searched, cases, errors) == "missed":
                raise AssertionError((told, [contents for contents, each in cases.later.items() if each.fails]))
    print(dict(kinds))
    assert sum(kinds.values()) >= count
    assert min(kinds["clean"], kinds["always"], kinds["by contents"]) >= count // 15, kinds
    assert kinds["in doubt"] <= count // 20, kinds


class Cases:
    """What a kernel does with the contents that it may find: at the start, and later."""

    def __init__(self, start: dict[Contents, Behaviour], later: dict[Contents, Behaviour]) -> None:
        self.start, self.later = start, {**start, **later}


def drawn(count: int, seed: int) -> Iterator[tuple[tuple[Draft, ...], list[Cases]]]:
    """Sources of so many kernels together, whose behaviour is defined with all contents."""
    random = Random(seed)
    done = 0
    while done < count:
        kernels = source(random)
        try:
            cases = [_cases(kernel, kernels) for kernel in kernels]
        except (TooMuch, DependsOnUndefined):
            continue
        # most kernels fail whatever they find: of these every third is kept
        if all(any(each.fails for each in case.start.values()) for case in cases) and random.random() < 0.6:
            continue
        done += len(kernels)
        yield kernels, cases


def _cases(kernel: Draft, kernels: tuple[Draft, ...]) -> Cases:
    outside = kernel.outside
    first = at_start(outside)
    start = {contents: behaviour(kernel, MOST_STATES, contents) for contents in first}
    contents = dict.fromkeys([*later(outside, kernels), *_left_behind(kernels, first[0])])
    return Cases(start, {each: behaviour(kernel, MOST_STATES, each) for each in contents if each not in start})


def _left_behind(kernels: tuple[Draft, ...], first: Contents) -> list[Contents]:
    """What launches of the source's kernels leave in its variables, one launch and then another."""
    found: dict[Contents, None] = {}
    for _ in range(2):
        for kernel in kernels:
            for contents in (first, *list(found)[:1]):
                made = behaviour(kernel, MOST_STATES, contents)
                if not made.fails:
                    defined = sorted(each for each in made.finals if UNDEFINED not in each)
                    found.update(dict.fromkeys(defined[:MOST_FINALS]))
    return list(found)[:MOST_FINALS]


def kind(cases: Cases, errors: list[Found]) -> str:
    """What a source is an example of."""
    if not errors:
        return "clean"
    return "by contents" if any(not each.fails for each in cases.later.values()) else "always"


def missed(searched: Searched, cases: Cases, errors: list[Found]) -> str | None:
    """Whether some contents make the kernel fail and nothing is told; the order of atomics may excuse that."""
    if errors or not any(each.fails for each in cases.later.values()):
        return None
    in_doubt = any(ATOMIC_ORDER in each.depends for each in searched.covered)
    equal = any(isinstance(each.violation, Race) and each.violation.equal for each in searched.found)
    return "in doubt" if in_doubt or equal else "missed"


# --------------------------------------------------------------------------------------------------- what is told


def check_true(kernel: Draft, written: Written, found: Found) -> None:
    """What is told happens with the contents that it names, replays, and names no more than it needs."""
    told = (written.source, written.text, found)
    assert replay(written.program, found.setting, found.violation, STEPS).outcome is Outcome.HOLDS, told
    contents = held(kernel, found.setting)
    try:
        expected = behaviour(kernel, 4 * MOST_STATES, contents)
    except (TooMuch, DependsOnUndefined):
        return  # such contents make a loop long, or the fault is one of undefined values
    match found.violation:
        case Race() as race:
            assert sides(written, race) in {pair for pair, _ in expected.races}, told
        case Divergence() | Deadlock():
            assert expected.divergent or expected.deadlocked, told
        case OutOfBounds():
            assert expected.outside, told
        case Uninitialised() | Unset():
            assert expected.unwritten or expected.outside, told
        case ReadOnly():
            assert expected.kept, told
        case InactiveLane():
            assert expected.inactive, told
        case other:
            raise AssertionError(other, told)
    if not found.unstated and not uses_atomics(kernel):
        starts = at_start(kernel.outside)
        assert any(behaviour(kernel, 4 * MOST_STATES, each).fails for each in starts), told


def held(kernel: Draft, setting: Setting) -> Contents:
    """What the variables hold in a setting, one after the other."""
    given = {str(name): tuple(map(int, cells)) for name, cells in setting.contents}
    return tuple(
        value
        for each in kernel.outside
        for value in (given.get(each.name, each.initial or ()) + (0,) * each.size)[: each.size]
    )


def sides(written: Written, race: Race) -> frozenset[Side]:
    """The two accesses as the schedules name them."""
    placed = written.placed(race)
    found = set()
    for access in (placed.first, placed.second):
        assert isinstance(access.place, Site)
        found.add(Side(access.place.number, access.thread.index[0]))
    return frozenset(found)


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
