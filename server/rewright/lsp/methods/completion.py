"""`textDocument/completion`: what can be written at a place, as snippets where the client has them."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from rewright.frontends.table import kind_of
from rewright.lsp.positions import offset_of, range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.typed import writing_at
from rewright.lsp.uris import path_of
from rewright.model.source_kind import SourceKind
from rewright.syntax.text import Span
from rewright.writing.completion import offers
from rewright.writing.launch_offers import offers as launch_offers
from rewright.writing.launch_offers import word_before
from rewright.writing.offer import Offer, Sort, plain

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
        return types.CompletionList(is_incomplete=False, items=list(_in_launch(session, params)))
    at = range_of(writing.text, writing.word, session.client.encoding)
    found = enumerate(offers(writing.place, writing.around))
    items = [_item(offer, number, at, session.client.snippets) for number, offer in found]
    return types.CompletionList(is_incomplete=writing.place.in_string, items=items)


def _in_launch(session: Session, params: types.CompletionParams) -> Iterator[types.CompletionItem]:
    """What can be written in the launch comment of a kernel, in a source."""
    path = path_of(params.text_document.uri)
    buffer = session.buffers.get(path)
    if buffer is None or kind_of(path) is not SourceKind.KERNELS:
        return
    text, line = buffer.text, params.position.line
    starts = text.line_starts
    offset = offset_of(text, params.position, session.client.encoding)
    if line >= len(starts):
        return
    before = text.slice(Span(starts[line], offset))
    below = text.slice(Span(starts[line + 1] if line + 1 < len(starts) else len(text.data), len(text.data)))
    word = len(word_before(before).encode())
    at = range_of(text, Span(offset - word, offset), session.client.encoding)
    for number, offer in enumerate(launch_offers(before, below)):
        yield _item(offer, number, at, session.client.snippets)


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
