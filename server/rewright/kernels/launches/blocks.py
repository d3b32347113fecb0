"""Which blocks of a launch are run: the ends of the grid, those before the last one, one in the middle, its neighbours.

Conflicts between blocks are mostly those of neighbours, and the last block is the one that may be only partly filled;
where only the first blocks of an axis do something, that is the last of them along the others. Neighbours are those
along each axis, ends the first block, the last one, and the last one along each axis by itself.
"""

from __future__ import annotations

from math import prod

from rewright.model.simt.violation import Triple

FEW = 4
"""A grid of so many blocks is run whole."""

MANY = 64
"""A grid of so many blocks is run whole where conditions are looked for: a neighbour's neighbour may be what races."""


def sampled(grid: Triple) -> tuple[Triple, ...]:
    """The blocks to run, in the order of their numbers, x first."""
    if prod(grid) <= FEW:
        return _all(grid)
    x, y, z = grid
    middle = (x // 2, y // 2, z // 2)
    last = (x - 1, y - 1, z - 1)
    chosen = {(0, 0, 0), last, middle}
    for axis, size in enumerate(grid):
        if size > 1:
            chosen |= {_moved(last, axis, -1), _moved((0, 0, 0), axis, size - 1)}
        for step in (-1, 1):
            if 0 <= middle[axis] + step < size:
                chosen.add(_moved(middle, axis, step))
    return tuple(sorted(chosen, key=lambda block: block[::-1]))


def sampled_of_many(grid: Triple) -> tuple[Triple, ...]:
    """All blocks of a grid that is not large, else those that are sampled."""
    return _all(grid) if prod(grid) <= MANY else sampled(grid)


def _all(grid: Triple) -> tuple[Triple, ...]:
    x, y, z = grid
    return tuple((i, j, k) for k in range(z) for j in range(y) for i in range(x))


def _moved(block: Triple, axis: int, step: int) -> Triple:
    i, j, k = (index + step * (axis == each) for each, index in enumerate(block))
    return i, j, k
