"""Inputs on which an element of the sequential output is nowhere in what the ranks hold.

Owns the test: no entry of a distributed output equals it, and no sum over a set of ranks with one entry of each does.
A clean expression, which only rearranges and reduces over ranks, would have to be one of these. All sums are looked at
by halves of the ranks: each sum of one half beside the nearest of the other. Numbers are compared as floats, and count
as different only if they differ by more than the rounding of all of them. Must not know how relations are found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum
from functools import reduce
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from rewright.model.graph import Refinement
from rewright.model.index import Name
from rewright.replay.arrays import Position, positions
from rewright.replay.elements import UNDEFINED, Element, SpecialElement, element_text
from rewright.replay.enclosures import Enclosure
from rewright.replay.graphs.extents import Numbers
from rewright.replay.graphs.related import RelatedValues, ShownRun, runs, shown_run
from rewright.replay.graphs.steps import MOST_STEPS

MOST_SUMS = 1 << 16
"""Sums of one half of the ranks: with more of them only sums of one position are looked at."""

ROUNDING = 2.0**-48
"""Above the relative rounding of a sum of a few floats, each rounded once."""

Floats: TypeAlias = npt.NDArray[np.float64]
"""float64 [n]."""


class Sums(Enum):
    """Which sums over sets of ranks an element is different from."""

    ANY_ENTRIES = "any entries"
    ONE_POSITION = "one position"


class Unrecoverable(Struct, frozen=True):
    """An element of an output that no entry and none of the `sums` equals."""

    output: Name
    index: Position
    expected: str
    sums: Sums
    run: ShownRun


def unrecoverable(refinement: Refinement, sizes: Numbers, most_steps: int = MOST_STEPS) -> Unrecoverable | None:
    """The first element, of the first draw, that is nowhere in the distributed outputs; None where none was found.

    None, too, at sizes without related inputs or where a node has no value. Raises `NotReplayable` for an operator that
    is not replayed, and `TooLarge` for values that take more than `most_steps`.
    """
    for run in runs(refinement, sizes, most_steps):
        for name, held in run.sequential.results.items():
            expected = held[()]
            entries = _Entries.of(run, [expected[at] for at in positions(expected.shape)])
            if entries is None:
                break
            for at in positions(expected.shape):
                sums = _missing(expected[at], entries)
                if sums is not None:
                    return Unrecoverable(name, at, element_text(expected[at]), sums, shown_run(run, sizes, name))
    return None


def _missing(expected: Element, entries: _Entries) -> Sums | None:
    """Which sums an element is different from; None if it may equal one."""
    if isinstance(expected, SpecialElement) or expected in (math.inf, -math.inf):
        return None
    number = _Rounded.of(expected).value
    if any(half.holds(number, entries.tolerance) for half in entries.by_position):
        return None
    if entries.any_entries is None:
        return Sums.ONE_POSITION
    return None if entries.any_entries.holds(number, entries.tolerance) else Sums.ANY_ENTRIES


class _Rounded(Struct, frozen=True):
    """A float, and how far from it the number may be at most, besides rounding."""

    value: float
    width: float

    @staticmethod
    def of(element: Element) -> _Rounded:
        if isinstance(element, Enclosure):
            return _Rounded(float(element.low), float(element.high - element.low))
        assert not isinstance(element, SpecialElement | str)
        return _Rounded(float(element), 0.0)


class _Halves(Struct, frozen=True, eq=False):
    """The sums of one half of the ranks, and those of the other, ascending: float64 [m], [n]."""

    first: Floats
    second: Floats

    @staticmethod
    def of(options: Sequence[Floats]) -> _Halves | None:
        """All sums with one option of each rank; None if they are too many."""
        middle = len(options) // 2
        halves = (options[:middle], options[middle:])
        if any(math.prod(map(len, half)) > MOST_SUMS for half in halves):
            return None
        first, second = (reduce(_all_sums, half, np.zeros(1)) for half in halves)
        return _Halves(first, np.sort(second))

    def holds(self, number: float, tolerance: float) -> bool:
        """Whether a sum of both is the number, or so near that it may be."""
        needed = number - self.first
        above = np.searchsorted(self.second, needed).clip(0, len(self.second) - 1)
        below = (above - 1).clip(0)
        nearest = np.minimum(np.abs(self.second[above] - needed), np.abs(self.second[below] - needed))
        return bool(nearest.min() <= tolerance)


def _all_sums(sums: Floats, options: Floats) -> Floats:
    return np.add.outer(sums, options).ravel()


class _Entries(Struct, frozen=True, eq=False):
    """The sums of the distributed outputs' entries: of each position, and of any entries if these are not too many."""

    by_position: list[_Halves]
    any_entries: _Halves | None
    tolerance: float

    @staticmethod
    def of(run: RelatedValues, expected: Sequence[Element]) -> _Entries | None:
        """None where an entry is not known well enough, or there are too many ranks."""
        by_rank: dict[object, list[_Rounded]] = {}
        by_position = []
        try:
            for held in run.distributed.results.values():
                for at in positions(next(iter(held.values())).shape):
                    here = {rank: _usable(data[at]) for rank, data in held.items()}
                    for rank, usable in here.items():
                        by_rank.setdefault(rank, []).extend(usable)
                    halves = _Halves.of([_options(usable) for usable in here.values()])
                    if halves is None:
                        return None
                    by_position.append(halves)
            tolerance = _tolerance([*by_rank.values(), [each for element in expected for each in _usable(element, ())]])
        except (_NotKnown, OverflowError):
            return None
        any_entries = _Halves.of([_options(listed) for listed in by_rank.values()])
        return _Entries(by_position, any_entries, tolerance)


class _NotKnown(Exception):
    """An element of which nothing is known."""


def _usable(element: Element, unknown: Sequence[_Rounded] | None = None) -> Sequence[_Rounded]:
    """The element as a float; nothing if it is no number. Raises `_NotKnown` where nothing is known of it."""
    if element is UNDEFINED or element in (math.inf, -math.inf):
        return ()
    if isinstance(element, SpecialElement):
        if unknown is None:
            raise _NotKnown
        return unknown
    return (_Rounded.of(element),)


def _options(listed: Sequence[_Rounded]) -> Floats:
    """What a rank may put into a sum: nothing, or one of its entries."""
    return np.unique(np.array([0.0, *(each.value for each in listed)]))


def _tolerance(groups: Sequence[Sequence[_Rounded]]) -> float:
    """More than all rounding and all widths of a sum with one number of each group."""
    largest = sum(max((abs(each.value) + each.width for each in listed), default=0.0) for listed in groups)
    widths = sum(max((each.width for each in listed), default=0.0) for listed in groups)
    return largest * ROUNDING + 2 * widths
