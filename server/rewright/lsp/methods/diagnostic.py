"""`textDocument/diagnostic`: syntax, names and shapes of a document as it stands, pulled by the client as it likes."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of


def handle(server: RewrightServer, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """The diagnostics, or word that the client has them; a document that is not ours has none."""
    session = server.session
    file = session.viewed.file(path_of(params.text_document.uri))
    if file is None:
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    digest, items = session.publisher.pull(file)
    if digest == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=digest)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=digest)
