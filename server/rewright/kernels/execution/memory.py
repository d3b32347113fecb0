"""Loads and stores of a group of lanes: the region that they access, what was not written, the log.

An access that may not be is left out, and reads 0; the others go on. Memory that nothing was written to is 0. What is
read in either case has no value, byte by byte: a copy of it is no finding, what depends on it is. Must not know what
addresses come from, or control.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from rewright.kernels.execution.arrays import Whys
from rewright.kernels.execution.bounds import Part, parts, within
from rewright.kernels.execution.groups import LaneGroup, Value
from rewright.kernels.execution.log import LoggedAccess
from rewright.kernels.execution.regions import UNWRITTEN, Array, Offsets, Region
from rewright.kernels.execution.requests import AccessRequest, access
from rewright.kernels.execution.taint import ATOMIC_ORDER, UNDEFINED, Taint, is_undefined
from rewright.kernels.execution.unset_reads import REPORTED, first, lost, placed
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
    """Values of consecutive elements as they are in memory, and the inputs that they come from.

    `whys`: by element, why lanes are without it or bytes of it (None: none is; nothing: of no element).
    """

    values: list[Value]
    taint: Taint
    whys: Sequence[Whys | None] = ()


def load(attempt: AccessRequest) -> Elements:
    """What the lanes read."""
    target = target_of(attempt)
    if target is not None:
        return _load(attempt, target)
    request, group = attempt.request, attempt.group
    values: list[Any] = [np.zeros(group.count, request.element) for _ in range(request.count)]
    reached, taint = parts(attempt), attempt.taint
    whys = [left_out(attempt, reached)] * request.count
    for part in reached:
        found = _load(attempt._replace(group=part.group), Target(part.region, part.offsets))
        for whole, piece in zip(values, found.values, strict=True):
            whole[part.at] = piece
        for number, more in enumerate(found.whys):
            if more is not None:
                whys[number] = placed(whys[number], group.count, part.at, more)
        taint |= found.taint
    return Elements([value[0] for value in values] if group.single else values, taint, whys)


def store(attempt: AccessRequest, written: Elements) -> None:
    """Writes the lanes in ascending order. Those without a value leave none; in global memory that is reported."""
    target = target_of(attempt)
    if target is not None:
        _store(attempt, target, written)
        return
    for part in parts(attempt):
        values = [piece(value, part.at, part.group) for value in written.values]
        of_part = attempt._replace(group=part.group)
        whys = [None if each is None else each[part.at] for each in written.whys]
        _store(of_part, Target(part.region, part.offsets), Elements(values, written.taint, whys))


def left_out(attempt: AccessRequest, reached: list[Part]) -> Whys | None:
    """The lanes of a group that are in none of the parts that reach memory, which is reported elsewhere."""
    count = attempt.group.count
    if sum(part.group.count for part in reached) == count:
        return None
    attempt.block.is_hollow = True
    outside = np.ones(count, np.bool_)
    for part in reached:
        outside[part.at] = False
    return lost(outside)


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
        values = as_bytes(group, written.values) if _UNCERTAIN.isdisjoint(written.taint) else None
        block.record(LoggedAccess(number, *where, values, fences, block.log.time, written.taint))


def piece(value: Value, at: Array, group: LaneGroup) -> Value:
    """The part of a value for lanes at some positions, (lanes,) int64, which are this group."""
    if not isinstance(value, np.ndarray):
        return value
    return value[at[0]] if group.single else value[at]


class _Reading(Struct, frozen=True):
    """An access that reads what was not written: all that a claim says of it, as it was then."""

    attempt: AccessRequest
    region: Region
    offsets: Array
    subscripts: tuple[Array, ...]
    interval: int

    def claim(self, at: int) -> None:
        """Claims that something depends on what the lane at a position in the group read."""
        block, place = self.attempt.block, self.attempt.request.place
        block.dropped = True
        block.claim((Uninitialised, place), partial(self._violation, at))

    def _violation(self, at: int) -> Violation:
        layout, offset = self.region.layout, int(self.offsets[at])
        reached = replace(access(self.attempt, at, self.region.number, offset), interval=self.interval)
        by_text = tuple(int(each[at]) for each in self.subscripts)
        return Uninitialised(layout.name, by_text or layout.element(offset), reached)


def why_missing(attempt: AccessRequest, target: Target, missing: Array, start: int) -> Whys:
    """Why the marked lanes get no value for the element that begins so many bytes after the start of the access.

    What misled lanes may have written, or an access that was left out, is no finding.
    """
    block, group, region = attempt.block, attempt.group, target.region
    block.is_hollow = True
    is_muted = block.muted or is_undefined(attempt.taint) or region.number in block.spoiled
    if is_muted or (region.watched and is_undefined(block.absences)):
        return lost(missing)
    found = region.whys(target.offsets + start, group, attempt.request.element.itemsize)
    unwritten = found == UNWRITTEN
    if unwritten.any():
        base = _reading(attempt, target)
        numbers = np.full(group.count, REPORTED) if base is None else base + np.arange(group.count)
        found = np.where(unwritten, numbers[:, None], found)
    return found[:, :1] if (found == found[:, :1]).all() else found


def _reading(attempt: AccessRequest, target: Target) -> int | None:
    """The number of a read of what was not written, for its first lane; None where one at its place is reported."""
    block, group, region = attempt.block, attempt.group, target.region
    if (Uninitialised, attempt.request.place) in block.violations:
        return None
    subscripts = tuple(group.spread(index.seen(group)) for index, _ in attempt.request.subscripts)
    reading = _Reading(attempt, region, group.spread(target.offsets), subscripts, block.log.interval)
    return block.unset_reads.add(group.count, reading.claim)


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
    whys: list[Whys | None] = []
    for number in range(request.count):
        at = offsets + number * size if number else offsets
        value = region.read(at, group, request.element)
        missing = region.missing(at, group, size)
        if missing is not None:
            whys = whys or [None] * request.count
            whys[number] = why_missing(attempt, target, missing, number * size)
        values.append(value)
    return Elements(values, taint, whys)


def _store(attempt: AccessRequest, target: Target, written: Elements) -> None:
    group, (region, offsets) = attempt.group, target
    if region.watched:
        log(attempt, target, written._replace(taint=written.taint | UNDEFINED) if written.whys else written)
    size = attempt.request.element.itemsize
    for number, value in enumerate(written.values):
        region.write(offsets + number * size if number else offsets, group, value)
    for number, whys in enumerate(written.whys):
        if whys is not None:
            if region.layout.is_global:
                attempt.block.unset_reads.report(first(whys))
            region.leave(offsets + number * size, group, size, whys)
    if written.taint or attempt.taint:
        region.taint |= written.taint | attempt.taint
    if attempt.block.muted:
        region.taint |= UNDEFINED
