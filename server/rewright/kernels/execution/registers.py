"""One variable of all threads: the value that the group at hand sees, and below it those of the whole block.

Instructions use the view directly while its group is theirs; `turn` and `fetch` move it to another group. Invariants:
where the view is dirty it is newer than `base` in the lanes of its group; `unset` marks the lanes of `base` that have
no value, or not all bytes of it (None: there are none); the view is of a group only if all of its lanes have one; an
array that others may hold is never changed. Must not know instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rewright.kernels.execution.arrays import Whys
from rewright.kernels.execution.groups import Indices, LaneGroup, Value
from rewright.kernels.execution.taint import NOTHING, UNDEFINED, Taint
from rewright.kernels.execution.unset_reads import placed

Report = Callable[["Cell", Indices], None]
"""Called for a variable that is read before it was set, and of the lanes that do."""


def _surprised(cell: Cell, lanes: Indices) -> None:
    raise AssertionError(cell.number, lanes)


class Cell:
    """The register with this number. `taint` and `base_taint`: the inputs that the view and the base come from.

    `value` is (lanes,) of the group, or a scalar, `base` (threads,), or a scalar, of the dtype of the register's type;
    `unset` (threads,) bool. `whys`: which bytes are missing in the lanes of `unset`, and why; a row of zeros
    (or None) for those that nothing set.
    """

    __slots__ = (
        "_owned",
        "base",
        "base_taint",
        "dirty",
        "group",
        "lanes",
        "number",
        "taint",
        "unset",
        "value",
        "whys",
        "zero",
    )

    def __init__(self, number: int, zero: np.generic) -> None:
        self.number = number
        self.zero = zero
        self.clear(0)

    def clear(self, lanes: int) -> None:
        """No lane has a value."""
        self.lanes = lanes
        self.value: Value = None
        self.group: LaneGroup | None = None
        self.taint = self.base_taint = NOTHING
        self.dirty = False
        self.base: Value = None
        self.unset: NDArray[np.bool_] | None = None
        self.whys: Whys | None = None
        self._owned = False

    def write(self, group: LaneGroup, value: Value, taint: Taint) -> None:
        """Sets the value in the lanes of a group."""
        if self.group is not group:
            self.turn(group)
        self.value = value
        self.taint = taint
        self.dirty = True

    def turn(self, group: LaneGroup) -> None:
        """Makes the view one of another group that is about to be written."""
        if self.dirty and not group.whole:
            self._flush()
        self.group = group

    def fetch(self, group: LaneGroup, report: Report) -> Value:
        """The value as a group sees it, which the view is from now on."""
        if self.dirty:
            self._flush()
        base: Any = self.base
        if base is None or self.unset is not None:
            base = self._defined(group, report)
        if isinstance(base, np.ndarray):
            if group.whole:
                self._owned = False
            base = group.take(base)
        self.group, self.value, self.taint, self.dirty = group, base, self.base_taint, False
        return base

    def seen(self, group: LaneGroup) -> Value:
        """The value as a group sees it, which an instruction has fetched before."""
        return self.value if self.group is group else self.fetch(group, _surprised)

    def offered(self, group: LaneGroup) -> tuple[Value, NDArray[np.bool_] | None]:
        """What a group gives to others: its value, and which of its lanes have none (None: all have one).

        The latter is (lanes,) bool.
        """
        if self.group is group:
            return self.value, None
        if self.dirty:
            self._flush()
        base = self._own() if self.base is None else self.base
        missing = None if self.unset is None else self.unset[group.lanes]
        if missing is None or not missing.any():
            return self.fetch(group, _surprised), None
        self.taint |= self.base_taint
        return group.take(base), missing

    def holes(self, group: LaneGroup) -> NDArray[np.bool_] | None:
        """Which lanes of a group have no value, (lanes,) bool (None: all have one)."""
        if self.group is group:
            return None
        if self.dirty:
            self._flush()
        if self.base is None:
            return np.ones(group.count, np.bool_)
        missing = None if self.unset is None else self.unset[group.lanes]
        return missing if missing is not None and missing.any() else None

    def forget(self, group: LaneGroup) -> None:
        """The lanes of a group have no value."""
        if self.dirty:
            self._flush()
        self.group, self.value = None, None
        if group.whole:
            self.base, self.unset, self.whys, self._owned = None, None, None, False
            return
        self._own()[group.lanes] = self.zero
        self._unset_of_all()[group.lanes] = True
        if self.whys is not None:
            self.whys = placed(self.whys, self.lanes, group.lanes, np.zeros((group.count, 1), np.int64))

    def leave(self, group: LaneGroup, whys: Whys) -> None:
        """The lanes of a group, which was just written, are without these bytes; (lanes, bytes or 1) int64."""
        missing: NDArray[np.bool_] = np.any(whys, axis=1)
        if not missing.any():
            return
        if self.dirty:
            self._flush()
        self.group, self.value = None, None
        self._own()
        if group.whole:
            self.unset, self.whys = missing, whys
            return
        self._unset_of_all()[group.lanes] = missing
        self.whys = placed(self.whys, self.lanes, group.lanes, whys)

    def _unset_of_all(self) -> NDArray[np.bool_]:
        if self.unset is None:
            self.unset = np.zeros(self.lanes, np.bool_)
        return self.unset

    def pretend(self, group: LaneGroup) -> bool:
        """Makes the view one of a group as if all of its lanes had a value; False if they have."""
        if self.holes(group) is None:
            return False
        base = self._own()
        if group.whole:
            self._owned = False
        self.group, self.value, self.taint = group, group.take(base), self.base_taint
        return True

    def withdraw(self) -> None:
        """The view is of nobody, unless it was written since `pretend`."""
        if not self.dirty:
            self.group, self.value = None, None

    def settle(self, group: LaneGroup) -> None:
        """The lanes of a group that have no value have one from now on, and nothing is reported."""
        if self.holes(group) is not None:
            self._own()
            if self.unset is not None:
                self.unset[group.lanes] = False

    def peek(self, lanes: Indices) -> Value:
        """The values of lanes that have one."""
        if self.dirty:
            self._flush()
        return self.base[lanes] if isinstance(self.base, np.ndarray) else self.base

    def miss(self, lanes: Indices, report: Report) -> None:
        """Others take the values of these lanes, which have none: that is reported, and they are zero from now on."""
        assert self.unset is not None
        report(self, lanes)
        self.unset[lanes] = False
        if not self.unset.any():
            self.unset = None
        self.base_taint |= UNDEFINED

    def contents(self) -> Iterator[bytes]:
        """The values of all lanes and which of them have none, as bytes."""
        if self.dirty:
            self._flush()
        yield b"none" if self.base is None else np.asarray(self.base).tobytes()
        yield b"|" if self.unset is None else self.unset.tobytes()

    def add_taint(self, taint: Taint) -> None:
        """Whatever values there are come from these inputs too."""
        if self.group is not None or self.base is not None:
            self.taint |= taint
            self.base_taint |= taint

    def _flush(self) -> None:
        """Writes the view to the base."""
        group = self.group
        assert group is not None
        self.dirty = False
        if group.whole:
            self.base, self.base_taint, self.unset, self._owned = self.value, self.taint, None, False
            return
        base = self._own()
        base[group.lanes] = self.value
        if self.unset is not None:
            self.unset[group.lanes] = False
            if not self.unset.any():
                self.unset = None
        if self.taint is not self.base_taint:
            self.base_taint |= self.taint

    def _own(self) -> NDArray[Any]:
        """The base as an array that may be changed."""
        if self.base is None:
            self.base = np.full(self.lanes, self.zero)
            self.unset = np.ones(self.lanes, np.bool_)
        elif not isinstance(self.base, np.ndarray):
            self.base = np.full(self.lanes, self.base)
        elif not self._owned:
            self.base = self.base.copy()
        self._owned = True
        assert isinstance(self.base, np.ndarray)
        return self.base

    def _defined(self, group: LaneGroup, report: Report) -> Value:
        """The base with zeros where a lane of the group has no value, which is reported."""
        base = self._own()
        if self.unset is None:
            return base
        missing = group.lanes[self.unset[group.lanes]]
        if len(missing):
            self.miss(missing, report)
        return base


class Fixed:
    """A constant, read as a register is."""

    __slots__ = ("value",)

    group: None = None
    taint = NOTHING

    def __init__(self, value: Value) -> None:
        self.value = value

    def fetch(self, group: LaneGroup, report: Report) -> Value:
        """The constant."""
        return self.value

    def seen(self, group: LaneGroup) -> Value:
        """The constant."""
        return self.value

    def holes(self, group: LaneGroup) -> None:
        """None: all lanes have it."""

    def offered(self, group: LaneGroup) -> tuple[Value, None]:
        """The constant, which all lanes have."""
        return self.value, None

    def miss(self, lanes: Indices, report: Report) -> None:
        """Never happens."""
        raise AssertionError(lanes)
