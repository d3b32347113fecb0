"""`textDocument/onTypeFormatting`: a new line is indented; a brace that closes a declaration brings it into layout."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.layout import edits
from rewright.lsp.positions import offset_of, range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.typed import writing_at
from rewright.syntax.places import line_start
from rewright.syntax.text import Span
from rewright.writing.place import indentation


def handle(server: RewrightServer, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit]:
    """The edits of the declaration that was closed, or the indentation of the line that was begun."""
    session, uri = server.session, params.text_document.uri
    if params.ch == "}":
        return edits(session, uri, types.Range(params.position, params.position))
    writing = writing_at(session, uri, params.position)
    if writing is None or writing.place.in_comment or writing.place.in_string:
        return []
    data = writing.text.data
    offset = offset_of(writing.text, params.position, session.client.encoding)
    start = line_start(data, offset)
    end = start + len(data[start:]) - len(data[start:].lstrip(b" \t"))
    closes = data[end : end + 1] in (b"}", b")", b"]")
    blanks = " " * indentation(writing.place, closes)
    if data[start:end].decode() == blanks:
        return []
    return [types.TextEdit(range_of(writing.text, Span(start, end), session.client.encoding), blanks)]
