"""`textDocument/prepareRename`: the name that would be renamed, or why there is none."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.names import spot_at
from rewright.lsp.occurrences import occurrences_at
from rewright.lsp.positions import range_of
from rewright.lsp.refusal import RequestRefused
from rewright.lsp.server import RewrightServer


def handle(server: RewrightServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
    """The name at the position with its range. Raises `RequestRefused` where nothing is declared."""
    session, uri = server.session, params.text_document.uri
    found = occurrences_at(session, uri, params.position)
    if found is None or not any(place.declares for place in found.places):
        spot = spot_at(session, uri, params.position)
        use = spot.declared.operator_at(spot.offset) if spot is not None else None
        raise RequestRefused(f"`{use.operator}` is an operator" if use is not None else "no name is declared here")
    return types.PrepareRenamePlaceholder(range_of(found.spot.text, found.here, session.client.encoding), found.name)
