"""`textDocument/inlayHint`: the verdict behind the first line of each declaration."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.positions import line_end, offset_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.report.document import FileReport, Result
from rewright.report.label import inlay
from rewright.report.summary import counted

METHOD = types.TEXT_DOCUMENT_INLAY_HINT


def handle(server: RewrightServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints of the declarations named within the range; tooltips are made when they are looked at."""
    session = server.session
    file = session.workspace.file(path_of(params.text_document.uri))
    if file is None or not session.settings.verdict_hints:
        return []
    start, end = (offset_of(file.text, at, session.client.encoding) for at in (params.range.start, params.range.end))
    inside = (result for result in file.results if start <= result.name_span.end and result.name_span.start <= end)
    return [_hint(session, file, result) for result in inside if counted(result)]


def _hint(session: Session, file: FileReport, result: Result) -> types.InlayHint:
    position = line_end(file.text, result.name_span.end, session.client.encoding)
    data = {"path": file.path, "name": result.name}
    return types.InlayHint(position, inlay(result), padding_left=True, data=data)
