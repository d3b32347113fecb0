"""`inlayHint/resolve`: what a verdict means in full, when a hint is looked at."""

from __future__ import annotations

from functools import partial

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.report.faults import shown
from rewright.report.markdown import hover


def handle(server: RewrightServer, hint: types.InlayHint) -> types.InlayHint:
    """The hint with a tooltip, if its declaration is still there."""
    data = hint.data if isinstance(hint.data, dict) else {}
    file = server.session.workspace.file(str(data.get("path")))
    result = next((result for result in file.results if result.name == data.get("name")), None) if file else None
    if file is not None and result is not None:
        text = shown(result, partial(hover, file=file, texts=server.session.workspace.report().texts))
        hint.tooltip = types.MarkupContent(types.MarkupKind.Markdown, text)
    return hint
