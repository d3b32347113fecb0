"""`textDocument/didChange`: a keystroke. Syntax, names and shapes follow at once; nothing is checked."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of

METHOD = types.TEXT_DOCUMENT_DID_CHANGE


def handle(server: RewrightServer, params: types.DidChangeTextDocumentParams) -> None:
    """Applies the changes to the buffer; those of a document that was never opened are ignored."""
    session, path = server.session, path_of(params.text_document.uri)
    buffer = session.buffers.change(path, params)
    if buffer is not None:
        session.workspace.change(path, buffer.text.text)
