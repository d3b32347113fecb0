"""`textDocument/formatting`: the layout of a text; declarations with syntax errors are left as they are."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.layout import edits
from rewright.lsp.server import RewrightServer


def handle(server: RewrightServer, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """The edits between words; the layout is one for all, so the client's options do not count."""
    return edits(server.session, params.text_document.uri)
