"""A loop nest as a program, so that one interpreter runs both; a site is the number of its statement."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import assert_never

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
    ElementAccess,
    Nest,
    NestGuard,
    NestItem,
    NestLoop,
    NestStatement,
)
from rewright.model.nest_program import (
    ArrayPart,
    DataOperation,
    EitherBranch,
    IntegerExpression,
    IntegerNumber,
    IntegerOperation,
    IntegerOperator,
    IntegerVariable,
    NestProgram,
    ProgramStatement,
    Repetition,
    SetInteger,
)

BITS = 64
"""Of the iterators of a nest, which do not overflow."""


def as_program(nest: Nest) -> NestProgram:
    """The nest as a program."""
    return NestProgram(nest.name, (), tuple(_items(nest.body, count())))


def _items(body: tuple[NestItem, ...], numbers: Iterator[int]) -> Iterator[ProgramStatement]:
    for item in body:
        match item:
            case NestStatement():
                assert item.write.array is not None
                write = ArrayPart(item.write.array, _subscripts(item.write), 0)
                yield DataOperation(item.signature, write, tuple(map(_read, item.reads)), next(numbers))
            case NestLoop():
                yield from _loop(item, numbers)
            case NestGuard(condition=condition, then=then, otherwise=otherwise):
                first = tuple(_items(then, numbers))
                yield EitherBranch(_condition(condition), first, tuple(_items(otherwise, numbers)), 0)
            case _:
                assert_never(item)


def _loop(loop: NestLoop, numbers: Iterator[int]) -> Iterator[ProgramStatement]:
    at = IntegerVariable(loop.iterator)
    # The bounds of a nest do not change in its loop, so it does not matter when they are evaluated.
    ends = _operation("<" if loop.step > 0 else ">", at, _integer(loop.high))
    next_one = SetInteger(loop.iterator, _operation("+", at, IntegerNumber(loop.step)), BITS, 0)
    yield SetInteger(loop.iterator, _integer(loop.low), BITS, 0)
    yield Repetition(ends, tuple(_items(loop.body, numbers)), (next_one,), tests_first=True, site=0)


def _read(access: ElementAccess) -> ArrayPart | IntegerExpression:
    if access.array is None:
        return _integer(access.subscripts[0])
    return ArrayPart(access.array, _subscripts(access), 0)


def _subscripts(access: ElementAccess) -> tuple[IntegerExpression, ...]:
    return tuple(map(_integer, access.subscripts))


def _integer(expression: AffineExpression) -> IntegerExpression:
    match expression:
        case AffineNumber(value=value):
            return IntegerNumber(value)
        case AffineVariable(name=name):
            return IntegerVariable(Name(name))
        case AffineOperation(operator="//", left=left, right=right):
            return _operation("floord", _integer(left), _integer(right))
        case AffineOperation(operator="%", left=left, right=right):
            one, other = _integer(left), _integer(right)
            return _operation("-", one, _operation("*", other, _operation("floord", one, other)))
        case AffineOperation(operator="+" | "-" | "*" | "min" | "max" as operator, left=left, right=right):
            return _operation(operator, _integer(left), _integer(right))
        case _:
            raise AssertionError(expression)


def _condition(condition: Condition) -> IntegerExpression:
    match condition:
        case AffineComparison(operator=operator, left=left, right=right):
            return _operation(operator, _integer(left), _integer(right))
        case BothHold(left=one, right=other):
            return _operation("&&", _condition(one), _condition(other))
        case EitherHolds(left=one, right=other):
            return _operation("||", _condition(one), _condition(other))
        case DoesNotHold(operand=operand):
            return IntegerOperation("!", (_condition(operand),), 0)
        case _:
            assert_never(condition)


def _operation(operator: IntegerOperator, left: IntegerExpression, right: IntegerExpression) -> IntegerExpression:
    return IntegerOperation(operator, (left, right), 0)
