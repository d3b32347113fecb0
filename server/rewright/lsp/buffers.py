"""The documents open in the editor: their text, version and the URI that the client calls them by.

Invariant: the text of a buffer is what the editor shows, change by change, line ends and all. The protocol's lines end
at LF, CR LF and CR only, so the changes are applied here, on bytes, and not by pygls, which also splits at form feeds
and U+2028. Must not know what the text means.
"""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types
from msgspec import Struct

from rewright.lsp.positions import span_of
from rewright.lsp.uris import uri_of
from rewright.syntax.text import PositionEncoding, Text


class Buffer(Struct, frozen=True):
    """One version of an open document."""

    uri: str
    version: int
    text: Text


class Buffers:
    """The open documents by path."""

    def __init__(self, encoding: PositionEncoding) -> None:
        self._encoding = encoding
        self._open: dict[str, Buffer] = {}

    def open(self, path: str, document: types.TextDocumentItem) -> Buffer:
        """Returns the buffer of a document that the client has just opened."""
        return self._keep(path, Buffer(document.uri, document.version, Text.of(path, document.text)))

    def change(self, path: str, params: types.DidChangeTextDocumentParams) -> Buffer | None:
        """Returns the buffer after the changes, applied in order; None if the client never opened the document."""
        buffer = self._open.get(path)
        if buffer is None:
            return None
        text = edited(buffer.text, params.content_changes, self._encoding)
        return self._keep(path, Buffer(buffer.uri, params.text_document.version, text))

    def close(self, path: str) -> None:
        """Forgets a document."""
        self._open.pop(path, None)

    def get(self, path: str) -> Buffer | None:
        """Returns the open document, None if it is not open."""
        return self._open.get(path)

    def uri(self, path: str) -> str:
        """Returns what the client calls a path by, open or not."""
        buffer = self._open.get(path)
        return buffer.uri if buffer is not None else uri_of(path)

    def paths(self) -> tuple[str, ...]:
        """Returns the paths of all open documents."""
        return tuple(self._open)

    def _keep(self, path: str, buffer: Buffer) -> Buffer:
        self._open[path] = buffer
        return buffer


def edited(text: Text, changes: Iterable[types.TextDocumentContentChangeEvent], encoding: PositionEncoding) -> Text:
    """The text after each change in turn; a change without a range replaces all of it."""
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            text = text.edited(span_of(text, change.range, encoding), change.text)
        else:
            text = Text.of(text.uri, change.text)
    return text
