"""What is wrong with a transform at some sizes, as an answer: the finding, its places, and what was seen.

Must not know how it was found, nor how the facts of a finding are worded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from msgspec.structs import replace

from rewright.checks.loops_words import element_text, operation_text, writer_text
from rewright.checks.nest_answers import refuted_in_a_run
from rewright.model.index import Name
from rewright.model.nest import NestLoop
from rewright.model.nest_text import values_text
from rewright.replay.loops.mismatch import AnotherThanDue, ExtraOperation, Mismatch, MissingOperation, OutOfOrder
from rewright.replay.loops.running import ExecutedOperation
from rewright.replay.loops.sizes import Sizes
from rewright.verdict import (
    Answer,
    Diagnosis,
    Failure,
    Finding,
    InDeclaration,
    LoopsWitness,
    Place,
    Related,
    Role,
    Severity,
    Site,
)
from rewright.verdict.diagnostics.loops import AnotherOperation, ExecutedTooOften, NeverExecuted, ReadOrWrittenTooSoon


def refuted_by(found: Mismatch, specification: Name, sizes: Sizes, allowed: Callable[[Name], str]) -> Answer:
    """Refuted at sizes; `allowed` gives the item that allows another order of accesses to an array."""
    at = values_text(sizes)
    said: Diagnosis
    match found:
        case OutOfOrder(operation=operation, due=due, element=element, expected=expected, found=writer, loop=loop):
            said = ReadOrWrittenTooSoon(
                operation_text(operation),
                element_text(element),
                writer_text(expected),
                writer_text(writer),
                at,
                allowed(element[0]),
            )
            witness = _witness(Failure.ORDER, sizes, operation, due)
            witness = _shown(witness, element_text(element), writer_text(expected), writer_text(writer))
            place, related = operation.statement.site, _related(specification, due, loop)
        case MissingOperation(due=due, many=many, statement=statement, loop=loop):
            said = NeverExecuted(operation_text(due), many - 1, at)
            witness = _shown(_witness(Failure.MISSING, sizes, due, due), element_text(due.writes), "", "")
            place = statement.site if statement is not None else 0
            related = _related(specification, due, loop)
        case ExtraOperation(operation=operation):
            said = ExecutedTooOften(operation_text(operation), element_text(operation.writes), at)
            witness = _shown(_witness(Failure.EXTRA, sizes, operation, None), element_text(operation.writes), "", "")
            place = operation.statement.site
            related = _related(specification, None, operation.loops[-1] if operation.loops else None)
        case AnotherThanDue(operation=operation, due=due, found=read, expected=should):
            said = AnotherOperation(
                operation_text(operation),
                operation_text(due),
                element_text(read),
                element_text(should),
                at,
                allowed(due.writes[0]),
            )
            witness = _witness(Failure.OPERATION, sizes, operation, due)
            witness = _shown(witness, element_text(operation.writes), element_text(should), element_text(read))
            place, related = operation.statement.site, _related(specification, due, None)
        case _:
            assert_never(found)
    return refuted_in_a_run(Finding(said, Severity.ERROR, Site(place), related), witness)


def _witness(fails: Failure, sizes: Sizes, operation: ExecutedOperation, due: ExecutedOperation | None) -> LoopsWitness:
    return LoopsWitness(
        fails,
        sizes,
        operation_text(operation),
        operation.iteration,
        operation_text(due) if due is not None else "",
        "",
        "",
        "",
        replayed=True,
    )


def _shown(witness: LoopsWitness, element: str, expected: str, found: str) -> LoopsWitness:
    return replace(witness, element=element, expected=expected, found=found)


def _related(specification: Name, due: ExecutedOperation | None, loop: NestLoop | None) -> tuple[Related, ...]:
    """The statement of the specification that is due, and the loop of the transform that is to blame."""
    found: list[tuple[Role, Place]] = []
    if due is not None:
        found.append((Role.FIRST, InDeclaration(specification, due.statement.site)))
    if loop is not None:
        found.append((Role.SECOND, Site(loop.site)))
    return tuple(Related(role, place) for role, place in found)
