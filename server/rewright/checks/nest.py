"""Answers a loop nest by itself: are its subscripts within its arrays, and is anything executed?

Owns the way from a decision to an answer. Must not know how the facts of a finding are worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rewright.checks.loops_words import element_text, operation_text
from rewright.loops.decide import decide_nest
from rewright.loops.decision import LoopsUndecided, NestOutside, NestWithin
from rewright.model.nest import Nest
from rewright.model.nest_text import context_text, values_text
from rewright.replay.loops.bounds import OutsideAccess, first_outside
from rewright.replay.loops.running import RunTooLong
from rewright.replay.loops.sizes import Sizes, sizes_to_try
from rewright.rules.decision import Budget
from rewright.verdict import (
    NOTHING,
    Answer,
    Coverage,
    Failure,
    Finding,
    LoopsWitness,
    Method,
    Severity,
    Site,
    Verdict,
)
from rewright.verdict.diagnostics.loops import NothingToExecute, OutsideArray
from rewright.verdict.diagnostics.rules import NotDecided

OPERATIONS = 20
"""Steps of a rule's solver for one operation of isl."""

STEPS = 100_000
"""Operations and iterations of a program at one choice of sizes."""

LONG_RUNS = 3
"""Runs that take more than `STEPS`, after which no larger sizes are tried."""


def operations_of(budget: Budget) -> int:
    """The operations of isl that a budget is."""
    return budget.steps // OPERATIONS


def answer(asked: Nest, budget: Budget) -> Answer:
    """The answer to a nest."""
    decided = decide_nest(asked, operations_of(budget))
    match decided:
        case NestWithin(vacuous=True):
            return vacuous(asked)
        case NestWithin():
            return Answer(Verdict.PROVED, coverage(asked, tuple(_unsaid(asked))), Method.SETS)
        case NestOutside(fails_at=fails_at):
            return _refuted(asked, fails_at)
        case LoopsUndecided(reason=reason):
            return unknown(reason)
        case _:
            assert_never(decided)


def coverage(asked: Nest, assumptions: tuple[str, ...]) -> Coverage:
    """All sizes of which a nest speaks."""
    of = context_text(asked)
    return Coverage(f"all sizes{of and f', {of}'}", bounded=False, assumptions=assumptions)


def _unsaid(asked: Nest) -> Iterator[str]:
    """Of which arrays it is assumed that they have what is accessed, since nobody says how large they are."""
    arrays = [f"`{each.name}`" for each in asked.arrays if None in each.sizes]
    if arrays:
        yield f"{', '.join(arrays)} {'has' if len(arrays) == 1 else 'have'} every element that is accessed"


def unknown(reason: str) -> Answer:
    """Not decided, with the reason."""
    finding = Finding(NotDecided(reason), Severity.WARNING, Site(0))
    return Answer(Verdict.UNKNOWN, NOTHING, reason=reason, findings=(finding,))


def vacuous(asked: Nest) -> Answer:
    """Refuted: nothing is executed at any size."""
    finding = Finding(NothingToExecute(), Severity.ERROR, Site(0))
    witness = LoopsWitness(Failure.VACUOUS, (), "", (), "", "", "", "", replayed=False)
    return Answer(Verdict.REFUTED, coverage(asked, ()), Method.SETS, findings=(finding,), witness=witness)


def _refuted(asked: Nest, fails_at: tuple[Sizes, ...]) -> Answer:
    long_runs = 0
    for sizes in sizes_to_try((asked,), fails_at):
        try:
            found = first_outside(asked, dict(sizes), STEPS)
        except RunTooLong:
            long_runs += 1
            if long_runs == LONG_RUNS:
                break
            continue
        if found is not None:
            return _outside(found, sizes)
    return unknown("a subscript may be outside its array, at sizes that are too large to run")


def _outside(found: OutsideAccess, sizes: Sizes) -> Answer:
    said = OutsideArray(
        operation_text(found.operation), element_text(found.element), found.dimension, found.size, values_text(sizes)
    )
    witness = LoopsWitness(
        Failure.BOUNDS,
        sizes,
        operation_text(found.operation),
        found.operation.iteration,
        "",
        element_text(found.element),
        f"at most {found.size - 1}" if found.size else "nothing",
        str(found.element[1][found.dimension]),
        replayed=True,
    )
    finding = Finding(said, Severity.ERROR, Site(found.access.site))
    return Answer(
        Verdict.REFUTED,
        Coverage("one run, replayed", bounded=False),
        Method.REPLAY,
        findings=(finding,),
        witness=witness,
    )
