"""`workspace/executeCommand`: what can be asked for by name. All of it only enqueues.

The names differ from the extension's own commands, because editors make a command of each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of


def check(server: RewrightServer, *uris: Any) -> None:
    """Has the documents with these URIs checked; without any, everything."""
    if uris:
        server.check([path_of(uri) for uri in uris if isinstance(uri, str)])
    else:
        server.check_all()


def stop(server: RewrightServer, *_: Any) -> None:
    """Stops all checks."""
    server.session.workspace.stop()


def clear_cache(server: RewrightServer, *_: Any) -> None:
    """Forgets all answers that were kept."""
    server.session.cache.clear()
    server.session.workspace.forget()


COMMANDS: dict[str, Callable[..., None]] = {
    "rewright.server.check": check,
    "rewright.server.stop": stop,
    "rewright.server.clearCache": clear_cache,
}
