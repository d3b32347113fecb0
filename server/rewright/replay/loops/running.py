"""Runs a loop nest: every operation with the elements that it reads and writes, in the order of execution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter

from msgspec import Struct, field

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
    NestLoop,
    NestStatement,
)

Element = tuple[Name, tuple[int, ...]]
"""An array and an index."""


class RunTooLong(Exception):
    """The nest does not end in the steps that it was given."""


class ExecutedOperation(Struct, frozen=True):
    """A statement at one iteration, with the loops around it; `reads` are elements, or the number of a plain value."""

    statement: NestStatement
    iteration: tuple[tuple[Name, int], ...]
    loops: tuple[NestLoop, ...]
    writes: Element
    reads: tuple[Element | int, ...]


Computed = Callable[[Mapping[Name, int]], int]
"""A number at values of iterators and parameters."""


class _Prepared(Struct, frozen=True):
    """A statement with the loops around it: names of iterators, what it writes, and what it reads."""

    iterators: tuple[Name, ...]
    loops: tuple[NestLoop, ...]
    array: Name
    index: tuple[Computed, ...]
    reads: tuple[tuple[Name | None, tuple[Computed, ...]], ...]


class NestRun(Struct):
    """A run of a nest at these values of its parameters, in at most `steps` operations and iterations.

    With `only`, the operations that write other elements are left out.
    """

    values: dict[Name, int]
    steps: int
    only: frozenset[Element] | None = None
    _inside: list[NestLoop] = field(default_factory=list)
    _prepared: dict[int, _Prepared] = field(default_factory=dict)
    """By the identity of a statement, as it stood where it was executed last."""

    def operations(self, nest: Nest) -> Iterator[ExecutedOperation]:
        """The operations. Raises `RunTooLong`."""
        for item in nest.body:
            yield from self._item(item)

    def _item(self, item: NestStatement | NestLoop | NestGuard) -> Iterator[ExecutedOperation]:
        self._step()
        if isinstance(item, NestStatement):
            yield from self._operation(item)
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
                if isinstance(each, NestStatement):
                    self._step()
                    yield from self._operation(each)
                else:
                    yield from self._item(each)
            at += loop.step
        self._inside.pop()

    def _operation(self, statement: NestStatement) -> tuple[ExecutedOperation, ...]:
        prepared = self._prepared.get(id(statement))
        if prepared is None or prepared.loops != tuple(self._inside):
            prepared = self._prepared[id(statement)] = _prepare(statement, self._inside)
        values = self.values
        writes = (prepared.array, tuple([each(values) for each in prepared.index]))
        if self.only is not None and writes not in self.only:
            return ()
        reads = []
        for array, index in prepared.reads:
            found = tuple([each(values) for each in index])
            reads.append((array, found) if array is not None else found[0])
        iteration = tuple([(name, values[name]) for name in prepared.iterators])
        return (ExecutedOperation(statement, iteration, prepared.loops, writes, tuple(reads)),)


def _prepare(statement: NestStatement, inside: Sequence[NestLoop]) -> _Prepared:
    write = statement.write
    assert write.array is not None
    reads = tuple([(each.array, tuple(map(_computed, each.subscripts))) for each in statement.reads])
    names = tuple([each.iterator for each in inside])
    return _Prepared(names, tuple(inside), write.array, tuple(map(_computed, write.subscripts)), reads)


def _computed(expression: AffineExpression) -> Computed:
    """`number` with the questions what the expression is asked once: nests have many iterations."""
    match expression:
        case AffineVariable(name=name):
            return itemgetter(name)
        case AffineOperation(operator="+", left=left, right=AffineNumber(value=by)):
            first = _computed(left)
            return lambda values: first(values) + by
        case AffineOperation(operator="-", left=left, right=AffineNumber(value=by)):
            first = _computed(left)
            return lambda values: first(values) - by
        case _:
            return lambda values: number(expression, values)


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
