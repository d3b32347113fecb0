"""`textDocument/definition`: from a name to where it is declared, in this file or in one that it imports."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.occurrences import location_of, occurrences_at
from rewright.lsp.server import RewrightServer


def handle(server: RewrightServer, params: types.DefinitionParams) -> types.Location | None:
    """The place of the declaration of the name at the position."""
    found = occurrences_at(server.session, params.text_document.uri, params.position)
    place = next((place for place in found.places if place.declares), None) if found is not None else None
    return location_of(server.session, place) if place is not None else None
