"""Answers a transform that is not affine: it is run at sizes, one operation after another checked by Algorithm A.

Owns at which sizes it is run, and how far. Every refutation is replayed by a walk through the program that shares no
code with the run. Must not know how a run is made.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.checks.collecting import nothing_collected
from rewright.checks.loops_allowing import candidates
from rewright.checks.loops_mismatch import refuted_by
from rewright.checks.nest_answers import relaxed_text, unknown
from rewright.checks.program_coverage import SizesToRun, covered, left_out
from rewright.checks.tiled import tiles_text
from rewright.loops.programs.checking import checked, specified
from rewright.loops.programs.machine import DoesNotEnd, Stopped
from rewright.loops.programs.relaxed import Combining, checked_relaxed, combining_statements
from rewright.model.index import Name
from rewright.model.nest import UNRELAXED
from rewright.model.nest_program import ProgramTransformation
from rewright.model.nest_text import values_text
from rewright.model.tile_sizes import Choice
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

LEAST_IN_ALL = 50_000
"""Accesses of all runs with one of many choices of tile sizes."""

LEAST = 3
"""Choices of sizes at which a program must have been run to be checked."""

SLACK = 50
"""Steps for each operation of the specification, and as many in all, after which a run is taken not to end."""


class RefutationNotReplayed(Exception):
    """The replay does not see what a run of the program has seen."""


class _Looked(Struct):
    """At how many sizes the program was run, and what ran; `combining` are statements whose order does not matter."""

    combining: Combining
    allowed: Callable[[Name], str]
    count: int = 0
    ran: set[int] = field(default_factory=set)
    operations: int = 0
    accesses: int = 0

    def note(self, ran: frozenset[int], operations: int, accesses: int) -> None:
        """Notes a run."""
        self.count += 1
        self.ran |= ran
        self.operations += operations
        self.accesses += SLACK + accesses


def answer(asked: ProgramTransformation, budget: Budget) -> Answer:
    """The answer to a transform that is a program. Raises `RefutationNotReplayed`, which is an error of ours."""
    return _answer(asked, lambda array: _allowing(asked, array))


def _answer(asked: ProgramTransformation, allowed: Callable[[Name], str]) -> Answer:
    """The answer; `allowed` gives the item that allows another order of accesses to an array."""
    combining = combining_statements(asked.specification, asked.relaxed)
    if isinstance(combining, str):
        return unknown(combining)
    to_run = _sizes(asked)
    most = max(IN_ALL // len(asked.tiles), LEAST_IN_ALL)
    runs: list[_Looked] = []
    for choice in asked.tiles:
        looked = _Looked(combining, allowed)
        found = _looked_at(asked, (choice, to_run), looked, most)
        if found is not None:
            return found
        runs.append(looked)
    if not all(each.operations for each in runs):
        return unknown("nothing is executed at the sizes at which it can be run")
    why = Finding(NotDecided(f"{asked.why}: this is run at sizes"), Severity.INFORMATION, Site(asked.why_at))
    missed = left_out(asked.program, set[int]().union(*(each.ran for each in runs)))
    coverage = covered(to_run, min(each.count for each in runs), len(missed))
    tiles = f"{tiles_text(asked.tiles)}; " if asked.tiles[0] else ""
    assumptions = (*coverage.assumptions, *relaxed_text(asked.relaxed))
    coverage = replace(coverage, text=f"{tiles}{coverage.text}", assumptions=assumptions)
    return Answer(Verdict.CHECKED, coverage, Method.EXECUTION, findings=(why, *missed))


def _looked_at(
    asked: ProgramTransformation, at: tuple[Choice, SizesToRun], looked: _Looked, most: int
) -> Answer | None:
    """The answer if the program is wrong with a choice of tile sizes, or not run at enough sizes; else None."""
    choice, to_run = at
    for each in (*to_run.small, *to_run.larger):
        sizes = (*choice, *each)
        try:
            with nothing_collected():
                found = _at(asked, sizes, looked)
        except DoesNotEnd as stopped:
            if looked.count >= LEAST and looked.operations:
                return None
            return _stopped(f"{stopped.reason} in {STEPS} steps at {values_text(sizes)}", stopped.site)
        except Stopped as stopped:
            return _stopped(f"{stopped.reason}, at {values_text(sizes)}", stopped.site)
        if found is not None:
            return found
        if looked.accesses > most:
            break
    if looked.count < min(LEAST, len(to_run.small) + len(to_run.larger)):
        return unknown("nothing is executed at the sizes at which it can be run")
    return None


def _at(asked: ProgramTransformation, sizes: Sizes, looked: _Looked) -> Answer | None:
    """The answer if the program is wrong at these sizes, else None. Raises `Stopped`."""
    values = dict(sizes)
    if asked.relaxed != UNRELAXED:
        allowed = asked.relaxed, looked.combining
        relaxed = checked_relaxed(asked.program, asked.specification, values, allowed, STEPS)
        looked.note(relaxed.ran, relaxed.operations, relaxed.accesses)
        return None if relaxed.is_right else _refuted(asked, sizes, looked)
    due = specified(asked.specification, values, STEPS)
    steps = min(STEPS, SLACK * (len(due.signatures) + SLACK))
    run = checked(asked.program, asked.specification, due, values, steps)
    looked.note(run.ran, run.operations, sum(1 + len(each) for each in due.reads))
    return None if run.is_right else _refuted(asked, sizes, looked)


def _refuted(asked: ProgramTransformation, sizes: Sizes, looked: _Looked) -> Answer:
    try:
        found = compared_program(asked.program, asked.specification, dict(sizes), 10 * STEPS, asked.relaxed)
    except RunTooLong:
        return unknown(f"it differs at {values_text(sizes)}, where it is too long to be replayed")
    if found is None:
        raise RefutationNotReplayed(f"{sizes} of {asked}")
    return refuted_by(found, asked.specification.name, sizes, looked.allowed)


def _allowing(asked: ProgramTransformation, array: Name) -> str:
    """The item with which the program is right wherever it is run, empty if none was found."""
    for text, relaxed in candidates(asked.specification, asked.relaxed, array):
        # With tile sizes it would have to be run at all of them again.
        with_it = replace(asked, relaxed=relaxed)
        if len(asked.tiles) == 1 and _answer(with_it, lambda _: "").verdict is Verdict.CHECKED:
            return text
    return ""


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
