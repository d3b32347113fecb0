"""`completionItem/resolve`: the page of what is chosen in the list: the row of an operator, the meaning of a word."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.model.operator_table import ROWS
from rewright.writing.operator_page import page


def handle(server: RewrightServer, item: types.CompletionItem) -> types.CompletionItem:
    """The item with its documentation, if there is any."""
    data = item.data if isinstance(item.data, dict) else vars(item.data or object())
    name, meaning = str(data.get("page", "")), str(data.get("meaning", ""))
    text = page(ROWS[name]) if name in ROWS else meaning
    if text:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
    return item
