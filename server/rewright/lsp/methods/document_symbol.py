"""`textDocument/documentSymbol`: the outline: declarations, and the names declared in each."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from rewright.lsp.positions import range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.syntax.outline import OutlineSymbol, outline
from rewright.syntax.parsed import Parsed
from rewright.syntax.text import PositionEncoding, Span

KINDS = {
    "kernel": types.SymbolKind.Function,
    "lift": types.SymbolKind.Function,
    "graph": types.SymbolKind.Class,
    "operator": types.SymbolKind.Function,
    "loops": types.SymbolKind.Class,
    "import": types.SymbolKind.Module,
    "rule": types.SymbolKind.Property,
    "lemma": types.SymbolKind.Property,
    "equivalent": types.SymbolKind.Property,
    "refine": types.SymbolKind.Property,
    "transform": types.SymbolKind.Property,
    "axes": types.SymbolKind.Namespace,
    "axis": types.SymbolKind.Namespace,
    "tensor": types.SymbolKind.Array,
    "shared": types.SymbolKind.Array,
    "array": types.SymbolKind.Array,
    "fn": types.SymbolKind.Function,
    "monoid": types.SymbolKind.Function,
}
"""By the word that declares; any other declares a variable."""


def handle(
    server: RewrightServer, params: types.DocumentSymbolParams
) -> Sequence[types.DocumentSymbol] | Sequence[types.SymbolInformation]:
    """The declarations in order with what is declared in them; declarations alone for a client that nests nothing."""
    client, uri = server.session.client, params.text_document.uri
    parsed = server.session.workspace.parsed(path_of(uri))
    if parsed is None:
        return _kernels(server.session, uri)
    if client.nests_symbols:
        return [_nested(parsed, symbol, client.encoding) for symbol in outline(parsed)]
    return [_flat(parsed, symbol, uri, client.encoding) for symbol in outline(parsed)]


def _kernels(session: Session, uri: str) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """The kernels of a source."""
    file = session.workspace.file(path_of(uri))
    if file is None:
        return []
    named = {kernel.name: Span(kernel.start, kernel.end) for kernel, _ in session.workspace.kernels(path_of(uri))}
    places = {name: range_of(file.text, span, session.client.encoding) for name, span in named.items()}
    kind = types.SymbolKind.Function
    if session.client.nests_symbols:
        return [types.DocumentSymbol(name, kind, at, at, detail="kernel") for name, at in places.items()]
    return [types.SymbolInformation(types.Location(uri, at), name, kind) for name, at in places.items()]


def _nested(parsed: Parsed, symbol: OutlineSymbol, encoding: PositionEncoding) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        detail=symbol.kind,
        kind=kind_of_symbol(symbol),
        range=range_of(parsed.text, symbol.span, encoding),
        selection_range=range_of(parsed.text, symbol.selection, encoding),
        children=[_nested(parsed, child, encoding) for child in symbol.children],
    )


def _flat(parsed: Parsed, symbol: OutlineSymbol, uri: str, encoding: PositionEncoding) -> types.SymbolInformation:
    location = types.Location(uri, range_of(parsed.text, symbol.span, encoding))
    return types.SymbolInformation(location, symbol.name, kind_of_symbol(symbol))


def kind_of_symbol(symbol: OutlineSymbol) -> types.SymbolKind:
    """The protocol's kind of a symbol."""
    return KINDS.get(symbol.kind, types.SymbolKind.Variable)
