"""Where the boxes of a tensor come to lie when it is reshaped.

Owns the blocks of a reshape: dimensions of one shape that together hold the elements of dimensions of the other, the
fewest possible. A box is a box of the result if in each block all dimensions but the outermost are whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from rewright.graphs.blocks import Box
from rewright.graphs.sizes import ONE, ZERO, NotDivided, NotPolynomial, product, quotient
from rewright.terms import Term, multiply

Blocks = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
"""For each block its dimensions in the one shape and in the other."""


def without_ones(shape: Sequence[Term]) -> tuple[int, ...]:
    """The dimensions of which the size is not 1."""
    return tuple(d for d, size in enumerate(shape) if size is not ONE)


@lru_cache(1 << 12)
def blocks(first: tuple[Term, ...], second: tuple[Term, ...]) -> Blocks | None:
    """The blocks between two shapes; None if they hold different numbers of elements.

    A dimension of size 1 stands in the block before or after it, or in none.
    """
    left, right = (list(accumulate(shape, multiply)) for shape in (first, second))
    if (left[-1] if left else ONE) is not (right[-1] if right else ONE):
        return None
    found, at, to = [], 0, 0
    for number, total in enumerate(left):
        if total in right[to:]:
            stop = right.index(total, to) + 1
            found.append((tuple(range(at, number + 1)), tuple(range(to, stop))))
            at, to = number + 1, stop
    return tuple(found)


def mapped(box: Box, first: Sequence[Term], second: Sequence[Term], between: Blocks) -> Box | None:
    """The box of the second shape that holds what a box of the first does; None if none does."""
    result: list[tuple[Term, Term]] = [(ZERO, size) for size in second]
    for (outer, *inner), (to, *rest) in between:
        if any(box[d] != (ZERO, first[d]) for d in inner):
            return None
        width, step = product(first[d] for d in inner), product(second[d] for d in rest)
        try:
            low, high = (quotient(multiply(edge, width), step) for edge in box[outer])
        except (NotDivided, NotPolynomial):
            return None
        result[to] = (low, high)
    return tuple(result)
