"""`initialized`: the session begins: watchers are registered. It is looked through once it is awake."""

from __future__ import annotations

from lsprotocol import types

from rewright.frontends.table import COMMANDS, ENDINGS, SETTINGS
from rewright.lsp.server import RewrightServer

WATCHED = (*(f"**/*{ending}" for ending in ENDINGS), f"**/{SETTINGS}", f"**/{COMMANDS}")
"""The files that are looked at, or that one of them may include."""


def handle(server: RewrightServer, _: types.InitializedParams) -> None:
    """Asks the client to report files that change on disk."""
    session = server.session
    if session.client.registers_watchers:
        watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = types.Registration("watched", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        server.client_register_capability(types.RegistrationParams([registration]))
