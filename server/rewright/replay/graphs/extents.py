"""Sizes and offsets at concrete numbers.

Owns what an index expression of a graph is worth. `//` divides without rest. Must not know nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, assert_never

from rewright.model.graph import Shape
from rewright.model.index import (
    BoundIndex,
    Index,
    IndexOperation,
    IntegerReference,
    MapReference,
    Name,
    Number,
    Product,
)
from rewright.replay.elements import NotReplayable

Misfit = Literal["uneven", "negative", "outside", "shapes", "axis", "input"]
"""Why a node has no value: a size that does not divide, a negative extent, an offset out of range, operands or a result
of the wrong shape, an axis that the mesh does not have or a coordinate that is not on it, an input without a value."""

Numbers = Mapping[Name, int]
"""What names in sizes and offsets stand for."""


class Unfit(Exception):
    """A node has no value at these sizes, for the reason `misfit`."""

    def __init__(self, misfit: Misfit) -> None:
        super().__init__(misfit)
        self.misfit = misfit


def extents(shape: Shape, numbers: Numbers) -> tuple[int, ...]:
    """The shape in numbers. Raises `Unfit` where a division leaves a rest or an extent is negative."""
    found = tuple(extent(index, numbers) for index in shape)
    if any(size < 0 for size in found):
        raise Unfit("negative")
    return found


def extent(index: Index, numbers: Numbers) -> int:
    """The value of an expression. Raises `Unfit` where a division leaves a rest, `NotReplayable` for maps."""
    match index:
        case Number(value=value):
            return value
        case IntegerReference(name=name):
            if name not in numbers:
                raise NotReplayable(f"the size `{name}` has no value")
            return numbers[name]
        case IndexOperation(operator=operator, left=left, right=right):
            return _operated(operator, extent(left, numbers), extent(right, numbers))
        case MapReference() | BoundIndex() | Product():
            raise NotReplayable("maps in sizes of graphs are not replayed")
        case _:
            assert_never(index)


def _operated(operator: str, left: int, right: int) -> int:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
        case "%" if right != 0:
            return left % right
        case "//" if right != 0 and left % right == 0:
            return left // right
        case _:
            raise Unfit("uneven")


def names_in(index: Index) -> Iterator[Name]:
    """The names in an expression, left to right, as often as they stand there."""
    match index:
        case IntegerReference(name=name):
            yield name
        case IndexOperation(left=left, right=right):
            yield from names_in(left)
            yield from names_in(right)


def placeless(index: Index) -> Index:
    """The same expression with all places 0: equal texts become equal values."""
    match index:
        case Number(value=value):
            return Number(value, 0)
        case IntegerReference(name=name):
            return IntegerReference(name, 0)
        case IndexOperation(operator=operator, left=left, right=right):
            return IndexOperation(operator, placeless(left), placeless(right), 0)
        case _:
            return index


def part_of(size: int, parts: int) -> int:
    """The size of each of the equal parts. Raises `Unfit` where they are not equal."""
    if parts == 0 or size % parts:
        raise Unfit("uneven")
    return size // parts
