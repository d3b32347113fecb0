"""The panel of a counterexample for a client that has one: its data over the protocol.

Invariant: what is shown is of the report as it is; of what is gone it says so. Must not know what is shown.
"""

from __future__ import annotations

import os
from typing import Any

from lsprotocol import types
from msgspec import Struct
from msgspec.structs import replace

from rewright.lsp.edits import workspace_edit
from rewright.lsp.positions import range_of
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.report.document import Located
from rewright.report.panel.page import gone, page
from rewright.report.panel.shown import PanelScript
from rewright.report.weaker import panels
from rewright.syntax.text import Span, Text
from rewright.verdict import InSource
from rewright.workspace.at_once import numpy_program, pinned


def shown_page(session: Session, uri: str, name: str) -> dict[str, Any]:
    """What the panel shows of the declaration with a name in a file."""
    path = path_of(uri)
    file = session.workspace.file(path)
    result = next((each for each in file.results if each.name == name), None) if file is not None else None
    if file is None or result is None:
        shown = gone(name, os.path.basename(path))
    else:
        shown = page(result, file, session.workspace.report().texts)
        fixes = session.workspace.fixes(path, name, 0)
        program = numpy_program(session.workspace, path, name)
        scripts = (*shown.scripts, *([PanelScript("NumPy", program)] if program is not None else []))
        pins = pin(session, path, name) is not None
        shown = replace(shown, pins=pins, preconditions=panels(fixes), scripts=scripts)
    return {"uri": uri, **_plain(shown, session)}


def pin(session: Session, path: str, name: str) -> types.WorkspaceEdit | None:
    """The edit that pins the counterexample of a rule as an `example` of it; None if there is nothing to pin."""
    edit = pinned(session.workspace, path, name)
    if edit is None or not isinstance(edit.place, InSource):
        return None
    return workspace_edit(session, {path: [(Span(edit.place.start, edit.place.end), edit.text)]})


def _plain(value: Any, session: Session) -> Any:
    match value:
        case Located(path=path, span=span):
            text = session.workspace.report().texts.get(path)
            return None if text is None else {"uri": session.buffers.uri(path), "range": _range(text, span, session)}
        case tuple():
            return [_plain(each, session) for each in value]
        case Struct():
            return {name: _plain(getattr(value, name), session) for name in value.__struct_fields__}
        case _:
            return value


def _range(text: Text, span: Span, session: Session) -> types.Range:
    return range_of(text, span, session.client.encoding)
