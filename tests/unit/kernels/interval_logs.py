"""Random barrier intervals, and their races by definition: every pair of accesses, reachability in the graph of events.

Nothing here uses clocks. An event is a node; a thread's events follow one another; a barrier is one node for all who
pass it. Sets of nodes are the bits of a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np

from rewright.kernels.execution.log import Log, LoggedAccess, ObjectLayout, Scene
from rewright.kernels.execution.races import Key, key_of, rank
from rewright.model.index import Name
from rewright.model.simt.violation import CollisionScope, Race, Setting
from rewright.verdict import AccessKind, Site

BYTES = 16
READ, WRITE, ATOMIC = AccessKind.READ, AccessKind.WRITE, AccessKind.ATOMIC


def scene(lanes: int, warp: int) -> Scene:
    """A block of so many lanes, with two objects of bytes."""
    layouts = tuple(ObjectLayout(Name(name), 1, (BYTES,), is_global=False) for name in ("a", "b"))
    return Scene(Setting((1, 1, 1), (lanes, 1, 1), (), (), warp=warp), (0, 0, 0), layouts)


def random_log(random: Random, lanes: int, warp: int) -> Log:
    """A few accesses and warp barriers."""
    log = Log()
    meets = random.random() < 0.8
    values, kinds = random.choice((1, 2)), random.choice(((WRITE,), (READ, WRITE), (READ, WRITE, WRITE, ATOMIC)))
    for _ in range(random.randint(2, 14)):
        if meets and random.random() < 0.4:
            meet(log, random, lanes, warp)
        else:
            entry = random_entry(random, lanes, random.choice(kinds), values)
            log.record(entry._replace(time=log.time))
    return log


def meet(log: Log, random: Random, lanes: int, warp: int) -> None:
    """Some lanes of some warps pass barriers, of random masks that fit."""
    masks: dict[int, int] = {}
    for first in random.sample(range(0, lanes, warp), random.randint(1, -(-lanes // warp))):
        rest = list(range(first, min(first + warp, lanes)))
        while rest and random.random() < 0.8:
            together = random.sample(rest, random.randint(1, len(rest)))
            rest = [lane for lane in rest if lane not in together]
            masks |= {lane: sum(1 << other % warp for other in together) for lane in together}
    if masks:
        order = sorted(masks)
        log.meet(np.array(order), np.array([masks[lane] for lane in order], np.uint32))


def random_entry(random: Random, lanes: int, kind: AccessKind, values: int) -> LoggedAccess:
    """An access by random lanes to random elements; bytes written are below `values`."""
    chosen = sorted(random.sample(range(lanes), random.choice((1, 1, lanes, random.randint(1, lanes)))))
    width = random.choice((1, 1, 2, 4))
    reach = random.choice((BYTES, BYTES // 2, 4)) // width
    offsets = np.array([random.randrange(reach) * width for _ in chosen])
    written = None
    if kind is WRITE:
        written = np.array([[random.randrange(values)] * width for _ in chosen], np.uint8)
    place = Site(random.randrange(4))
    return LoggedAccess(random.randrange(2), kind, place, width, offsets, np.array(chosen), written, None, 0)


@dataclass(frozen=True)
class Touch:
    """One lane touches one byte."""

    entry: int
    lane: int
    byte: int
    value: int | None


Expected = dict[Key, tuple[int, set[tuple[int, int, int, int]]]]


def worst(log: Log, where: Scene) -> Expected:
    """For each key of a race the lowest rank, and who collides so: (entry, lane, entry, lane)."""
    reaches = reachable(log, where)
    found: Expected = {}
    for one, other in combinations(list(touches(log)), 2):
        if collide(log, one, other) and not reaches(one, other):
            key, weight = weigh(log, where, one, other)
            pair = (one.entry, one.lane, other.entry, other.lane)
            known = found.get(key)
            if known is None or weight < known[0]:
                found[key] = (weight, {pair})
            elif weight == known[0]:
                known[1].add(pair)
    return found


def touches(log: Log) -> Iterator[Touch]:
    """All of them, in the order in which they ran."""
    for number, entry in enumerate(log.entries):
        for at, lane in enumerate(entry.lanes):
            for part in range(entry.width):
                value = None if entry.written is None else int(entry.written[at, part])
                yield Touch(number, int(lane), int(entry.offsets[at]) + part, value)


def collide(log: Log, one: Touch, other: Touch) -> bool:
    """Whether two touches may not be unordered."""
    left, right = log.entries[one.entry], log.entries[other.entry]
    if left.object != right.object or one.byte != other.byte or one.lane == other.lane:
        return False
    kinds = {left.kind, right.kind}
    return WRITE in kinds or len(kinds) == 2


def weigh(log: Log, where: Scene, one: Touch, other: Touch) -> tuple[Key, int]:
    """The key and the rank of the race of two touches."""
    size = where.setting.warp
    in_step = one.lane // size == other.lane // size and one.entry != other.entry
    several = where.setting.block[0] > size
    equal = one.value is not None and one.value == other.value
    places = frozenset((log.entries[one.entry].place, log.entries[other.entry].place))
    return (places, False), 2 * equal + (several and in_step)


def reachable(log: Log, where: Scene) -> Callable[[Touch, Touch], bool]:
    """Whether the access of a lane in one entry leads to that of another lane in a later one."""
    lanes, size = where.setting.block[0], where.setting.warp
    before: list[int] = []
    last = [0] * lanes
    node: dict[tuple[int, int], int] = {}

    def enter(who: list[int]) -> int:
        reached = 0
        for lane in who:
            reached |= last[lane]
        before.append(reached | 1 << len(before))
        for lane in who:
            last[lane] = before[-1]
        return len(before) - 1

    steps = sorted(
        [(entry.time, 1, number) for number, entry in enumerate(log.entries)]
        + [(meeting.time, 0, number) for number, meeting in enumerate(log.meetings)]
    )
    for _, is_access, number in steps:
        if is_access:
            for lane in log.entries[number].lanes:
                node[number, int(lane)] = enter([int(lane)])
            continue
        sets: dict[tuple[int, int], list[int]] = {}
        for lane, mask in zip(log.meetings[number].lanes, log.meetings[number].masks, strict=True):
            sets.setdefault((int(lane) // size, int(mask)), []).append(int(lane))
        for together in sets.values():
            enter(together)

    def leads(one: Touch, other: Touch) -> bool:
        return bool(before[node[other.entry, other.lane]] >> node[one.entry, one.lane] & 1)

    return leads


def agrees(log: Log, where: Scene, race: Race, expected: Expected) -> bool:
    """Whether a race is one of the worst at its places."""
    weight, pairs = expected[key_of(race)]
    lanes = race.first.thread.index[0], race.second.thread.index[0]
    byte = max(race.first.offset, race.second.offset)
    return (
        rank(race) == weight
        and race.scope is not CollisionScope.GRID
        and race.address == (byte,)
        and any(
            (lanes == (one, other))
            and all(
                (entry.place, entry.kind, entry.width) == (access.place, access.kind, access.width)
                and access.offset in entry.offsets[entry.lanes == lane]
                for entry, access, lane in (
                    (log.entries[i], race.first, one),
                    (log.entries[j], race.second, other),
                )
            )
            for i, one, j, other in pairs
        )
    )
