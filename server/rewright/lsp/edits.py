"""Changes of texts as the protocol's edits, with the version of each document that is open.

Invariant: an edit of a document that has changed since is refused by a client that knows versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lsprotocol import types

from rewright.lsp.positions import range_of
from rewright.lsp.session import Session
from rewright.syntax.text import Span, Text


def workspace_edit(session: Session, changes: Mapping[str, Iterable[tuple[Span, str]]]) -> types.WorkspaceEdit:
    """The edit that replaces stretches of texts, by path."""
    edits = {path: list(_edits(session, path, each)) for path, each in changes.items()}
    if not session.client.document_changes:
        return types.WorkspaceEdit(changes={session.buffers.uri(path): each for path, each in edits.items()})
    return types.WorkspaceEdit(document_changes=[_document(session, path, each) for path, each in edits.items()])


def _edits(session: Session, path: str, changes: Iterable[tuple[Span, str]]) -> Iterable[types.TextEdit]:
    text = _text(session, path)
    for span, new in changes:
        yield types.TextEdit(range_of(text, span, session.client.encoding), new)


def _text(session: Session, path: str) -> Text:
    buffer, parsed = session.buffers.get(path), session.workspace.parsed(path)
    if buffer is not None:
        return buffer.text
    return parsed.text if parsed is not None else session.workspace.report().texts[path]


def _document(session: Session, path: str, edits: list[types.TextEdit]) -> types.TextDocumentEdit:
    buffer = session.buffers.get(path)
    version = buffer.version if buffer is not None else None
    document = types.OptionalVersionedTextDocumentIdentifier(uri=session.buffers.uri(path), version=version)
    return types.TextDocumentEdit(text_document=document, edits=edits)
