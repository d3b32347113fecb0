"""`transform tiled(T) of …` and `at T = 2, 4, N = 5`: the values at which a transform is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rewright.model.check_loops.integers import affine
from rewright.model.check_loops.scope import NestScope
from rewright.model.index import Name
from rewright.model.nest import AffineNumber
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere

OPEN = (1, 2, 3, 4, 8, 32)
"""What stands for all values of a tile size: no tile, tiles that do and do not divide one another, usual ones."""

MANY = 64
"""Choices of tile sizes at most; each is proved by itself."""

Choice = tuple[tuple[Name, int], ...]
"""A value for each tile size."""

Listed = dict[Name, tuple[int, ...]]
"""The values that stand after `at`, by name."""


def listed(scope: NestScope, at: Sequence[nodes.Keyed | nodes.Number]) -> Listed:
    """The values that stand after `at`; what is wrong with one is noted."""
    found: Listed = {}
    name: Name | None = None
    for each in at:
        if isinstance(each, nodes.Keyed):
            name = Name(each.name.text)
            if each.name.text not in scope.integers:
                scope.unknown("parameter", each.name)
        value = affine(scope, each.value if isinstance(each, nodes.Keyed) else each)
        if value is None:
            continue
        if name is None:
            scope.notes.error(CannotStandHere("a number", "a name before it, as in `T = 2, 4`"), each.span)
        elif not isinstance(value, AffineNumber) or value.value < 0:
            scope.notes.error(CannotStandHere("this value", "a number that is not negative"), each.span)
        elif value.value not in found.get(name, ()):
            found[name] = (*found.get(name, ()), value.value)
    return found


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
