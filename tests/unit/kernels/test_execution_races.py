"""Races in one interval, of bytes, with warp barriers, between blocks: by the definition, and a few by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from time import perf_counter

import numpy as np
from interval_logs import ATOMIC, READ, WRITE, agrees, random_entry, random_log, scene, touches, worst

from rewright.kernels.execution.log import Log, LoggedAccess, ObjectLayout, Scene
from rewright.kernels.execution.races import Footprint, Races, close_interval, key_of, races_between, rank
from rewright.model.index import Name
from rewright.model.simt.violation import CollisionScope, Race, Setting
from rewright.verdict import AccessKind, Site


def test_random_intervals_have_the_races_of_the_definition() -> None:
    random = Random(1)
    kinds: Counter[object] = Counter()
    for _ in range(1000):
        lanes, warp = random.choice(((4, 2), (4, 4), (6, 4), (3, 4), (5, 2)))
        log, where = random_log(random, lanes, warp), scene(lanes, warp)
        entries, meetings = log.entries, log.meetings
        expected = worst(log, where)
        races = Races()
        close_interval(log, where, races)
        log.entries, log.meetings = entries, meetings
        assert set(races.plain) == set(expected)
        for race in races.certain():
            assert agrees(log, where, race, expected), race
            kinds[race.scope, race.equal] += 1
        kinds["clean"] += not expected
    assert min(kinds[CollisionScope.BLOCK, False], kinds[CollisionScope.BLOCK, True], kinds["clean"]) >= 100, kinds
    assert min(kinds[CollisionScope.WARP, False], kinds[CollisionScope.WARP, True]) >= 20, kinds


def test_random_blocks_have_the_races_of_the_definition() -> None:
    random = Random(2)
    kinds: Counter[object] = Counter()
    for _ in range(800):
        places = Counter[object]()
        footprints = []
        values = random.choice((1, 1, 2))
        for _ in range(random.randint(2, 3)):
            entries = [random_entry(random, 3, random.choice((READ, WRITE, WRITE, ATOMIC)), values) for _ in range(2)]
            kept = [entry for entry in entries if random.random() < 0.6]
            footprints.append(Footprint(scene(3, 4), tuple(enumerate(kept))))
        races = Races()
        races_between(footprints, races)
        for race in races.certain():
            places[key_of(race)[0]] = 1 + race.equal
            kinds[race.scope, race.equal] += 1
        assert places == between(footprints)
        kinds["clean"] += not places
    assert min(kinds[CollisionScope.GRID, False], kinds[CollisionScope.GRID, True], kinds["clean"]) >= 50, kinds


def between(footprints: list[Footprint]) -> Counter[object]:
    """Pairs of places where blocks collide: 1, or 2 if only with equal values."""
    found: Counter[object] = Counter()
    blocks = []
    for footprint in footprints:
        log = Log()
        log.entries = [entry for _, entry in footprint.entries]
        blocks.append([(log.entries[touch.entry], touch) for touch in touches(log)])
    for number, block in enumerate(blocks):
        for left, one in block:
            for right, other in (row for later in blocks[number + 1 :] for row in later):
                kinds = {left.kind, right.kind}
                if (left.object, one.byte) == (right.object, other.byte) and (WRITE in kinds or len(kinds) == 2):
                    places = frozenset((left.place, right.place))
                    weight = 1 + (one.value is not None and one.value == other.value)
                    found[places] = min(found[places] or 2, weight)
    return found


# ------------------------------------------------------------------------------------------------------------ by hand


def entry(kind: AccessKind, place: int, lanes: Sequence[int], offsets: Sequence[int]) -> LoggedAccess:
    """An access of four bytes each, writing zeros."""
    written = np.zeros((len(lanes), 4), np.uint8) if kind is WRITE else None
    return LoggedAccess(0, kind, Site(place), 4, np.array(offsets), np.array(lanes), written, None, 0)


def block(threads: int, extents: tuple[int, ...] | None = (64,)) -> Scene:
    """A block with one object of four-byte elements."""
    setting = Setting((1, 1, 1), (threads, 1, 1), (), ())
    return Scene(setting, (0, 0, 0), (ObjectLayout(Name("s"), 4, extents, is_global=True),))


def races_of(where: Scene, *entries: LoggedAccess) -> Races:
    """What an interval with these accesses shows."""
    log, races = Log(interval=7), Races()
    for one in entries:
        log.record(one)
    close_interval(log, where, races)
    assert (log.interval, log.entries, log.accesses) == (8, [], 0)
    return races


def only(races: Races) -> Race:
    (race,) = races.certain()
    return race


def test_a_race_names_both_sides_in_the_order_in_which_they_ran() -> None:
    race = only(races_of(block(64, (4, 8)), entry(WRITE, 1, [3], [40]), entry(READ, 2, [40], [40])))
    assert (race.array, race.address, race.scope, race.equal) == (Name("s"), (1, 2), CollisionScope.BLOCK, False)
    assert [(side.thread.index, side.kind, side.interval) for side in (race.first, race.second)] == [
        ((3, 0, 0), WRITE, 7),
        ((40, 0, 0), READ, 7),
    ]


def test_a_wide_access_collides_with_a_narrow_one_inside_it() -> None:
    wide = entry(WRITE, 1, [0], [16])._replace(width=16, written=np.zeros((1, 16), np.uint8))
    race = only(races_of(block(64), wide, entry(READ, 2, [1], [24])))
    assert race.address == (6,)
    assert not races_of(block(64), wide, entry(READ, 2, [1], [32])).plain


def test_one_warp_is_distinguished_only_where_there_are_several() -> None:
    pair = entry(WRITE, 1, [3], [0]), entry(READ, 2, [4], [0])
    assert only(races_of(block(32), *pair)).scope is CollisionScope.BLOCK
    assert only(races_of(block(64), *pair)).scope is CollisionScope.WARP
    together = entry(WRITE, 1, [3, 4], [0, 0])._replace(written=np.array([[0] * 4, [1] * 4], np.uint8))
    assert only(races_of(block(64), together)).scope is CollisionScope.BLOCK


def test_an_unequal_race_within_a_warp_is_worse_than_an_equal_one_of_two_warps() -> None:
    different = np.array([[1, 0, 0, 0]], np.uint8)
    first, second = entry(WRITE, 1, [0, 32], [0, 4]), entry(WRITE, 2, [33], [4])
    race = only(races_of(block(64), first, entry(WRITE, 2, [33], [0]), second._replace(written=different)))
    assert (race.scope, race.equal) == (CollisionScope.WARP, False)


def test_what_a_fence_may_order_is_kept_apart() -> None:
    def after(fences: int, made: LoggedAccess) -> LoggedAccess:
        return made._replace(fences=np.full(len(made.lanes), fences))

    written, read = after(0, entry(WRITE, 1, [0], [0])), after(0, entry(READ, 2, [40], [0]))
    flags = after(1, entry(ATOMIC, 3, [0], [8])), after(0, entry(ATOMIC, 4, [40], [8]))
    races = races_of(block(64), written, *flags, read)
    assert not races.certain()
    assert len(races.doubtful()) == 1
    races = races_of(block(64), written, *flags, read, after(0, entry(READ, 2, [41], [0])))
    assert len(races.certain()) == 1
    assert not races.doubtful()


def test_races_of_several_intervals_keep_the_worst() -> None:
    log, races, where = Log(), Races(), block(64)
    for values in ([0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]):
        log.record(entry(WRITE, 1, [0], [0]))
        log.record(entry(WRITE, 2, [40], [0])._replace(written=np.array([values], np.uint8)))
        close_interval(log, where, races)
    assert rank(only(races)) == 0
    assert only(races).first.interval == 1


def test_far_apart_offsets_take_no_memory() -> None:
    pair = entry(WRITE, 1, [0, 1], [0, 1 << 38]), entry(READ, 2, [40], [1 << 38])
    assert only(races_of(block(64, None), *pair)).address == (1 << 36,)


def test_a_clean_interval_is_fast() -> None:
    log, where, lanes = Log(), block(512, (512,)), range(512)
    for step in range(200):
        log.record(entry(WRITE, 1, lanes, range(0, 2048, 4)))
        log.record(entry(READ, 2 + step % 5, lanes, range(0, 2048, 4)))
    start = perf_counter()
    close_interval(log, where, Races())
    assert perf_counter() - start < 0.1, "0.01 s when nothing else runs"


def test_what_equal_values_come_from_is_noted() -> None:
    one, other = entry(WRITE, 1, [0], [0])._replace(sources=frozenset({"x"})), entry(WRITE, 2, [40], [0])
    assert races_of(block(64), one, other).depends == {"x"}
    assert races_of(block(64), one, other._replace(written=np.ones((1, 4), np.uint8))).depends == set()
    between = Races()
    races_between([Footprint(block(64), ((0, one),)), Footprint(block(64), ((0, other),))], between)
    assert between.depends == {"x"}
