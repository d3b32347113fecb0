"""`initialized`: the session begins to work: watchers are registered and the workspace is looked through."""

from __future__ import annotations

from lsprotocol import types

from rewright.frontends.table import COMMANDS, ENDINGS, SETTINGS
from rewright.lsp.server import RewrightServer
from rewright.lsp.settings import Trigger

METHOD = types.INITIALIZED

WATCHED = (*(f"**/*{ending}" for ending in ENDINGS), f"**/{SETTINGS}", f"**/{COMMANDS}")
"""The files that are looked at, or that one of them may include."""


def handle(server: RewrightServer, _: types.InitializedParams) -> None:
    """Asks the client to report files that change on disk, and finds the files that declare something."""
    session = server.session
    if session.client.registers_watchers:
        watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = types.Registration("watched", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        server.client_register_capability(types.RegistrationParams([registration]))
    session.engine.warm()
    server.spawn(scan(server))


async def scan(server: RewrightServer) -> None:
    """Looks through the workspace, and has checked what turns out to name a source that is open already."""
    session = server.session
    await session.workspace.scan()
    if session.settings.trigger is not Trigger.MANUAL:
        server.check(session.buffers.paths())
