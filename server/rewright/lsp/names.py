"""What stands at a place of a document: its declaration, and the name there with all its places.

Invariant: spans are of the file here; those of the model, which count from a declaration's start, are shifted once.
Must not know what is shown of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types

from rewright.lsp.positions import offset_of, range_of
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.model.declared import Declared, Symbol
from rewright.syntax.nodes import Placed
from rewright.syntax.text import Span, Text


@dataclass(frozen=True, slots=True)
class Spot:
    """An offset in a declaration, from the declaration's start."""

    text: Text
    placed: Placed
    declared: Declared
    offset: int


@dataclass(frozen=True, slots=True)
class Named:
    """A name of a declaration with the spans in the file where it is declared and used."""

    text: Text
    definition: Span
    uses: tuple[Span, ...]


def spot_at(session: Session, uri: str, position: types.Position) -> Spot | None:
    """The declaration at a position; None between declarations and in documents that hold none."""
    path = path_of(uri)
    parsed, model = session.workspace.parsed(path), session.workspace.model(path)
    if parsed is None or model is None:
        return None
    offset = offset_of(parsed.text, position, session.client.encoding)
    for placed, declared in zip(parsed.file.declarations, model.declarations, strict=True):
        if placed.span.contains(offset):
            return Spot(parsed.text, placed, declared, placed.local(offset))
    return None


def symbol_at(session: Session, uri: str, position: types.Position) -> Named | None:
    """The name at a position, if it is declared in the declaration that it stands in."""
    spot = spot_at(session, uri, position)
    symbol = spot.declared.symbol_at(spot.offset) if spot is not None else None
    return _named(spot, symbol) if spot is not None and symbol is not None else None


def location(session: Session, uri: str, named: Named, span: Span) -> types.Location:
    """The protocol's location of one of a name's spans."""
    return types.Location(uri, range_of(named.text, span, session.client.encoding))


def _named(spot: Spot, symbol: Symbol) -> Named:
    definition = spot.placed.absolute(symbol.definition)
    return Named(spot.text, definition, tuple(spot.placed.absolute(use) for use in symbol.uses))
