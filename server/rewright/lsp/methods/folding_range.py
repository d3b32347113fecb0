"""`textDocument/foldingRange`: each declaration of several lines can be folded."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.positions import position_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of

METHOD = types.TEXT_DOCUMENT_FOLDING_RANGE


def handle(server: RewrightServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """From the line of a declaration's name to its last one."""
    session = server.session
    file = session.workspace.file(path_of(params.text_document.uri))
    if file is None:
        return []
    ends = ((result.name_span.start, result.span.end) for result in file.results)
    lines = ([position_of(file.text, offset, session.client.encoding).line for offset in pair] for pair in ends)
    return [types.FoldingRange(start, end) for start, end in lines if start < end]
