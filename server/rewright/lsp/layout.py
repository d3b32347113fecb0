"""The layout of a document as the protocol's edits. Must not know where anything belongs."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.positions import range_of, span_of
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.syntax.formatting import formatting


def edits(session: Session, uri: str, within: types.Range | None = None) -> list[types.TextEdit]:
    """The edits that bring a document into its layout, in a range the declarations that it touches."""
    parsed, encoding = session.workspace.parsed(path_of(uri)), session.client.encoding
    if parsed is None:
        return []
    span = span_of(parsed.text, within, encoding) if within is not None else None
    changes = formatting(parsed, span)
    return [types.TextEdit(range_of(parsed.text, change.span, encoding), change.text) for change in changes]
