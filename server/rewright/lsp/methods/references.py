"""`textDocument/references`: every place of a name, within its declaration or over files."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.occurrences import location_of, occurrences_at
from rewright.lsp.server import RewrightServer


def handle(server: RewrightServer, params: types.ReferenceParams) -> list[types.Location]:
    """The uses of the name at the position, after its declaration if that is asked for."""
    found = occurrences_at(server.session, params.text_document.uri, params.position)
    if found is None:
        return []
    ordered = sorted(found.places, key=lambda place: not place.declares)
    asked = (place for place in ordered if params.context.include_declaration or not place.declares)
    return [location_of(server.session, place) for place in asked]
