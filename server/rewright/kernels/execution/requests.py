"""An access to memory: as its instruction says it, and as a group of lanes attempts it.

Must not know what an access does, or whether it may.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from rewright.kernels.execution.block import RunningBlock
from rewright.kernels.execution.groups import LaneGroup, Value
from rewright.kernels.execution.regions import Region
from rewright.kernels.execution.registers import Cell, Fixed
from rewright.kernels.execution.taint import Taint
from rewright.model.simt.violation import Access
from rewright.verdict import AccessKind, Place


class Dimension(NamedTuple):
    """The registers (or constants) of a subscript and its extent."""

    subscript: Cell | Fixed
    extent: Cell | Fixed


class Request(Struct, frozen=True):
    """`count` elements of type `element` in memory, `width` bytes in all.

    `elements`: how many an object has whose extents are those of the subscripts; None if they are not constants.
    """

    kind: AccessKind
    place: Place
    element: np.dtype[Any]
    count: int
    width: int
    subscripts: tuple[Dimension, ...]
    elements: int | None


class AccessRequest(NamedTuple):
    """Lanes that want to access memory at these addresses, uint64, which come from the inputs `taint`."""

    block: RunningBlock
    request: Request
    group: LaneGroup
    addresses: Value
    taint: Taint


def indices(attempt: AccessRequest, at: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The subscripts of a lane, by its position in the group, and their extents."""
    group = attempt.group
    pairs = [
        (int(group.spread(index.seen(group))[at]), int(group.spread(extent.seen(group))[at]))
        for index, extent in attempt.request.subscripts
    ]
    return tuple(index for index, _ in pairs), tuple(extent for _, extent in pairs)


def access(attempt: AccessRequest, at: int, number: int, offset: int) -> Access:
    """What a lane, by its position in the group, does to an object."""
    block, request = attempt.block, attempt.request
    thread = block.scene.thread(int(attempt.group.lanes[at]))
    return Access(thread, request.kind, number, offset, request.width, block.log.interval, request.place)


def element(attempt: AccessRequest, at: int, region: Region, offset: int) -> tuple[int, ...]:
    """The element that a lane accesses: by its subscripts, or by the extents of the object."""
    return indices(attempt, at)[0] if attempt.request.subscripts else region.layout.element(offset)
