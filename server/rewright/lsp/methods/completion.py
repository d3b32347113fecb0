"""`textDocument/completion`: what can be written at a place, as snippets where the client has them."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.positions import range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.typed import writing_at
from rewright.writing.completion import offers
from rewright.writing.offer import Offer, Sort, plain

METHOD = types.TEXT_DOCUMENT_COMPLETION
OPTIONS = types.CompletionOptions(trigger_characters=["@", '"', "/", "."], resolve_provider=True)

KINDS = {
    Sort.NAME: types.CompletionItemKind.Variable,
    Sort.ATTRIBUTE: types.CompletionItemKind.Property,
    Sort.WORD: types.CompletionItemKind.Keyword,
    Sort.TYPE: types.CompletionItemKind.TypeParameter,
    Sort.OPERATOR: types.CompletionItemKind.Function,
    Sort.GENERAL: types.CompletionItemKind.Function,
    Sort.FILE: types.CompletionItemKind.File,
}


def handle(server: RewrightServer, params: types.CompletionParams) -> types.CompletionList:
    """What begins with the word before the place; the client filters further. Its pages are told on resolving."""
    session = server.session
    writing = writing_at(session, params.text_document.uri, params.position)
    if writing is None:
        return types.CompletionList(is_incomplete=False, items=[])
    at = range_of(writing.text, writing.word, session.client.encoding)
    found = enumerate(offers(writing.place, writing.around))
    items = [_item(offer, number, at, session.client.snippets) for number, offer in found]
    return types.CompletionList(is_incomplete=writing.place.in_string, items=items)


def _item(offer: Offer, number: int, at: types.Range, snippets: bool) -> types.CompletionItem:
    """One offer as an item. Words stand in the order in which they are offered, the most usual first."""
    order = f"{number:03d}" if offer.sort is Sort.WORD else offer.label
    text, shape = (offer.snippet, types.InsertTextFormat.Snippet) if snippets else (plain(offer.snippet), None)
    return types.CompletionItem(
        offer.label,
        kind=KINDS[offer.sort],
        detail=offer.detail or None,
        sort_text=f"{offer.sort:d}{order}",
        insert_text_format=shape,
        text_edit=types.TextEdit(at, text),
        data={"page": offer.page, "meaning": offer.meaning},
    )
