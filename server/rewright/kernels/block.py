"""The state of one block while it runs: variables, memory, the log of accesses, what went wrong so far.

Invariants: a region has one entry per element, in row-major order; `log` holds the accesses of the current barrier
interval in the order in which they ran; a violation is kept once per place (once per pair of places for a race).
Mutable, and owned by one run. Must not know statements or expressions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple

import numpy as np

from rewright.kernels.lanes import DTYPES, NOWHERE, Array, Group, Value
from rewright.model.index import Name
from rewright.model.simt.types import Coordinate, Scalar
from rewright.model.violation import AccessKind, Setting, ThreadIndex, Violation
from rewright.verdict import Place

MOST_THREADS = 1024
"""Threads of a block that hardware allows."""

MOST_ELEMENTS = 1 << 24
"""Elements of all arrays together, and accesses within one barrier interval."""


class Undecided(Exception):
    """The run cannot go on; says why, and where."""

    def __init__(self, reason: str, place: Place | None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place


@dataclass(slots=True)
class Region:
    """One array. `data` is None for floats; `known` is None where every element is known.

    `watched` is false for an array that no statement writes: nobody races on it. `sources` are the inputs that its
    contents were computed from.
    """

    name: Name
    type: Scalar
    extents: tuple[int, ...]
    data: Array | None
    known: Array | None
    sources: frozenset[str]
    watched: bool

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.extents)

    def index(self, flat: int) -> tuple[int, ...]:
        """The index of an element by dimension."""
        return tuple(int(i) for i in np.unravel_index(flat, self.extents))


class Entry(NamedTuple):
    """One executed access: the elements and the lanes that touched them, pairwise."""

    region: Region
    kind: AccessKind
    place: Place
    addresses: Array
    lanes: Array


@dataclass(slots=True)
class Block:
    """A block under way. `depends` are the inputs that control or an address was computed from."""

    setting: Setting
    lanes: int
    numbers: Array
    positions: dict[tuple[Coordinate, int], Array]
    variables: dict[Name, Value] = field(default_factory=dict)
    regions: dict[Name, Region] = field(default_factory=dict)
    interval: int = 0
    log: list[Entry] = field(default_factory=list)
    logged: int = 0
    violations: dict[object, Violation] = field(default_factory=dict)
    depends: set[str] = field(default_factory=set)

    def thread(self, lane: int) -> ThreadIndex:
        """The index of a lane in the block, x first."""
        x, y, _ = self.setting.block
        return lane % x, lane // x % y, lane // (x * y)

    def lane_numbers(self, group: Group) -> Array:
        """The lanes of a group as an array."""
        return self.numbers if group is None else group

    def count(self, group: Group) -> int:
        """The number of lanes in a group."""
        return self.lanes if group is None else len(group)

    def record(self, entry: Entry) -> None:
        """Logs an access of the current interval. Raises `Undecided` when there are too many."""
        self.log.append(entry)
        self.logged += len(entry.addresses)
        if self.logged > MOST_ELEMENTS:
            raise Undecided(f"more than {MOST_ELEMENTS} accesses between two barriers", entry.place)

    def claim(self, key: object, violation: Violation) -> None:
        """Keeps a violation unless one with this key is known."""
        self.violations.setdefault(key, violation)


def start(setting: Setting) -> Block:
    """A block before its first statement. Raises `Undecided` for a block that hardware cannot run."""
    lanes = prod(setting.block)
    if not 1 <= lanes <= MOST_THREADS:
        raise Undecided(f"a block has 1 to {MOST_THREADS} threads, this launch has {lanes}", None)
    if min(setting.grid) < 1:
        raise Undecided("the grid of this launch is empty", None)
    numbers = np.arange(lanes)
    return Block(setting, lanes, numbers, _positions(setting, numbers))


def region(name: Name, scalar: Scalar, extents: tuple[int, ...], contents: tuple[int, ...] | None) -> Region:
    """An array with these contents, or with undefined ones. Raises `Undecided` for an impossible size."""
    size = prod(extents)
    if min(extents, default=1) < 0:
        raise Undecided(f"`{name}` has the negative size {list(extents)}; sizes are s32", None)
    if size > MOST_ELEMENTS:
        raise Undecided(f"`{name}` has {size} elements, more than the {MOST_ELEMENTS} that are followed", None)
    if scalar.is_float:
        return Region(name, scalar, extents, None, None, NOWHERE, True)
    if contents is None:
        unknown = np.zeros(size, np.bool_)
        return Region(name, scalar, extents, np.zeros(size, DTYPES[scalar]), unknown, NOWHERE, True)
    data = np.asarray(contents, DTYPES[scalar])
    return Region(name, scalar, extents, data, None, frozenset({str(name)}), True)


def _positions(setting: Setting, numbers: Array) -> dict[tuple[Coordinate, int], Array]:
    x, y, _ = setting.block
    threads = (numbers % x, numbers // x % y, numbers // (x * y))
    uniform = {Coordinate.BLOCK: setting.at, Coordinate.BLOCK_DIM: setting.block, Coordinate.GRID_DIM: setting.grid}
    found: dict[tuple[Coordinate, int], Array] = {}
    for axis in range(3):
        found[Coordinate.THREAD, axis] = threads[axis].astype(np.int64)
        for coordinate, triple in uniform.items():
            found[coordinate, axis] = np.asarray(triple[axis], np.int64)
    return found
