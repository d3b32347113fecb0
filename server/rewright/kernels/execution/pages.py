"""Global memory of unknown size that is accessed far from its start: pages, of which those that are touched are held.

Invariant: offsets come as those of the array, and go to the bytes that are held as those of their pages. An access is
aligned to its width, a power of two, and so lies in one page. Must not know why an array is accessed there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rewright.kernels.execution.arrays import Column, LaneFlags, MemoryElements, Whys
from rewright.kernels.execution.block import UndecidedRun
from rewright.kernels.execution.groups import LaneGroup, Value
from rewright.kernels.execution.regions import Flat, Offsets
from rewright.kernels.reasons import Cause

MOST_ELEMENTS = 1 << 31
"""Elements of an array of unknown size: an `int` indexes so many, and what is beyond is mostly an index below 0."""

MOST_REACHED = 1 << 36
"""Bytes of the largest such array, however large its elements are: more than most GPUs have."""

_PAGE_BITS = 12
_PAGE = 1 << _PAGE_BITS
"""Bytes of a page: a block whose threads are rows apart touches one for each of them."""

_MOST_PAGES = 1 << 14
"""Pages that are held of one array."""


class Paged(Flat):
    """What is flat in pages: `size` is how far it reaches, and only pages that are touched take room.

    `_slots`: (pages of the array,) int32, where each is among those held, 0 for those that nothing has touched.
    """

    __slots__ = ("_held", "_slots")

    def __init__(self, near: Flat, size: int) -> None:
        """What goes on in place of an array that is held from its start, takes over all of it, and reaches so far."""
        for name in Flat.__slots__:
            setattr(self, name, getattr(near, name))
        held = -(-len(near._data) // _PAGE)
        self._slots: NDArray[np.int32] = np.zeros(-(-size // _PAGE), np.int32)
        self._slots[:held] = np.arange(1, held + 1)
        self._held = held + 1
        self._data = _moved(near._data, self._held, 0)
        self._init = None if near._init is None else _moved(near._init, self._held, near._filled)
        self.left = None if near.left is None else _moved(near.left, self._held, 0)
        self._views = {}
        self.size = size

    def settle(self) -> None:
        """Nothing: pages that are touched later need init bits as well."""

    def read(self, offsets: Offsets, group: LaneGroup, dtype: np.dtype[np.generic]) -> Value:
        """The elements at these offsets."""
        return super().read(self._place(offsets), group, dtype)

    def write(self, offsets: Offsets, group: LaneGroup, values: Value) -> None:
        """Sets the elements at these offsets, those of later lanes after those of earlier ones."""
        super().write(self._place(offsets), group, values)

    def leave(self, offsets: Offsets, group: LaneGroup, width: int, whys: Whys) -> None:
        """Those of these bytes without a value have none, as if they were not written."""
        super().leave(self._place(offsets), group, width, whys)

    def whys(self, offsets: Offsets, group: LaneGroup, width: int) -> Whys:
        """Why these bytes have no value, `UNWRITTEN` for those that nothing was written to; (lanes, width) int64."""
        return super().whys(self._place(offsets), group, width)

    def missing(self, offsets: Offsets, group: LaneGroup, width: int) -> LaneFlags | None:
        """Which lanes of the group would read a byte that was not written, None if none of them."""
        return super().missing(self._place(offsets), group, width)

    def elements(self, offsets: Column, dtype: np.dtype[np.generic]) -> tuple[MemoryElements, Column]:
        """All elements of a type that are held, and where those at these offsets are among them."""
        return super().elements(self._place(offsets), dtype)

    def _place(self, offsets: Offsets) -> Offsets:
        """Where bytes of the array are among those held. Raises `UndecidedRun` for too many pages."""
        pages = offsets >> _PAGE_BITS
        slots = self._slots[pages]
        if not np.all(slots):
            self._hold(np.unique(pages))
            slots = self._slots[pages]
        if isinstance(offsets, int):
            return (int(slots) << _PAGE_BITS) + (offsets & (_PAGE - 1))
        return (slots.astype(np.int64) << _PAGE_BITS) + (offsets & (_PAGE - 1))

    def _hold(self, pages: Column) -> None:
        """Makes room for those of these pages that are not held."""
        fresh = pages[self._slots[pages] == 0]
        held = self._held + len(fresh)
        if held > _MOST_PAGES:
            reason = f"`{self.layout.name}` is accessed in more than {_MOST_PAGES} pages of {_PAGE} bytes"
            raise UndecidedRun(reason, None, Cause.SIZE)
        self._slots[fresh] = np.arange(self._held, held)
        self._held = held
        if held << _PAGE_BITS > len(self._data):
            # twice as much each time, so that page by page little is copied
            self.extend(2 * held << _PAGE_BITS)


def reach(array: Flat) -> int:
    """How many bytes an array of unknown size has at most."""
    return min(array.layout.bytes * MOST_ELEMENTS, MOST_REACHED)


def _moved(held: NDArray[Any], pages: int, rest: int) -> NDArray[Any]:
    """What is held byte by byte, after a page that is none of the array's; with the rest of so many pages."""
    found = np.full(pages << _PAGE_BITS, rest, held.dtype)
    found[_PAGE : _PAGE + len(held)] = held
    return found
