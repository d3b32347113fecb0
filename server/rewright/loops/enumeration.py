"""The operations of a nest at given sizes, in the order of execution: what a correspondence is guessed by.

A guess is proved afterwards, so nothing rests on this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from msgspec import Struct

from rewright.loops.decision import Sizes
from rewright.model.index import Name
from rewright.model.nest import (
    AffineComparison,
    AffineExpression,
    AffineNumber,
    AffineOperation,
    AffineVariable,
    BothHold,
    Condition,
    DoesNotHold,
    EitherHolds,
    Nest,
    NestGuard,
    NestItem,
    NestLoop,
    NestStatement,
    Relaxations,
    combining_operator,
    statements,
)

Values = dict[Name, int]


class EnumeratedInstance(Struct, frozen=True):
    """An executed operation: the number of its statement in the text, its iterators, the element that it writes.

    `apart`: what tells it from others that write the element, where their order may change; else empty.
    """

    statement: int
    iterators: tuple[int, ...]
    element: tuple[Name | None, tuple[int, ...]]
    apart: tuple[object, ...]


class TooManyOperations(Exception):
    """A nest executes more operations than are enumerated."""


def instances(nest: Nest, sizes: Sizes, most: int) -> list[EnumeratedInstance]:
    """The operations of a nest. Raises `TooManyOperations` after `most` of them, empty iterations counted, too."""
    numbers: dict[int, int] = {}
    _number(nest.body, numbers)
    left = [most]
    relaxed = frozenset(id(each) for each in statements(nest.body) if _is_relaxed(each, nest.relaxed))
    return list(_body(nest.body, dict(sizes), (), (numbers, left, relaxed)))


def _is_relaxed(statement: NestStatement, relaxed: Relaxations) -> bool:
    combines = relaxed.reductions and combining_operator(statement) is not None
    return bool(combines) or statement.write.array in relaxed.private


def _apart(statement: NestStatement, values: Values) -> tuple[object, ...]:
    """What a statement computes, and of which elements."""
    reads = ((each.array, tuple(value(one, values) for one in each.subscripts)) for each in statement.reads)
    return (statement.signature, *reads)


def _number(body: tuple[NestItem, ...], numbers: dict[int, int]) -> None:
    for item in body:
        match item:
            case NestStatement():
                numbers[id(item)] = len(numbers)
            case NestLoop():
                _number(item.body, numbers)
            case NestGuard():
                _number(item.then, numbers)
                _number(item.otherwise, numbers)


def _body(
    body: tuple[NestItem, ...],
    values: Values,
    at: tuple[Name, ...],
    rest: tuple[dict[int, int], list[int], frozenset[int]],
) -> Iterator[EnumeratedInstance]:
    numbers, left, relaxed = rest
    for item in body:
        _count(left)
        match item:
            case NestStatement(write=write):
                element = (write.array, tuple(value(each, values) for each in write.subscripts))
                apart = _apart(item, values) if id(item) in relaxed else ()
                yield EnumeratedInstance(numbers[id(item)], tuple(values[name] for name in at), element, apart)
            case NestLoop(iterator=iterator, low=low, high=high, step=step):
                for each in range(value(low, values), value(high, values), step):
                    _count(left)
                    values[iterator] = each
                    yield from _body(item.body, values, (*at, iterator), rest)
            case NestGuard(condition=condition, then=then, otherwise=otherwise):
                yield from _body(then if holds(condition, values) else otherwise, values, at, rest)
            case _:
                assert_never(item)


def _count(left: list[int]) -> None:
    left[0] -= 1
    if left[0] < 0:
        raise TooManyOperations


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "//": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    "min": min,
    "max": max,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def value(expression: AffineExpression, values: Values) -> int:
    """The value of an expression."""
    match expression:
        case AffineNumber(value=number):
            return number
        case AffineVariable(name=name):
            return values[name]
        case AffineOperation(operator=operator, left=left, right=right):
            return _OPERATIONS[operator](value(left, values), value(right, values))
        case _:
            assert_never(expression)


def holds(condition: Condition, values: Values) -> bool:
    """Whether a condition holds."""
    match condition:
        case AffineComparison(operator=operator, left=left, right=right):
            return _COMPARISONS[operator](value(left, values), value(right, values))
        case BothHold(left=one, right=other):
            return holds(one, values) and holds(other, values)
        case EitherHolds(left=one, right=other):
            return holds(one, values) or holds(other, values)
        case DoesNotHold(operand=operand):
            return not holds(operand, values)
        case _:
            assert_never(condition)
