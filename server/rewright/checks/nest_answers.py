"""The answers that loop nests and transforms have in common, and how much is run and decided for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from rewright.checks.collecting import nothing_collected
from rewright.model.nest import Nest, Relaxations, loops_of
from rewright.model.nest_text import context_text
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
from rewright.verdict.diagnostics.loops import NothingToExecute
from rewright.verdict.diagnostics.rules import NotDecided

OPERATIONS = 20
"""Steps of a rule's solver for one operation of isl."""

STEPS = 100_000
"""Operations and iterations of a program at one choice of sizes."""

LONG_RUNS = 3
"""Runs that take more than `STEPS`, after which no larger sizes are tried."""

Found = TypeVar("Found")


def operations_of(budget: Budget) -> int:
    """The operations of isl that a budget is."""
    return budget.steps // OPERATIONS


def first_wrong(
    nests: Iterable[Nest], given: Iterable[Sizes], look: Callable[[Sizes], Found | None]
) -> tuple[Found, Sizes] | None:
    """What a look at sizes finds, at the smallest at which it finds something; None if it nowhere does.

    Looks that raise `RunTooLong` find nothing, and after some of them no larger sizes are looked at.
    """
    long_runs = 0
    for sizes in sizes_to_try(nests, given):
        try:
            with nothing_collected():
                found = look(sizes)
        except RunTooLong:
            long_runs += 1
            if long_runs == LONG_RUNS:
                return None
            continue
        if found is not None:
            return found, sizes
    return None


def coverage(asked: Nest, assumptions: tuple[str, ...]) -> Coverage:
    """All sizes of which a nest speaks."""
    of = context_text(asked)
    return Coverage(f"all sizes{of and f', {of}'}", bounded=False, assumptions=assumptions)


def relaxed_text(relaxed: Relaxations) -> Iterator[str]:
    """What relaxations assume."""
    yield from (f"values that `{name}` has at the end are not used" for name in relaxed.private)
    yield from (f"the order in which `{label}` combines values does not matter" for label in relaxed.reductions)


def marks_text(nest: Nest) -> Iterator[str]:
    """What is assumed of variables that parallel loops have for themselves."""
    marks = [loop.parallel for loop in loops_of(nest.body) if loop.parallel is not None]
    for name in dict.fromkeys(name for mark in marks for name in mark.reductions):
        yield f"the order in which values are combined into `{name}` does not matter"


def unknown(reason: str) -> Answer:
    """Not decided, with the reason."""
    finding = Finding(NotDecided(reason), Severity.WARNING, Site(0))
    return Answer(Verdict.UNKNOWN, NOTHING, reason=reason, findings=(finding,))


def vacuous(asked: Nest) -> Answer:
    """Refuted: nothing is executed at any size."""
    finding = Finding(NothingToExecute(), Severity.ERROR, Site(0))
    witness = LoopsWitness(Failure.VACUOUS, (), "", (), "", "", "", "", replayed=False)
    return Answer(Verdict.REFUTED, coverage(asked, ()), Method.SETS, findings=(finding,), witness=witness)


def refuted_in_a_run(finding: Finding, witness: LoopsWitness) -> Answer:
    """Refuted by a run at the sizes of the witness."""
    return Answer(
        Verdict.REFUTED,
        Coverage("one run, replayed", bounded=False),
        Method.REPLAY,
        findings=(finding,),
        witness=witness,
    )
