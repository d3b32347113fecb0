"""`textDocument/codeAction`: preconditions that were found for a refuted rule, each checked, and for a hole."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from rewright.lsp.positions import range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.syntax.text import Span, Text
from rewright.verdict import Edit, InSource

METHOD = types.TEXT_DOCUMENT_CODE_ACTION
OPTIONS = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])

MENDED = frozenset({"RW201", "RW202", "RW203", "RW205"})
"""The codes of findings that a precondition may mend."""


def handle(server: RewrightServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The fixes of the diagnostics at the place that are known by now, the weakest precondition first."""
    wanted = params.context.only
    return list(_actions(server.session, params)) if not wanted or any(map(_is_quick_fix, wanted)) else []


def _is_quick_fix(kind: types.CodeActionKind | str) -> bool:
    """Whether quick fixes are of a kind, which may be the name of any that it is part of."""
    name = kind.value if isinstance(kind, types.CodeActionKind) else kind
    return types.CodeActionKind.QuickFix.value.startswith(name)


def _actions(session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    path = path_of(params.text_document.uri)
    buffer = session.buffers.get(path)
    if buffer is None:
        return
    for diagnostic in params.context.diagnostics:
        name = _declaration(diagnostic)
        for number, fix in enumerate(session.workspace.fixes(path, name) if name is not None else ()):
            edits = [_edit(session, buffer.text, edit) for edit in fix.edits]
            yield types.CodeAction(
                fix.title,
                types.CodeActionKind.QuickFix,
                [diagnostic],
                is_preferred=number == 0,
                edit=types.WorkspaceEdit(changes={buffer.uri: edits}),
            )


def _declaration(diagnostic: types.Diagnostic) -> str | None:
    """The name of the declaration that a diagnostic speaks of, if a precondition may mend it."""
    data = diagnostic.data
    name = data.get("name") if isinstance(data, dict) else getattr(data, "name", None)
    return str(name) if name and diagnostic.code in MENDED else None


def _edit(session: Session, text: Text, edit: Edit) -> types.TextEdit:
    assert isinstance(edit.place, InSource)
    span = Span(edit.place.start, edit.place.end)
    return types.TextEdit(range_of(text, span, session.client.encoding), edit.text)
