"""One module per method of the protocol, with `handle(server, params)`; `lsp/features.py` says which there are.

A module is loaded with the first message that it is for: verdicts that are remembered are shown before anything is
parsed (`lsp/waking.py`). Invariant: a handler answers from what is known or enqueues work, a dozen lines of it; one
that fails shows an internal error at the document it was about. Must not know how messages travel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from rewright.lsp.commands import COMMANDS, LATEX, LIST
from rewright.lsp.features import BEGINNING, FEATURES, REMEMBERED, handlers
from rewright.lsp.refusal import RequestRefused
from rewright.lsp.uris import path_of

if TYPE_CHECKING:
    from rewright.lsp.server import RewrightServer

Handler = Callable[..., Any]

WAITING = (types.SHUTDOWN, LATEX)
"""The method and the command whose handlers are coroutines."""


def register(server: RewrightServer) -> None:
    """Gives the server its methods and commands."""
    for feature in FEATURES:
        server.feature(feature.name, feature.options)(_guarded(server, feature.name, (feature.module, "handle")))
        if feature.name in BEGINNING | REMEMBERED:
            feature.load()  # now: while a thread loads the others, this one must load nothing that they load, too
    for name, place in COMMANDS.items():
        server.command(name)(_guarded(server, name, place))
    handlers(COMMANDS[LIST][0])


def _guarded(server: RewrightServer, name: str, place: tuple[str, str]) -> Handler:
    """The handler at a place, which is loaded when it is first called."""
    module, function = place

    def handle(*arguments: Any) -> Any:
        return getattr(handlers(module), function)(*arguments)

    return waiting(server, handle) if name in WAITING else guarded(server, handle)


def guarded(server: RewrightServer, handle: Handler) -> Handler:
    """The handler of a method for pygls, which finds neither a server nor a thread to provide in its signature."""

    def run(*arguments: Any) -> Any:
        try:
            return handle(server, *arguments)
        except RequestRefused:
            raise
        except Exception as error:
            server.fail(error, _document(arguments))
            raise

    return run


def waiting(server: RewrightServer, handle: Handler) -> Handler:
    """The same of a handler that is a coroutine."""

    async def run(*arguments: Any) -> Any:
        try:
            return await handle(server, *arguments)
        except Exception as error:
            server.fail(error, _document(arguments))
            raise

    return run


def _document(arguments: tuple[Any, ...]) -> str | None:
    document = getattr(arguments[0], "text_document", None) if arguments else None
    return path_of(document.uri) if document is not None else None
