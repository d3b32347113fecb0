"""`expect left = right`: what both graphs are to agree on, as nodes that a refinement adds to them.

Owns the scope of each side: on the left the results of the sequential graph, on the right those of the distributed one,
on every rank of its mesh. Must not know how an equation is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from rewright.model.check_graph.expressions import numbers
from rewright.model.check_graph.scope import GraphScope, ShapedNode, TensorDimension
from rewright.model.check_graph.sizes import shape_text, size_of
from rewright.model.check_graph.written_text import expression_text
from rewright.model.graph import ExpectedEquation, Graph, Refinement
from rewright.model.index import Name
from rewright.model.notes import Notes
from rewright.syntax import nodes
from rewright.verdict.diagnostics.graphs import SizesDiffer
from rewright.verdict.diagnostics.names import CannotStandHere


def with_equations(notes: Notes, asked: Refinement, written: Sequence[nodes.Assign]) -> Refinement:
    """The refinement with the equations that are expected, whatever is wrong with them noted."""
    sizes = _sizes((asked.sequential, asked.distributed))
    sides = _scope(notes, asked.sequential, sizes), _scope(notes, asked.distributed, sizes)
    made = [_equation(notes, sides, each) for each in written]
    left, right = sides
    return replace(
        asked,
        sequential=_extended(asked.sequential, left),
        distributed=_extended(asked.distributed, right),
        equations=tuple(each for each in made if each is not None),
    )


def _scope(notes: Notes, graph: Graph, sizes: Iterable[str]) -> GraphScope:
    """What an expression of a graph's results may speak of."""
    scope = GraphScope(notes, {axis.name: axis for axis in graph.mesh}, set(sizes), computed=list(graph.nodes))
    for each in graph.results:
        dimensions = tuple(TensorDimension(size_of(size)) for size in graph.nodes[each.node].shape)
        scope.tensors[each.name] = ShapedNode(each.node, dimensions)
    return scope


def _sizes(graphs: Iterable[Graph]) -> frozenset[str]:
    shapes = (each.shape for graph in graphs for each in graph.nodes)
    return frozenset(symbol for shape in shapes for each in shape for symbol in size_of(each).symbols)


def _extended(graph: Graph, scope: GraphScope) -> Graph:
    return replace(graph, nodes=tuple(scope.computed), added=len(scope.computed) - len(graph.nodes))


def _equation(notes: Notes, sides: tuple[GraphScope, GraphScope], written: nodes.Assign) -> ExpectedEquation | None:
    if written.operator != "=":
        notes.error(CannotStandHere(f"`{written.operator}`", "`=`, of what is to be the same"), written.span)
        return None
    expressions = written.target, written.value
    left, right = (numbers(scope, each) for scope, each in zip(sides, expressions, strict=True))
    if left is None or right is None:
        return None
    shapes = [[each.size for each in side.dimensions] for side in (left, right)]
    if shapes[0] != shapes[1]:
        notes.error(SizesDiffer("expect", *map(shape_text, shapes)), written.span)
        return None
    name, right_name = (Name(expression_text(each)) for each in expressions)
    return ExpectedEquation(left.number, right.number, name, right_name, notes.site(written.span))
