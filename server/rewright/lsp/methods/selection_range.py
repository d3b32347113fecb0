"""`textDocument/selectionRange`: what is selected when a selection grows, from a word to the file."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.positions import offset_of, range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of
from rewright.syntax.enclosing import enclosing


def handle(server: RewrightServer, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
    """For each position its smallest range, with the next larger one as its parent, up to the whole text."""
    session = server.session
    parsed, encoding = session.workspace.parsed(path_of(params.text_document.uri)), session.client.encoding
    if parsed is None:
        return None
    found = []
    for position in params.positions:
        parent: types.SelectionRange | None = None
        for span in reversed(enclosing(parsed, offset_of(parsed.text, position, encoding))):
            parent = types.SelectionRange(range_of(parsed.text, span, encoding), parent)
        assert parent is not None
        found.append(parent)
    return found
