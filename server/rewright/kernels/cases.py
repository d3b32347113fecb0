"""Which launches of a kernel are run: its sizes and scalar parameters as declared, chosen where they are free.

A free size is at least 2. Choices are made relative to the block, so that a loop over the elements runs no time, once
and twice: fewer elements than threads, as many, one more than two passes. Must not know how a block runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

from rewright.kernels.block import MOST_THREADS, Undecided
from rewright.kernels.evaluate import evaluate
from rewright.kernels.lanes import constant
from rewright.kernels.requirements import Values, hold, scratch
from rewright.model.body import Expression
from rewright.model.index import Name
from rewright.model.kernel import Kernel, ScalarParameter
from rewright.model.simt.types import Scalar
from rewright.model.violation import ThreadIndex

SMALL, LARGE = 7, 64


@dataclass(frozen=True, slots=True)
class Case:
    """One launch: the values of all sizes and integer scalar parameters, and the shape of grid and block."""

    values: tuple[tuple[Name, int], ...]
    grid: ThreadIndex
    block: ThreadIndex

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return prod(self.grid)

    def sampled(self) -> tuple[ThreadIndex, ...]:
        """The blocks that are run: the first, one in the middle, the last."""
        chosen = sorted({0, self.blocks // 2, self.blocks - 1})
        x, y, _ = self.grid
        return tuple((number % x, number // x % y, number // (x * y)) for number in chosen)


def cases(kernel: Kernel) -> tuple[Case, ...]:
    """The launches to run, small sizes first. Raises `Undecided` if there is none that satisfies the requirements."""
    if not _free(kernel):
        values = _completed(kernel, {})
        if not hold(kernel, values, {}):
            raise Undecided("the sizes given do not satisfy `requires`", None)
        return (_case(kernel, values),)
    found: dict[Case, None] = {}
    for choice in _choices(kernel):
        case = _possible(kernel, choice)
        if case is not None:
            found.setdefault(case)
    if not found:
        raise Undecided("no sizes were found that satisfy `requires` and can be launched; give them values", None)
    return tuple(found)


def free_names(kernel: Kernel) -> tuple[Name, ...]:
    """The sizes and integer scalar parameters whose values are chosen."""
    return tuple(_free(kernel))


def _free(kernel: Kernel) -> dict[Name, Scalar]:
    free = {size.name: Scalar.S32 for size in kernel.sizes if size.value is None}
    for parameter in kernel.parameters:
        if isinstance(parameter, ScalarParameter) and parameter.value is None and not parameter.type.is_float:
            free[parameter.name] = parameter.type
    return free


def _choices(kernel: Kernel) -> Iterator[Values]:
    """All free names at one value, then each at its neighbour's; scalar parameters also at 0 and 1."""
    sizes = [size.name for size in kernel.sizes if size.value is None]
    scalars = [name for name in _free(kernel) if name not in sizes]
    threads = _threads(kernel)
    ladder = sorted({2, SMALL, threads, 2 * threads + 1} if threads else {2, SMALL, LARGE})
    for value in ladder:
        yield dict.fromkeys((*sizes, *scalars), value)
    for step in range(1, len(ladder) + 1) if len(sizes) > 1 else ():
        neighbours = {name: ladder[(step + position) % len(ladder)] for position, name in enumerate(sizes)}
        yield neighbours | dict.fromkeys(scalars, ladder[step % len(ladder)])
    for value in (0, 1, *ladder) if scalars else ():
        yield dict.fromkeys(sizes, ladder[-1]) | dict.fromkeys(scalars, value)


def _threads(kernel: Kernel) -> int | None:
    """The number of threads of a block, None if it depends on what is free."""
    try:
        threads = prod(_triple(kernel, kernel.launch.block, _completed(kernel, {})))
    except Undecided:
        return None
    return threads if 1 <= threads <= MOST_THREADS else None


def _possible(kernel: Kernel, choice: Values) -> Case | None:
    try:
        values = _completed(kernel, choice)
        case = _case(kernel, values)
        return case if prod(case.block) <= MOST_THREADS and hold(kernel, values, {}) else None
    except Undecided:
        return None


def _completed(kernel: Kernel, chosen: Values) -> dict[Name, int]:
    """The chosen values and those that declarations give, in order."""
    values: dict[Name, int] = {}
    for size in kernel.sizes:
        _complete(kernel, values, (size.name, Scalar.S32, size.value), chosen)
    for parameter in kernel.parameters:
        if isinstance(parameter, ScalarParameter) and not parameter.type.is_float:
            _complete(kernel, values, (parameter.name, parameter.type, parameter.value), chosen)
    return values


def _complete(
    kernel: Kernel, values: dict[Name, int], declared: tuple[Name, Scalar, Expression | None], chosen: Values
) -> None:
    name, scalar, expression = declared
    if expression is not None:
        values[name] = _integer(kernel, expression, values)
    elif name in chosen:
        values[name] = int(constant(chosen[name], scalar).data)


def _case(kernel: Kernel, values: Mapping[Name, int]) -> Case:
    grid, block = (_triple(kernel, sizes, values) for sizes in (kernel.launch.grid, kernel.launch.block))
    if min(*grid, *block) < 1:
        raise Undecided("a launch needs at least one block and one thread", None)
    return Case(tuple(values.items()), grid, block)


def _triple(kernel: Kernel, sizes: tuple[Expression, ...], values: Values) -> ThreadIndex:
    found = [_integer(kernel, size, values) for size in sizes]
    x, y, z = (*found, 1, 1, 1)[:3]
    return x, y, z


def _integer(kernel: Kernel, expression: Expression, values: Values) -> int:
    block = scratch(kernel, values, None)
    value = evaluate(block, expression, None)
    if value is None or value.known is not None or block.violations:
        raise Undecided("a size or a launch has no value", None)
    return int(value.data)
