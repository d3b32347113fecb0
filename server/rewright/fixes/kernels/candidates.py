"""Which changes of a kernel's text may fix a finding, in the order in which they are to be tried.

Each is a guess. Must not know whether it fixes anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rewright.fixes.kernels.arrays import access_at, parameters
from rewright.fixes.kernels.barriers import insertions
from rewright.fixes.kernels.bounds import declared_at, extent_texts, guards, guards_below, widened
from rewright.fixes.kernels.filling import filled, initialised
from rewright.fixes.kernels.hoisting import hoists
from rewright.fixes.kernels.returning import guarded_instead
from rewright.fixes.kernels.tree import Source, cuda, own, without
from rewright.syntax.text import Span
from rewright.verdict import Edit, Finding, InSource, Place

MOST_WIDER = 1 << 12
"""By how many elements a shared array is made larger at most."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A titled change of texts. Of one `kind`, one that fixes is enough."""

    kind: str
    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A finding, where it stands in a source, its second place if that is in the same source, and its facts."""

    source: Source
    at: Span
    other: Span | None
    facts: Mapping[str, str]
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
            wrong = _Wrong(source, Span(start, end), other, dict(finding.arguments), declared)
            yield from _of_code(finding.code, wrong)
        case _:
            return


def _is_in(place: Place, path: str) -> bool:
    return isinstance(place, InSource) and place.path == path


def _span(place: Place) -> Span:
    assert isinstance(place, InSource)
    return Span(place.start, place.end)


def _of_code(code: str, wrong: _Wrong) -> Iterator[Candidate]:
    match code:
        case "RW301":
            yield from _barriers(wrong, wrong.source.dialect.barrier)
        case "RW309":
            yield from _barriers(wrong, wrong.source.dialect.warp_barrier)
        case "RW303":
            elsewhere = None if wrong.facts["second"] == "left" else wrong.other
            for at in filter(None, (wrong.at, elsewhere)):
                for edits in hoists(wrong.source, at):
                    yield Candidate("hoist", "Move the barrier out of the branch", edits)
            yield from _guarded(wrong)
        case "RW315":
            yield from _guarded(wrong)
        case "RW304":
            yield from _guards(wrong)
            yield from _wider(wrong)
        case "RW305":
            yield from _values(wrong)
        case "RW312":
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


def _guards(wrong: _Wrong) -> Iterator[Candidate]:
    for dimension, index, extent in _left(wrong):
        bounds = _bounds(wrong, dimension, extent)
        tried = (
            guards_below(wrong.source, wrong.at, dimension)
            if index < 0
            else guards(wrong.source, wrong.at, dimension, bounds)
        )
        for edits in tried:
            yield Candidate("guard", "Guard the access", edits)


def _wider(wrong: _Wrong) -> Iterator[Candidate]:
    """The array as large as the index asks, then larger, since other threads may go further."""
    declared = declared_at(wrong.source, wrong.at, _array(wrong))
    for dimension, index, extent in _left(wrong) if declared is not None else ():
        if declared is None or index < 0 or dimension >= len(declared.extents):
            continue
        lacking = index + 1 - extent
        steps = {lacking + more for more in range(4)} | {lacking << shift for shift in range(8)} | {extent}
        for by in sorted(step for step in steps if lacking <= step <= MOST_WIDER):
            edits = widened(wrong.source, declared, dimension, by)
            yield Candidate("widen", f"Make `{declared.name}` larger by {by}", edits)


def _left(wrong: _Wrong) -> Iterator[tuple[int, int, int]]:
    """The dimensions that the access leaves, with its index and the extent there."""
    indices, extents = (
        [int(number) for number in wrong.facts[name].split(", ") if number] for name in ("address", "extents")
    )
    for dimension, (index, extent) in enumerate(zip(indices, extents, strict=False)):
        if not 0 <= index < extent:
            yield dimension, index, extent


def _bounds(wrong: _Wrong, dimension: int, extent: int) -> list[str]:
    """What an index may be compared with: the extent as written, parameters that come to it, the number."""
    written = extent_texts(wrong.source, wrong.at, _array(wrong), dimension)
    names = dict(zip(wrong.declared, parameters(wrong.source, wrong.at), strict=False))
    known = [_renamed(each, names) for each in wrong.facts.get("bounds", "").split("; ") if each]
    found = written + [each for each in known if each is not None]
    return list(dict.fromkeys(found)) or ([str(extent)] if "bounds" in wrong.facts else [])


def _renamed(bound: str, names: Mapping[str, str]) -> str | None:
    """A bound in the names of the source, None if one of them is not known there."""
    words = re.findall(r"\w+", bound)
    if not names:
        return bound
    return " * ".join(names[word] for word in words) if all(word in names for word in words) else None


def _array(wrong: _Wrong) -> str:
    """The array's name in the text."""
    access = access_at(wrong.source, wrong.at)
    return wrong.facts["array"] if access is None else access.array


# -------------------------------------------------------------------------------------------------------------- values


def _values(wrong: _Wrong) -> Iterator[Candidate]:
    name = wrong.facts["variable"] or _array(wrong)
    for edits in initialised(wrong.source, wrong.at, name):
        yield Candidate("initialise", f"Initialise `{name}`", edits)
    declared = declared_at(wrong.source, wrong.at, name)
    if declared is not None:
        axes = wrong.facts["first_thread"].count(",") + 1
        for edits in filled(wrong.source, declared, axes):
            yield Candidate("initialise", f"Set `{name}` to zero first", edits)
