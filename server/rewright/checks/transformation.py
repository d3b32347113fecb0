"""Answers a transform: guessed and proved by `loops`, every proof and every refutation replayed.

Owns the way from a decision to an answer: what a proof covers, which finding a refutation is, and where it points. Must
not know how the facts of a finding are worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import assert_never

from rewright.checks.loops_allowing import allowing
from rewright.checks.loops_labels import labelled
from rewright.checks.loops_races import races
from rewright.checks.loops_words import element_text, operation_text, writer_text
from rewright.checks.nest_answers import (
    STEPS,
    coverage,
    first_wrong,
    marks_text,
    operations_of,
    refuted_in_a_run,
    relaxed_text,
    unknown,
    vacuous,
)
from rewright.loops.decide import decide_by_runs, decide_by_text
from rewright.loops.decision import LoopsUndecided, ReorderingNotProved, ReorderingProved
from rewright.model.nest import NestLoop, Transformation, statements
from rewright.model.nest_text import expression_text, statement_name, values_text
from rewright.replay.loops.comparing import compared
from rewright.replay.loops.mismatch import (
    AnotherThanDue,
    ExtraOperation,
    Mismatch,
    MissingOperation,
    OutOfOrder,
)
from rewright.replay.loops.running import ExecutedOperation, RunTooLong
from rewright.replay.loops.sizes import Sizes, sizes_to_sample
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
    found = _reordering(asked, operations_of(budget))
    if found.verdict not in (Verdict.PROVED, Verdict.CHECKED):
        return found
    return races(labelled(asked), asked.specification, asked.tiles, budget) or found


def _reordering(asked: Transformation, operations: int) -> Answer:
    by_text = decide_by_text(asked, operations)
    match by_text:
        case ReorderingProved():
            return _proved(asked, by_text)
        case ReorderingNotProved(fails_at=(_, *_) as fails_at):
            # Where the guess is right, as mostly, these are the smallest sizes at which the programs differ.
            refuted = _refuted(asked, fails_at, operations)
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
            return _refuted(asked, fails_at, operations) or unknown(said)
        case LoopsUndecided(reason=reason):
            return _refuted(asked, (), operations) or unknown(reason)
        case _:
            assert_never(by_runs)


def _proved(asked: Transformation, found: ReorderingProved) -> Answer:
    if found.vacuous:
        return vacuous(asked.specification)
    return Answer(
        Verdict.CHECKED if asked.pinned else Verdict.PROVED,
        _covered(asked),
        Method.SETS,
        correspondence=tuple(_correspondence(asked, found)),
        replays=_replays(asked),
    )


def _covered(asked: Transformation) -> Coverage:
    """All sizes of which both programs speak; where some parameters have given values only, it is bounded."""
    one, other = asked.specification, asked.transformed
    assumed = (*ASSUMED, *relaxed_text(other.relaxed), *marks_text(other))
    pinned = dict(asked.pinned)
    stated = other.requires[: len(other.requires) - len(pinned)]
    free = tuple(name for name in one.parameters if name not in pinned)
    of = replace(
        one,
        requires=tuple(dict.fromkeys((*one.requires, *stated))),
        at_least_one=tuple(name for name in one.at_least_one if name in free),
    )
    everywhere = coverage(of, assumed)
    if not pinned:
        return everywhere
    given = "; ".join(f"{name} = {', '.join(map(str, values))}" for name, values in pinned.items())
    text = f"{given}; {everywhere.text}" if free else given
    return Coverage(text, bounded=True, assumptions=assumed)


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


def _refuted(asked: Transformation, fails_at: tuple[Sizes, ...], operations: int) -> Answer | None:
    """The answer at the smallest sizes at which the replay differs, None if it nowhere does."""
    nests = (asked.specification, asked.transformed)

    def look(at: Sizes) -> Mismatch | None:
        return compared(asked, dict(at), STEPS)

    found: tuple[Mismatch, Sizes] | None = first_wrong(nests, fails_at, look)
    return _with_witness(asked, *found, operations) if found is not None else None


def _with_witness(asked: Transformation, found: Mismatch, at_sizes: Sizes, operations: int) -> Answer:
    sizes = (*asked.tiles, *at_sizes)
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
                allowing(asked, element[0], at_sizes, operations),
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
                operation_text(operation),
                operation_text(due),
                element_text(read),
                element_text(should),
                at,
                allowing(asked, due.writes[0], at_sizes, operations),
            )
            witness = _witness(Failure.OPERATION, sizes, operation, due)
            witness = _shown(witness, element_text(operation.writes), element_text(should), element_text(read))
            place, related = operation.statement.site, _related(asked, due, None)
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


def _related(asked: Transformation, due: ExecutedOperation | None, loop: NestLoop | None) -> tuple[Related, ...]:
    """The statement of the specification that is due, and the loop of the transform that is to blame."""
    found: list[tuple[Role, Place]] = []
    if due is not None:
        found.append((Role.FIRST, InDeclaration(asked.specification.name, due.statement.site)))
    if loop is not None:
        found.append((Role.SECOND, Site(loop.site)))
    return tuple(Related(role, place) for role, place in found)
