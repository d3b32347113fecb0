"""The values at which a transform with tile sizes is looked at, whatever language it is written in.

Must not know how they are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from rewright.model.index import Name
from rewright.model.nest import AffineComparison, AffineNumber, AffineVariable, Condition, EitherHolds

OPEN = (1, 2, 3, 4, 8, 32)
"""What stands for all values of a tile size: no tile, tiles that do and do not divide one another, usual ones."""

MANY = 64
"""Choices of tile sizes at most; each is proved by itself."""

Choice = tuple[tuple[Name, int], ...]
"""A value for each tile size."""

Listed = Mapping[Name, tuple[int, ...]]
"""The values that stand after `at`, by name: of tile sizes, and of parameters of the specification."""


def choices(tiles: Sequence[str], at: Listed) -> Iterator[Choice]:
    """The choices of tile sizes to look at.

    All combinations of what is listed; several that are open take their values side by side and then crossed, since
    all combinations would be many.
    """
    names = tuple(dict.fromkeys(Name(each) for each in tiles))
    open_ = [name for name in names if name not in at]
    sides = [OPEN[shift:] + OPEN[:shift] for shift in range(len(open_))]
    beside = list(zip(*sides, strict=True)) if open_ else [()]
    if len(open_) > 1:
        beside = [(size,) * len(open_) for size in OPEN] + beside
    for values in product(*(at[name] for name in names if name in at)):
        given = dict(zip((name for name in names if name in at), values, strict=True))
        for others in beside:
            known = given | dict(zip(open_, others, strict=True))
            yield tuple((name, known[name]) for name in names)


def too_many(tiles: Sequence[str], at: Listed) -> bool:
    """Whether there are more choices than are looked at."""
    return sum(1 for _ in choices(tiles, at)) > MANY


def pinned(tiles: Sequence[str], at: Listed) -> tuple[tuple[Name, tuple[int, ...]], ...]:
    """The parameters of the specification that have only listed values, with these."""
    return tuple((name, values) for name, values in at.items() if name not in tiles)


def one_of(name: Name, values: Sequence[int]) -> Condition:
    """That a parameter has one of some values."""
    first, *others = (AffineComparison("==", AffineVariable(name), AffineNumber(each)) for each in values)
    made: Condition = first
    for each in others:
        made = EitherHolds(made, each)
    return made
