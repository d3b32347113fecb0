"""`workspace/symbol`: the declarations of all files whose names have what is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lsprotocol import types

from rewright.lsp.methods.document_symbol import kind_of_symbol
from rewright.lsp.positions import range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.syntax.outline import outline

MOST = 500
"""Symbols of one answer: who searches types on."""


def handle(server: RewrightServer, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """The declarations whose names have the letters of the query in their order, whatever their case."""
    return list(islice(_found(server.session, params.query.lower()), MOST))


def _found(session: Session, query: str) -> Iterator[types.SymbolInformation]:
    for path in session.workspace.declaring():
        parsed, uri = session.workspace.parsed(path), session.buffers.uri(path)
        if parsed is None:
            continue
        for symbol in outline(parsed):
            if has_letters(symbol.name.lower(), query):
                place = types.Location(uri, range_of(parsed.text, symbol.selection, session.client.encoding))
                yield types.SymbolInformation(place, symbol.name, kind_of_symbol(symbol), container_name=symbol.kind)


def has_letters(name: str, query: str) -> bool:
    """Whether the letters of a query stand in a name, in their order."""
    rest = iter(name)
    return all(letter in rest for letter in query)
