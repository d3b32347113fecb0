"""One launch of a kernel: its values, the shape of grid and block, and whether a GPU takes it.

Must not know how values are chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from msgspec import Struct

from rewright.kernels.execution.prepare import MOST_THREADS
from rewright.kernels.launches.given import completed
from rewright.model.body import Expression
from rewright.model.index import Name
from rewright.model.kernel import Kernel
from rewright.model.scalars import Values, integer
from rewright.model.simt.constants import NoValue, Number
from rewright.model.simt.program import Program
from rewright.model.simt.types import Space
from rewright.model.simt.violation import Triple

MOST_GRID = ((1 << 31) - 1, 65535, 65535)
"""Blocks of a grid along x, y, z that hardware allows."""

MOST_DEEP = 64
"""Threads of a block along z that hardware allows."""

MOST_SHARED = 227 << 10
"""Bytes of shared memory that a block may have on any GPU: those of compute capability 9.0 and 10.0."""


class Case(Struct, frozen=True):
    """One launch: the values of all sizes and scalar parameters, and the shape of grid and block."""

    values: tuple[tuple[Name, Number], ...]
    grid: Triple
    block: Triple

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return prod(self.grid)


def launched(kernel: Kernel, program: Program, chosen: Values) -> Case:
    """The launch at the chosen values and those that declarations give. Raises `NoValue` if no GPU takes it."""
    values = completed(kernel, chosen)
    grid, block = (triple(shape, values) for shape in (kernel.launch.grid, kernel.launch.block))
    if min(*grid, *block) < 1:
        raise NoValue("a launch needs at least one block and one thread")
    for limit in _exceeded(kernel, program, values, (grid, block)):
        raise NoValue(f"no GPU takes it: {limit}")
    return Case(tuple(values.items()), grid, block)


def _exceeded(kernel: Kernel, program: Program, values: Values, shape: tuple[Triple, Triple]) -> Iterator[str]:
    """The limits of hardware that a launch of a grid and block exceeds."""
    grid, block = shape
    if prod(block) > MOST_THREADS:
        yield f"a block has at most {MOST_THREADS} threads, this launch has {prod(block)}"
    if block[2] > MOST_DEEP:
        yield f"a block has at most {MOST_DEEP} threads along z, this launch has {block[2]}"
    if any(blocks > most for blocks, most in zip(grid, MOST_GRID, strict=True)):
        yield f"a grid has at most {' × '.join(map(str, MOST_GRID))} blocks"
    if (needed := _shared(kernel, program, values)) > MOST_SHARED:
        yield f"a block has at most {MOST_SHARED} bytes of shared memory, this launch needs {needed}"


def _shared(kernel: Kernel, program: Program, values: Values) -> int:
    """The bytes of shared memory that a block needs, dynamic ones among them."""
    dynamic = 0 if kernel.launch.shared is None else integer(kernel.launch.shared, values)
    shared = [each for each in program.objects if each.space is Space.SHARED and each.extents is not None]
    arrays = sum(prod(integer(size, values) for size in each.extents or ()) * each.type.bytes for each in shared)
    return max(dynamic, arrays)


def triple(sizes: tuple[Expression, ...], values: Values) -> Triple:
    """The shape of a grid or block along x, y, z. Raises `NoValue`."""
    x, y, z = (*(integer(size, values) for size in sizes), 1, 1, 1)[:3]
    return x, y, z
