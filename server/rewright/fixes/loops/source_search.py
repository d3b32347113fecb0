"""Changes of a nest's text in a source with which it is right: guessed, made, read again with all of the source, run,
proved, and only then offered. A transform that is not affine is only run, as it was before the change.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeGuard

from msgspec.structs import replace

from rewright.checks.kernel_question import OutlinePayload, SourceText
from rewright.checks.nest_question import NestPayload, ProgramPayload, TiledPayload, TransformationPayload
from rewright.checks.reading_nests import Asked, outlined_nest
from rewright.checks.table import LoopsPayload, named
from rewright.fixes.edited import edited
from rewright.fixes.generating.question import SourceLoops
from rewright.fixes.loops.c_candidates import SourceLetters, c_candidates
from rewright.fixes.loops.candidates import KINDS, LoopsChange
from rewright.fixes.loops.question import LoopsFix, LoopsFixes, SourceLoopsSearch
from rewright.fixes.loops.skewing import skewed_source
from rewright.fixes.loops.trial import LoopsTrial
from rewright.frontends.nests import NestSource
from rewright.frontends.table import nest_language_of
from rewright.model.nest import AffineVariable, TiledTransformation, Transformation, loops_of
from rewright.model.nest_program import ProgramTransformation
from rewright.model.nest_text import expression_text
from rewright.verdict.codec import decode

if TYPE_CHECKING:
    from rewright.rules.decision import Budget

MOST = 300
"""Changes that are tried. Each has the whole source read again."""

SECONDS = 20.0
"""Seconds of processor time after which no other change is tried."""


def source_fixes(payload: SourceLoopsSearch, budget: Budget) -> LoopsFixes:
    """The changes with which a nest of a source is right: of each kind of change the first."""
    wrong = _value(payload.loops)
    text = _text(payload.loops, wrong)
    offered: dict[str, LoopsFix] = {}
    trial = LoopsTrial(payload.sizes, budget)
    tried, until = 0, time.process_time() + SECONDS
    for candidate in c_candidates(text, payload.items) if text is not None else ():
        if candidate.kind in offered:
            continue
        tried += 1
        if tried > MOST or time.process_time() > until:
            return LoopsFixes(_preferred(offered), complete=False)
        value = _value(_changed(payload.loops, candidate))
        if _is_alike(value, wrong) and trial.is_right(value):
            said = ", checked" if isinstance(value, ProgramTransformation) else ""
            offered[candidate.kind] = LoopsFix(f"{candidate.title}{said}", candidate.edits)
    for candidate in () if offered.keys() - {"loops"} or text is None else _skewed(wrong, text, payload.loops, budget):
        value = _value(_changed(payload.loops, candidate))
        if candidate.kind not in offered and value is not None and trial.is_right(value):
            offered[candidate.kind] = LoopsFix(candidate.title, candidate.edits)
    return LoopsFixes(_preferred(offered), complete=True)


def _is_alike(value: Asked | None, wrong: Asked | None) -> TypeGuard[Asked]:
    """Whether there is something to try, which is not only run where before it was proved."""
    return value is not None and (
        not isinstance(value, ProgramTransformation) or isinstance(wrong, ProgramTransformation)
    )


def _skewed(wrong: Asked | None, text: SourceLetters, loops: SourceLoops, budget: Budget) -> Iterator[LoopsChange]:
    if isinstance(wrong, Transformation):
        yield from skewed_source(loops, wrong, (text.start, text.end), budget)


def _preferred(offered: dict[str, LoopsFix]) -> tuple[LoopsFix, ...]:
    return tuple(fix for _, fix in sorted(offered.items(), key=lambda each: KINDS.index(each[0])))


def _changed(loops: SourceLoops, change: LoopsChange) -> SourceLoops:
    made = edited({each.path: each.text for each in loops.sources}, change.edits)
    return replace(loops, sources=tuple(SourceText(path, text) for path, text in made.items()))


def _value(loops: SourceLoops) -> Asked | None:
    """What a nest of a source asks about, None if it cannot be read."""
    found = outlined_nest(OutlinePayload(loops.path, loops.sources, loops.preset), loops.nest)
    asking = found.lowered.asking if found is not None and found.lowered is not None else None
    if asking is None:
        return None
    asked: LoopsPayload = decode(LoopsPayload, named(asking.payload, asking.names))
    match asked:
        case NestPayload(nest):
            return nest
        case TransformationPayload(transformation):
            return transformation
        case TiledPayload(tiled):
            return tiled
        case ProgramPayload(program):
            return program


def _text(loops: SourceLoops, wrong: Asked | None) -> SourceLetters | None:
    """The source with where the nest is in it."""
    language = nest_language_of(loops.path)
    texts = {each.path: each.text for each in loops.sources}
    if language is None or loops.path not in texts:
        return None
    frame = language.front_end().frame(NestSource(loops.path, texts, loops.preset), loops.nest)
    if frame is None:
        return None
    letters = texts[loops.path].encode().decode("latin-1")
    return SourceLetters(loops.path, letters, frame.start, frame.end, tuple(dict.fromkeys(_ends(wrong))))


def _ends(value: Asked | None) -> Iterator[str]:
    """The ends of the loops of what is transformed, as they are written in any language."""
    match value:
        case Transformation(specification=nest) | ProgramTransformation(specification=nest):
            ends = (loop.high for loop in loops_of(nest.body) if loop.step > 0)
            yield from (expression_text(each) for each in ends if isinstance(each, AffineVariable))
        case TiledTransformation(choices=(first, *_)):
            yield from _ends(first)
        case _:
            return
