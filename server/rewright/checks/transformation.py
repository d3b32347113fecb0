"""Answers a transform: guessed and proved by `loops`, every proof and every refutation replayed.

Owns the way from a decision to an answer: what a proof covers, which finding a refutation is, and where it points. Must
not know how the facts of a finding are worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import assert_never

from rewright.checks.loops_words import element_text, operation_text, writer_text
from rewright.checks.nest import LONG_RUNS, STEPS, coverage, operations_of, unknown, vacuous
from rewright.loops.decide import decide_by_runs, decide_by_text
from rewright.loops.decision import LoopsUndecided, ReorderingNotProved, ReorderingProved
from rewright.model.nest import Nest, NestLoop, Transformation, statements
from rewright.model.nest_text import expression_text, statement_name, values_text
from rewright.replay.loops.comparing import (
    AnotherThanDue,
    ExtraOperation,
    Mismatch,
    MissingOperation,
    OutOfOrder,
    compared,
)
from rewright.replay.loops.running import ExecutedOperation, RunTooLong
from rewright.replay.loops.sizes import Sizes, sizes_to_sample, sizes_to_try
from rewright.rules.decision import Budget
from rewright.verdict import (
    Answer,
    Coverage,
    Diagnosis,
    Failure,
    Finding,
    InDeclaration,
    LoopsWitness,
    Method,
    Place,
    Related,
    Role,
    Severity,
    Site,
    Verdict,
)
from rewright.verdict.diagnostics.loops import AnotherOperation, ExecutedTooOften, NeverExecuted, ReadOrWrittenTooSoon

LOOKS = 6
"""Choices of sizes at which a proof is replayed."""

LOOK = 1_500
"""Operations and iterations of either program in the replay of a proof."""

ASSUMED = ("arrays do not overlap",)


class ReorderingContradicted(Exception):
    """The replay contradicts a reordering that was proved."""


def answer(asked: Transformation, budget: Budget) -> Answer:
    """The answer to a transform. Raises `ReorderingContradicted`, which is an error of ours."""
    operations = operations_of(budget)
    by_text = decide_by_text(asked, operations)
    match by_text:
        case ReorderingProved():
            return _proved(asked, by_text)
        case ReorderingNotProved(fails_at=(_, *_) as fails_at):
            # Where the guess is right, as mostly, these are the smallest sizes at which the programs differ.
            refuted = _refuted(asked, fails_at)
            if refuted is not None:
                return refuted
        case _:
            pass
    sampled = sizes_to_sample((asked.specification, asked.transformed))
    by_runs = decide_by_runs(asked, sampled, operations)
    match by_runs:
        case ReorderingProved():
            return _proved(asked, by_runs)
        case ReorderingNotProved(reason=reason, fails_at=fails_at):
            said = by_text.reason if isinstance(by_text, ReorderingNotProved) and by_text.fails_at else reason
            return _refuted(asked, fails_at) or unknown(said)
        case LoopsUndecided(reason=reason):
            return _refuted(asked, ()) or unknown(reason)
        case _:
            assert_never(by_runs)


def _proved(asked: Transformation, found: ReorderingProved) -> Answer:
    if found.vacuous:
        return vacuous(asked.specification)
    return Answer(
        Verdict.PROVED,
        coverage(_spoken_of(asked), ASSUMED),
        Method.SETS,
        correspondence=tuple(_correspondence(asked, found)),
        replays=_replays(asked),
    )


def _spoken_of(asked: Transformation) -> Nest:
    """The specification, with what both programs require."""
    one, other = asked.specification, asked.transformed
    requires = tuple(dict.fromkeys((*one.requires, *other.requires)))
    return replace(one, requires=requires)


def _correspondence(asked: Transformation, found: ReorderingProved) -> Iterator[str]:
    """Which instance of the specification each statement of the transform is."""
    specified = tuple(statements(asked.specification.body))
    transformed = tuple(statements(asked.transformed.body))
    for each in found.correspondence:
        one, other = specified[each.specified], transformed[each.transformed]
        at = ", ".join(expression_text(value) for value in each.iterators)
        yield f"`{statement_name(other)}` is `{statement_name(one)}`" + (f" at ({at})" if at else "")


def _replays(asked: Transformation) -> int:
    """At how many choices of sizes the proof was replayed. Raises `ReorderingContradicted`."""
    count = 0
    for sizes in islice(sizes_to_sample((asked.specification, asked.transformed)), LOOKS):
        try:
            if compared(asked, dict(sizes), LOOK) is not None:
                raise ReorderingContradicted(f"{sizes} of {asked}")
            count += 1
        except RunTooLong:
            return count
    return count


def _refuted(asked: Transformation, fails_at: tuple[Sizes, ...]) -> Answer | None:
    """The answer at the smallest sizes at which the replay differs, None if it nowhere does."""
    long_runs = 0
    for sizes in sizes_to_try((asked.specification, asked.transformed), fails_at):
        try:
            found = compared(asked, dict(sizes), STEPS)
        except RunTooLong:
            long_runs += 1
            if long_runs == LONG_RUNS:
                return None
            continue
        if found is not None:
            return _with_witness(asked, found, sizes)
    return None


def _with_witness(asked: Transformation, found: Mismatch, sizes: Sizes) -> Answer:
    at = values_text(sizes)
    said: Diagnosis
    match found:
        case OutOfOrder(operation=operation, due=due, element=element, expected=expected, found=writer, loop=loop):
            said = ReadOrWrittenTooSoon(
                operation_text(operation), element_text(element), writer_text(expected), writer_text(writer), at
            )
            witness = _witness(Failure.ORDER, sizes, operation, due)
            witness = _shown(witness, element_text(element), writer_text(expected), writer_text(writer))
            place, related = operation.statement.site, _related(asked, due, loop)
        case MissingOperation(due=due, many=many, statement=statement, loop=loop):
            said = NeverExecuted(operation_text(due), many - 1, at)
            witness = _shown(_witness(Failure.MISSING, sizes, due, due), element_text(due.writes), "", "")
            place = statement.site if statement is not None else 0
            related = _related(asked, due, loop)
        case ExtraOperation(operation=operation):
            said = ExecutedTooOften(operation_text(operation), element_text(operation.writes), at)
            witness = _shown(_witness(Failure.EXTRA, sizes, operation, None), element_text(operation.writes), "", "")
            place = operation.statement.site
            related = _related(asked, None, operation.loops[-1] if operation.loops else None)
        case AnotherThanDue(operation=operation, due=due, found=read, expected=should):
            said = AnotherOperation(
                operation_text(operation), operation_text(due), element_text(read), element_text(should), at
            )
            witness = _witness(Failure.OPERATION, sizes, operation, due)
            witness = _shown(witness, element_text(operation.writes), element_text(should), element_text(read))
            place, related = operation.statement.site, _related(asked, due, None)
        case _:
            assert_never(found)
    finding = Finding(said, Severity.ERROR, Site(place), related)
    return Answer(
        Verdict.REFUTED,
        Coverage("one run, replayed", bounded=False),
        Method.REPLAY,
        findings=(finding,),
        witness=witness,
    )


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


def _related(asked: Transformation, due: ExecutedOperation | None, loop: NestLoop | None) -> tuple[Related, ...]:
    """The statement of the specification that is due, and the loop of the transform that is to blame."""
    found: list[tuple[Role, Place]] = []
    if due is not None:
        found.append((Role.FIRST, InDeclaration(asked.specification.name, due.statement.site)))
    if loop is not None:
        found.append((Role.SECOND, Site(loop.site)))
    return tuple(Related(role, place) for role, place in found)
