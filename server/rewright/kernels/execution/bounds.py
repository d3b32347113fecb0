"""Accesses of which not all lanes stay where they may: each lane is looked at by itself.

Claims what leaves its object, is misaligned or writes constant memory, and gives the rest, by object. Must not know
what is read or written.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from rewright.kernels.execution.arrays import LaneFlags, LaneNumbers
from rewright.kernels.execution.block import UndecidedRun
from rewright.kernels.execution.groups import LaneGroup, Value
from rewright.kernels.execution.pages import Paged, reach
from rewright.kernels.execution.regions import Flat, Offsets, Region
from rewright.kernels.execution.requests import AccessRequest, access, element, indices
from rewright.kernels.reasons import Cause
from rewright.model.index import Name
from rewright.model.simt.addresses import BIAS, OFFSET_BITS
from rewright.model.simt.violation import Misaligned, OutOfBounds, ReadOnly, Violation
from rewright.verdict import AccessKind

MOST_BYTES = 1 << 26
"""Bytes of one object, and of all together; each has an init bit beside it, which takes another byte."""

MOST_FLAT = 1 << 24
"""Bytes of an array of unknown size that are held from its start; one that reaches farther is held in pages."""

_OFFSET = np.uint64((1 << OFFSET_BITS) - 1)


class Part(NamedTuple):
    """Lanes that stay in one region; `at` are their positions in the group that they are part of."""

    region: Region
    offsets: Offsets
    group: LaneGroup
    at: LaneNumbers


def within(attempt: AccessRequest, region: Region) -> bool:
    """Whether the subscripts of all lanes lie in their dimensions, given that the addresses lie in the region.

    The outermost one does if the others do, where the extents are those of the region.
    """
    group, size, outermost = attempt.group, region.layout.bytes, None
    if attempt.request.elements is not None and attempt.request.elements * size == region.size:
        inner = attempt.request.subscripts[1:]
        return all(np.all(_below(index.seen(group), extent.seen(group))) for index, extent in inner)
    for index, extent in reversed(attempt.request.subscripts):
        if outermost is not None and not np.all(_below(*outermost)):
            return False
        outermost = index.seen(group), extent.seen(group)
        size = 0 if isinstance(outermost[1], np.ndarray) else size * int(outermost[1])
    return outermost is None or size == region.size or bool(np.all(_below(*outermost)))


def parts(attempt: AccessRequest) -> list[Part]:
    """The lanes that access their objects as they may, by object; the others are claimed."""
    group = attempt.group
    addresses = group.spread(attempt.addresses)
    numbers = (addresses >> np.uint64(OFFSET_BITS)).astype(np.int64) - 1
    offsets = (addresses & _OFFSET).astype(np.int64) - BIAS
    inside = np.ones(group.count, np.bool_)
    for index, extent in attempt.request.subscripts:
        inside &= group.spread(_below(index.seen(group), extent.seen(group)))
    found = []
    for number in np.unique(numbers):
        mine = numbers == number
        if 0 <= number < len(attempt.block.regions):
            found.append(_part(attempt, attempt.block.regions[int(number)], offsets, (mine, inside)))
        else:
            _claim_nowhere(attempt, int(np.flatnonzero(mine)[0]), int(offsets[mine][0]))
    return [part for part in found if part is not None]


def _part(
    attempt: AccessRequest, region: Region, offsets: LaneNumbers, lanes: tuple[LaneFlags, LaneFlags]
) -> Part | None:
    """Those of the first lanes that may access the region; the second are those whose subscripts are right."""
    mine, inside = lanes
    width = attempt.request.width
    if isinstance(region, Flat) and region.open:
        region = _grown(attempt, region, int(offsets[mine].max()) + width)
    starts = mine & inside & (offsets >= 0) & (offsets < region.size)
    aligned = starts & (offsets % width == 0)
    good = aligned & (offsets + width <= region.size)
    outside, misaligned = (mine & ~starts) | (aligned & ~good), starts & ~aligned
    if outside.any():
        _claim_outside(attempt, region, int(np.flatnonzero(outside)[0]), offsets)
    if misaligned.any():
        _claim_misaligned(attempt, region, int(np.flatnonzero(misaligned)[0]), offsets)
    at = np.flatnonzero(good)
    if not len(at):
        return None
    if region.read_only and attempt.request.kind is not AccessKind.READ:
        _claim_read_only(attempt, region, int(at[0]), offsets)
        return None
    group = attempt.group if len(at) == attempt.group.count else attempt.block.groups.of(attempt.group.lanes[at])
    return Part(region, int(offsets[at[0]]) if group.single else offsets[at], group, at)


def _below(index: Value, extent: Value) -> Value:
    """Whether an index is not negative and below its extent."""
    return (index.view(np.uint64) < extent.view(np.uint64)) & (extent > 0)


def _grown(attempt: AccessRequest, region: Flat, size: int) -> Flat:
    """The region with room for so many bytes, in pages if they are many. Raises `UndecidedRun`."""
    if size <= region.size:
        return region
    farthest = min(attempt.block.reached, reach(region))
    # an index that is computed from contents is far where these are any numbers, and says nothing of the array
    most = min(farthest, MOST_BYTES) if attempt.taint else farthest
    if size > most:
        reason = f"`{region.layout.name}` is accessed past its byte {most}"
        raise UndecidedRun(reason, attempt.request.place, Cause.SIZE)
    if size <= MOST_FLAT:
        region.grow(size)
        return region
    attempt.block.regions[region.number] = paged = Paged(region, farthest)
    return paged


def _claim_nowhere(attempt: AccessRequest, at: int, offset: int) -> None:
    def claim() -> Violation:
        address = int(attempt.group.spread(attempt.addresses)[at])
        return OutOfBounds(Name(""), (address,), (), access(attempt, at, -1, offset))

    attempt.block.claim((OutOfBounds, attempt.request.place), claim, attempt.taint)


def _claim_outside(attempt: AccessRequest, region: Region, at: int, offsets: LaneNumbers) -> None:
    def claim() -> Violation:
        layout, offset = region.layout, int(offsets[at])
        by_text, extents = indices(attempt, at)
        reached = access(attempt, at, region.number, offset)
        if any(not 0 <= index < extent for index, extent in zip(by_text, extents, strict=True)):
            return OutOfBounds(layout.name, by_text, extents, reached)
        whole = () if layout.extents is None else (prod(layout.extents),)
        return OutOfBounds(layout.name, (offset // layout.bytes,), whole, reached)

    attempt.block.claim((OutOfBounds, attempt.request.place), claim, attempt.taint)


def _claim_read_only(attempt: AccessRequest, region: Region, at: int, offsets: LaneNumbers) -> None:
    def claim() -> Violation:
        offset = int(offsets[at])
        reached = access(attempt, at, region.number, offset)
        return ReadOnly(region.layout.name, element(attempt, at, region, offset), reached)

    attempt.block.claim((ReadOnly, attempt.request.place), claim, attempt.taint)


def _claim_misaligned(attempt: AccessRequest, region: Region, at: int, offsets: LaneNumbers) -> None:
    if attempt.request.kind is not AccessKind.READ:
        attempt.block.spoiled.add(region.number)

    def claim() -> Violation:
        offset = int(offsets[at])
        reached = access(attempt, at, region.number, offset)
        address = element(attempt, at, region, offset)
        return Misaligned(region.layout.name, address, attempt.request.width, reached)

    attempt.block.claim((Misaligned, attempt.request.place), claim, attempt.taint)
