"""The relation that was found of the refinement at a place, as a change of its text that states it."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from rewright.lsp.edits import workspace_edit
from rewright.lsp.names import spot_at
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.syntax.nodes import RefineDecl
from rewright.verdict import Verdict
from rewright.writing.stating import stating, unstated


def stated_relation(session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """States how the ranks hold results of which nothing is expected, if the refinement is proved."""
    uri = params.text_document.uri
    spot, path = spot_at(session, uri, params.range.start), path_of(uri)
    file = session.workspace.file(path)
    if spot is None or file is None or not isinstance(spot.placed.node, RefineDecl):
        return
    span, node = spot.placed.span, spot.placed.node
    answers = (each.leading.answer for each in file.results if each.leading is not None and each.span == span)
    answer = next((each for each in answers if each is not None and each.verdict is Verdict.PROVED), None)
    missing = unstated(node, dict(answer.placed)) if answer is not None else {}
    made = stating(spot.text.slice(span), missing) if missing else None
    if made is not None:
        said = ", ".join(f"`{name}: {placement}`" for name, placement in missing.items())
        edit = workspace_edit(session, {path: [(span, made)]})
        yield types.CodeAction(f"Expect {said}, as it is held", types.CodeActionKind.RefactorRewrite, edit=edit)
