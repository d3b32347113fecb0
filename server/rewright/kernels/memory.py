"""Loads and stores of a group of lanes: bounds per dimension, the log of accesses, which elements are known.

An access outside its array becomes a violation and is left out; the others go on. Must not know expressions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rewright.kernels.block import Block, Entry, Region, Undecided
from rewright.kernels.lanes import NOWHERE, Array, Group, Lanes, Value, spread, union
from rewright.model.violation import Access, AccessKind, OutOfBounds
from rewright.verdict import Place

DATA = "an address depends on floating-point data or on memory that was not written"


class Request(NamedTuple):
    """What a group of lanes wants to access: an element of a region each, for the access at a place of the text."""

    region: Region
    group: Group
    indices: list[Value]
    place: Place


class Target(NamedTuple):
    """The elements that a group accesses: row-major addresses, and which lanes stay inside the array (None: all)."""

    addresses: Array
    inside: Array | None


def load(block: Block, request: Request) -> Value:
    """The elements that the lanes read, unknown where they leave the array. Raises `Undecided`."""
    region, count = request.region, block.count(request.group)
    target = _access(block, request, AccessKind.READ)
    if region.data is None or region.size == 0:
        return None
    data = region.data[target.addresses]
    known = None if region.known is None else np.asarray(region.known[target.addresses])
    if target.inside is not None:
        known = target.inside if known is None else known & target.inside
    if known is not None:
        if known.all():
            known = None
        elif not known.any():
            return None
        else:
            data, known = (spread(np.asarray(part), count) for part in (data, known))
    sources = union(region.sources, _sources(request.indices))
    return Lanes(np.asarray(data), known, sources)


def store(block: Block, request: Request, value: Value) -> None:
    """Writes the lanes in ascending order, those that stay inside the array. Raises `Undecided`."""
    region, count = request.region, block.count(request.group)
    target = _access(block, request, AccessKind.WRITE)
    if region.data is None:
        return
    inside = slice(None) if target.inside is None else target.inside
    addresses = spread(target.addresses, count)[inside]
    if value is None:
        _forget(region, addresses)
        return
    region.data[addresses] = spread(value.data, count)[inside]
    region.sources = union(region.sources, union(value.sources, _sources(request.indices)))
    if value.known is not None:
        _forget(region, addresses)
        assert region.known is not None
        region.known[addresses] = spread(value.known, count)[inside]
    elif region.known is not None:
        region.known[addresses] = True


def _forget(region: Region, addresses: Array) -> None:
    if region.known is None:
        region.known = np.ones(region.size, np.bool_)
    region.known[addresses] = False


def _access(block: Block, request: Request, kind: AccessKind) -> Target:
    """Where the lanes access the region; what leaves it is claimed, the rest logged if anybody may race on it."""
    region, place = request.region, request.place
    indices = [_address_part(block, index, place) for index in request.indices]
    lanes = block.lane_numbers(request.group)
    target = _target(region, indices, len(lanes))
    if target.inside is None and not region.watched:
        return target
    addresses = spread(target.addresses, len(lanes))
    if target.inside is not None:
        first = int(np.flatnonzero(~target.inside)[0])
        address = tuple(int(spread(index, len(lanes))[first]) for index in indices)
        access = Access(block.thread(int(lanes[first])), kind, place)
        claim = OutOfBounds(region.name, address, region.extents, block.interval, access)
        block.claim((OutOfBounds, place), claim)
        addresses, lanes = addresses[target.inside], lanes[target.inside]
    if region.watched and len(lanes):
        block.record(Entry(region, kind, place, addresses, lanes))
    return target


def _address_part(block: Block, index: Value, place: Place) -> Array:
    if index is None or index.known is not None:
        raise Undecided(DATA, place)
    if index.sources:
        block.depends |= index.sources
    return index.data.astype(np.int64)


def _target(region: Region, indices: list[Array], count: int) -> Target:
    """Row-major addresses of `count` lanes; lanes outside get address 0 and are marked."""
    inside: Array | None = None
    flat: Array = np.asarray(0, np.int64)
    for index, extent in zip(indices, region.extents, strict=True):
        within = index.view(np.uint64) < extent
        if not within.all():
            inside = within if inside is None else inside & within
        flat = index if len(indices) == 1 else flat * extent + index
    if inside is None:
        return Target(flat, None)
    inside = spread(inside, count)
    return Target(np.where(inside, flat, 0), inside)


def _sources(indices: list[Value]) -> frozenset[str]:
    sources = NOWHERE
    for index in indices:
        if index is not None:
            sources = union(sources, index.sources)
    return sources
