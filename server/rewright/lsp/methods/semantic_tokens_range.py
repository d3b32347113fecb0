"""`textDocument/semanticTokens/range`: what each word is in the part of a document that is shown."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.positions import span_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of


def handle(server: RewrightServer, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    """The tokens that touch a range of the document, none for one that is not ours."""
    session, path = server.session, path_of(params.text_document.uri)
    parsed, model = session.workspace.parsed(path), session.workspace.model(path)
    if parsed is None or model is None:
        return types.SemanticTokens([])
    within = span_of(parsed.text, params.range, session.client.encoding)
    return types.SemanticTokens(session.words.encoded(parsed, model, within))
