"""`textDocument/didOpen`: the text is the editor's from now on; what it holds is checked, mostly from the cache."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.lsp.settings import Trigger
from rewright.lsp.uris import path_of

METHOD = types.TEXT_DOCUMENT_DID_OPEN


def handle(server: RewrightServer, params: types.DidOpenTextDocumentParams) -> None:
    """Opens the buffer, and has the declarations that it holds or that name it checked."""
    session, path = server.session, path_of(params.text_document.uri)
    buffer = session.buffers.open(path, params.text_document)
    session.workspace.open(path, buffer.text)
    if session.settings.trigger is not Trigger.MANUAL:
        server.check([path])
