"""Is one run a legal reordering of another, at one choice of sizes?

It is if the n-th write to each element is the same operation in both, reads the same elements, and gets each from the
same writer: then true, anti and output dependences are kept. Source: PolyCheck, Algorithm A.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from rewright.model.index import Name
from rewright.model.nest import NestLoop, Transformation
from rewright.replay.loops.losing import RunSoFar, missing_operation
from rewright.replay.loops.mismatch import AnotherThanDue, ExtraOperation, Mismatch, OutOfOrder
from rewright.replay.loops.relaxed import KEPT, compared_relaxed
from rewright.replay.loops.running import Element, ExecutedOperation, NestRun


def compared(asked: Transformation, values: Mapping[Name, int], steps: int) -> Mismatch | None:
    """What is wrong first at these sizes, None if nothing is. Raises `RunTooLong`."""
    if asked.transformed.relaxed != KEPT:
        return compared_relaxed(asked, values, steps)
    due = NestRun(dict(values), steps).operations(asked.specification)
    operations = NestRun(dict(values), steps).operations(asked.transformed)
    return compared_operations(due, operations, RunSoFar(asked.transformed.body, dict(values), []))


def compared_operations(
    due_in_order: Iterable[ExecutedOperation], operations: Iterable[ExecutedOperation], run: RunSoFar
) -> Mismatch | None:
    """What is wrong first with operations, where others are due; None if nothing is. `run` is of a nest, if any."""
    specified = _Specified(list(due_in_order))
    executed: dict[int, ExecutedOperation] = {}
    turns: dict[Element, int] = defaultdict(int)
    last: dict[Element, int] = {}
    wrong: Mismatch | None = None
    late: tuple[ExecutedOperation, int, Element, int | None, int | None] | None = None
    for operation in operations:
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
        return missing_operation(specified.operations[at], len(missing), replace(run, executed=[*executed.values()]))
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
