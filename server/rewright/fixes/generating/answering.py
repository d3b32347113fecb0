"""Writes a nest in another order, reads what was written, and proves it by the ordinary decision.

Invariant: what is written is handed out only if the text, read again, was proved. Nothing that made it is trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rewright.checks import transformation
from rewright.checks.nest_answers import operations_of
from rewright.fixes.generating.names import name_for
from rewright.fixes.generating.own_loops import OwnNest, own_nest
from rewright.fixes.generating.question import (
    DeclaredLoops,
    NotWritten,
    OrderForbidden,
    SourceLoops,
    TransformReply,
    TransformRequest,
    WrittenTransform,
)
from rewright.fixes.generating.source_loops import SourceNest, source_nest
from rewright.loops.decision import LoopsUndecided
from rewright.loops.generation.generating import DoesNotFit, GeneratedLoops, generated
from rewright.loops.generation.orders import Forbidding
from rewright.loops.generation.steps import ScheduleError, Step, read_steps
from rewright.loops.generation.written import WrittenBody, with_mark, written_loops
from rewright.model.nest import Nest, ParallelMark, loops_of
from rewright.verdict import Answer, Verdict

if TYPE_CHECKING:
    from rewright.rules.decision import Budget

MARKS = 10
"""Loops that are tried to be marked `parallel`; each is proved."""

LARGEST = 400
"""Lines of a transform that is written; a longer one nobody reads."""


def written_transform(asked: TransformRequest, budget: Budget) -> TransformReply:
    """The transform that was asked for, proved; or the dependence that forbids it; or why there is none."""
    try:
        steps = read_steps(asked.schedule)
    except ScheduleError as error:
        return NotWritten(str(error), complete=True)
    match asked.loops:
        case DeclaredLoops():
            found: OwnNest | SourceNest | NotWritten = own_nest(asked.loops)
        case SourceLoops():
            found = source_nest(asked.loops)
    if isinstance(found, NotWritten):
        return found
    name = asked.name or name_for(found.nest.name, steps, found.taken)
    if name in found.taken:
        return NotWritten(f"the name `{name}` is taken", complete=True)
    return _written(found, name, steps, budget)


def _written(found: OwnNest | SourceNest, name: str, steps: Sequence[Step], budget: Budget) -> TransformReply:
    match generated(found.nest, steps, operations_of(budget)):
        case GeneratedLoops(ways=ways):
            return _proved(found, name, ways, budget)
        case Forbidding() as forbidden:
            return OrderForbidden(
                forbidden.first,
                forbidden.first_at,
                forbidden.second,
                forbidden.second_at,
                forbidden.kind,
                forbidden.array,
                forbidden.sizes,
            )
        case DoesNotFit(reason=reason):
            return NotWritten(reason, complete=True)
        case LoopsUndecided(reason=reason):
            return NotWritten(reason, complete=False)


def _proved(found: OwnNest | SourceNest, name: str, ways: Sequence[WrittenBody], budget: Budget) -> TransformReply:
    """The first way to write it that is proved."""
    reason = "it was written, but cannot be read again"
    seen: set[str] = set()
    written = [(way, place, text) for way in ways for place, text in enumerate(found.texts(name, way))]
    for way, place, text in written:
        if text in seen:
            continue
        seen.add(text)
        if text.count("\n") > LARGEST:
            reason = f"it would have more than {LARGEST} lines"
            continue
        asked = found.read_again(name, text)
        if asked is None:
            continue
        answer = transformation.answer(asked, budget)
        if answer.verdict is Verdict.PROVED:
            marked = _marked(found, name, (way, place), budget)
            text, answer = marked or (text, answer)
            return WrittenTransform(
                name,
                text,
                found.at,
                answer.verdict,
                answer.coverage.text,
                answer.coverage.assumptions,
                is_unmarked=marked is None and _mark_of(found.nest) is not None,
            )
        reason = f"it was written, but not proved: {answer.reason or answer.verdict}"
    return NotWritten(reason, complete=False)


def _mark_of(nest: Nest) -> ParallelMark | None:
    """What the iterations of parallel loops of a nest have for themselves, None if it has no such loop."""
    marks = [loop.parallel for loop in loops_of(nest.body) if loop.parallel is not None]
    if not marks:
        return None
    private = dict.fromkeys(name for mark in marks for name in mark.private)
    reductions = dict.fromkeys(name for mark in marks for name in mark.reductions)
    return ParallelMark(tuple(private), tuple(reductions), any(mark.has_clauses for mark in marks))


def _marked(
    found: OwnNest | SourceNest, name: str, written: tuple[WrittenBody, int], budget: Budget
) -> tuple[str, Answer] | None:
    """The text with marks of the outermost loops that are proved to be parallel; None if the nest has none, or none is.

    `written` are the loops, and which of their texts was proved.
    """
    (body, place), mark = written, _mark_of(found.nest)
    if mark is None:
        return None
    best: tuple[str, Answer] | None = None
    loops, number, count = tuple(written_loops(body)), 0, 0
    for _ in range(MARKS):
        if number >= len(loops):
            break
        tried = with_mark(body, number, mark)
        text = tuple(found.texts(name, tried))[place]
        asked = found.read_again(name, text)
        number += 1
        if asked is None or sum(each.parallel is not None for each in loops_of(asked.transformed.body)) != count + 1:
            continue
        answer = transformation.answer(asked, budget)
        if answer.verdict is Verdict.PROVED:
            body, best, count = tried, (text, answer), count + 1
            number += sum(1 for _ in written_loops(loops[number - 1].body))
    return best
