"""`workspace/didChangeConfiguration`: the user changed a setting. Those of the workers hold from the next start."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.lsp.settings import merged


def handle(server: RewrightServer, params: types.DidChangeConfigurationParams) -> None:
    """Takes over the settings and has the hints drawn again."""
    session = server.session
    session.settings = merged(session.settings, params.settings)
    session.publisher.refresh()
