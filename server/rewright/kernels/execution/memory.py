"""Loads and stores of a group of lanes: the region that they access, what was not written, the log.

An access that may not be is left out, and reads 0; the others go on. Memory that nothing was written to is 0. What is
read in either case is undefined. Must not know what addresses come from, or control.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rewright.kernels.execution.bounds import Part, parts, within
from rewright.kernels.execution.groups import LaneGroup, Value
from rewright.kernels.execution.log import LoggedAccess
from rewright.kernels.execution.regions import Array, Claim, Offsets, Region
from rewright.kernels.execution.requests import AccessRequest, access, element
from rewright.kernels.execution.taint import ATOMIC_ORDER, NOTHING, UNDEFINED, Taint, is_undefined
from rewright.model.simt.addresses import OFFSET_BITS
from rewright.model.simt.violation import Uninitialised, Violation
from rewright.verdict import AccessKind

_together = np.bitwise_or.reduce
_most = np.maximum.reduce

_UNCERTAIN = UNDEFINED | ATOMIC_ORDER
"""Where a value comes from of which two writes are not equal because they were equal in one run."""


class Target(NamedTuple):
    """Where all lanes of a group access one region."""

    region: Region
    offsets: Offsets


class Elements(NamedTuple):
    """Values of consecutive elements as they are in memory, and the inputs that they come from."""

    values: list[Value]
    taint: Taint


def load(attempt: AccessRequest) -> Elements:
    """What the lanes read."""
    target = target_of(attempt)
    if target is not None:
        return _load(attempt, target)
    request, group = attempt.request, attempt.group
    values: list[Any] = [np.zeros(group.count, request.element) for _ in range(request.count)]
    reached = parts(attempt)
    taint = attempt.taint | left_out(reached, group)
    for part in reached:
        found = _load(attempt._replace(group=part.group), Target(part.region, part.offsets))
        for whole, piece in zip(values, found.values, strict=True):
            whole[part.at] = piece
        taint |= found.taint
    return Elements([value[0] for value in values] if group.single else values, taint)


def store(attempt: AccessRequest, written: Elements) -> None:
    """Writes the lanes in ascending order."""
    target = target_of(attempt)
    if target is not None:
        _store(attempt, target, written)
        return
    for part in parts(attempt):
        values = [piece(value, part.at, part.group) for value in written.values]
        partial = attempt._replace(group=part.group)
        _store(partial, Target(part.region, part.offsets), Elements(values, written.taint))


def left_out(reached: list[Part], group: LaneGroup) -> Taint:
    """The taint of what a group gets of which these parts reach memory: undefined if some lanes are in none."""
    return UNDEFINED if sum(part.group.count for part in reached) < group.count else NOTHING


def target_of(attempt: AccessRequest) -> Target | None:
    """The region that all lanes access as they may, if that is so."""
    block, request, _, addresses, _ = attempt
    width = request.width
    offsets: Offsets
    is_spread = isinstance(addresses, np.ndarray)
    number = (int(addresses[0] if is_spread else addresses) >> OFFSET_BITS) - 1
    if not 0 <= number < len(block.regions):
        return None
    region = block.regions[number]
    if region.read_only and request.kind is not AccessKind.READ:
        return None
    if is_spread:
        distance = addresses - region.start
        reach, last = int(_together(distance)), region.size - width
        # no offset exceeds all of their bits together: mostly one look for both bounds and alignment
        if (reach > last and int(_most(distance)) > last) or reach & (width - 1):
            return None
        offsets = distance.view(np.int64)
    else:
        offsets = int(addresses) - region.origin
        if not 0 <= offsets <= region.size - width or offsets & (width - 1):
            return None
    if request.subscripts and not within(attempt, region):
        return None
    return Target(region, offsets)


def is_of_block(attempt: AccessRequest) -> bool:
    """Whether all lanes of a group access shared or local memory, which nobody reads after the block."""
    addresses = np.unique(attempt.group.spread(attempt.addresses) >> np.uint64(OFFSET_BITS)).astype(np.int64) - 1
    regions = attempt.block.regions
    return all(0 <= number < len(regions) and not regions[number].layout.is_global for number in addresses.tolist())


def leave(attempt: AccessRequest, written: Elements, holes: list[dict[int, Claim]]) -> None:
    """Writes the lanes; those in `holes`, element by element, have no value, which is claimed when it is read."""
    target = target_of(attempt)
    if target is not None:
        _leave(attempt, target, written, holes)
        return
    for part in parts(attempt):
        values = [piece(value, part.at, part.group) for value in written.values]
        partial = attempt._replace(group=part.group)
        _leave(partial, Target(part.region, part.offsets), Elements(values, written.taint), holes)


def log(attempt: AccessRequest, target: Target, written: Elements | None) -> None:
    """Logs an access, unless its address is a consequence of undefined values."""
    block, request, group, _, taint = attempt
    if is_undefined(taint):
        block.dropped = True
        return
    fences = None if block.fences is None else block.fences[group.lanes]
    offsets, number = group.spread(target.offsets), target.region.number
    where = (request.kind, request.place, request.width, offsets, group.lanes)
    if written is None:
        block.record(LoggedAccess(number, *where, None, fences, block.log.time))
    else:
        told = as_bytes(group, written.values) if _UNCERTAIN.isdisjoint(written.taint) else None
        block.record(LoggedAccess(number, *where, told, fences, block.log.time, written.taint))


def piece(value: Value, at: Array, group: LaneGroup) -> Value:
    """The part of a value for lanes at some positions, (lanes,) int64, which are this group."""
    if not isinstance(value, np.ndarray):
        return value
    return value[at[0]] if group.single else value[at]


def claim_missing(attempt: AccessRequest, target: Target, missing: Array) -> None:
    """Claims that the first of the marked lanes reads what was not written, or what comes of a variable nothing set.

    `missing`: (lanes,) bool.
    """
    group, region = attempt.group, target.region
    block, taint = attempt.block, attempt.taint
    if region.number in block.spoiled:
        taint = taint | UNDEFINED
    elif region.watched:
        taint = taint | block.absences
    if region.left:
        offsets, missing = group.spread(target.offsets), missing.copy()
        for at in np.flatnonzero(missing).tolist():
            left = region.left_at(int(offsets[at]), int(group.lanes[at]), attempt.request.width)
            if left is not None:
                left(taint)
                missing[at] = False
        if not missing.any():
            return

    def claim() -> Violation:
        at = int(np.flatnonzero(missing)[0])
        offset = int(group.spread(target.offsets)[at])
        reached = access(attempt, at, region.number, offset)
        return Uninitialised(region.layout.name, element(attempt, at, region, offset), reached)

    block.claim((Uninitialised, attempt.request.place), claim, taint)


def as_bytes(group: LaneGroup, values: list[Value]) -> Array:
    """The bytes that each lane writes, (lanes, width) uint8."""
    columns = [np.ascontiguousarray(group.spread(value)).view(np.uint8).reshape(group.count, -1) for value in values]
    return columns[0] if len(columns) == 1 else np.concatenate(columns, axis=1)


def _load(attempt: AccessRequest, target: Target) -> Elements:
    request, group, (region, offsets) = attempt.request, attempt.group, target
    if region.watched:
        log(attempt, target, None)
    size, values = request.element.itemsize, []
    taint = attempt.taint | region.taint if attempt.taint else region.taint
    for number in range(request.count):
        at = offsets + number * size if number else offsets
        value = region.read(at, group, request.element)
        missing = region.missing(at, group, size)
        if missing is not None:
            claim_missing(attempt, target, missing)
            taint = taint | UNDEFINED
        values.append(value)
    return Elements(values, taint)


def _leave(attempt: AccessRequest, target: Target, written: Elements, holes: list[dict[int, Claim]]) -> None:
    group, (region, offsets) = attempt.group, target
    if region.watched:
        log(attempt, target, written._replace(taint=written.taint | UNDEFINED))
    size = attempt.request.element.itemsize
    starts = group.spread(offsets).tolist()
    for number, (value, claims) in enumerate(zip(written.values, holes, strict=True)):
        region.write(offsets + number * size, group, value)
        for lane, start in zip(group.lanes.tolist(), starts, strict=True):
            if lane in claims:
                region.leave(start + number * size, lane, size, claims[lane])
    region.taint |= written.taint | attempt.taint


def _store(attempt: AccessRequest, target: Target, written: Elements) -> None:
    group, (region, offsets) = attempt.group, target
    if region.watched:
        log(attempt, target, written)
    size = attempt.request.element.itemsize
    for number, value in enumerate(written.values):
        region.write(offsets + number * size if number else offsets, group, value)
    if written.taint or attempt.taint:
        region.taint |= written.taint | attempt.taint
    if attempt.block.muted:
        region.taint |= UNDEFINED
