"""Which changes of a kernel's text may fix a finding, in the order in which they are to be tried.

Each is a guess. Must not know whether it fixes anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from rewright.fixes.kernels.arrays import access_at, parameters
from rewright.fixes.kernels.barriers import insertions
from rewright.fixes.kernels.bounds import declared_at, extent_texts, guards, guards_below, widened
from rewright.fixes.kernels.hoisting import hoists
from rewright.fixes.kernels.initialising import filled, initialised
from rewright.fixes.kernels.returning import guarded_instead
from rewright.fixes.kernels.tree import ParsedText, cuda, own, without
from rewright.syntax.text import Span
from rewright.verdict import Diagnosis, Edit, Finding, InSource, Place
from rewright.verdict.diagnostics.kernels import (
    BarrierAfterExit,
    BarrierDivergence,
    BarrierNotNeeded,
    DataRace,
    IndexOutside,
    RaceWithinWarp,
    ReadOfUnset,
    ReadOfUnwritten,
    Whereabouts,
    Who,
    WrongUnless,
)

MOST_WIDER = 1 << 12
"""By how many elements a shared array is made larger at most."""


class Candidate(Struct, frozen=True):
    """A titled change of texts. Of one `kind`, one that fixes is enough."""

    kind: str
    title: str
    edits: tuple[Edit, ...]


class _Wrong(Struct, frozen=True):
    """Where a finding stands in a source, and its second place if that is in the same source."""

    source: ParsedText
    at: Span
    other: Span | None
    declared: Sequence[str]


def candidates(finding: Finding, texts: Mapping[str, str], declared: Sequence[str]) -> Iterator[Candidate]:
    """What may fix a finding whose places are in these texts; that of a declaration itself has the empty path.

    `declared` are the names that the declaration has for the kernel's parameters, in order.
    """
    match finding.place:
        case InSource(path, start, end) if path in texts:
            source = cuda(path, texts[path]) if path else own(texts[path])
            others = [_span(note.place) for note in finding.related if _is_in(note.place, path)]
            other = others[0] if others else None
            wrong = _Wrong(source, Span(start, end), other, declared)
            yield from _of(finding.diagnosis, wrong)
        case _:
            return


def _is_in(place: Place, path: str) -> bool:
    return isinstance(place, InSource) and place.path == path


def _span(place: Place) -> Span:
    assert isinstance(place, InSource)
    return Span(place.start, place.end)


def _of(diagnosis: Diagnosis, wrong: _Wrong) -> Iterator[Candidate]:
    match diagnosis:
        case DataRace():
            yield from _barriers(wrong, wrong.source.dialect.barrier)
        case RaceWithinWarp():
            yield from _barriers(wrong, wrong.source.dialect.warp_barrier)
        case BarrierDivergence(whereabouts=whereabouts):
            elsewhere = None if whereabouts is Whereabouts.LEFT else wrong.other
            for at in filter(None, (wrong.at, elsewhere)):
                for edits in hoists(wrong.source, at):
                    yield Candidate("hoist", "Move the barrier out of the branch", edits)
            yield from _guarded(wrong)
        case BarrierAfterExit():
            yield from _guarded(wrong)
        case IndexOutside():
            yield from _guards(wrong, diagnosis)
            yield from _wider(wrong, diagnosis)
        case ReadOfUnwritten(who=who, element=element):
            yield from _values(wrong, _array(wrong, element.array), who)
        case ReadOfUnset(who=who, variable=variable):
            yield from _values(wrong, variable or _array(wrong, ""), who)
        case WrongUnless(found=found):
            yield from _of(found, wrong)
        case BarrierNotNeeded():
            yield Candidate("remove", "Remove the barrier", without(wrong.source, wrong.at))
        case _:
            return


def _guarded(wrong: _Wrong) -> Iterator[Candidate]:
    for edits in guarded_instead(wrong.source, wrong.at):
        yield Candidate("guards", "Guard what follows in place of the early `return`", edits)


def _barriers(wrong: _Wrong, barrier: str) -> Iterator[Candidate]:
    for edits in insertions(wrong.source, wrong.at, wrong.other or wrong.at, barrier):
        twice = " at two places" if sum(edit.text.count(barrier) for edit in edits) > 1 else ""
        yield Candidate("barrier", f"Insert `{barrier}`{twice}", edits)


# -------------------------------------------------------------------------------------------------------------- bounds


def _guards(wrong: _Wrong, outside: IndexOutside) -> Iterator[Candidate]:
    for dimension, index, extent in _left(outside):
        bounds = _bounds(wrong, outside, (dimension, extent))
        tried = (
            guards_below(wrong.source, wrong.at, dimension)
            if index < 0
            else guards(wrong.source, wrong.at, dimension, bounds)
        )
        for edits in tried:
            yield Candidate("guard", "Guard the access", edits)


def _wider(wrong: _Wrong, outside: IndexOutside) -> Iterator[Candidate]:
    """The array as large as the index asks, then larger, since other threads may go further."""
    declared = declared_at(wrong.source, wrong.at, _array(wrong, outside.element.array))
    for dimension, index, extent in _left(outside) if declared is not None else ():
        if declared is None or index < 0 or dimension >= len(declared.extents):
            continue
        missing = index + 1 - extent
        steps = {missing + more for more in range(4)} | {missing << shift for shift in range(8)} | {extent}
        for by in sorted(step for step in steps if missing <= step <= MOST_WIDER):
            edits = widened(wrong.source, declared, dimension, by)
            yield Candidate("widen", f"Make `{declared.name}` larger by {by}", edits)


def _left(outside: IndexOutside) -> Iterator[tuple[int, int, int]]:
    """The dimensions that the access leaves, with its index and the extent there."""
    for dimension, (index, extent) in enumerate(zip(outside.element.address, outside.extents, strict=False)):
        if not 0 <= index < extent:
            yield dimension, index, extent


def _bounds(wrong: _Wrong, outside: IndexOutside, left: tuple[int, int]) -> list[str]:
    """What an index may be compared with: the extent as written, parameters that come to it, the number."""
    dimension, extent = left
    written = extent_texts(wrong.source, wrong.at, _array(wrong, outside.element.array), dimension)
    names = dict(zip(wrong.declared, parameters(wrong.source, wrong.at), strict=False))
    known = [_renamed(each, names) for each in outside.bounds or ()]
    found = written + [each for each in known if each is not None]
    return list(dict.fromkeys(found)) or ([] if outside.bounds is None else [str(extent)])


def _renamed(bound: str, names: Mapping[str, str]) -> str | None:
    """A bound in the names of the source, None if one of them is not known there."""
    words = re.findall(r"\w+", bound)
    if not names:
        return bound
    return " * ".join(names[word] for word in words) if all(word in names for word in words) else None


def _array(wrong: _Wrong, known: str) -> str:
    """The array's name in the text; where none is seen, that by which it is known."""
    access = access_at(wrong.source, wrong.at)
    return known if access is None else access.array


# -------------------------------------------------------------------------------------------------------------- values


def _values(wrong: _Wrong, name: str, who: Who) -> Iterator[Candidate]:
    for edits in initialised(wrong.source, wrong.at, name):
        yield Candidate("initialise", f"Initialise `{name}`", edits)
    declared = declared_at(wrong.source, wrong.at, name)
    if declared is not None:
        for edits in filled(wrong.source, declared, len(who.thread)):
            yield Candidate("initialise", f"Set `{name}` to zero first", edits)
