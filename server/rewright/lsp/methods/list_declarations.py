"""The command `rewright.server.listDeclarations`: what a client's own views of a workspace are made from."""

from __future__ import annotations

from typing import Any

from rewright.lsp.rows import rows
from rewright.lsp.server import RewrightServer


def handle(server: RewrightServer, *_: Any) -> list[dict[str, Any]]:
    """All declarations: what they are, what is known of them and where."""
    return rows(server.session)
