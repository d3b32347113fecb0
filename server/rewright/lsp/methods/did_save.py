"""`textDocument/didSave`: what changed is checked, in the document and in whatever names it."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.lsp.settings import Trigger
from rewright.lsp.uris import path_of


def handle(server: RewrightServer, params: types.DidSaveTextDocumentParams) -> None:
    """Enqueues the declarations that the saved document holds or that name it."""
    if server.session.settings.trigger is not Trigger.MANUAL:
        server.check([path_of(params.text_document.uri)])
