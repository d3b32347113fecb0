"""Races: within a barrier interval from its log, and between blocks from what each did in global memory.

Two accesses race when nothing orders them, their bytes overlap, one writes, and not both are atomic. One race is kept
for each pair of places, the worst: values that differ before equal ones, then threads that lock step would not order
before those that it would. Must not know how the accesses came about.

Source: "Equivalence Checking of ML GPU Kernels", section 4.2, where the first race ends the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import prod
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field

from rewright.kernels.execution.arrays import Column, RowValues
from rewright.kernels.execution.clocks import Clocks, barriers_of, clocks_at, still_contested
from rewright.kernels.execution.collisions import Pair, SideRows, apart, unordered
from rewright.kernels.execution.handover import handed_on, marked, marked_between, may_hand_over
from rewright.kernels.execution.log import Log, LoggedAccess, Scene
from rewright.kernels.execution.taint import NOTHING, Taint
from rewright.kernels.execution.touches import Contest, Side, Touches, conflict, contest
from rewright.model.simt.violation import Access, CollisionScope, Race, Thread
from rewright.verdict import AccessKind, Place

Key = tuple[frozenset[Place], bool]
"""Two places, and whether the race is one between blocks."""

_FEW = 2048
"""Rows that are looked at first where there are many, those of the first cells."""

_NO_RACE = 4
"""One more than the rank of the least race."""


def rank(race: Race) -> int:
    """How little a race weighs among those at its places; 0 is the worst."""
    return 2 * race.equal + (race.scope is CollisionScope.WARP)


def key_of(race: Race) -> Key:
    """Of races with one key, one is kept."""
    return frozenset((race.first.place, race.second.place)), race.scope is CollisionScope.GRID


class Races(Struct):
    """The worst race of each key. `fenced` are those whose sides a fence and an atomic may order.

    `written`: by place, the inputs that what was ever written there was computed from.
    """

    plain: dict[Key, Race] = field(default_factory=dict)
    fenced: dict[Key, Race] = field(default_factory=dict)
    written: dict[Place, Taint] = field(default_factory=dict)

    @property
    def depends(self) -> Taint:
        """The inputs on which it depends whether the values of equal writes are equal.

        Those of all writes at the places: one that collides later, and is as equal, may differ with other inputs.
        """
        equal = [race for among in (self.plain, self.fenced) for race in among.values() if race.equal]
        places = {access.place for race in equal for access in (race.first, race.second)}
        return NOTHING.union(*(self.written.get(place, NOTHING) for place in places))

    def note(self, entry: LoggedAccess) -> None:
        """Notes what a write comes from."""
        known = self.written.get(entry.place, NOTHING)
        if not entry.sources <= known:
            self.written[entry.place] = known | entry.sources

    def certain(self) -> tuple[Race, ...]:
        """The races that are races whatever fences and atomics do."""
        return tuple(self.plain.values())

    def doubtful(self) -> tuple[Race, ...]:
        """Those that are none if fences and atomics order the two sides, and worse than what is certain there."""
        return tuple(
            race for key, race in self.fenced.items() if key not in self.plain or rank(race) < rank(self.plain[key])
        )

    def of(self, left: Side, right: Side) -> dict[Key, Race]:
        """Where those of two sides belong."""
        return self.fenced if may_hand_over(left.marks, right.marks) else self.plain


def _keep(among: dict[Key, Race], race: Race) -> None:
    """Enters a race unless one at its places is as bad."""
    known = among.get(key_of(race))
    if known is None or rank(race) < rank(known):
        among[key_of(race)] = race


def _known(among: dict[Key, Race], key: Key) -> int:
    """What is found must have a lower rank than this to be kept."""
    return rank(among[key]) if key in among else _NO_RACE


# ------------------------------------------------------------------------------------------------------ in one block


def close_interval(log: Log, scene: Scene, races: Races) -> None:
    """Enters the races of the interval, and starts the next one."""
    grouped: dict[int, list[_Timed]] = {}
    for interval, entry in log.remaining:
        seen = handed_on(_in_block(_of_warps(entry, scene)))
        grouped.setdefault(entry.object, []).append(_Timed(interval, entry, seen))
    log.entries = marked(log, scene.setting.warp)
    for entry in log.entries:
        races.note(entry)
        grouped.setdefault(entry.object, []).append(_Timed(log.interval, entry, _in_block(entry)))
    for timed in grouped.values():
        found = contest([each.seen for each in timed])
        if found is not None:
            _enter(_Interval(scene, log, timed), found, races)
    log.clear()


class _Timed(NamedTuple):
    """An entry with the interval that it belongs to, and as it is looked at."""

    interval: int
    entry: LoggedAccess
    seen: LoggedAccess


def _of_warps(entry: LoggedAccess, scene: Scene) -> LoggedAccess:
    """The entry with the first lane of each warp in place of its lanes.

    What lanes did that have ended is held against what other warps do later; within the warp, that was done before.
    """
    return entry._replace(lanes=entry.lanes // scene.setting.warp * scene.setting.warp)


def _in_block(entry: LoggedAccess) -> LoggedAccess:
    """The entry as the threads of its block see it: to them all atomics are alike."""
    return entry._replace(kind=AccessKind.ATOMIC) if entry.kind is AccessKind.BLOCK_ATOMIC else entry


class _Interval(NamedTuple):
    """Where the accesses to one object come from."""

    scene: Scene
    log: Log
    timed: list[_Timed]

    def race(self, touches: Touches, collision: _Collision) -> Race:
        first, second = (self._access(int(touches.orders[row]), int(touches.at[row])) for row in collision.pair)
        return _race(self.scene, (first, second), collision)

    def _access(self, number: int, at: int) -> Access:
        interval, entry, _ = self.timed[number]
        thread = self.scene.thread(int(entry.lanes[at]))
        return _access(thread, entry, at, interval)


def _enter(interval: _Interval, found: Contest, races: Races) -> None:
    touches, size = found.touches, interval.scene.setting.warp
    times = np.array([each.entry.time for each in interval.timed])[touches.orders]
    barriers = barriers_of(interval.log.meetings, size)
    if interval.log.meetings:
        kept = np.flatnonzero(still_contested(touches, found.kinds(), times, barriers))
        if not len(kept):
            return
        touches, times = touches.where(kept), times[kept]
    several = prod(interval.scene.setting.block) > size
    for part in _parts(touches):
        some = touches.where(part)
        look = _Look(some, clocks_at(some.parties, times[part], barriers), several)
        for left, right, rank_known in _pairs(some, found.sides, races, CollisionScope.BLOCK):
            collision = look.worst(left, right, rank_known)
            if collision is not None:
                _keep(races.of(left.side, right.side), interval.race(some, collision))


def _parts(touches: Touches) -> Iterator[Column]:
    """The rows of a few cells, which say most, then all."""
    count = len(touches.cells)
    if count > 2 * _FEW:
        # what is found in a few cells mostly is the worst there is: then no pair of sides is looked at again
        few = np.flatnonzero(touches.cells <= np.partition(touches.cells, _FEW)[_FEW])
        if len(few) < count // 2:
            yield few
    yield np.arange(count)


class _Numbered(NamedTuple):
    """A side and its rows; for each cell that it touches, ascending, the lowest and the highest party.

    `rows` are as many as the side has; `cells`, `low` and `high` have one row for each cell.
    """

    side: Side
    rows: Column
    cells: Column
    low: Column
    high: Column


def _pairs(
    touches: Touches, sides: Sequence[Side], races: Races, scope: CollisionScope
) -> Iterator[tuple[_Numbered, _Numbered, int]]:
    """The sides whose accesses conflict, with the rows that may collide, and the rank of what is known of them."""
    for left, right in combinations_with_replacement(list(_numbered(touches, sides)), 2):
        key = frozenset((left.side.place, right.side.place)), scope is CollisionScope.GRID
        rank_known = _known(races.of(left.side, right.side), key)
        if not conflict(left.side.kind, right.side.kind) or not rank_known:
            continue
        _, i, j = np.intersect1d(left.cells, right.cells, assume_unique=True, return_indices=True)
        # one and the same party alone on both sides cannot collide with itself
        met = left.cells[i][np.minimum(left.low[i], right.low[j]) != np.maximum(left.high[i], right.high[j])]
        if len(met):
            yield _within(left, touches, met), _within(right, touches, met), rank_known


def _numbered(touches: Touches, sides: Sequence[Side]) -> Iterator[_Numbered]:
    order = np.lexsort((touches.cells, touches.sides))
    numbers, cells, parties = touches.sides[order], touches.cells[order], touches.parties[order]
    starts = np.flatnonzero((np.diff(numbers, prepend=-1) != 0) | (np.diff(cells, prepend=-1) != 0))
    low, high = np.minimum.reduceat(parties, starts), np.maximum.reduceat(parties, starts)
    for number in np.unique(numbers):
        mine = slice(*np.searchsorted(numbers[starts], (number, number + 1)))
        rows = np.sort(order[slice(*np.searchsorted(numbers, (number, number + 1)))])
        yield _Numbered(sides[number], rows, cells[starts[mine]], low[mine], high[mine])


def _within(side: _Numbered, touches: Touches, cells: Column) -> _Numbered:
    """The rows that touch some of the cells."""
    return side._replace(rows=side.rows[np.isin(touches.cells[side.rows], cells)])


class _Collision(NamedTuple):
    """Rows that collide, the earlier one first."""

    pair: Pair
    scope: CollisionScope
    equal: bool


class _Look(NamedTuple):
    """Looks for collisions within a block. `several`: it has several warps."""

    touches: Touches
    clocks: Clocks
    several: bool

    def worst(self, left: _Numbered, right: _Numbered, below: int) -> _Collision | None:
        """The worst collision of two sides that has a rank below the given one, of equally bad ones an early one."""
        for equal, values in _readings(self.touches, left, right):
            if 2 * equal < below:
                pair = self._out_of_step(left, right, values)
                if pair is not None:
                    return _Collision(pair, CollisionScope.BLOCK, equal)
            if 2 * equal + self.several < below:
                pair = unordered(self.touches, self.clocks, ((left.rows, values[0]), (right.rows, values[1])))
                if pair is not None:
                    return _Collision(pair, CollisionScope.WARP if self.several else CollisionScope.BLOCK, equal)
        return None

    def _out_of_step(self, left: _Numbered, right: _Numbered, values: Values) -> Pair | None:
        """Rows of different warps, or else of one and the same entry."""
        touches, size = self.touches, self.clocks.vectors.shape[1]
        warps, orders = touches.parties // size, touches.orders
        labelled: list[tuple[Column, Column]] = []
        if np.ptp(warps[np.concatenate([left.rows, right.rows])]):
            labelled.append((touches.cells, warps))
        if _common(orders[left.rows], orders[right.rows]):
            entries = touches.cells.astype(np.int64) * (int(orders[-1]) + 1) + orders
            labelled.append((entries, touches.parties))
        for groups, parties in labelled:
            pair = apart(
                SideRows(left.rows, groups[left.rows], parties[left.rows], values[0]),
                SideRows(right.rows, groups[right.rows], parties[right.rows], values[1]),
            )
            if pair is not None:
                return pair
        return None


def _common(one: Column, other: Column) -> bool:
    """Whether some number, from 0 on, is in both."""
    among = np.zeros(int(max(one.max(initial=0), other.max(initial=0))) + 1, np.bool_)
    among[one] = True
    return bool(among[other].any())


Values = tuple[RowValues, RowValues]
"""For the rows of two sides, what must differ."""


def _readings(touches: Touches, left: _Numbered, right: _Numbered) -> Iterator[tuple[bool, Values]]:
    """What must differ for a collision: first what was written, then, if both sides wrote, nothing."""
    if left.side.comparable and right.side.comparable:
        yield False, (touches.values[left.rows], touches.values[right.rows])
        yield True, (np.zeros_like(left.rows), np.ones_like(right.rows))
    else:
        yield False, (np.zeros_like(left.rows), np.ones_like(right.rows))


def _access(thread: Thread, entry: LoggedAccess, at: int, interval: int) -> Access:
    return Access(thread, entry.kind, entry.object, int(entry.offsets[at]), entry.width, interval, entry.place)


def _race(scene: Scene, accesses: tuple[Access, Access], collision: _Collision) -> Race:
    first, second = accesses
    layout = scene.objects[first.object]
    common = max(first.offset, second.offset)
    return Race(layout.name, layout.element(common), collision.scope, collision.equal, first, second)


# ---------------------------------------------------------------------------------------------------- between blocks


class Footprint(NamedTuple):
    """What one block did in global memory: its entries, each with its interval, in the order in which they ran."""

    scene: Scene
    entries: tuple[tuple[int, LoggedAccess], ...]


def races_between(footprints: Sequence[Footprint], races: Races) -> None:
    """Enters the races between blocks of one setting; nothing orders any two of them."""
    grouped: dict[int, list[_Placed]] = {}
    for block, footprint in enumerate(footprints):
        seen = marked_between(footprint.entries, footprint.scene.setting.warp)
        for (interval, _), entry in zip(footprint.entries, seen, strict=True):
            races.note(entry)
            grouped.setdefault(entry.object, []).append(_Placed(footprint.scene, interval, entry, block))
    for placed in grouped.values():
        found = contest([_of_block(one.entry, one.block) for one in placed])
        if found is not None:
            _enter_between(placed, found, races)


class _Placed(NamedTuple):
    """An entry with where it comes from."""

    scene: Scene
    interval: int
    entry: LoggedAccess
    block: int

    def access(self, at: int) -> Access:
        return _access(self.scene.thread(int(self.entry.lanes[at])), self.entry, at, self.interval)


def _of_block(entry: LoggedAccess, block: int) -> LoggedAccess:
    """The entry with its block as the party in place of lanes."""
    return entry._replace(lanes=np.full(len(entry.lanes), block))


def _enter_between(placed: Sequence[_Placed], found: Contest, races: Races) -> None:
    touches = found.touches
    for left, right, rank_known in _pairs(touches, found.sides, races, CollisionScope.GRID):
        for equal, values in _readings(touches, left, right):
            if 2 * equal >= rank_known:
                break
            rows = [
                SideRows(side.rows, touches.cells[side.rows], touches.parties[side.rows], different)
                for side, different in zip((left, right), values, strict=True)
            ]
            pair = apart(rows[0], rows[1])
            if pair is not None:
                first, second = (placed[int(touches.orders[row])].access(int(touches.at[row])) for row in pair)
                collision = _Collision(pair, CollisionScope.GRID, equal)
                _keep(races.of(left.side, right.side), _race(placed[0].scene, (first, second), collision))
                break
