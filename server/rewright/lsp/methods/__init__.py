"""One module per method of the protocol: `METHOD`, `OPTIONS` if it registers any, and `handle(server, params)`.

Invariant: a handler answers from what is known or enqueues work, a dozen lines of it; one that fails shows an internal
error at the document it was about. Must not know how messages travel.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import ModuleType
from typing import Any

from rewright.lsp.methods import (
    code_action,
    code_lens,
    commands,
    completion,
    completion_resolve,
    definition,
    diagnostic,
    did_change,
    did_change_configuration,
    did_change_watched_files,
    did_change_workspace_folders,
    did_close,
    did_open,
    did_save,
    document_highlight,
    document_symbol,
    folding_range,
    formatting,
    hover,
    initialize,
    initialized,
    inlay_hint,
    inlay_hint_resolve,
    on_type_formatting,
    prepare_rename,
    progress_cancel,
    range_formatting,
    references,
    rename,
    selection_range,
    semantic_tokens_full,
    semantic_tokens_range,
    shutdown,
    signature_help,
    text_document_content,
    workspace_symbol,
)
from rewright.lsp.refusal import RequestRefused
from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of

METHODS: tuple[ModuleType, ...] = (
    code_action,
    code_lens,
    completion,
    completion_resolve,
    definition,
    diagnostic,
    did_change,
    did_change_configuration,
    did_change_watched_files,
    did_change_workspace_folders,
    did_close,
    did_open,
    did_save,
    document_highlight,
    document_symbol,
    folding_range,
    formatting,
    hover,
    initialize,
    initialized,
    inlay_hint,
    inlay_hint_resolve,
    on_type_formatting,
    prepare_rename,
    progress_cancel,
    range_formatting,
    references,
    rename,
    selection_range,
    semantic_tokens_full,
    semantic_tokens_range,
    shutdown,
    signature_help,
    text_document_content,
    workspace_symbol,
)


def register(server: RewrightServer) -> None:
    """Gives the server its methods and commands."""
    for method in METHODS:
        server.feature(method.METHOD, getattr(method, "OPTIONS", None))(guarded(server, method.handle))
    for name, handle in commands.COMMANDS.items():
        server.command(name)(guarded(server, handle))


def guarded(server: RewrightServer, handle: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of a method for pygls, which finds neither a server nor a thread to provide in its signature."""

    def run(*arguments: Any) -> Any:
        try:
            return handle(server, *arguments)
        except RequestRefused:
            raise
        except Exception as error:
            server.fail(error, _document(arguments))
            raise

    async def wait(*arguments: Any) -> Any:
        try:
            return await handle(server, *arguments)
        except Exception as error:
            server.fail(error, _document(arguments))
            raise

    return wait if asyncio.iscoroutinefunction(handle) else run


def _document(arguments: tuple[Any, ...]) -> str | None:
    document = getattr(arguments[0], "text_document", None) if arguments else None
    return path_of(document.uri) if document is not None else None
