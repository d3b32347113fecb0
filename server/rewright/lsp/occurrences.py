"""The places of a name: within its declaration, or over the files that share it. Must not know what is done there."""

from __future__ import annotations

from lsprotocol import types
from msgspec import Struct

from rewright.lsp.names import Spot, spot_at
from rewright.lsp.positions import range_of
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.model.declared import SymbolKind
from rewright.model.graph import Graph, GraphInput
from rewright.syntax.text import Span, Text
from rewright.writing.rename import places_of, top_level_names


class Occurrence(Struct, frozen=True):
    """A place of a name, and whether it is declared there."""

    path: str
    text: Text
    span: Span
    declares: bool


class Occurrences(Struct, frozen=True):
    """A name with its places; `shared` are the files that share it, none for a name within a declaration."""

    name: str
    here: Span
    spot: Spot
    places: tuple[Occurrence, ...]
    shared: tuple[str, ...] = ()


def occurrences_at(session: Session, uri: str, position: types.Position) -> Occurrences | None:
    """The places of the name at a position, None where there is none that is declared."""
    spot, path = spot_at(session, uri, position), path_of(uri)
    if spot is None:
        return None
    for name, _ in top_level_names(spot.placed.node):
        if name.span.contains(spot.offset):
            return _over_files(session, path, spot, spot.placed.absolute(name.span))
    symbol = spot.declared.symbol_at(spot.offset)
    if symbol is None or symbol.kind is SymbolKind.DECLARATION:
        return None
    spans = [spot.placed.absolute(span) for span in (symbol.definition, *symbol.uses)]
    here = next(span for span in spans if span.contains(spot.placed.absolute(Span(spot.offset, spot.offset)).start))
    places = tuple(Occurrence(path, spot.text, span, at == 0) for at, span in enumerate(spans))
    return Occurrences(symbol.name, here, spot, places)


def _over_files(session: Session, path: str, spot: Spot, here: Span) -> Occurrences:
    name, workspace = spot.text.slice(here), session.workspace
    shared = workspace.sharing(path, name)
    parsed = [(each, workspace.parsed(each)) for each in shared]
    places = tuple(
        Occurrence(each, tree.text, span, declares)
        for each, tree in parsed
        if tree is not None
        for span, declares in places_of(tree, name)
    )
    return Occurrences(name, here, spot, places, shared)


def compared_by(session: Session, path: str, found: Occurrences) -> str | None:
    """The refinement by which a name of a graph is that of another graph, too; None if there is none.

    Inputs, results and sizes of the graphs that a refinement compares correspond by their names.
    """
    declared, symbol = found.spot.declared, found.spot.declared.symbol_at(found.spot.offset)
    if not isinstance(declared.value, Graph) or symbol is None:
        return None
    inputs = {each.name for each in declared.value.nodes if isinstance(each, GraphInput)}
    tensors = inputs | {each.name for each in declared.value.results}
    if symbol.kind is SymbolKind.TENSOR and symbol.name not in tensors:
        return None
    models = (session.workspace.model(each) for each in session.workspace.sharing(path, declared.name))
    others = (each for model in models if model is not None for each in model.declarations)
    return next((other.name for other in others if declared.name in other.speaks_of), None)


def location_of(session: Session, place: Occurrence) -> types.Location:
    """The protocol's location of a place."""
    return types.Location(session.buffers.uri(place.path), range_of(place.text, place.span, session.client.encoding))
