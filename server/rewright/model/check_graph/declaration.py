"""Graphs: from a declaration's node to its value and everything there is to say about its names and shapes.

Invariant: each statement is checked even if others are wrong; there is a value only if nothing is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from rewright.model.check_attributes import attributes, check_quantified
from rewright.model.check_graph.collectives import COLLECTIVES
from rewright.model.check_graph.extents import declaring_size
from rewright.model.check_graph.open_graph import Callee, OpenGraph
from rewright.model.check_graph.scope import GraphScope, TensorDimension
from rewright.model.check_graph.sizes import shape_text
from rewright.model.check_graph.statements import assignments, statement
from rewright.model.check_graph.structural import OPERATIONS
from rewright.model.conclusion import concluded
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared, SymbolKind
from rewright.model.foreign_graph import ForeignGraph
from rewright.model.graph import INTEGERS, Graph, GraphInput, GraphResult, MeshAxis, OpaqueOperator
from rewright.model.index import Name
from rewright.model.notes import notes_for
from rewright.model.operator_table import operator_named
from rewright.model.surroundings import Surroundings
from rewright.model.types import CONCRETE, FLOATS
from rewright.model.written import integer_of, kind_of
from rewright.syntax import nodes
from rewright.syntax.nodes import GraphDecl, LemmaDecl
from rewright.verdict.diagnostics.graphs import CallsItself, NameOfLoop, NoResults, ResultNotComputed
from rewright.verdict.diagnostics.names import (
    AnotherKind,
    CannotStandHere,
    IncompleteDeclaration,
    UnknownElementType,
    WrongPart,
)

ELEMENT_TYPES = (*FLOATS, "real", *INTEGERS)


SOME_RANKS = 2
"""How many ranks there are along an axis of any size while the graph is checked by itself."""


def check_graph(node: GraphDecl, surroundings: Surroundings) -> Declared:
    """The graph as the model understands it."""
    return _checked(node, callees_of(node, surroundings), {})


def graph_at(graph: OpenGraph, ranks: Mapping[str, int]) -> Graph | None:
    """The graph where there are so many ranks along its axes of any size; None if it has errors then."""
    value = _checked(graph.node, dict(graph.callees), ranks).value
    return value if isinstance(value, Graph) else None


def _checked(node: GraphDecl, callees: Mapping[str, Callee], ranks: Mapping[str, int]) -> Declared:
    notes = notes_for(node.head)
    scope = GraphScope(notes, callees=callees)
    name = node.head.name
    if name is not None:
        notes.define(name, SymbolKind.DECLARATION, f"graph {name.text}")
    written = attributes(notes, node.head.attributes)
    check_quantified(notes, written, [])
    results: tuple[GraphResult, ...] = ()
    foreign = None
    if node.source is not None:
        _mesh(scope, node.mesh, ranks)
        foreign = _foreign(scope, node, node.source)
    else:
        _mesh(scope, node.mesh, ranks)
        for parameter in node.parameters:
            declare_parameter(scope, parameter)
        for item in node.items:
            statement(scope, item)
        results = _results(scope, node)
    value: Graph | OpenGraph | ForeignGraph | None = foreign if not notes.has_errors else None
    if name is not None and node.source is None and not notes.has_errors and not notes.unsupported:
        open_ = tuple(Name(axis) for axis in scope.open_axes if axis not in ranks)
        mesh = tuple(scope.mesh.values())
        made, known = tuple(scope.computed), tuple(scope.facts)
        value = Graph(Name(name.text), mesh, made, results, known, tuple(scope.calls), tuple(scope.loops))
        value = OpenGraph(value.name, open_, node, tuple(callees.items())) if open_ else value
    declared = concluded(notes, node.head, written, DeclarationKind.GRAPH)
    return replace(declared, value=value, speaks_of=tuple(scope.callees) if value is not None else ())


def called_in(node: GraphDecl | LemmaDecl) -> Iterator[nodes.Name]:
    """The names that are called in a graph or a lemma and are no operators of the table."""
    if isinstance(node, GraphDecl):
        for item in assignments(node.items):
            yield from _called(item.value)
        return
    for rule in node.items:
        if isinstance(rule, nodes.Rewrite):
            yield from (*_called(rule.left), *_called(rule.right))


def _called(written: nodes.Expression) -> Iterator[nodes.Name]:
    match written:
        case nodes.Call(callee=callee, arguments=arguments):
            name = callee.text
            if name not in OPERATIONS and name not in COLLECTIVES and name != "rank" and operator_named(name) is None:
                yield callee
            for each in arguments:
                if isinstance(each, nodes.Positional):
                    yield from _called(each.value)
        case nodes.Binary(left=left, right=right) | nodes.Compare(left=left, right=right):
            yield from (*_called(left), *_called(right))
        case nodes.And(left=left, right=right) | nodes.Or(left=left, right=right):
            yield from (*_called(left), *_called(right))
        case nodes.Unary(operand=operand) | nodes.Not(operand=operand):
            yield from _called(operand)
        case _:
            return


def callees_of(node: GraphDecl | LemmaDecl, surroundings: Surroundings) -> Mapping[str, Callee]:
    """What is called in a graph or a lemma and stands in the file, or in one that it imports."""
    found: dict[str, Callee] = {}
    for name in called_in(node):
        kind = surroundings.kind(name.text)
        if kind is not None:
            found[name.text] = _callee(name.text, kind, surroundings.neighbour(name.text))
    return found


def _callee(name: str, kind: DeclarationKind, declared: Declared | None) -> Callee:
    if kind is DeclarationKind.OPERATOR and declared is not None and isinstance(declared.value, OpaqueOperator):
        return Callee(None, operator=declared.value)
    if kind not in (DeclarationKind.GRAPH, DeclarationKind.OPERATOR):
        return Callee(None, AnotherKind(name, f"a {kind.value}", "a graph or an operator", ""))
    if declared is None or any(isinstance(each.diagnosis, CallsItself) for each in declared.findings):
        return Callee(None, CallsItself(name))
    match declared.value:
        case Graph() as graph:
            return Callee(lambda ranks: graph)
        case OpenGraph() as open_:
            reason = f"`{name}` has errors with so many ranks"
            return Callee(partial(_at_ranks_of_caller, open_), None, reason)
        case ForeignGraph():
            return Callee(None, None, f"a call of `{name}`, which a file says, is not supported yet")
        case _:
            reason = next((each.reason for each in declared.unsupported), "it has errors")
            return Callee(None, None, f"`{name}` is not understood: {reason}")


def _at_ranks_of_caller(graph: OpenGraph, ranks: Mapping[str, int]) -> Graph | None:
    return graph_at(graph, {axis: ranks.get(axis, SOME_RANKS) for axis in graph.axes})


def _foreign(scope: GraphScope, node: GraphDecl, source: nodes.SourceRef) -> ForeignGraph | None:
    """A graph that a source says: here only its mesh may be said, if the source says none."""
    notes = scope.notes
    for axis in scope.open_axes[:1]:
        notes.not_supported(f"a mesh axis of any size, `{axis}`, of a graph from a file", source.span)
    for each in (*node.parameters, *node.results, *node.items)[:1]:
        where = f"`{source.path.value}`, which says what the graph takes and computes"
        notes.error(CannotStandHere("this", f"it in {where}"), each.span)
    if source.arguments:
        notes.error(CannotStandHere("an argument", "the name of a function alone"), source.arguments[0].span)
    if node.head.name is None:
        return None
    entry = source.entry.text if source.entry is not None else "main"
    mesh = tuple((str(axis.name), axis.size) for axis in scope.mesh.values())
    return ForeignGraph(Name(node.head.name.text), source.path.value, entry, notes.site(source.span), mesh)


def _mesh(scope: GraphScope, mesh: nodes.Call | None, ranks: Mapping[str, int]) -> None:
    if mesh is None:
        return
    if mesh.callee.text != "mesh":
        scope.notes.error(CannotStandHere(f"`{mesh.callee.text}`", "`mesh(axis = size)`"), mesh.callee.span)
    for each in mesh.arguments:
        match each:
            case nodes.Keyed(name=name, value=nodes.Number(text=text) as number):
                size = integer_of(text)
                if size is None or size < 1:
                    scope.notes.error(CannotStandHere(f"`{text}`", "a number of ranks"), number.span)
                elif scope.declare(name, SymbolKind.AXIS, f"mesh axis {name.text} = {size}"):
                    scope.mesh[name.text] = MeshAxis(Name(name.text), size)
            case nodes.Keyed(value=nodes.Missing()):
                pass
            case nodes.Keyed(value=value):
                scope.notes.not_supported("a mesh axis whose size is no number", value.span)
            case nodes.Positional(value=nodes.Name() as name):
                if scope.declare(name, SymbolKind.AXIS, f"mesh axis {name.text}, of any size"):
                    scope.mesh[name.text] = MeshAxis(Name(name.text), ranks.get(name.text, SOME_RANKS))
                    scope.open_axes.append(name.text)
            case nodes.Positional(value=value) | nodes.Grouped(value=value):
                if not isinstance(value, nodes.Missing):
                    scope.notes.error(CannotStandHere(kind_of(value), "`axis = size`"), value.span)
            case _:
                scope.notes.error(CannotStandHere("a renaming", "`axis = size`"), each.span)


def declare_parameter(scope: GraphScope, parameter: nodes.Parameter) -> None:
    """Enters a parameter, the names of its sizes, and its node; what is wrong with it is noted."""
    name, type_ = parameter.name, parameter.type
    if type_ is None or type_.element is None:
        scope.notes.error(IncompleteDeclaration(name.text, WrongPart.SHAPE), name.span)
        dimensions = None
    else:
        check_element_type(scope, type_.element)
        sizes = [(entry, declaring_size(scope, entry.size)) for entry in type_.shape or ()]
        made = tuple(
            TensorDimension(size, entry.axis.text if entry.axis is not None else None)
            for entry, size in sizes
            if size is not None
        )
        dimensions = made if len(made) == len(sizes) and scope.whole(made, type_.span) else None
    shown = f"{name.text}: {_type_text(type_, dimensions)}"
    if not scope.declare(name, SymbolKind.TENSOR, shown):
        return
    scope.tensors[name.text] = None
    if dimensions is not None and type_ is not None and type_.element is not None:
        element, shape = type_.element.text, scope.shape(dimensions, name.span)
        made_input = GraphInput(Name(name.text), element, shape, scope.notes.site(name.span))
        scope.tensors[name.text] = scope.add(made_input, dimensions)


def check_element_type(scope: GraphScope, element: nodes.Name) -> None:
    """Notes an element type that no tensor of a graph has."""
    if element.text in ELEMENT_TYPES:
        return
    if element.text in CONCRETE:
        scope.notes.not_supported(f"an input of type `{element.text}`", element.span)
    else:
        accepted = ", ".join(f"`{each}`" for each in ELEMENT_TYPES)
        scope.notes.error(UnknownElementType(element.text, accepted), element.span)


def _type_text(type_: nodes.TypeRef | None, dimensions: tuple[TensorDimension, ...] | None) -> str:
    element = type_.element.text if type_ is not None and type_.element is not None else "?"
    return f"{element}{shape_text([each.size for each in dimensions])}" if dimensions is not None else element


def _results(scope: GraphScope, node: GraphDecl) -> tuple[GraphResult, ...]:
    if not node.results and node.head.name is not None:
        scope.notes.error(NoResults(), node.head.name.span)
    found: dict[str, GraphResult | None] = {}
    for name in node.results:
        if name.text not in scope.tensors:
            fault = NameOfLoop if name.text in scope.left else ResultNotComputed
            scope.notes.error(fault(name.text), name.span)
            continue
        scope.used(name)
        made = scope.tensors[name.text]
        if name.text in found:
            scope.notes.error(CannotStandHere(f"`{name.text}`", "each result once"), name.span)
        elif made is not None and scope.is_truth(made.number):
            scope.notes.not_supported("a result of truth values", name.span)
        else:
            found[name.text] = GraphResult(Name(name.text), made.number) if made is not None else None
    return tuple(each for each in found.values() if each is not None)
