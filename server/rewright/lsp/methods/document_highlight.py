"""`textDocument/documentHighlight`: the places of the name under the cursor."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.occurrences import occurrences_at
from rewright.lsp.positions import range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of


def handle(server: RewrightServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """The declaration of the name at the position, marked as written, and its uses here, marked as read."""
    uri, encoding = params.text_document.uri, server.session.client.encoding
    found = occurrences_at(server.session, uri, params.position)
    read, written = types.DocumentHighlightKind.Read, types.DocumentHighlightKind.Write
    return [
        types.DocumentHighlight(range_of(place.text, place.span, encoding), written if place.declares else read)
        for place in (found.places if found is not None else ())
        if place.path == path_of(uri)
    ]
