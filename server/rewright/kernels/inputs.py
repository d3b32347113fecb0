"""Integer inputs that satisfy the requirements of a kernel: chosen ones and random ones.

A pool holds whole contents: one value everywhere, or the index. For each element those count that no requirement on
that element forbids; of these the smallest, the largest, random ones, and random ones in order are taken. What is so
made counts only after all requirements were evaluated on it. The seed is fixed, so a check is a function of its
kernel. Must not know what the inputs are for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from rewright.kernels.block import Block
from rewright.kernels.evaluate import evaluate
from rewright.kernels.lanes import DTYPES, Array
from rewright.kernels.requirements import Contents, Truths, Values, hold, scratch, truths
from rewright.model.body import Expression, Integer, Load, parts
from rewright.model.kernel import ArrayParameter, Direction, Fact, Forall, Kernel, Requirement
from rewright.model.simt.types import Scalar

SEED = 0
_RANDOM_VALUES = 8
_SMALL_VALUES = 32
_LARGEST_POOL = 1 << 23

Pick = Callable[[Array, Array, np.random.Generator], Array]


def integer_inputs(kernel: Kernel) -> tuple[ArrayParameter, ...]:
    """The array parameters whose contents at the start are integers (or truths) that a run may depend on."""
    arrays = (p for p in kernel.parameters if isinstance(p, ArrayParameter))
    return tuple(p for p in arrays if p.direction is not Direction.OUT and not p.type.is_float)


def fillings(kernel: Kernel, values: Values) -> Iterator[Contents]:
    """Contents of all integer inputs that satisfy the requirements. Raises `Undecided` for impossible sizes."""
    arrays = integer_inputs(kernel)
    regions = scratch(kernel, values, {}).regions
    seen: set[tuple[tuple[int, ...], ...]] = set()
    for pick in (_random, _smallest, _largest, _ascending):
        generator = np.random.default_rng(SEED)
        contents = {array.name: (0,) * regions[array.name].size for array in arrays}
        for array in arrays:
            contents[array.name] = _filled(_Draft(kernel, values, contents, array), pick, generator)
        key = tuple(contents[array.name] for array in arrays)
        if key not in seen and hold(kernel, values, contents):
            seen.add(key)
            yield contents


class _Draft(NamedTuple):
    """Contents under way: those of `array` are to be replaced."""

    kernel: Kernel
    values: Values
    contents: Contents
    array: ArrayParameter

    @property
    def size(self) -> int:
        return len(self.contents[self.array.name])


def _filled(draft: _Draft, pick: Pick, generator: np.random.Generator) -> tuple[int, ...]:
    """New contents of the array; an element that no row of the pool suits gets any of them."""
    pool = _pool(draft, generator)
    allowed = np.ones(pool.shape, np.bool_)
    for row, cells in enumerate(pool if draft.kernel.requires else ()):
        trial = {**draft.contents, draft.array.name: tuple(cells.tolist())}
        for requirement in draft.kernel.requires:
            found = truths(draft.kernel, requirement, draft.values, trial)
            if found.falsified.any():
                allowed[row][_culprits(draft, requirement, found)] = False
    allowed[:, ~allowed.any(axis=0)] = True
    return tuple(pick(pool, allowed, generator).tolist())


def _culprits(draft: _Draft, requirement: Requirement, found: Truths) -> Array:
    """The elements of the array that false instances of the requirement read."""
    name = draft.array.name
    loads = (part for part in parts(_fact(requirement).condition) if isinstance(part, Load) and part.array == name)
    read = [_read(found.block, load) for load in loads]
    addresses = np.concatenate([np.zeros(0, np.int64), *(each[found.falsified] for each in read)])
    return np.asarray(addresses[(addresses >= 0) & (addresses < draft.size)])


def _read(block: Block, load: Load) -> Array:
    """The row-major address that each lane reads, negative where it is not known."""
    flat: Array = np.zeros(block.lanes, np.int64)
    for written, extent in zip(load.indices, block.regions[load.array].extents, strict=True):
        index = evaluate(block, written, None)
        flat = np.full(block.lanes, -1) if index is None else flat * extent + index.data
    return flat


def _pool(draft: _Draft, generator: np.random.Generator) -> Array:
    """Contents worth trying, one per row, in ascending order of what is the same everywhere; then the indices."""
    marks = {0, 1, *draft.values.values()}
    for requirement in draft.kernel.requires:
        marks |= {literal.value for literal in _literals(requirement)}
    near = {mark + step for mark in marks for step in (-1, 0, 1)} | set(range(_SMALL_VALUES))
    near |= {int(value) for value in generator.integers(0, max(2, *near), _RANDOM_VALUES)}
    low, high = _limits(draft.array.type)
    chosen = sorted(value for value in near if low <= value <= high)
    chosen = chosen[: max(2, _LARGEST_POOL // max(draft.size, 1))]
    rows = np.repeat(np.asarray(chosen, np.int64)[:, np.newaxis], draft.size, axis=1)
    if draft.size > high:
        return rows
    index = np.arange(draft.size, dtype=np.int64)
    return np.concatenate([rows, index[np.newaxis], index[np.newaxis, ::-1]])


def _limits(scalar: Scalar) -> tuple[int, int]:
    """The smallest and the largest value of a type that the pool may hold."""
    if not scalar.is_integer:
        return 0, 1
    limits = np.iinfo(DTYPES[scalar])
    return max(int(limits.min), -(1 << 62)), min(int(limits.max), 1 << 62)


def _random(pool: Array, allowed: Array, generator: np.random.Generator) -> Array:
    return _chosen(pool, (generator.random(allowed.shape) * allowed).argmax(axis=0))


def _smallest(pool: Array, allowed: Array, generator: np.random.Generator) -> Array:
    return np.asarray(np.where(allowed, pool, np.iinfo(np.int64).max).min(axis=0))


def _largest(pool: Array, allowed: Array, generator: np.random.Generator) -> Array:
    return np.asarray(np.where(allowed, pool, np.iinfo(np.int64).min).max(axis=0))


def _ascending(pool: Array, allowed: Array, generator: np.random.Generator) -> Array:
    return np.sort(_random(pool, allowed, generator))


def _chosen(pool: Array, rows: Array) -> Array:
    return np.asarray(pool[rows, np.arange(pool.shape[1])])


def _fact(requirement: Requirement) -> Fact:
    while isinstance(requirement, Forall):
        requirement = requirement.body
    return requirement


def _literals(requirement: Requirement) -> Iterator[Integer]:
    while isinstance(requirement, Forall):
        yield from _integers(requirement.low)
        yield from _integers(requirement.high)
        requirement = requirement.body
    yield from _integers(requirement.condition)


def _integers(expression: Expression) -> Iterator[Integer]:
    return (part for part in parts(expression) if isinstance(part, Integer))
