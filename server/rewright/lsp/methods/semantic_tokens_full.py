"""`textDocument/semanticTokens/full`: what each word of a document is, for its colour."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of
from rewright.syntax.text import Span


def handle(server: RewrightServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    """The tokens of the whole document, none for one that is not ours."""
    session, path = server.session, path_of(params.text_document.uri)
    parsed, model = session.workspace.parsed(path), session.workspace.model(path)
    if parsed is None or model is None:
        return types.SemanticTokens([])
    return types.SemanticTokens(session.words.encoded(parsed, model, Span(0, len(parsed.text.data))))
