"""Answers a transform: guessed and proved by `loops`, every proof and every refutation replayed.

Owns the way from a decision to an answer: what a proof covers, which finding a refutation is, and where it points. Must
not know how the facts of a finding are worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import assert_never

from msgspec.structs import replace

from rewright.checks.collecting import nothing_collected
from rewright.checks.loops_allowing import allowing
from rewright.checks.loops_labels import labelled
from rewright.checks.loops_mismatch import refuted_by
from rewright.checks.loops_races import races
from rewright.checks.nest_answers import (
    STEPS,
    coverage,
    first_wrong,
    marks_text,
    operations_of,
    relaxed_text,
    unknown,
    vacuous,
)
from rewright.loops.decide import decide_by_runs, decide_by_text
from rewright.loops.decision import LoopsUndecided, ReorderingNotProved, ReorderingProved
from rewright.model.index import Name
from rewright.model.nest import UNRELAXED, Transformation, statements
from rewright.model.nest_text import expression_text, statement_name
from rewright.replay.loops.comparing import compared
from rewright.replay.loops.mismatch import (
    Mismatch,
)
from rewright.replay.loops.narrowed import compared_narrowly
from rewright.replay.loops.running import RunTooLong
from rewright.replay.loops.sizes import Sizes, sizes_to_sample
from rewright.rules.decision import Budget
from rewright.verdict import (
    Answer,
    Coverage,
    Method,
    Verdict,
)

LOOKS = 6
"""Choices of sizes at which a proof is replayed."""

LONG = 1_000_000
"""Operations and iterations of either program at sizes that isl has found: three loops of 64 are half of it."""

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
            of_text = by_text.fails_at if isinstance(by_text, ReorderingNotProved) else ()
            found = _refuted(asked, fails_at, operations)
            return found or _refuted_in_long_runs(asked, (*of_text, *fails_at), operations) or unknown(said)
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
    return None if found is None else _refuted_at(asked, *found, operations)


def _refuted_at(asked: Transformation, mismatch: Mismatch, sizes: Sizes, operations: int) -> Answer:
    def allowed(array: Name) -> str:
        return allowing(asked, array, sizes, operations)

    return refuted_by(mismatch, asked.specification.name, (*asked.tiles, *sizes), allowed)


def _refuted_in_long_runs(asked: Transformation, fails_at: tuple[Sizes, ...], operations: int) -> Answer | None:
    """The answer at the smallest sizes at which a guess fails, if runs are too long to be kept; None if they agree."""
    if not fails_at or asked.transformed.relaxed != UNRELAXED:
        return None
    sizes = min(fails_at, key=lambda each: [value for _, value in each])
    try:
        with nothing_collected():
            found = compared_narrowly(asked, dict(sizes), LONG)
    except RunTooLong:
        return None
    return None if found is None else _refuted_at(asked, found, sizes, operations)
