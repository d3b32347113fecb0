"""`textDocument/documentHighlight`: the places of the name under the cursor."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.names import symbol_at
from rewright.lsp.positions import range_of
from rewright.lsp.server import RewrightServer

METHOD = types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT


def handle(server: RewrightServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """The declaration of the name at the position, marked as written, and its uses, marked as read."""
    named = symbol_at(server.session, params.text_document.uri, params.position)
    if named is None:
        return []
    encoding = server.session.client.encoding
    places = [(named.definition, types.DocumentHighlightKind.Write)]
    places += [(use, types.DocumentHighlightKind.Read) for use in named.uses]
    return [types.DocumentHighlight(range_of(named.text, span, encoding), kind) for span, kind in places]
