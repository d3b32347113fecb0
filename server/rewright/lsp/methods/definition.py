"""`textDocument/definition`: from a name to where it is declared."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.names import location, symbol_at
from rewright.lsp.server import RewrightServer

METHOD = types.TEXT_DOCUMENT_DEFINITION


def handle(server: RewrightServer, params: types.DefinitionParams) -> types.Location | None:
    """The place of the declaration of the name at the position."""
    named = symbol_at(server.session, params.text_document.uri, params.position)
    return location(server.session, params.text_document.uri, named, named.definition) if named else None
