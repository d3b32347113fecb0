"""`textDocument/foldingRange`: bodies, blocks and parameter lists of several lines can be folded."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.positions import position_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of
from rewright.syntax.outline import folds


def handle(server: RewrightServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """From the first line of what can be folded to the last but one, so that the closing brace stays."""
    session = server.session
    parsed = session.workspace.parsed(path_of(params.text_document.uri))
    if parsed is None:
        return []
    ends = (
        [position_of(parsed.text, offset, session.client.encoding).line for offset in (span.start, span.end)]
        for span in folds(parsed)
    )
    return [types.FoldingRange(start, end - 1) for start, end in ends if start < end - 1]
