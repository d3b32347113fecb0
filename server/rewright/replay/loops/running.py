"""Runs a loop nest: every operation with the elements that it reads and writes, in the order of execution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

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
    NestLoop,
    NestStatement,
)

Element = tuple[Name, tuple[int, ...]]
"""An array and an index."""


class RunTooLong(Exception):
    """The nest does not end in the steps that it was given."""


@dataclass(frozen=True, slots=True)
class ExecutedOperation:
    """A statement at one iteration, with the loops around it; `reads` are elements, or the number of a plain value."""

    statement: NestStatement
    iteration: tuple[tuple[Name, int], ...]
    loops: tuple[NestLoop, ...]
    writes: Element
    reads: tuple[Element | int, ...]


@dataclass(slots=True)
class NestRun:
    """A run of a nest at these values of its parameters, in at most `steps` operations and iterations."""

    values: dict[Name, int]
    steps: int
    _inside: list[NestLoop] = field(default_factory=list)

    def operations(self, nest: Nest) -> Iterator[ExecutedOperation]:
        """The operations. Raises `RunTooLong`."""
        for item in nest.body:
            yield from self._item(item)

    def _item(self, item: NestStatement | NestLoop | NestGuard) -> Iterator[ExecutedOperation]:
        self._step()
        if isinstance(item, NestStatement):
            yield self._operation(item)
        elif isinstance(item, NestGuard):
            for each in item.then if true_of(item.condition, self.values) else item.otherwise:
                yield from self._item(each)
        else:
            yield from self._loop(item)

    def _step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise RunTooLong

    def _loop(self, loop: NestLoop) -> Iterator[ExecutedOperation]:
        at, end = number(loop.low, self.values), number(loop.high, self.values)
        self._inside.append(loop)
        while at < end if loop.step > 0 else at > end:
            self._step()
            self.values[loop.iterator] = at
            for each in loop.body:
                yield from self._item(each)
            at += loop.step
        self._inside.pop()

    def _operation(self, statement: NestStatement) -> ExecutedOperation:
        assert statement.write.array is not None
        return ExecutedOperation(
            statement,
            tuple((loop.iterator, self.values[loop.iterator]) for loop in self._inside),
            tuple(self._inside),
            (statement.write.array, self._index(statement.write)),
            tuple(self._read(each) for each in statement.reads),
        )

    def _read(self, access: ElementAccess) -> Element | int:
        index = self._index(access)
        return (access.array, index) if access.array is not None else index[0]

    def _index(self, access: ElementAccess) -> tuple[int, ...]:
        return tuple([number(each, self.values) for each in access.subscripts])


def satisfied(nest: Nest, values: Mapping[Name, int]) -> bool:
    """Whether the parameters are such as the nest speaks of."""
    return all(values[name] >= 1 for name in nest.at_least_one) and all(true_of(each, values) for each in nest.requires)


def number(expression: AffineExpression, values: Mapping[Name, int]) -> int:
    """The value of an expression."""
    if isinstance(expression, AffineNumber):
        return expression.value
    if isinstance(expression, AffineVariable):
        return values[expression.name]
    return _calculated(expression, number(expression.left, values), number(expression.right, values))


def _calculated(expression: AffineOperation, left: int, right: int) -> int:
    match expression.operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//":
            return left // right
        case "%":
            return left - right * (left // right)
        case "min":
            return left if left < right else right
        case "max":
            return left if left > right else right


def true_of(condition: Condition, values: Mapping[Name, int]) -> bool:
    """Whether a condition holds."""
    if isinstance(condition, DoesNotHold):
        return not true_of(condition.operand, values)
    if isinstance(condition, BothHold):
        return true_of(condition.left, values) and true_of(condition.right, values)
    if isinstance(condition, EitherHolds):
        return true_of(condition.left, values) or true_of(condition.right, values)
    return _compared(condition, number(condition.left, values), number(condition.right, values))


def _compared(relation: AffineComparison, left: int, right: int) -> bool:
    match relation.operator:
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
