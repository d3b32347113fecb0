"""`workspace/textDocumentContent`: a page of the documentation, shown inside the editor."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.manual import text_at
from rewright.lsp.refusal import RequestRefused
from rewright.lsp.server import RewrightServer


def handle(_: RewrightServer, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
    """The text of the page. Raises `RequestRefused` if there is no such page."""
    text = text_at(params.uri)
    if text is None:
        raise RequestRefused(f"there is no page `{params.uri}`")
    return types.TextDocumentContentResult(text)
