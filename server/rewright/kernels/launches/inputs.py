"""Contents of inputs that satisfy the requirements of a kernel: chosen ones and random ones.

A pool holds whole contents: one value everywhere, or the index. For each element those count that no requirement on
that element forbids; of these mixed ones, the smallest, the largest, and random ones in order are taken; integers that
no requirement bounds reach the ends of their type. What is so made counts only after all requirements were evaluated
on it. Floats are small multiples of an eighth, which every type holds exactly, at first as different as possible, and
what lies near the marks and the numbers in requirements. The seed is fixed, so a check is a function of its kernel.
Must not know what the inputs are for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rewright.kernels.execution.numbers import DTYPES
from rewright.kernels.launches.requirements import (
    Contents,
    Truths,
    as_differing,
    expressions,
    extents,
    hold,
    inputs,
    loads,
    truths,
)
from rewright.kernels.launches.vectors import InputElements, address
from rewright.model.body import Integer, Real, parts
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Direction, Kernel, Requirement
from rewright.model.scalars import Values, number
from rewright.model.simt.constants import NoValue, converted
from rewright.model.simt.types import Scalar

SEED = 0
"""The one seed: a check is a function of its kernel."""

MOST_ELEMENTS = 1 << 22
"""Elements of all inputs together, each of which is tried with several numbers."""

UNSIZED = 1 << 13
"""Elements that are given to an array whose size is not known; those after them are zeros."""

_RANDOM_VALUES = 8
"""Random integers in a pool."""

_SMALL_VALUES = 32
"""Integers from 0 on in a pool, as indices and counts are."""

_MOST_CONSTANTS = 96
"""Rows of a pool of floats that are the same everywhere."""

_LARGEST_POOL = 1 << 22
"""Numbers of the largest pool, 32 MiB; for a larger array it has two rows all the same."""

_LARGEST_WEIGHTED = 1 << 20
"""Numbers of the largest pool whose rows near marks are repeated, which doubles it."""

_MODERATE = 1 << 20
"""Integers up to this are taken where one is as good as another: an index or a count may be made of them."""

_MODERATE_FLOAT = 1 << 15
"""Greater marks are not tried for floats: what lies near those up to here is in the range of f16, whose end is
65504."""

_DISTINCT = 1021
"""Elements until floats repeat: a prime, so that no stride of a kernel meets equal ones sooner."""

_EIGHTH = 0.125
"""The step of floats: f16 holds the first `_DISTINCT` of its multiples exactly."""

_ROWS_THAT_DIFFER = 6
"""Contents of an array whose elements are to differ: all rows of its pool that do, the mixed ones first."""

Pool: TypeAlias = NDArray[Any]
"""(rows, elements) int64 or float64: contents that are tried, one in a row."""

Allowed: TypeAlias = NDArray[np.bool_]
"""(rows, elements) bool: which numbers of a pool no requirement forbids."""

Drawn: TypeAlias = NDArray[Any]
"""(elements,) of the dtype of a pool: a number of it for each element."""

Pick = Callable[[Pool, Allowed, np.random.Generator], Drawn]


def filled_arrays(kernel: Kernel) -> tuple[ArrayParameter, ...]:
    """The array parameters whose contents at the start a run may depend on."""
    arrays = (p for p in kernel.parameters if isinstance(p, ArrayParameter))
    return tuple(p for p in arrays if p.direction is not Direction.OUT)


def chosen_inputs(
    kernel: Kernel, values: Values, marks: tuple[float, ...] = (), pinned: Sequence[Values] = ()
) -> Iterator[Contents]:
    """Contents of all inputs that satisfy the requirements, with numbers near the marks among them.

    Arrays hold each of the values that are `pinned`, too, everywhere. Raises `NoValue` for impossible sizes, and
    `TooMany`.
    """
    arrays = filled_arrays(kernel)
    sizes = {array.name: _size(array, values) for array in arrays}
    if sum(sizes.values()) > MOST_ELEMENTS:
        raise NoValue(f"the inputs together have more than {MOST_ELEMENTS} elements")
    seen: set[tuple[bytes, ...]] = set()
    nothing: Values = {}
    picks = (_mixed, _smallest, _largest, _ascending, _random)
    rows = tuple(partial(_row, number) for number in range(_ROWS_THAT_DIFFER))
    differing = {found.array for each in kernel.requires if (found := as_differing(each)) is not None}
    count = max(len(picks), len(rows)) if differing else len(picks)
    turns = [(picks[number % len(picks)], rows[number % len(rows)], nothing) for number in range(count)]
    turns += [(_mixed, rows[0], each) for each in pinned]
    for turn, (pick, row, given) in enumerate(turns):
        generator = np.random.default_rng((SEED, turn))
        contents: dict[Name, InputElements] = {a.name: np.zeros(sizes[a.name], DTYPES[a.type]) for a in arrays}
        for array in arrays:
            if array.name in given:
                contents[array.name][:] = converted(given[array.name], array.type)
            else:
                draft = _Draft(kernel, values, contents, array, marks)
                contents[array.name] = _filled(draft, row if array.name in differing else pick, generator)
        key = tuple(contents[array.name].tobytes() for array in arrays)
        if key not in seen and hold(kernel, values, contents):
            seen.add(key)
            yield contents


def _size(array: ArrayParameter, values: Values) -> int:
    """The elements of an array. Raises `NoValue` if an extent is negative."""
    if array.extents is None:
        return UNSIZED
    along = extents(array, values)
    if min(along, default=0) < 0:
        raise NoValue(f"`{array.name}` has a negative extent")
    return prod(along)


class _Draft(NamedTuple):
    """Contents under way: those of `array` are to be replaced."""

    kernel: Kernel
    values: Values
    contents: Contents
    array: ArrayParameter
    marks: tuple[float, ...]

    @property
    def size(self) -> int:
        return len(self.contents[self.array.name])

    @property
    def about(self) -> tuple[Requirement, ...]:
        """The requirements that speak of elements of the array."""
        return tuple(each for each in self.kernel.requires if loads(each, self.array.name))


def _filled(draft: _Draft, pick: Pick, generator: np.random.Generator) -> InputElements:
    """New contents of the array; an element that no row of the pool suits gets any of them."""
    if not draft.size:
        return draft.contents[draft.array.name]
    pool = _pool(draft, generator)
    allowed = np.ones(pool.shape, np.bool_)
    about = draft.about
    for row, cells in enumerate(pool if about else ()):
        held = inputs(draft.kernel, draft.values, {**draft.contents, draft.array.name: cells})
        for requirement in about:
            found = truths(draft.kernel, requirement, draft.values, held)
            if found.falsified.any():
                allowed[row][_culprits(draft, requirement, found)] = False
    allowed[:, ~allowed.any(axis=0)] = True
    rows = _weighted(pool, draft.marks)
    return pick(pool[rows], allowed[rows], generator).astype(DTYPES[draft.array.type])


def _weighted(pool: Pool, marks: tuple[float, ...]) -> NDArray[np.signedinteger[Any]]:
    """The numbers of the rows of the pool, those near marks so often that they are as many as the others together."""
    rows = np.arange(len(pool))
    near = [np.abs(pool[:, 0] - mark) <= _far(mark) for mark in marks]
    marked = np.flatnonzero(np.any(near, axis=0)) if near else rows[:0]
    often = len(pool) // max(len(marked), 1)
    return np.concatenate([np.repeat(marked, often), rows]) if len(marked) and pool.size <= _LARGEST_WEIGHTED else rows


def _far(mark: float) -> float:
    """How far from a mark numbers are tried."""
    return max(1.0, abs(mark) / 256)


def _culprits(draft: _Draft, requirement: Requirement, found: Truths) -> NDArray[np.int64]:
    """The elements of the array, by number, that false instances of the requirement read."""
    outer = found.instances.count
    read = (address(load, found.instances) for load in loads(requirement, draft.array.name))
    addresses = np.concatenate([each[found.falsified] for each in read if len(each) == outer])
    return np.asarray(addresses[addresses >= 0])


def _pool(draft: _Draft, generator: np.random.Generator) -> Pool:
    """Contents worth trying, one per row: what is the same everywhere, in ascending order, then what is not."""
    return _floats(draft) if draft.array.type.is_float else _integers(draft, generator)


def _floats(draft: _Draft) -> Pool:
    """The same everywhere; the index; numbers that differ from their neighbours, positive and of either sign.

    Of a large array only the last ones.
    """
    rows = np.arange(_DISTINCT, dtype=np.int64)
    mixed = rows * 389 % _DISTINCT
    period = np.asarray([rows, _DISTINCT - rows, mixed + 1, mixed - _DISTINCT // 2]) * _EIGHTH
    marks = {0.0, *(mark for mark in _literals(draft) if abs(mark) <= _MODERATE_FLOAT)}
    near = sorted({mark + step * _far(mark) for mark in marks for step in (-1.0, -0.5, 0.0, 0.5, 1.0)})
    constant = np.repeat(np.asarray(near[:_MOST_CONSTANTS])[:, np.newaxis], _DISTINCT, axis=1)
    chosen = np.concatenate([constant, period])[-max(2, _LARGEST_POOL // draft.size) :]
    return np.asarray(np.tile(chosen, -(-draft.size // _DISTINCT))[:, : draft.size])


def _integers(draft: _Draft, generator: np.random.Generator) -> Pool:
    low, high = _limits(draft.array.type)
    marks = {0, 1, *(int(value) for value in draft.values.values())}
    marks |= {int(mark) for mark in _literals(draft)}
    near = {mark + step for mark in marks for step in (-1, 0, 1)} | set(range(_SMALL_VALUES))
    near |= {int(value) for value in generator.integers(0, max(2, *near), _RANDOM_VALUES)}
    chosen = sorted(value for value in near if low <= value <= high)
    chosen = sorted({low, *chosen[: max(2, _LARGEST_POOL // max(draft.size, 1))], high})
    rows = np.repeat(np.asarray(chosen, np.int64)[:, np.newaxis], draft.size, axis=1)
    if draft.size > high:
        return rows
    index = np.arange(draft.size, dtype=np.int64)
    ordered = np.concatenate([rows, index[np.newaxis], index[np.newaxis, ::-1]])
    if all(as_differing(each) is None for each in draft.about):
        return ordered
    shuffled = np.random.default_rng(SEED).permutation(index)
    lowest, highest = (np.where(index == draft.size // 2, end, shuffled) for end in (low, high))
    return np.concatenate([ordered, [shuffled + 1], [highest], [lowest], [shuffled]])


def _literals(draft: _Draft) -> Iterator[float]:
    """The numbers that requirements are written with, and the marks."""
    yield from draft.marks
    for part in (part for each in draft.kernel.requires for whole in expressions(each) for part in parts(whole)):
        if isinstance(part, Integer | Real):
            yield float(number(part, {}))


def _limits(scalar: Scalar) -> tuple[int, int]:
    """The smallest and the largest value of a type that the pool may hold."""
    if not scalar.is_integer:
        return 0, 1
    limits = np.iinfo(DTYPES[scalar])
    return max(int(limits.min), -(1 << 62)), min(int(limits.max), 1 << 62)


def _mixed(pool: Pool, allowed: Allowed, generator: np.random.Generator) -> Drawn:
    """Floats that are all different as far as allowed, random integers that are not larger than need be."""
    if pool.dtype.kind != "f":
        moderate = allowed & (np.abs(pool) <= _MODERATE)
        return _random(pool, np.where(moderate.any(axis=0), moderate, allowed), generator)
    return _chosen(pool, len(pool) - 1 - allowed[::-1].argmax(axis=0))


def _random(pool: Pool, allowed: Allowed, generator: np.random.Generator) -> Drawn:
    return _chosen(pool, (generator.random(allowed.shape) * allowed).argmax(axis=0))


def _smallest(pool: Pool, allowed: Allowed, generator: np.random.Generator) -> Drawn:
    return np.asarray(np.where(allowed, pool, _most(pool)).min(axis=0))


def _largest(pool: Pool, allowed: Allowed, generator: np.random.Generator) -> Drawn:
    return np.asarray(np.where(allowed, pool, -_most(pool)).max(axis=0))


def _ascending(pool: Pool, allowed: Allowed, generator: np.random.Generator) -> Drawn:
    """Random ones in order, between what is allowed for the elements before and after."""
    least = np.maximum.accumulate(_smallest(pool, allowed, generator))
    most = np.minimum.accumulate(_largest(pool, allowed, generator)[::-1])[::-1]
    return np.asarray(np.clip(np.sort(_random(pool, allowed, generator)), least, most))


def _row(number: int, pool: Pool, allowed: Allowed, generator: np.random.Generator) -> Drawn:
    """One row for all elements, so many before the last that is allowed: rows that differ must not be mixed."""
    suited = np.flatnonzero(allowed.all(axis=1))[::-1]
    return np.asarray(pool[suited[min(number, len(suited) - 1)]] if len(suited) else pool[-1])


def _most(pool: Pool) -> int | float:
    return float("inf") if pool.dtype.kind == "f" else int(np.iinfo(np.int64).max)


def _chosen(pool: Pool, rows: NDArray[np.intp]) -> Drawn:
    return np.asarray(pool[rows, np.arange(pool.shape[1])])
