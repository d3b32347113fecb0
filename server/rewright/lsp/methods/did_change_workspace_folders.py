"""`workspace/didChangeWorkspaceFolders`: the user added folders to the workspace, or took some out of it."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.folders import folders_of, project_of
from rewright.lsp.server import RewrightServer


def handle(server: RewrightServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Lets go of what is in the folders that went, and looks through those that came."""
    workspace = server.session.workspace
    for folder in folders_of(each.uri for each in params.event.removed):
        workspace.remove(folder)
    for folder in folders_of(each.uri for each in params.event.added):
        workspace.add(folder, project_of(server, folder))
    server.spawn(server.scan())
