"""Which statement and which loop of a transform lose an operation that should be executed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.nest import NestItem, NestLoop, NestStatement
from rewright.replay.loops.mismatch import MissingOperation
from rewright.replay.loops.running import ExecutedOperation, number


class RunSoFar(Struct, frozen=True):
    """The body of the transform, the sizes, and which operations of the specification were executed."""

    body: tuple[NestItem, ...]
    values: dict[Name, int]
    executed: list[ExecutedOperation]


def missing_operation(due: ExecutedOperation, many: int, run: RunSoFar) -> MissingOperation:
    """The missing operation, with the statement of the transform that it should be and the loop that loses it.

    That is the outermost loop in which no operation of this statement has the iterators that it should have.
    """
    alike = [each for each in run.executed if _is_alike(each.statement, due.statement)]
    needed = dict(due.iteration)
    if not alike:
        return _lost(due, many, run)
    for place in range(max(len(each.iteration) for each in alike)):
        kept = [each for each in alike if len(each.iteration) > place and _agrees(each, place, needed)]
        chosen = next((each for each in alike if len(each.iteration) > place), None)
        if chosen is None:
            break
        if not kept:
            return MissingOperation(due, many, chosen.statement, chosen.loops[place])
        alike = kept
    return MissingOperation(due, many, alike[0].statement, None)


def _lost(due: ExecutedOperation, many: int, run: RunSoFar) -> MissingOperation:
    """An operation none of whose kind is executed: the first loop that is empty, or that leaves its iterator out."""
    for statement, loops in inside(run.body, ()):
        if not _is_alike(statement, due.statement):
            continue
        values = run.values | dict(due.iteration)
        for loop in loops:
            low, high = number(loop.low, values), number(loop.high, values)
            iterations = range(low, high, loop.step)
            if values.setdefault(loop.iterator, low) not in iterations:
                return MissingOperation(due, many, statement, loop)
        return MissingOperation(due, many, statement, None)
    return MissingOperation(due, many, None, None)


def inside(
    body: tuple[NestItem, ...], loops: tuple[NestLoop, ...]
) -> Iterator[tuple[NestStatement, tuple[NestLoop, ...]]]:
    """The statements of a body, each with the loops around it."""
    for item in body:
        if isinstance(item, NestStatement):
            yield item, loops
        elif isinstance(item, NestLoop):
            yield from inside(item.body, (*loops, item))
        else:
            yield from inside((*item.then, *item.otherwise), loops)


def _is_alike(one: NestStatement, other: NestStatement) -> bool:
    """Whether two statements compute the same function of the same arrays into the same array."""
    return _function(one) == _function(other)


def _function(statement: NestStatement) -> tuple[str, Name | None, tuple[Name | None, ...]]:
    return statement.signature, statement.write.array, tuple(each.array for each in statement.reads)


def _agrees(operation: ExecutedOperation, place: int, needed: Mapping[Name, int]) -> bool:
    """Whether an iterator has the value that it is to have; one that the specification does not have agrees."""
    name, value = operation.iteration[place]
    return needed.get(name, value) == value
