"""`window/workDoneProgress/cancel`: the user stops what is running."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer


def handle(server: RewrightServer, _: types.WorkDoneProgressCancelParams) -> None:
    """Stops all checks; they can be asked for again."""
    server.session.workspace.stop()
