"""`workspace/didChangeWatchedFiles`: files made, changed or deleted by others, say by a version control system."""

from __future__ import annotations

from lsprotocol import types

from rewright.frontends.table import SETTINGS, kind_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.settings import Trigger
from rewright.lsp.uris import path_of
from rewright.model.source_kind import SourceKind

METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES


def handle(server: RewrightServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Tells the workspace, and has the open documents checked again: they may name the files."""
    session = server.session
    if any(kind_of(path_of(change.uri)) is SourceKind.SETTINGS for change in params.changes):
        server.inform(f"`{SETTINGS}` was changed: restart the server to apply it")
    outside = [path for path in (path_of(change.uri) for change in params.changes) if session.buffers.get(path) is None]
    for path in outside:
        session.workspace.watched(path)
    if outside and session.settings.trigger is Trigger.SAVE:
        server.check(session.buffers.paths())
