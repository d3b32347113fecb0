"""What can be written inside of a graph, and of a refinement."""

from __future__ import annotations

from collections.abc import Iterator

from rewright.model.check_graph.collectives import KEYS
from rewright.model.check_graph.expressions import acts_on_reals
from rewright.model.check_graph.opaque_calls import opaque_text
from rewright.model.declared import Declared, SymbolKind
from rewright.model.graph import Graph, GraphInput, GraphLemma, OpaqueOperator
from rewright.model.operator_table import OPERATORS
from rewright.writing.around import Around, names, words
from rewright.writing.graph_calls import COLLECTIVES, PLACEMENTS, REDUCERS, STRUCTURAL, names_of, offered
from rewright.writing.offer import Offer, Sort, call
from rewright.writing.place import Cursor
from rewright.writing.words import JOINTS


def in_graph(place: Cursor, around: Around) -> Iterator[Offer]:
    """What can be written at a place in the body of a graph."""
    inner, symbols = place.inner, around.symbols
    axes = names_of(symbols, SymbolKind.AXIS)
    steps = names_of(symbols, SymbolKind.BOUND)
    if place.item[:1] == ["for"]:
        yield from names((*axes, *steps) if "in" in place.item else (), around)
        yield from words((JOINTS["in"],) if len(place.item) == 2 else ())
        return
    if "=" not in place.item:
        return
    if inner.argument[:2] == ["over", "="] or inner.called == "rank":
        yield from names(axes, around)
        return
    if inner.called in COLLECTIVES and inner.commas and not inner.argument:
        for key in KEYS[inner.called]:
            yield Offer(key, Sort.ATTRIBUTE, COLLECTIVES[inner.called].written, f"{key} = ")
    if inner.called in ("reduce", "all_reduce", "reduce_scatter") and not inner.commas:
        yield from (Offer(name, Sort.NAME, "", name, name) for name in REDUCERS)
        return
    tensors, sizes = names_of(symbols, SymbolKind.TENSOR), names_of(symbols, SymbolKind.SIZE)
    yield from names((*tensors, *axes, *sizes, *steps), around)
    for given in (*COLLECTIVES.values(), *STRUCTURAL.values()):
        offer = offered(given, symbols)
        if offer is not None:
            yield offer
    for declared in around.top:
        if isinstance(declared.value, OpaqueOperator):
            operands = [
                f"\0{tensors[at] if at < len(tensors) else 'X'}\0" for at in range(len(declared.value.operands))
            ]
            yield Offer(declared.name, Sort.OPERATOR, opaque_text(declared.value), call(declared.name, operands))
    for operator in filter(acts_on_reals, OPERATORS):
        operands = [f"\0{(tensors or ['X'])[0]}\0"] * (operator.operands or 1)
        sort = Sort.OPERATOR if tensors else Sort.GENERAL
        for name in operator.names:
            yield Offer(name, sort, operator.texts.call, call(name, operands), operator.name)


def in_refinement(place: Cursor, around: Around) -> Iterator[Offer]:
    """What can be written at a place in the body of a refinement: tensors of its graphs, and how ranks hold them."""
    graphs = {declared.name: declared for declared in around.top}
    distributed, sequential = (graphs.get(name) for name in _graphs(place))
    inner, item = place.inner, place.item
    if item[:1] == ["using"]:
        yield from names((each.name for each in around.top if isinstance(each.value, GraphLemma)), around)
        return
    axes = names_of(distributed.symbols if distributed is not None else (), SymbolKind.AXIS)
    if inner.called in PLACEMENTS:
        if inner.commas:
            yield from names(axes, around)
        elif inner.called == "partial":
            yield from (Offer(name, Sort.NAME, "", name, name) for name in REDUCERS)
        elif sequential is not None:
            yield from names(names_of(sequential.symbols, SymbolKind.SIZE), around)
    elif ":" in item:
        known = distributed.symbols if distributed is not None else ()
        yield from filter(None, (offered(each, known) for each in PLACEMENTS.values()))
    elif sequential is not None and item in ([], ["expect"]):
        yield from names(_tensors(sequential, item == ["expect"]), around, ": ")


def _graphs(place: Cursor) -> tuple[str, str]:
    """The names of the distributed and the sequential graph, empty where they are not written."""
    head = [*place.head, "", ""]
    start = head.index("refine") + 1
    return head[start], head[head.index("of") + 1] if "of" in head else ""


def _tensors(graph: Declared, results: bool) -> list[str]:
    """The results of a graph, or its inputs."""
    if not isinstance(graph.value, Graph):
        return names_of(graph.symbols, SymbolKind.TENSOR)
    if results:
        return [each.name for each in graph.value.results]
    return [each.name for each in graph.value.nodes if isinstance(each, GraphInput)]
