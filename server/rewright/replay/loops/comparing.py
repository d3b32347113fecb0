"""Is one run a legal reordering of another, at one choice of sizes?

It is if the n-th write to each element is the same operation in both, reads the same elements, and gets each from the
same writer: then true, anti and output dependences are kept. Source: PolyCheck, Algorithm A.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rewright.model.index import Name
from rewright.model.nest import NestItem, NestLoop, NestStatement, Transformation
from rewright.replay.loops.running import Element, ExecutedOperation, NestRun, number


@dataclass(frozen=True, slots=True)
class OutOfOrder:
    """An operation that gets an element from `found`, not from `expected`; None is the initial value."""

    operation: ExecutedOperation
    due: ExecutedOperation
    element: Element
    expected: ExecutedOperation | None
    found: ExecutedOperation | None
    loop: NestLoop | None


@dataclass(frozen=True, slots=True)
class MissingOperation:
    """An operation of the specification that is not executed, and how `many` in all.

    `statement` is the one of the transform that it should be, `loop` the one that loses it.
    """

    due: ExecutedOperation
    many: int
    statement: NestStatement | None
    loop: NestLoop | None


@dataclass(frozen=True, slots=True)
class ExtraOperation:
    """An operation that writes an element once too often."""

    operation: ExecutedOperation


@dataclass(frozen=True, slots=True)
class AnotherThanDue:
    """An operation that is not what is `due`: another statement, or it reads `found` in place of `expected`."""

    operation: ExecutedOperation
    due: ExecutedOperation
    found: Element | int | None
    expected: Element | int | None


Mismatch = OutOfOrder | MissingOperation | ExtraOperation | AnotherThanDue


def compared(asked: Transformation, values: Mapping[Name, int], steps: int) -> Mismatch | None:
    """What is wrong first at these sizes, None if nothing is. Raises `OutOfSteps`."""
    specified = _Specified(list(NestRun(dict(values), steps).operations(asked.specification)))
    executed: dict[int, ExecutedOperation] = {}
    turns: dict[Element, int] = defaultdict(int)
    last: dict[Element, int] = {}
    wrong: Mismatch | None = None
    late: tuple[ExecutedOperation, int, Element, int | None, int | None] | None = None
    for operation in NestRun(dict(values), steps).operations(asked.transformed):
        due = specified.writers.get(operation.writes, [])
        turn = turns[operation.writes]
        turns[operation.writes] += 1
        if turn >= len(due):
            wrong = wrong or ExtraOperation(operation)
            continue
        at = due[turn]
        expected = specified.operations[at]
        wrong = wrong or _another(operation, expected)
        if late is None and wrong is None:
            for element, writer in zip(operation.reads, specified.sources[at], strict=True):
                if isinstance(element, tuple) and last.get(element) != writer:
                    late = operation, at, element, writer, last.get(element)
                    break
        last[operation.writes] = at
        executed[at] = operation
    missing = [at for at in range(len(specified.operations)) if at not in executed]
    if wrong is not None:
        return wrong
    if missing and (late is None or late[3] in missing):
        at = late[3] if late is not None and late[3] is not None else missing[0]
        ran = _RunSoFar(asked.transformed.body, dict(values), list(executed.values()))
        return _missing(specified.operations[at], len(missing), ran)
    if late is not None:
        operation, at, element, writer, found = late
        return OutOfOrder(
            operation,
            specified.operations[at],
            element,
            specified.operations[writer] if writer is not None else None,
            specified.operations[found] if found is not None else None,
            _parting(operation, executed.get(writer if writer is not None else -1)),
        )
    return None


@dataclass(frozen=True, slots=True)
class _RunSoFar:
    """The body of the transform, the sizes, and which operations of the specification were executed."""

    body: tuple[NestItem, ...]
    values: dict[Name, int]
    executed: list[ExecutedOperation]


class _Specified:
    """The run of the specification: which operations write an element, in order, and whom each read reads from."""

    def __init__(self, operations: list[ExecutedOperation]) -> None:
        self.operations = operations
        self.writers: dict[Element, list[int]] = defaultdict(list)
        self.sources: list[tuple[int | None, ...]] = []
        for at, each in enumerate(operations):
            self.sources.append(tuple(self._last(element) for element in each.reads))
            self.writers[each.writes].append(at)

    def _last(self, element: Element | int) -> int | None:
        found = self.writers.get(element) if isinstance(element, tuple) else None
        return found[-1] if found else None


def _another(operation: ExecutedOperation, due: ExecutedOperation) -> AnotherThanDue | None:
    if operation.statement.signature != due.statement.signature or len(operation.reads) != len(due.reads):
        return AnotherThanDue(operation, due, None, None)
    for found, expected in zip(operation.reads, due.reads, strict=True):
        if found != expected:
            return AnotherThanDue(operation, due, found, expected)
    return None


def _missing(due: ExecutedOperation, many: int, run: _RunSoFar) -> MissingOperation:
    """The missing operation, with the statement of the transform that it should be and the loop that loses it.

    That is the outermost loop in which no operation of this statement has the iterators that it should have.
    """
    alike = [each for each in run.executed if each.statement.signature == due.statement.signature]
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


def _lost(due: ExecutedOperation, many: int, run: _RunSoFar) -> MissingOperation:
    """An operation none of whose kind is executed: the first loop that is empty, or that leaves its iterator out."""
    for statement, loops in _inside(run.body, ()):
        if statement.signature != due.statement.signature:
            continue
        values = run.values | dict(due.iteration)
        for loop in loops:
            low, high = number(loop.low, values), number(loop.high, values)
            iterations = range(low, high, loop.step)
            if values.setdefault(loop.iterator, low) not in iterations:
                return MissingOperation(due, many, statement, loop)
        return MissingOperation(due, many, statement, None)
    return MissingOperation(due, many, None, None)


def _inside(
    body: tuple[NestItem, ...], loops: tuple[NestLoop, ...]
) -> Iterator[tuple[NestStatement, tuple[NestLoop, ...]]]:
    """The statements of a body, each with the loops around it."""
    for item in body:
        if isinstance(item, NestStatement):
            yield item, loops
        elif isinstance(item, NestLoop):
            yield from _inside(item.body, (*loops, item))
        else:
            yield from _inside((*item.then, *item.otherwise), loops)


def _agrees(operation: ExecutedOperation, place: int, needed: Mapping[Name, int]) -> bool:
    """Whether an iterator has the value that it is to have; one that the specification does not have agrees."""
    name, value = operation.iteration[place]
    return needed.get(name, value) == value


def _parting(one: ExecutedOperation, other: ExecutedOperation | None) -> NestLoop | None:
    """The outermost loop in whose iterations two operations part: its order is the wrong one."""
    if other is None:
        return None
    for (_, left), (_, right), loop, beside in zip(
        one.iteration, other.iteration, one.loops, other.loops, strict=False
    ):
        if loop is not beside:
            return None
        if left != right:
            return loop
    return None
