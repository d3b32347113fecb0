"""`textDocument/rangeFormatting`: the layout of the declarations that a range touches."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.layout import edits
from rewright.lsp.server import RewrightServer


def handle(server: RewrightServer, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    """The edits between the words of these declarations."""
    return edits(server.session, params.text_document.uri, params.range)
