"""`workspace/didChangeWatchedFiles`: files made, changed or deleted by others, say by a version control system."""

from __future__ import annotations

import os
from pathlib import Path

from lsprotocol import types

from rewright.frontends.table import kind_of
from rewright.lsp.folders import project_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.settings import Trigger
from rewright.lsp.uris import path_of
from rewright.model.source_kind import SourceKind


def handle(server: RewrightServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Tells the workspace, and has the open documents checked again: they may name the files.

    What a `rewright.toml` says now holds at once, but for the memory of workers that run.
    """
    session = server.session
    changed = [path_of(change.uri) for change in params.changes]
    for folder in [os.path.dirname(path) for path in changed if kind_of(path) is SourceKind.SETTINGS]:
        if Path(folder) in session.workspace.roots():
            session.workspace.resettle(Path(folder), project_of(server, Path(folder)))
    outside = [path for path in changed if session.buffers.get(path) is None]
    for path in outside:
        session.workspace.watched(path)
    if outside and session.settings.trigger is not Trigger.MANUAL:
        server.check(session.buffers.paths())
