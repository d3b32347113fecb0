"""`textDocument/references`: every place of a name within its declaration."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.names import location, symbol_at
from rewright.lsp.server import RewrightServer

METHOD = types.TEXT_DOCUMENT_REFERENCES


def handle(server: RewrightServer, params: types.ReferenceParams) -> list[types.Location]:
    """The uses of the name at the position, after its declaration if that is asked for."""
    named = symbol_at(server.session, params.text_document.uri, params.position)
    if named is None:
        return []
    spans = (named.definition, *named.uses) if params.context.include_declaration else named.uses
    return [location(server.session, params.text_document.uri, named, span) for span in spans]
