"""Random tiny kernels that hand data over by fences and flags, against all their schedules.

A race that is told is one under some schedule, by happens-before with release and acquire through fences and atomics.
None is missed, but where it is said that a hand-over is not followed, or that another order of atomics may decide.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from handover_drafts import handover
from handover_interleaver import Pair, racing
from kernel_drafts import Draft
from kernel_interleaver import DependsOnUndefined, TooMuch
from kernel_programs import program, setting
from kernel_traces import Side

from rewright.kernels.execution import races
from rewright.kernels.execution.run import Machine
from rewright.model.simt.violation import CollisionScope, Order, Race
from rewright.replay.kernel.outcome import ReplayOutcome
from rewright.replay.kernel.replayed import replay
from rewright.verdict import Site

COUNT, MANY = 40, 300
MOST_STATES, STEPS = 20_000, 10_000


def drawn(count: int, seed: int) -> list[tuple[Draft, set[Pair]]]:
    """Different kernels that can be searched, with the pairs of accesses that race."""
    random, found = Random(seed), dict[Draft, set[Pair]]()
    while len(found) < count:
        kernel = handover(random)
        try:
            found.setdefault(kernel, racing(kernel, MOST_STATES))
        except (TooMuch, DependsOnUndefined):
            continue
    return list(found.items())


def outcome_of(kernel: Draft, racy: set[Pair]) -> str:
    """What comes of a kernel, in a word; fails where a race is false or missed."""
    made = program(kernel)
    machine, orders = Machine(made), [Order.ASCENDING]
    certain, doubtful = list[tuple[Order, Race]](), False
    for order in orders:
        run = machine.run(setting(kernel, order), (0, 0, 0), STEPS)
        assert run.undecided is None, (kernel, run)
        certain += [(order, race) for race in run.races.certain()]
        doubtful |= bool(run.races.doubtful())
        if "atomic order" in run.depends and len(orders) == 1:
            orders.append(Order.DESCENDING)
    for order, race in certain:
        assert race.scope is not CollisionScope.GRID
        assert sides(race) in racy, (kernel, race, racy)
        assert replay(made, setting(kernel, order), race, STEPS).outcome is ReplayOutcome.HOLDS, (kernel, race)
    if certain:
        return "certain"
    if doubtful:
        return "unknown though a race" if racy else "unknown, none"
    if not racy:
        return "checked"
    assert len(orders) == 2, (kernel, racy)
    return "another order of atomics decides"


def sides(race: Race) -> Pair:
    """The two accesses as the schedules name them."""
    found = set()
    for access in (race.first, race.second):
        assert isinstance(access.place, Site)
        found.add(Side(access.place.number, access.thread.index[0]))
    return frozenset(found)


def agree(count: int, seed: int) -> Counter[str]:
    kinds = Counter(outcome_of(kernel, racy) for kernel, racy in drawn(count, seed))
    print(count, "kernels:", dict(kinds))
    return kinds


def test_hand_overs_agree_with_all_their_schedules() -> None:
    kinds = agree(COUNT, seed=1)
    assert kinds["certain"] >= COUNT // 8


@pytest.mark.soak
def test_300_hand_overs_agree_with_all_their_schedules() -> None:
    kinds = agree(MANY, seed=2)
    assert kinds["certain"] >= MANY // 8 and kinds["unknown, none"] >= MANY // 30, kinds


def test_a_hand_over_that_is_not_seen_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(races, "may_hand_over", lambda left, right: False)
    with pytest.raises(AssertionError, match="Draft"):
        agree(MANY, seed=1)
