"""`textDocument/implementation`: from a tensor of a graph to its counterpart in the graph that it is compared with.

Of a graph on a mesh that is the tensor of the sequential graph that the ranks hold; of the sequential graph, what holds
its tensor on ranks.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from rewright.lsp.held import compared_in, sites_of, values_of
from rewright.lsp.names import Spot, spot_at
from rewright.lsp.positions import range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.model.declared import SymbolKind
from rewright.syntax.nodes import GraphDecl
from rewright.syntax.text import Span


def handle(server: RewrightServer, params: types.ImplementationParams) -> list[types.Location]:
    """The counterparts of the tensor at the position in the graphs of the file, as far as refinements say them."""
    session, uri = server.session, params.text_document.uri
    spot = spot_at(session, uri, params.position)
    if spot is None:
        return []
    spans = dict.fromkeys(_counterparts(session, path_of(uri), spot))
    return [types.Location(uri, range_of(spot.text, each, session.client.encoding)) for each in spans]


def _counterparts(session: Session, path: str, spot: Spot) -> Iterator[Span]:
    symbol, node, file = spot.declared.symbol_at(spot.offset), spot.placed.node, session.workspace.file(path)
    if symbol is None or symbol.kind is not SymbolKind.TENSOR or not isinstance(node, GraphDecl) or file is None:
        return
    here, graph = set(values_of(node, spot.declared).get(symbol.name, ())), spot.declared.name
    for compared in compared_in(file):
        pairs = [(tensor.site, tensor.of) for tensor in compared.held.tensors]
        if graph == compared.distributed:
            yield from _at(session, path, compared.sequential, [of for site, of in pairs if site in here])
        elif graph == compared.sequential:
            yield from _at(session, path, compared.distributed, [site for site, of in pairs if of in here])


def _at(session: Session, path: str, graph: str, sites: list[int]) -> Iterator[Span]:
    """Where the sites of a graph of the file stand."""
    found = sites_of(session, path, graph)
    yield from (found[site] for site in sites if site < len(found))
