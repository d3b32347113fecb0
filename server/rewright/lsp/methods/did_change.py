"""`textDocument/didChange`: a keystroke. Syntax, names and shapes follow at once; nothing is checked.

After a pause a document is checked that is no file and so is never saved, and any other one if the user wants that.
"""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.lsp.settings import Trigger
from rewright.lsp.uris import is_unnamed, path_of


def handle(server: RewrightServer, params: types.DidChangeTextDocumentParams) -> None:
    """Applies the changes to the buffer; those of a document that was never opened are ignored."""
    session, path = server.session, path_of(params.text_document.uri)
    buffer = session.buffers.change(path, params)
    if buffer is None:
        return
    session.workspace.change(path, buffer.text)
    trigger = session.settings.trigger
    if trigger is Trigger.CHANGE or (is_unnamed(path) and trigger is Trigger.SAVE):
        session.pauses.after(path, lambda: server.check([path]))
