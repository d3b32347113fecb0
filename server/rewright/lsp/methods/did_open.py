"""`textDocument/didOpen`: the text is the editor's from now on; what it holds is checked, mostly from the cache."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.lsp.settings import Trigger
from rewright.lsp.uris import path_of


def handle(server: RewrightServer, params: types.DidOpenTextDocumentParams) -> None:
    """Opens the buffer, and has the declarations that it holds or that name it checked.

    A session that is asleep shows what is remembered of the document, and wakes up for one of which nothing is. Where
    nothing is checked unless it is asked for, nothing is shown unasked either.
    """
    session, path = server.session, path_of(params.text_document.uri)
    buffer = session.buffers.open(path, params.text_document)
    is_manual = session.settings.trigger is Trigger.MANUAL
    if session.awake is not None:
        session.workspace.open(path, buffer.text)
        if not is_manual:
            server.check([path])
    elif not is_manual and session.recollection.open(path, buffer.text):
        session.publisher.changed()
    else:
        server.waking.wake()
