"""Answers a loop nest by itself: are its subscripts within its arrays, and may its parallel loops be parallel?

Owns the way from a decision to an answer. Must not know how the facts of a finding are worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rewright.checks.loops_races import has_parallel_loops, races
from rewright.checks.loops_words import element_text, operation_text
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
from rewright.loops.decide import decide_nest
from rewright.loops.decision import LoopsUndecided, NestOutside, NestWithin
from rewright.model.nest import Nest
from rewright.model.nest_text import values_text
from rewright.replay.loops.bounds import OutsideAccess, first_outside
from rewright.replay.loops.sizes import Sizes
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Failure, Finding, LoopsWitness, Method, Severity, Site, Verdict
from rewright.verdict.diagnostics.loops import OutsideArray


def answer(asked: Nest, budget: Budget) -> Answer:
    """The answer to a nest."""
    decided = decide_nest(asked, operations_of(budget))
    match decided:
        case NestWithin(vacuous=True):
            return vacuous(asked)
        case NestWithin():
            return races(asked, asked, (), budget) or _proved(asked)
        case NestOutside(fails_at=fails_at):
            return _refuted(asked, fails_at)
        case LoopsUndecided(reason=reason):
            return unknown(reason)
        case _:
            assert_never(decided)


def _unsaid(asked: Nest) -> Iterator[str]:
    """Of which arrays it is assumed that they have what is accessed, since nobody says how large they are."""
    arrays = [f"`{each.name}`" for each in asked.arrays if None in each.sizes]
    if arrays:
        yield f"{', '.join(arrays)} {'has' if len(arrays) == 1 else 'have'} every element that is accessed"


def _proved(asked: Nest) -> Answer:
    assumed = (*relaxed_text(asked.relaxed), *marks_text(asked)) if has_parallel_loops(asked) else ()
    return Answer(Verdict.PROVED, coverage(asked, (*_unsaid(asked), *assumed)), Method.SETS)


def _refuted(asked: Nest, fails_at: tuple[Sizes, ...]) -> Answer:
    found = first_wrong((asked,), fails_at, lambda sizes: first_outside(asked, dict(sizes), STEPS))
    if found is None:
        return unknown("a subscript may be outside its array, at sizes that are too large to run")
    return _outside(*found)


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
    return refuted_in_a_run(Finding(said, Severity.ERROR, Site(found.access.site)), witness)
