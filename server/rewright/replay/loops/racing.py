"""Do iterations of a parallel loop interfere, at one choice of sizes?

The nest is run one operation at a time. Two iterations of one run of a loop that is marked as parallel interfere if
both access an element, one of them writing it, unless both combine a value into it in any order. Of an array that is
private, a value must not pass from one iteration to another, into the loop, or out of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from rewright.model.index import Name
from rewright.model.nest import ElementAccess, Nest, NestLoop, NestStatement
from rewright.replay.loops.running import Element, ExecutedOperation, NestRun


class AccessInRun(Struct, frozen=True):
    """An access of an operation; `writes` if it is what the operation writes."""

    operation: ExecutedOperation
    access: ElementAccess
    writes: bool


class Interference(Struct, frozen=True):
    """Two accesses to an element that are in different iterations of a parallel loop, the first one executed first."""

    loop: NestLoop
    element: Element
    first: AccessInRun
    second: AccessInRun


class PassedValue(Struct, frozen=True):
    """A read of an element, private to each iteration of a loop, whose value was written elsewhere.

    `writer` is None where nothing wrote it.
    """

    loop: NestLoop
    element: Element
    writer: ExecutedOperation | None
    reader: AccessInRun


_Run = tuple[int, tuple[int, ...]]
"""A loop and the iterators around it: one run of the loop."""


class _Seen(Struct):
    """Earlier accesses to an element in one run of a loop: of each kind those of two iterations."""

    kinds: dict[tuple[bool, str], dict[int, AccessInRun]] = field(default_factory=lambda: defaultdict(dict))

    def other(self, kind: tuple[bool, str], iteration: int) -> AccessInRun | None:
        """An earlier access of another iteration with which an access of this kind interferes."""
        writes, combines = kind
        for (wrote, combined), accesses in self.kinds.items():
            if (writes or wrote) and not (combines and combines == combined):
                for at, found in accesses.items():
                    if at != iteration:
                        return found
        return None

    def add(self, kind: tuple[bool, str], iteration: int, access: AccessInRun) -> None:
        """Notes an access; two iterations of each kind are enough to find another one."""
        accesses = self.kinds[kind]
        if len(accesses) < 2:
            accesses.setdefault(iteration, access)


def first_interference(nest: Nest, values: Mapping[Name, int], steps: int) -> Interference | PassedValue | None:
    """The first interference, None if there is none. Raises `RunTooLong`."""
    seen: dict[tuple[_Run, Element], _Seen] = defaultdict(_Seen)
    writers: dict[Element, ExecutedOperation] = {}
    for operation in NestRun(dict(values), steps).operations(nest):
        for number, element, access in _accesses(operation):
            found = _crossing(nest, operation, (number, element, access), writers.get(element))
            if found is not None:
                return found
            for loop, run, iteration in _runs(operation):
                if element[0] in _private(nest, loop):
                    continue
                kind = number == 0, _combines(nest, loop, operation.statement) if number <= 1 else ""
                other = seen[run, element].other(kind, iteration)
                here = AccessInRun(operation, access, writes=number == 0)
                if other is not None:
                    return Interference(loop, element, other, here)
                seen[run, element].add(kind, iteration, here)
        writers[operation.writes] = operation
    return None


def _accesses(operation: ExecutedOperation) -> Iterator[tuple[int, Element, ElementAccess]]:
    """The elements that are accessed: the reads from number 1 on, and then the write, number 0."""
    statement = operation.statement
    for number, (element, access) in enumerate(zip(operation.reads, statement.reads, strict=True), start=1):
        if isinstance(element, tuple):
            yield number, element, access
    yield 0, operation.writes, statement.write


def _runs(operation: ExecutedOperation) -> Iterator[tuple[NestLoop, _Run, int]]:
    """The parallel loops around an operation, with which run it is in and its iteration."""
    iterators = tuple(value for _, value in operation.iteration)
    for place, loop in enumerate(operation.loops):
        if loop.parallel is not None:
            yield loop, (id(loop), iterators[:place]), iterators[place]


def _private(nest: Nest, loop: NestLoop) -> tuple[Name, ...]:
    return (*nest.relaxed.private, *(loop.parallel.private if loop.parallel is not None else ()))


def _combines(nest: Nest, loop: NestLoop, statement: NestStatement) -> str:
    """The operator by which a statement may combine values in any order, empty if there is none."""
    marked = loop.parallel is not None and statement.write.array in loop.parallel.reductions
    return combining(statement) if marked or statement.label in nest.relaxed.reductions else ""


def combining(statement: NestStatement) -> str:
    """The operator of a statement `x = x + e`, as its signature and its first read say; else empty.

    To subtract is to add, too: both have `+`.
    """
    found = re.match(r"\(#0(?:([-+*/&|^])(?![<>=])| (and|or) )|(min|max)\(#0,", statement.signature)
    if found is None or statement.reads[0].subscripts != statement.write.subscripts:
        return ""
    if statement.reads[0].array != statement.write.array:
        return ""
    return "+" if found[1] == "-" else found[1] or found[2] or found[3]


def _crossing(
    nest: Nest,
    reader: ExecutedOperation,
    read: tuple[int, Element, ElementAccess],
    writer: ExecutedOperation | None,
) -> PassedValue | None:
    """A read of a private element whose value was written elsewhere than in the same iterations."""
    number, element, access = read
    if number == 0:
        return None
    here = {(run, at): loop for loop, run, at in _runs(reader) if element[0] in _private(nest, loop)}
    there = {(run, at): loop for loop, run, at in _runs(writer) if element[0] in _private(nest, loop)} if writer else {}
    for key in (*here, *there):
        if key not in here or key not in there:
            loop = here.get(key) or there[key]
            return PassedValue(loop, element, writer, AccessInRun(reader, access, writes=False))
    return None
