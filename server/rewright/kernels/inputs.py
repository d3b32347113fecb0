"""Integer inputs that satisfy the requirements of a kernel: chosen ones and random ones.

A pool holds whole contents: one value everywhere, or the index. For each element those count that no requirement on
that element forbids; of these the smallest, the largest, random ones, and random ones in order are taken. What is so
made counts only after all requirements were evaluated on it. The seed is fixed, so a check is a function of its
kernel. Must not know what the inputs are for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import numpy as np

from rewright.kernels.evaluate import evaluate
from rewright.kernels.lanes import DTYPES, Array
from rewright.kernels.requirements import Contents, Values, hold, scratch, truths
from rewright.model.kernel import ArrayParameter, Direction, Fact, Forall, Kernel, Requirement
from rewright.model.rule import Name
from rewright.model.simt import Binary, Convert, Expression, Function, Integer, Load, Logical, Select, Unary

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
    seen: set[tuple[tuple[int, ...], ...]] = set()
    for pick in (_random, _smallest, _largest, _ascending):
        generator = np.random.default_rng(SEED)
        contents: dict[Name, tuple[int, ...]] = {}
        for array in arrays:
            contents[array.name] = _zeros(kernel, values, array)
        for array in arrays:
            contents[array.name] = _filled(kernel, values, (contents, array), (pick, generator))
        key = tuple(contents[array.name] for array in arrays)
        if key not in seen and hold(kernel, values, contents):
            seen.add(key)
            yield contents


def _zeros(kernel: Kernel, values: Values, array: ArrayParameter) -> tuple[int, ...]:
    return (0,) * prod(scratch(kernel, values, {}).regions[array.name].extents)


def _filled(
    kernel: Kernel,
    values: Values,
    what: tuple[Contents, ArrayParameter],
    how: tuple[Pick, np.random.Generator],
) -> tuple[int, ...]:
    """New contents of one array; an element that no row of the pool suits gets any of them."""
    contents, array = what
    pick, generator = how
    pool = _pool(kernel, values, array, (len(contents[array.name]), generator))
    allowed = np.ones(pool.shape, np.bool_)
    for row, cells in enumerate(pool if kernel.requires else ()):
        trial = {**contents, array.name: tuple(cells.tolist())}
        for requirement in kernel.requires:
            _forbid(kernel, values, (requirement, array, trial), allowed[row])
    allowed[:, ~allowed.any(axis=0)] = True
    return tuple(pick(pool, allowed, generator).tolist())


def _forbid(kernel: Kernel, values: Values, what: tuple[Requirement, ArrayParameter, Contents], allowed: Array) -> None:
    """Marks the elements of the array that make the requirement false when all have one value."""
    requirement, array, trial = what
    found = truths(kernel, requirement, values, trial)
    if not found.falsified.any():
        return
    block = found.block
    culprits = np.flatnonzero(found.falsified)
    for load in _loads(_fact(requirement).condition):
        if load.array != array.name:
            continue
        flat: Array = np.zeros(block.lanes, np.int64)
        for index, extent in zip(load.indices, block.regions[array.name].extents, strict=True):
            value = evaluate(block, index, None)
            if value is None:
                return
            flat = flat * extent + value.data
        inside = flat[culprits]
        allowed[inside[(inside >= 0) & (inside < len(allowed))]] = False


def _pool(kernel: Kernel, values: Values, array: ArrayParameter, what: tuple[int, np.random.Generator]) -> Array:
    """Contents worth trying, one per row, in ascending order of what is the same everywhere; then the indices."""
    size, generator = what
    marks = {0, 1, *values.values()}
    for requirement in kernel.requires:
        marks |= {literal.value for literal in _literals(requirement)}
    near = {mark + step for mark in marks for step in (-1, 0, 1)} | set(range(_SMALL_VALUES))
    near |= {int(value) for value in generator.integers(0, max(2, *near), _RANDOM_VALUES)}
    limits = np.iinfo(DTYPES[array.type]) if array.type.is_integer else None
    low, high = (int(limits.min), int(limits.max)) if limits else (0, 1)
    chosen = sorted(value for value in near if max(low, -(1 << 62)) <= value <= min(high, 1 << 62))
    chosen = chosen[: max(2, _LARGEST_POOL // max(size, 1))]
    rows = np.repeat(np.asarray(chosen, np.int64)[:, np.newaxis], size, axis=1)
    if size > high:
        return rows
    index = np.arange(size, dtype=np.int64)
    return np.concatenate([rows, index[np.newaxis], index[np.newaxis, ::-1]])


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


def _loads(expression: Expression) -> Iterator[Load]:
    if isinstance(expression, Load):
        yield expression
    for operand in _operands(expression):
        yield from _loads(operand)


def _literals(requirement: Requirement) -> Iterator[Integer]:
    pending: list[Expression] = []
    while isinstance(requirement, Forall):
        pending += [requirement.low, requirement.high]
        requirement = requirement.body
    pending.append(requirement.condition)
    while pending:
        expression = pending.pop()
        if isinstance(expression, Integer):
            yield expression
        pending += _operands(expression)


def _operands(expression: Expression) -> tuple[Expression, ...]:
    match expression:
        case Binary() | Logical():
            return (expression.left, expression.right)
        case Unary() | Convert():
            return (expression.operand,)
        case Select():
            return (expression.condition, expression.on_true, expression.on_false)
        case Function():
            return expression.operands
        case Load():
            return expression.indices
        case _:
            return ()
