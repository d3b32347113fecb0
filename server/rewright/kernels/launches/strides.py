"""Values of strides of which each reaches over the next: what a tensor without overlap has. Must not know programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rewright.model.index import Name

_MOST_DIMENSIONS = 4


def nested(names: Sequence[Name], base: int) -> Iterator[dict[Name, int]]:
    """Values for names that stand for the strides of tensors of two to four dimensions, one tensor after the other.

    Each is `base` times the next: the first one of a tensor is the largest, or the last one; the smallest is `base`,
    the size of what is next to each other, or 1.
    """
    for count in range(2, _MOST_DIMENSIONS + 1):
        if len(names) % count == 0:
            for least in (1, 0):
                powers = [base ** (least + at) for at in range(count)]
                yield _in_turn(names, powers[::-1])
                yield _in_turn(names, powers)


def _in_turn(names: Sequence[Name], values: Sequence[int]) -> dict[Name, int]:
    return {name: values[at % len(values)] for at, name in enumerate(names)}
