"""`shutdown`: every process that works for this server ends before the answer is sent."""

from __future__ import annotations

from rewright.lsp.server import RewrightServer


async def handle(server: RewrightServer, _: None) -> None:
    """Ends the session."""
    await server.end()
