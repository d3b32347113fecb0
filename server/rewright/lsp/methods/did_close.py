"""`textDocument/didClose`: the file on disk speaks for itself again."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of


def handle(server: RewrightServer, params: types.DidCloseTextDocumentParams) -> None:
    """Forgets the buffer."""
    session, path = server.session, path_of(params.text_document.uri)
    session.pauses.forget(path)
    session.buffers.close(path)
    session.workspace.close(path)
    session.publisher.close(path)
