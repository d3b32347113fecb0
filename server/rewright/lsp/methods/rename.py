"""`textDocument/rename`: another name for what is declared, at all its places, or the reason why not."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.edits import workspace_edit
from rewright.lsp.occurrences import Occurrences, compared_by, occurrences_at
from rewright.lsp.refusal import RequestRefused
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.syntax.text import Span
from rewright.writing.rename import changes_meaning, taken, unusable


def handle(server: RewrightServer, params: types.RenameParams) -> types.WorkspaceEdit:
    """The edits of all files that share the name. Raises `RequestRefused` if it cannot have the new one."""
    session, new = server.session, params.new_name
    found = occurrences_at(session, params.text_document.uri, params.position)
    if found is None or not any(place.declares for place in found.places):
        raise RequestRefused("no name is declared here")
    reason = unusable(new) or _taken(session, path_of(params.text_document.uri), found, new)
    if reason is not None and new != found.name:
        raise RequestRefused(reason)
    changes: dict[str, list[tuple[Span, str]]] = {}
    for place in found.places:
        changes.setdefault(place.path, []).append((place.span, new))
    return workspace_edit(session, changes)


def _taken(session: Session, path: str, found: Occurrences, new: str) -> str | None:
    if found.shared:
        return taken(new, session.workspace.names_around(found.shared))
    spot = found.spot
    refinement = compared_by(session, path, found)
    if refinement is not None:
        return f"`{found.name}` is a name of both graphs that `{refinement}` compares"
    names = {symbol.name for symbol in spot.declared.symbols}
    spans = [place.span for place in found.places]
    return taken(new, names) or changes_meaning(spot.text, spot.placed, spans, new)
