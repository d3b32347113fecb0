"""A nest of a source that is to be written in another order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.kernel_question import OutlinePayload, SourceEntry, SourceText
from rewright.checks.nest_question import NestPayload, ProgramPayload, TiledPayload, TransformationPayload
from rewright.checks.reading_nests import ONE_SITE, outlined_nest
from rewright.checks.table import LoopsPayload, named
from rewright.fixes.generating.c_text import CStatement, CWriter
from rewright.fixes.generating.question import NotWritten, SourceLoops
from rewright.frontends.nests import NestFrame, NestSource
from rewright.frontends.table import nest_language_of
from rewright.loops.generation.written import WrittenBody
from rewright.loops.guessing import looped
from rewright.model.nest import Nest, Transformation
from rewright.verdict.codec import decode


class SourceNest(Struct, frozen=True):
    """The nest, what it was read from, what stands around it there, and its statements."""

    nest: Nest
    loops: SourceLoops
    frame: NestFrame
    statements: tuple[CStatement, ...]
    known: frozenset[str]

    @property
    def taken(self) -> frozenset[str]:
        """The names that another nest must not have."""
        return frozenset(self.frame.taken)

    @property
    def at(self) -> int:
        """Where a transform of it belongs in the source: after its function."""
        return self.frame.at

    def texts(self, name: str, body: WrittenBody) -> Iterator[str]:
        """Ways to write a transform, with what sets it apart: quotients as they are in C, then rounded down."""
        newline = "\r\n" if "\r\n" in _text(self.loops) else "\n"
        for floor in (False, True):
            writer = CWriter(self.frame, self.statements, self.known, floor)
            text = writer.function(name, self.loops.nest, body)
            yield f"\n\n{text}".replace("\r\n", "\n").replace("\n", newline)

    def read_again(self, name: str, text: str) -> Transformation | None:
        """The transform of a text that stands in the source, None if it cannot be read."""
        whole = _text(self.loops).encode()
        made = (whole[: self.at] + text.encode() + whole[self.at :]).decode(errors="replace")
        path = self.loops.path
        sources = tuple(SourceText(each.path, made) if each.path == path else each for each in self.loops.sources)
        found = _found(replace(self.loops, sources=sources, nest=name))
        asked = _asked(found) if found is not None else None
        return asked.transformation if isinstance(asked, TransformationPayload) else None


def source_nest(loops: SourceLoops) -> SourceNest | NotWritten:
    """The nest of a name in a source."""
    language = nest_language_of(loops.path)
    if language is None:
        return NotWritten("no loop nests are read of sources in this language", complete=True)
    found = _found(loops)
    if found is None:
        return NotWritten(f"`{loops.path}` has no loop nest `{loops.nest}`", complete=True)
    asked = _asked(found)
    if asked is None:
        return NotWritten(f"`{loops.nest}` is not affine, or has errors", complete=True)
    if isinstance(asked, ProgramPayload):
        return NotWritten(f"`{loops.nest}` is not affine", complete=True)
    if isinstance(asked, TiledPayload):
        return NotWritten("it has tile sizes as parameters, so its loops are several", complete=True)
    texts = {each.path: each.text for each in loops.sources}
    frame = language.front_end().frame(NestSource(loops.path, texts, loops.preset), loops.nest)
    if frame is None:
        return NotWritten(f"`{loops.nest}` stands in no function of `{loops.path}`", complete=True)
    nest = asked.nest if isinstance(asked, NestPayload) else asked.transformation.transformed
    return SourceNest(nest, loops, frame, tuple(_statements(found, nest, loops)), _known(nest, frame))


def _found(loops: SourceLoops) -> SourceEntry | None:
    return outlined_nest(OutlinePayload(loops.path, loops.sources, loops.preset), loops.nest)


def _asked(found: SourceEntry) -> LoopsPayload | None:
    asking = found.lowered.asking if found.lowered is not None else None
    if asking is None:
        return None
    asked: LoopsPayload = decode(LoopsPayload, named(asking.payload, asking.names))
    return asked


def _statements(found: SourceEntry, nest: Nest, loops: SourceLoops) -> Iterator[CStatement]:
    """The statements with their texts, where these stand in the source itself as statements of their own."""
    assert found.lowered is not None and found.lowered.asking is not None
    places = found.lowered.asking.places()
    data = _text(loops).encode()
    for each in looped(nest.body):
        place = places[each.statement.site - ONE_SITE]
        text = data[place.start : place.end].decode(errors="replace") if place.path == loops.path else None
        is_one = text is not None and not re.search(r"[{};]|//|/\*", text)
        yield CStatement(each.statement, text if is_one else None, each.iterators)


def _known(nest: Nest, frame: NestFrame) -> frozenset[str]:
    """The names that mean the same in another function like the one of the nest."""
    called = {name for each in looped(nest.body) for name in re.findall(r"\b([A-Za-z_]\w*)", each.statement.signature)}
    return frozenset({str(each.name) for each in nest.arrays} | set(nest.parameters) | called | frame.defined)


def _text(loops: SourceLoops) -> str:
    return next(each.text for each in loops.sources if each.path == loops.path)
