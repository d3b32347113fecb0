"""Races within one barrier interval, from the log of its accesses.

Two accesses of different threads to one element, at least one of them a write, are unordered when no barrier of the
whole block stands between them, so the log of an interval decides. The log and scatter method: note the last lane of
every element, keep the elements that two lanes touched and one wrote, look at the entries of only these. Must not know
how the accesses came about.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from rewright.kernels.block import Block, Entry, Region
from rewright.kernels.lanes import Array
from rewright.model.violation import Access, AccessKind, Race
from rewright.verdict import Place

_NEVER = np.iinfo(np.int64).max


def close_interval(block: Block) -> None:
    """Claims the races of the current interval, the earliest first, and starts the next one."""
    by_region: dict[int, list[tuple[int, Entry]]] = {}
    for order, entry in enumerate(block.log):
        by_region.setdefault(id(entry.region), []).append((order, entry))
    found = [collision for entries in by_region.values() for collision in _collisions(entries)]
    for collision in sorted(found, key=lambda c: (c.orders[1], c.orders[0], c.address)):
        race = _race(block, collision)
        block.claim((Race, frozenset((race.first.place, race.second.place))), race)
    block.log = []
    block.logged = 0
    block.interval += 1


class _Collision(NamedTuple):
    """Two accesses of different lanes to one element, in the order in which they ran."""

    region: Region
    address: int
    orders: tuple[int, int]
    lanes: tuple[int, int]
    kinds: tuple[AccessKind, AccessKind]
    places: tuple[Place, Place]


class _Side(NamedTuple):
    """The contested accesses of one kind at one place.

    For each address, ascending: the earliest access, and the earliest one by another lane (order `_NEVER` if none).
    """

    kind: AccessKind
    place: Place
    addresses: Array
    orders: tuple[Array, Array]
    lanes: tuple[Array, Array]


def _collisions(entries: list[tuple[int, Entry]]) -> Iterator[_Collision]:
    """The earliest collision of each pair of sides."""
    if all(entry.kind is AccessKind.READ for _, entry in entries):
        return
    contested, base = _contested([entry for _, entry in entries])
    if not contested.any():
        return
    groups: dict[tuple[AccessKind, Place], list[tuple[int, Entry]]] = {}
    for order, entry in entries:
        groups.setdefault((entry.kind, entry.place), []).append((order, entry))
    sides = [_side(group, contested, base) for group in groups.values()]
    for first, second in combinations_with_replacement(sides, 2):
        if AccessKind.WRITE in (first.kind, second.kind):
            collision = _earliest(entries[0][1].region, first, second)
            if collision is not None:
                yield collision


def _contested(entries: list[Entry]) -> tuple[Array, int]:
    """Which elements, counted from the smallest address, two lanes touched and one wrote; and that address."""
    addresses = np.concatenate([entry.addresses for entry in entries])
    lanes = np.concatenate([entry.lanes for entry in entries])
    base = int(addresses.min())
    offsets = addresses - base
    size = int(offsets.max()) + 1
    last = np.empty(size, np.int32)
    last[offsets] = lanes
    by_two = np.zeros(size, np.bool_)
    by_two[offsets[last[offsets] != lanes]] = True
    written = np.zeros(size, np.bool_)
    for entry in entries:
        if entry.kind is AccessKind.WRITE:
            written[entry.addresses - base] = True
    return by_two & written, base


def _side(group: list[tuple[int, Entry]], contested: Array, base: int) -> _Side:
    addresses = np.concatenate([entry.addresses for _, entry in group])
    lanes = np.concatenate([entry.lanes for _, entry in group])
    orders = np.concatenate([np.full(len(entry.addresses), order) for order, entry in group])
    kept = np.flatnonzero(contested[addresses - base])
    kept = kept[np.argsort(addresses[kept], kind="stable")]
    addresses, lanes, orders = addresses[kept], lanes[kept], orders[kept]
    elements, firsts, inverse = np.unique(addresses, return_index=True, return_inverse=True)
    others = np.flatnonzero(lanes != lanes[firsts][inverse])
    second_orders = np.full(len(elements), _NEVER)
    second_lanes = np.full(len(elements), -1)
    with_other, positions = np.unique(inverse[others], return_index=True)
    second_orders[with_other] = orders[others][positions]
    second_lanes[with_other] = lanes[others][positions]
    entry = group[0][1]
    return _Side(entry.kind, entry.place, elements, (orders[firsts], second_orders), (lanes[firsts], second_lanes))


def _earliest(region: Region, left: _Side, right: _Side) -> _Collision | None:
    """The collision of two sides whose later access runs first.

    If the earliest accesses of an element are by one lane, one of them meets the other side's earliest other lane.
    """
    _, at_left, at_right = np.intersect1d(left.addresses, right.addresses, assume_unique=True, return_indices=True)
    best: tuple[int, int, int] | None = None
    chosen: tuple[int, int] = (0, 0)
    for i, j in ((0, 0), (0, 1), (1, 0)):
        orders = np.maximum(left.orders[i][at_left], right.orders[j][at_right])
        orders = np.where(left.lanes[i][at_left] == right.lanes[j][at_right], _NEVER, orders)
        if not len(orders) or (order := int(orders.min())) == _NEVER:
            continue
        position = int(np.argmin(orders))
        if best is None or order < best[0]:
            best, chosen = (order, int(at_left[position]), int(at_right[position])), (i, j)
    return None if best is None else _collision(region, (left, best[1], chosen[0]), (right, best[2], chosen[1]))


def _collision(region: Region, one: tuple[_Side, int, int], other: tuple[_Side, int, int]) -> _Collision:
    first, second = sorted((one, other), key=lambda access: int(access[0].orders[access[2]][access[1]]))
    sides = (first[0], second[0])
    return _Collision(
        region,
        int(first[0].addresses[first[1]]),
        (int(first[0].orders[first[2]][first[1]]), int(second[0].orders[second[2]][second[1]])),
        (int(first[0].lanes[first[2]][first[1]]), int(second[0].lanes[second[2]][second[1]])),
        (sides[0].kind, sides[1].kind),
        (sides[0].place, sides[1].place),
    )


def _race(block: Block, collision: _Collision) -> Race:
    first, second = (
        Access(block.thread(lane), kind, place)
        for lane, kind, place in zip(collision.lanes, collision.kinds, collision.places, strict=True)
    )
    region = collision.region
    return Race(region.name, region.index(collision.address), block.interval, first, second)
