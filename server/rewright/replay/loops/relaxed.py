"""Is one run a reordering of another, at one choice of sizes, where the user allows more than keeping every order?

Each operation is known by what it computes: its statement, the elements that it accesses, and the values that it reads,
each as what was computed to get it. A value that statements combine in any order is known by the multiset of what they
combined. Both runs must execute the same operations so known, and write the same values to each element that is not
private, in the same order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.model.index import Name
from rewright.model.nest import Nest, Relaxations, Transformation
from rewright.replay.loops.losing import RunSoFar, inside, missing_operation
from rewright.replay.loops.mismatch import AnotherThanDue, ExtraOperation, Mismatch, OutOfOrder
from rewright.replay.loops.racing import combining
from rewright.replay.loops.running import Element, ExecutedOperation, NestRun

Known = int
"""What a value is known by: a hash of how it was computed. Different ones differ for certain."""


KEPT = Relaxations()
"""Every order is kept."""


class _Cell(Struct):
    """An element: the value before what is being combined into it, by which operator, and what was combined since."""

    base: Known
    operator: str = ""
    terms: Counter[Known] = field(default_factory=Counter)
    writers: list[ExecutedOperation] = field(default_factory=list)

    def known(self) -> Known:
        """What the value is known by now."""
        return hash((self.base, self.operator, frozenset(self.terms.items()))) if self.operator else self.base


class _Step(Struct, frozen=True):
    """An operation with what it reads: what each value is known by, and who wrote it."""

    operation: ExecutedOperation
    reads: tuple[Known, ...]
    writers: tuple[tuple[ExecutedOperation, ...], ...]

    @property
    def content(self) -> object:
        """The operation without its values: its right side, and the elements that it accesses."""
        return self.operation.statement.signature, self.operation.writes, self.operation.reads


class _Run(Struct):
    """A run: its operations, and the values that were written to each element, with their writers."""

    relaxed: Relaxations
    free: frozenset[tuple[str, Name | None]]
    cells: dict[Element, _Cell] = field(default_factory=dict)
    steps: list[_Step] = field(default_factory=list)
    written: dict[Element, list[tuple[Known, ExecutedOperation]]] = field(default_factory=lambda: defaultdict(list))

    def cell(self, element: Element) -> _Cell:
        return self.cells.setdefault(element, _Cell(hash(("initial", element))))

    def execute(self, operations: Iterable[ExecutedOperation]) -> None:
        """Executes operations."""
        for operation in operations:
            self._operation(operation)
        for element in self.cells:
            self._close(element)

    def _operation(self, operation: ExecutedOperation) -> None:
        statement = operation.statement
        operator = combining(statement) if (statement.signature, statement.write.array) in self.free else ""
        start = 1 if operator else 0
        cells = [self.cell(each) if isinstance(each, tuple) else None for each in operation.reads]
        reads = tuple(
            hash(("value", each)) if cell is None else cell.known()
            for each, cell in zip(operation.reads[start:], cells[start:], strict=True)
        )
        writers = tuple(tuple(cell.writers) if cell is not None else () for cell in cells)
        self.steps.append(_Step(operation, reads, writers[start:]))
        content = hash((operation.statement.signature, operation.writes, operation.reads, reads))
        cell = self.cell(operation.writes)
        if operator and cell.operator == operator:
            cell.terms[content] += 1
            cell.writers.append(operation)
            return
        self._close(operation.writes)
        if operator:
            self.cells[operation.writes] = _Cell(cell.known(), operator, Counter([content]), [operation])
        else:
            self.cells[operation.writes] = _Cell(content, writers=[operation])

    def _close(self, element: Element) -> None:
        """Notes the value that an element has, which is about to be overwritten or is its last."""
        cell = self.cells[element]
        if cell.writers and element[0] not in self.relaxed.private:
            self.written[element].append((cell.known(), cell.writers[-1]))


def compared_relaxed(asked: Transformation, values: Mapping[Name, int], steps: int) -> Mismatch | None:
    """What is wrong at these sizes, None if nothing is. Raises `RunTooLong`."""
    due = NestRun(dict(values), steps).operations(asked.specification)
    operations = NestRun(dict(values), steps).operations(asked.transformed)
    run = RunSoFar(asked.transformed.body, dict(values), [])
    return compared_values(asked.specification, (due, operations), asked.transformed.relaxed, run)


def compared_values(
    specification: Nest,
    runs: tuple[Iterable[ExecutedOperation], Iterable[ExecutedOperation]],
    relaxed: Relaxations,
    run: RunSoFar,
) -> Mismatch | None:
    """What is wrong with the second of two runs, where the first is due; `run` is of a nest, if any."""
    free = frozenset(_freed(specification, relaxed))
    specified, transformed = _Run(relaxed, free), _Run(relaxed, free)
    specified.execute(runs[0])
    transformed.execute(runs[1])
    return (
        _other_operations(run, (specified, transformed))
        or _other_values(specified, transformed)
        or _other_order(specified, transformed)
    )


def _freed(nest: Nest, relaxed: Relaxations) -> Iterator[tuple[str, Name | None]]:
    """The signatures and arrays of the statements that may combine values in any order."""
    for each, _ in inside(nest.body, ()):
        if each.label in relaxed.reductions:
            yield each.signature, each.write.array


def _other_operations(run: RunSoFar, runs: tuple[_Run, _Run]) -> Mismatch | None:
    specified, transformed = runs
    left = Counter(each.content for each in specified.steps)
    extra = None
    for each in transformed.steps:
        left[each.content] -= 1
        if left[each.content] < 0 and extra is None:
            extra = each
    missing = [each for each in specified.steps if left[each.content] > 0]
    if extra is not None:
        due = next((each for each in missing if each.operation.writes == extra.operation.writes), None)
        if due is None:
            return ExtraOperation(extra.operation)
        pairs = zip(extra.operation.reads, due.operation.reads, strict=False)
        found, expected = next(((one, other) for one, other in pairs if one != other), (None, None))
        if extra.operation.statement.signature != due.operation.statement.signature:
            found = expected = None
        return AnotherThanDue(extra.operation, due.operation, found, expected)
    if missing:
        ran = replace(run, executed=[each.operation for each in transformed.steps])
        return missing_operation(missing[0].operation, sum(left.values()), ran)
    return None


def _other_values(specified: _Run, transformed: _Run) -> Mismatch | None:
    """The first operation that reads another value than the one of the specification that is left for it."""
    due: dict[object, list[_Step]] = defaultdict(list)
    for each in specified.steps:
        due[each.content].append(each)
    wrong = []
    for each in transformed.steps:
        same = next((one for one in due[each.content] if one.reads == each.reads), None)
        if same is not None:
            due[each.content].remove(same)
        else:
            wrong.append(each)
    if not wrong:
        return None
    each = wrong[0]
    other = due[each.content][0]
    place = next(at for at, (one, two) in enumerate(zip(each.reads, other.reads, strict=True)) if one != two)
    element = each.operation.reads[len(each.operation.reads) - len(each.reads) + place]
    assert isinstance(element, tuple)
    expected, found = _parting(other.writers[place], each.writers[place])
    return OutOfOrder(each.operation, other.operation, element, expected, found, None)


def _parting(
    due: tuple[ExecutedOperation, ...], found: tuple[ExecutedOperation, ...]
) -> tuple[ExecutedOperation | None, ExecutedOperation | None]:
    """A writer that is due and one that is found, different ones if there are."""
    expected, met = (due[-1] if due else None), (found[-1] if found else None)
    contents = [Counter((each.statement.signature, each.reads) for each in side) for side in (due, found)]
    for each in reversed(due):
        if contents[0][each.statement.signature, each.reads] > contents[1][each.statement.signature, each.reads]:
            return each, met
    return expected, met


def _other_order(specified: _Run, transformed: _Run) -> Mismatch | None:
    """The first element that is written in another order."""
    for element, values in transformed.written.items():
        for (known, writer), (due, expected) in zip(values, specified.written.get(element, []), strict=False):
            if known != due:
                return AnotherThanDue(writer, expected, None, None)
    return None
