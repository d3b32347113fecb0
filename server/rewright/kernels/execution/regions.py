"""Memory: one region per object, bytes with an init bit each, and typed views of them.

Invariants: offsets that come here lie in the region and are multiples of the width that is accessed. Global and shared
memory is flat; local memory has one row per element with the lanes side by side, so that an offset that is the same in
all lanes names a contiguous row. Must not know lanes whose control is undefined, pointers in registers, or logs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rewright.kernels.execution.arrays import Column, LaneFlags, LaneNumbers, MemoryElements, Whys
from rewright.kernels.execution.groups import LaneGroup, Value
from rewright.kernels.execution.log import ObjectLayout
from rewright.kernels.execution.taint import Taint
from rewright.model.simt.addresses import pointer
from rewright.model.simt.instructions import AtomicOperation

Array: TypeAlias = NDArray[Any]
"""(lanes,) bool where lanes are marked, int64 where they are numbered, else of the dtype of what they have."""

Offsets: TypeAlias = Any
"""Bytes from the start: an `int` for all lanes of the group, or (lanes,) int64."""

_UNITS = {width: np.dtype(f"u{width}") for width in (1, 2, 4, 8)}
_ONES = {width: int.from_bytes(b"\1" * width, "little") for width in _UNITS}
"""The init bits of an element of so many bytes, all of them written, as one unsigned integer."""

_PAD = 64
"""Sizes are rounded up to a multiple of this, so that the bytes can be viewed as elements of every type."""

UNWRITTEN = -1
"""Why a byte has no value that nothing was written to."""


class Flat:
    """Global or shared memory. `open`: its size is not known, and it grows as it is accessed.

    `watched`: somebody writes it, so that its accesses are logged. `taint`: the inputs that its contents come from.
    `combined`: the last kind of atomic on it. `read_only`: a kernel must not write it. `left`: why bytes have no value
    to which something without one was written, 0 for all others (None: there are none).
    """

    __slots__ = (
        "_data",
        "_filled",
        "_init",
        "_views",
        "combined",
        "layout",
        "left",
        "number",
        "open",
        "origin",
        "read_only",
        "size",
        "start",
        "taint",
        "watched",
    )

    def __init__(self, number: int, layout: ObjectLayout, size: int) -> None:
        self.number, self.layout, self.size = number, layout, size
        self.origin = pointer(number)
        self.start = np.uint64(self.origin)
        self.open = self.read_only = False
        self.watched = True
        self.taint: Taint = frozenset()
        self.combined: AtomicOperation | None = None
        self._data: NDArray[np.uint8] = np.zeros(_padded(size), np.uint8)
        self._init: NDArray[np.bool_] | None = np.zeros(_padded(size), np.bool_)
        self._filled = False
        self.left: Whys | None = None
        self._views: dict[np.dtype[Any], MemoryElements] = {}

    def fill(self, contents: MemoryElements) -> None:
        """Makes everything initialised: these elements, zeros after them."""
        found = np.frombuffer(contents.tobytes(), np.uint8)[: self.size]
        self._data[: len(found)] = found
        self._init, self._filled = None, True

    def grow(self, size: int) -> None:
        """Makes room for so many bytes."""
        # twice as much each time, so that growing byte by byte copies little
        self.size = _padded(max(size, 2 * self.size))
        self.extend(self.size)

    def extend(self, capacity: int) -> None:
        """Holds so many bytes."""
        self._data = _extended(self._data, capacity)
        if self._init is not None:
            known = len(self._init)
            self._init = _extended(self._init, capacity)
            self._init[known:] = self._filled
        if self.left is not None:
            self.left = _extended(self.left, capacity)
        self._views = {}

    def contents(self) -> Iterator[bytes]:
        """All bytes and which of them were written."""
        yield self._data.tobytes()
        yield b"|" if self._init is None else self._init.tobytes()

    def settle(self) -> None:
        """Forgets the init bits once all are set."""
        if self._init is not None and self._init[: self.size].all():
            self._init = None

    def view(self, dtype: np.dtype[Any]) -> MemoryElements:
        """All elements of a type, those of the padding too; what is written to them is written to memory."""
        found = self._views.get(dtype)
        if found is None:
            found = self._views[dtype] = self._data.view(dtype)
        return found

    def elements(self, offsets: Column, dtype: np.dtype[Any]) -> tuple[MemoryElements, Column]:
        """All elements of a type that are held, and which of them are those at these offsets; both to be written."""
        return self.view(dtype), offsets >> _SHIFTS[dtype.itemsize]

    def read(self, offsets: Offsets, group: LaneGroup, dtype: np.dtype[Any]) -> Value:
        """The elements at these offsets."""
        index = offsets >> _SHIFTS[dtype.itemsize]
        found = self._views.get(dtype)
        return (self.view(dtype) if found is None else found)[index]

    def write(self, offsets: Offsets, group: LaneGroup, values: Value) -> None:
        """Sets the elements at these offsets, those of later lanes after those of earlier ones."""
        width = values.dtype.itemsize
        index = offsets >> _SHIFTS[width]
        if isinstance(offsets, int) and isinstance(values, np.ndarray):
            # all lanes write one element: that of the last one stays
            values = values[-1]
        self.view(values.dtype)[index] = values
        if self._init is not None:
            self._init.view(_UNITS[width])[index] = _ONES[width]

    def leave(self, offsets: Offsets, group: LaneGroup, width: int, whys: Whys) -> None:
        """Those of these bytes without a value have none, as if they were not written."""
        if self._init is None:
            self._init = np.ones(len(self._data), np.bool_)
        if self.left is None:
            self.left = np.zeros(len(self._init), np.int64)
        _leave(self._init, self.left, _bytes(offsets, group, width), whys)

    def whys(self, offsets: Offsets, group: LaneGroup, width: int) -> Whys:
        """Why these bytes have no value, `UNWRITTEN` for those that nothing was written to; (lanes, width) int64."""
        assert self._init is not None
        return _whys(self._init, self.left, _bytes(offsets, group, width))

    def missing(self, offsets: Offsets, group: LaneGroup, width: int) -> LaneFlags | None:
        """Which lanes of the group would read a byte that was not written, None if none of them."""
        if self._init is None:
            return None
        bits = self._init.view(_UNITS[width])[offsets >> _SHIFTS[width]] != _ONES[width]
        return _found(bits, group)


class LocalRows:
    """Local memory, of which each lane has its own: rows of (threads,), in each an element of every lane.

    `left`: why bytes of the rows have no value to which something without one was written, 0 for all others (None:
    there are none).
    """

    __slots__ = (
        "_complete",
        "_data",
        "_init",
        "_unit",
        "combined",
        "lanes",
        "layout",
        "left",
        "number",
        "open",
        "origin",
        "size",
        "start",
        "taint",
    )

    watched = read_only = False

    def __init__(self, number: int, layout: ObjectLayout, size: int, lanes: int) -> None:
        self.number, self.layout, self.size, self.lanes = number, layout, size, lanes
        self.origin = pointer(number)
        self.start = np.uint64(self.origin)
        self.open = False
        self.taint: Taint = frozenset()
        self.combined: AtomicOperation | None = None
        self._unit = layout.bytes
        rows = -(-size // self._unit)
        self._data: NDArray[Any] = np.zeros((rows, lanes), _UNITS[self._unit])
        self._init: NDArray[Any] = np.zeros((rows, lanes), _UNITS[self._unit])
        self._complete = [False] * rows
        self.left: Whys | None = None

    def contents(self) -> Iterator[bytes]:
        """All bytes and which of them were written."""
        yield self._data.tobytes()
        yield b"|" if self._init is None else self._init.tobytes()

    def settle(self) -> None:
        """Nothing: each row knows whether it is written."""

    def forget(self, group: LaneGroup) -> None:
        """Nothing is written any more in the memory of these lanes."""
        self._init[:, group.lanes] = 0
        self._complete = [False] * len(self._complete)
        if self.left is not None:
            self.left.reshape(-1, self.lanes, self._unit)[:, group.lanes] = 0

    def leave(self, offsets: Offsets, group: LaneGroup, width: int, whys: Whys) -> None:
        """Those of these bytes, each in its lane's memory, without a value have none, as if they were not written."""
        if self.left is None:
            self.left = np.zeros(self._init.nbytes, np.int64)
        starts = group.spread(offsets)
        _leave(self._init.reshape(-1).view(np.uint8), self.left, self._bytes_at(starts, group, width), whys)
        for byte in range(0, width, min(width, self._unit)):
            for row in np.unique((starts + byte) // self._unit).tolist():
                self._complete[row] = False

    def whys(self, offsets: Offsets, group: LaneGroup, width: int) -> Whys:
        """Why these bytes have no value, `UNWRITTEN` for those that nothing was written to; (lanes, width) int64."""
        at = self._bytes_at(group.spread(offsets), group, width)
        return _whys(self._init.reshape(-1).view(np.uint8), self.left, at)

    def read(self, offsets: Offsets, group: LaneGroup, dtype: np.dtype[Any]) -> Value:
        """The elements at these offsets, each in its lane's memory."""
        return self._read(self._data, offsets, group, dtype)

    def write(self, offsets: Offsets, group: LaneGroup, values: Value) -> None:
        """Sets the elements at these offsets, each in its lane's memory."""
        width = values.dtype.itemsize
        bits = values.view(_UNITS[width])
        if width != self._unit:
            self._write(self._data, offsets, group, bits)
            self._write(self._init, offsets, group, bits.dtype.type(_ONES[width]))
            return
        row = offsets >> _SHIFTS[width]
        if group.whole and isinstance(row, int):
            self._data[row] = bits
            if not self._complete[row]:
                self._complete[row] = True
                self._init[row] = _ONES[width]
        else:
            self._data[row, group.lanes] = bits
            self._init[row, group.lanes] = _ONES[width]

    def missing(self, offsets: Offsets, group: LaneGroup, width: int) -> LaneFlags | None:
        """Which lanes of the group would read a byte that was not written, None if none of them."""
        if width == self._unit and isinstance(offsets, int) and self._complete[offsets >> _SHIFTS[width]]:
            return None
        return _found(self._read(self._init, offsets, group, _UNITS[width]) != _ONES[width], group)

    def _read(self, data: NDArray[Any], offsets: Offsets, group: LaneGroup, dtype: np.dtype[Any]) -> Value:
        if dtype.itemsize != self._unit:
            if isinstance(offsets, int):
                return self._read_across(data, offsets, group, dtype)
            taken = data.reshape(-1).view(np.uint8)[self._bytes_at(offsets, group, dtype.itemsize)]
            return taken.view(dtype).reshape(-1)
        row = offsets >> _SHIFTS[self._unit]
        if group.single:
            return data[row, group.first].view(dtype)
        if group.whole and isinstance(row, int):
            return data[row].copy().view(dtype)
        return data[row, group.lanes].view(dtype)

    def _read_across(self, data: NDArray[Any], offset: int, group: LaneGroup, dtype: np.dtype[Any]) -> Value:
        """An element that is several rows, or part of one."""
        width, row = dtype.itemsize, offset // self._unit
        taken = data[row : row + max(width // self._unit, 1)]
        if not group.whole:
            taken = taken[:, group.lanes]
        parts = np.ascontiguousarray(taken.T).view(dtype)
        found = parts[:, offset % self._unit // width].copy()
        return found[0] if group.single else found

    def _write(self, data: NDArray[Any], offsets: Offsets, group: LaneGroup, bits: Value) -> None:
        """Sets elements that are several rows, or part of one."""
        spread = np.ascontiguousarray(group.spread(bits))
        width, lanes = bits.dtype.itemsize, slice(None) if group.whole else group.lanes
        if not isinstance(offsets, int):
            at = self._bytes_at(offsets, group, width)
            data.reshape(-1).view(np.uint8)[at] = spread.view(np.uint8).reshape(at.shape)
        elif width < self._unit:
            parts = data[offsets // self._unit].view(spread.dtype).reshape(self.lanes, -1)
            parts[lanes, offsets % self._unit // width] = spread
        else:
            row = offsets // self._unit
            taken = data[row : row + width // self._unit]
            taken[:, lanes] = spread.view(data.dtype).reshape(group.count, -1).T

    def _bytes_at(self, offsets: LaneNumbers, group: LaneGroup, width: int) -> NDArray[np.signedinteger[Any]]:
        """Where each byte of each lane lies in the rows as bytes, (lanes, width) int64."""
        byte = offsets.reshape(-1, 1) + np.arange(width)
        return (byte // self._unit * self.lanes + group.lanes[:, None]) * self._unit + byte % self._unit


Region = Flat | LocalRows

_SHIFTS = {1: 0, 2: 1, 4: 2, 8: 3}


def _bytes(offsets: Offsets, group: LaneGroup, width: int) -> Whys:
    """The bytes of an element of each lane; (lanes, width) int64."""
    found: Whys = group.spread(offsets)[:, None] + np.arange(width)
    return found


def _leave(init: NDArray[Any], left: Whys, at: Whys, whys: Whys) -> None:
    """Notes why bytes have no value, those of later lanes after those of earlier ones; (lanes, width) int64."""
    missing = np.broadcast_to(whys, at.shape)
    gone = missing != 0
    init[at[gone]] = 0
    left[at[gone]] = missing[gone]


def _whys(init: NDArray[Any], left: Whys | None, at: Whys) -> Whys:
    known = np.zeros(at.shape, np.int64) if left is None else left[at]
    found: Whys = np.where(init[at] != 0, 0, np.where(known == 0, UNWRITTEN, known))
    return found


def _found(bits: Any, group: LaneGroup) -> LaneFlags | None:
    """The lanes marked, None if there are none."""
    if isinstance(bits, np.ndarray):
        return bits if np.count_nonzero(bits) else None
    return np.ones(group.count, np.bool_) if bits else None


def _padded(size: int) -> int:
    return -(-max(size, 1) // _PAD) * _PAD


def _extended(data: NDArray[Any], capacity: int) -> NDArray[Any]:
    found = np.zeros(capacity, data.dtype)
    found[: len(data)] = data
    return found
