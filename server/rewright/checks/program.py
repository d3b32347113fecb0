"""Answers a transform that is not affine: it is run at sizes, one operation after another checked by Algorithm A.

Owns at which sizes it is run, and how far. Every refutation is replayed by a walk through the program that shares no
code with the run. Must not know how a run is made.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from rewright.checks.collecting import nothing_collected
from rewright.checks.loops_mismatch import refuted_by
from rewright.checks.nest_answers import unknown
from rewright.checks.program_coverage import SizesToRun, covered, left_out
from rewright.loops.programs.checking import checked, specified
from rewright.loops.programs.machine import DoesNotEnd, Stopped
from rewright.model.nest import Relaxations
from rewright.model.nest_program import ProgramTransformation
from rewright.model.nest_text import values_text
from rewright.replay.loops.program import compared_program
from rewright.replay.loops.running import RunTooLong, satisfied
from rewright.replay.loops.sizes import Sizes, sizes_to_sample, sizes_to_try
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Finding, Method, Severity, Site, Verdict
from rewright.verdict.diagnostics.rules import NotDecided

STEPS = 100_000
"""Of a run at one choice of sizes: loops, calls and operations."""

IN_ALL = 300_000
"""Accesses of the operations of all runs, after which no larger sizes are tried: a second or so."""

LEAST = 3
"""Choices of sizes at which a program must have been run to be checked."""

SLACK = 50
"""Steps for each operation of the specification, and as many in all, after which a run is taken not to end."""


class RefutationNotReplayed(Exception):
    """The replay does not see what a run of the program has seen."""


@dataclass(slots=True)
class _Looked:
    """At how many sizes the program was run, and what ran."""

    count: int = 0
    ran: set[int] = field(default_factory=set)
    operations: int = 0
    accesses: int = 0


def answer(asked: ProgramTransformation, budget: Budget) -> Answer:
    """The answer to a transform that is a program. Raises `RefutationNotReplayed`, which is an error of ours."""
    if asked.specification.relaxed != Relaxations():
        return unknown("a transform that is not affine, with `private` or `reduction`")
    looked = _Looked()
    to_run = _sizes(asked)
    for sizes in (*to_run.small, *to_run.larger):
        try:
            with nothing_collected():
                found = _at(asked, sizes, looked)
        except DoesNotEnd as stopped:
            if looked.count >= LEAST and looked.operations:
                break
            return _stopped(f"{stopped.reason} in {STEPS} steps at {values_text(sizes)}", stopped.site)
        except Stopped as stopped:
            return _stopped(f"{stopped.reason}, at {values_text(sizes)}", stopped.site)
        if found is not None:
            return found
        if looked.accesses > IN_ALL:
            break
    if not looked.operations or looked.count < min(LEAST, len(to_run.small) + len(to_run.larger)):
        return unknown("nothing is executed at the sizes at which it can be run")
    why = Finding(NotDecided(f"{asked.why}: this is run at sizes"), Severity.INFORMATION, Site(asked.why_at))
    missed = left_out(asked.program, looked.ran)
    return Answer(
        Verdict.CHECKED,
        covered(to_run, looked.count, len(missed)),
        Method.EXECUTION,
        findings=(why, *missed),
    )


def _at(asked: ProgramTransformation, sizes: Sizes, looked: _Looked) -> Answer | None:
    """The answer if the program is wrong at these sizes, else None. Raises `Stopped`."""
    values = dict(sizes)
    due = specified(asked.specification, values, STEPS)
    steps = min(STEPS, SLACK * (len(due.signatures) + SLACK))
    run = checked(asked.program, asked.specification, due, values, steps)
    looked.ran |= run.ran
    looked.operations += run.operations
    looked.accesses += SLACK + sum(1 + len(each) for each in due.reads)
    looked.count += 1
    return None if run.is_right else _refuted(asked, sizes)


def _refuted(asked: ProgramTransformation, sizes: Sizes) -> Answer:
    try:
        found = compared_program(asked.program, asked.specification, dict(sizes), 10 * STEPS)
    except RunTooLong:
        return unknown(f"it differs at {values_text(sizes)}, where it is too long to be replayed")
    if found is None:
        raise RefutationNotReplayed(f"{sizes} of {asked}")
    return refuted_by(found, asked.specification.name, sizes, lambda array: "")


def _sizes(asked: ProgramTransformation) -> SizesToRun:
    """Small sizes and some larger ones; of parameters with given values only these."""
    nests = (asked.specification,)
    small, larger = sizes_to_try(nests), sizes_to_sample(nests)
    if not asked.pinned:
        found = tuple(small)
        return SizesToRun(found, tuple(each for each in larger if each not in found))
    given = dict(asked.pinned)
    free = [name for name in asked.specification.parameters if name not in given]
    kept = dict.fromkeys(tuple((name, value) for name, value in each if name in free) for each in (*small, *larger))
    made: dict[Sizes, None] = {}
    for values in product(*given.values()):
        for each in kept:
            known = dict(each) | dict(zip(given, values, strict=True))
            if all(satisfied(nest, known) for nest in nests):
                made[tuple((name, known[name]) for name in asked.specification.parameters)] = None
    return SizesToRun(tuple(made), ())


def _stopped(reason: str, site: int) -> Answer:
    found = unknown(reason)
    finding = Finding(NotDecided(reason), Severity.WARNING, Site(site))
    return Answer(found.verdict, found.coverage, reason=reason, findings=(finding,))
