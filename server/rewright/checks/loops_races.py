"""Answers whether the iterations of parallel loops may run at once: decided by `loops`, refuted by a run.

Owns what a race is told as, and which word of the language would mend it. Must not know what else is asked of a nest.
"""

from __future__ import annotations

from typing import assert_never

from rewright.checks.loops_remedies import remedies
from rewright.checks.loops_words import element_text, operation_text
from rewright.checks.nest_answers import STEPS, first_wrong, operations_of, refuted_in_a_run, unknown
from rewright.loops.decide import decide_races
from rewright.loops.decision import LoopsUndecided, Racing
from rewright.model.index import Name
from rewright.model.nest import Nest, loops_of
from rewright.model.nest_text import values_text
from rewright.replay.loops.racing import Interference, PassedValue, first_interference
from rewright.replay.loops.sizes import Sizes
from rewright.rules.decision import Budget
from rewright.verdict import (
    Answer,
    Diagnosis,
    Failure,
    Finding,
    LoopsWitness,
    Related,
    Role,
    Severity,
    Site,
)
from rewright.verdict.diagnostics.loops import IterationsInterfere, PrivateValuePasses


def has_parallel_loops(nest: Nest) -> bool:
    """Whether a loop of a nest is marked as parallel."""
    return any(loop.parallel is not None for loop in loops_of(nest.body))


def races(asked: Nest, specification: Nest, tiles: Sizes, budget: Budget) -> Answer | None:
    """The answer if iterations of parallel loops interfere or may do so; None if none do, at all sizes.

    `specification` says what else holds of the parameters; `tiles` are sizes to be told with the others.
    """
    if not has_parallel_loops(asked):
        return None
    decided = decide_races(asked, specification, operations_of(budget))
    if isinstance(decided, LoopsUndecided):
        return unknown(decided.reason)
    if not decided.found:
        return None
    given = tuple(each.at for each in decided.found)
    nests = dict.fromkeys((asked, specification))

    def look(at: Sizes) -> Interference | PassedValue | None:
        return first_interference(asked, dict(at), STEPS)

    found: tuple[Interference | PassedValue, Sizes] | None = first_wrong(nests, given, look)
    if found is None:
        return unknown("iterations of a parallel loop may interfere, at sizes that are too large to run")
    wrong, sizes = found
    return _refuted(wrong, (*tiles, *sizes), _remedy(asked, specification, wrong, budget))


def _remedy(asked: Nest, specification: Nest, found: Interference | PassedValue, budget: Budget) -> str:
    """The item or the clause that keeps these iterations apart, empty if none does."""
    if isinstance(found, PassedValue):
        return ""
    number = next(at for at, loop in enumerate(loops_of(asked.body)) if loop is found.loop)
    for text, nest in remedies(asked, found):
        decided = decide_races(nest, specification, operations_of(budget))
        if isinstance(decided, LoopsUndecided):
            continue
        if not any(_is_at(each, number, found.element[0]) for each in decided.found):
            return text
    return ""


def _is_at(racing: Racing, loop: int, array: Name) -> bool:
    return racing.loop == loop and racing.array == array


def _refuted(found: Interference | PassedValue, sizes: Sizes, remedy: str) -> Answer:
    at = values_text(sizes)
    element = element_text(found.element)
    said: Diagnosis
    match found:
        case Interference(first=first, second=second, loop=loop):
            access, other = second, operation_text(first.operation)
            reads_and_writes = first.writes, second.writes
            said = IterationsInterfere(
                other, operation_text(second.operation), reads_and_writes, element, loop.iterator, at, remedy
            )
            related: tuple[Related, ...] = (Related(Role.FIRST, Site(first.access.site)),)
        case PassedValue(writer=writer, reader=access, loop=loop):
            other = operation_text(writer) if writer is not None else ""
            said = PrivateValuePasses(operation_text(access.operation), other, element, loop.iterator, at)
            related = (Related(Role.FIRST, Site(writer.statement.write.site)),) if writer is not None else ()
        case _:
            assert_never(found)
    witness = LoopsWitness(
        Failure.RACE,
        sizes,
        operation_text(access.operation),
        access.operation.iteration,
        "",
        element,
        "",
        other,
        replayed=True,
    )
    related = (*related, Related(Role.SECOND, Site(found.loop.site)))
    return refuted_in_a_run(Finding(said, Severity.ERROR, Site(access.access.site), related), witness)
