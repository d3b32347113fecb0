"""Map and integer expressions on one concrete input.

Owns index arithmetic over the integers. A map expression has a value on each axis there is, an integer expression has
one value always, also at rank 0. Must not know elements.
"""

from __future__ import annotations

from typing import assert_never

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
from rewright.replay.inputs import Excluded, Inputs


class IndexDivisionByZero(Exception):
    """An index expression divides by zero."""

    def __init__(self, site: int) -> None:
        super().__init__("division by zero")
        self.site = site


def along(index: Index, rank: int, inputs: Inputs) -> tuple[int, ...]:
    """The values of an expression on the axes of a group of that rank. Raises `IndexDivisionByZero`.

    An expression of integers alone is evaluated even where there is no axis.
    """
    if rank_class(index) is None:
        return (integer(index, inputs),) * rank
    return tuple(on_axis(index, axis, inputs) for axis in range(rank))


def integer(index: Index, inputs: Inputs) -> int:
    """The value of an expression without maps. Raises `IndexDivisionByZero`."""
    return on_axis(index, 0, inputs)


def on_axis(index: Index, axis: int, inputs: Inputs) -> int:
    """The value of an expression on one axis of the class of its maps. Raises `IndexDivisionByZero`."""
    match index:
        case Number(value=value):
            return value
        case MapReference(name=name):
            return inputs.maps[name][axis]
        case IntegerReference(name=name):
            return inputs.integers[name] if name in inputs.integers else _as_index(name, inputs)
        case BoundIndex(group=group):
            return inputs.bound[group][axis]
        case IndexOperation():
            return _operate(index, on_axis(index.left, axis, inputs), on_axis(index.right, axis, inputs))
        case Product(operand=operand):
            return _product(operand, inputs)
        case _:
            assert_never(index)


def rank_class(index: Index) -> Name | None:
    """The rank class whose axes an expression has values on, None for one of integers alone."""
    match index:
        case MapReference(rank_class=name) | BoundIndex(rank_class=name):
            return name
        case IndexOperation(left=left, right=right):
            return rank_class(left) or rank_class(right)
        case Number() | IntegerReference() | Product():
            return None
        case _:
            assert_never(index)


def _operate(node: IndexOperation, left: int, right: int) -> int:
    match node.operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//" | "%":
            if right == 0:
                raise IndexDivisionByZero(node.site)
            return left // right if node.operator == "//" else left % right
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
        case _:
            assert_never(node.operator)


def _product(operand: Index, inputs: Inputs) -> int:
    name = rank_class(operand)
    rank = 1 if name is None else inputs.ranks[name]
    total = 1
    for axis in range(rank):
        total *= on_axis(operand, axis, inputs)
    return total


def _as_index(name: Name, inputs: Inputs) -> int:
    value = inputs.scalars.get(name)
    if not isinstance(value, int):
        raise Excluded(f"`{name}` is not an integer")
    return value
