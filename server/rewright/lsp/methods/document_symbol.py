"""`textDocument/documentSymbol`: the outline, one entry per declaration."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from rewright.lsp.positions import range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.report.document import FileReport, Result

METHOD = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL

KINDS = {
    "kernel": types.SymbolKind.Function,
    "lift": types.SymbolKind.Function,
    "graph": types.SymbolKind.Class,
    "loops": types.SymbolKind.Class,
    "import": types.SymbolKind.Module,
}
"""By kind of declaration; the others claim something and stand as properties."""


def handle(
    server: RewrightServer, params: types.DocumentSymbolParams
) -> Sequence[types.DocumentSymbol] | Sequence[types.SymbolInformation]:
    """The declarations in order, flat for a client that knows nothing else."""
    session = server.session
    file = session.workspace.file(path_of(params.text_document.uri))
    if file is None:
        return []
    if session.client.nests_symbols:
        return [_symbol(session, file, result) for result in file.results]
    return [_flat(session, file, result, params.text_document.uri) for result in file.results]


def _symbol(session: Session, file: FileReport, result: Result) -> types.DocumentSymbol:
    encoding = session.client.encoding
    return types.DocumentSymbol(
        name=result.name or result.kind,
        detail=result.kind,
        kind=_kind(result),
        range=range_of(file.text, result.span, encoding),
        selection_range=range_of(file.text, result.name_span, encoding),
    )


def _flat(session: Session, file: FileReport, result: Result, uri: str) -> types.SymbolInformation:
    location = types.Location(uri, range_of(file.text, result.span, session.client.encoding))
    return types.SymbolInformation(location, result.name or result.kind, _kind(result))


def _kind(result: Result) -> types.SymbolKind:
    return KINDS.get(result.kind, types.SymbolKind.Property)
