"""Where in a document somebody writes, and what stands around it.

Invariant: only the piece of text that holds the place is looked at, so the length of a document does not matter.
"""

from __future__ import annotations

from bisect import bisect_right

from lsprotocol import types
from msgspec import Struct

from rewright.frontends.table import DECLARATIONS, LANGUAGES
from rewright.lsp.positions import offset_of
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.model.declared import Symbol
from rewright.syntax.text import Span, Text
from rewright.workspace.nearby import continuing
from rewright.writing.around import Around
from rewright.writing.place import Cursor, place_at
from rewright.writing.scope import EMPTY, scope_of

SOURCES = tuple(ending for language in LANGUAGES for ending in language.endings)


class Writing(Struct, frozen=True):
    """A place where somebody writes: the span of the word before it, and what stands around it."""

    text: Text
    word: Span
    place: Cursor
    around: Around


def writing_at(session: Session, uri: str, position: types.Position) -> Writing | None:
    """What is written at a position, None in a document that holds no declarations."""
    path = path_of(uri)
    parsed, model = session.workspace.parsed(path), session.workspace.model(path)
    if parsed is None or model is None or not parsed.pieces:
        return None
    offset = offset_of(parsed.text, position, session.client.encoding)
    start, piece = parsed.pieces[bisect_right(parsed.pieces, offset, key=lambda each: each[0]) - 1]
    place = place_at(parsed.text.slice(Span(start, offset)))
    scope, symbols = EMPTY, tuple[Symbol, ...]()
    if place.declaration and piece.declaration is not None:
        at = bisect_right(parsed.file.declarations, start, key=lambda each: each.start) - 1
        placed, declared = parsed.file.declarations[at], model.declarations[at]
        scope = scope_of(placed, declared, parsed.text)
        symbols = tuple(symbol for symbol in declared.symbols if symbol.definition.start < offset - start)
    around = Around(
        scope,
        symbols,
        tuple(declared for declared in model.declarations if declared.name),
        lambda typed, endings: continuing(typed, path, session.workspace.sources, endings),
        (DECLARATIONS,),
        SOURCES,
    )
    return Writing(parsed.text, Span(offset - len(place.word.encode()), offset), place, around)
