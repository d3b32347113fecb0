"""Single faults planted in the distributed graph of a refinement, as people make them.

Owns the kinds of faults. A mutant may still be right; the oracle says. Each keeps all shapes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from graph_pairs import operands, redirected
from msgspec.structs import replace

from rewright.model.graph import (
    AllGather,
    AllReduce,
    Concatenate,
    Constant,
    Elementwise,
    Graph,
    GraphInput,
    GraphResult,
    MeshAxis,
    Node,
    Partial,
    Permute,
    Placed,
    Reduce,
    ReduceScatter,
    Refinement,
    Slice,
    Spread,
)
from rewright.model.index import Index, IndexOperation, IntegerReference, Number
from rewright.verdict import InDeclaration, Place, Site


@dataclass(frozen=True)
class GraphMutant:
    """A refinement with one fault; `site` is that of the node changed, None where a placement was."""

    kind: str
    refinement: Refinement
    site: int | None


def mutants(refinement: Refinement, seed: int | str) -> list[GraphMutant]:
    """At most one mutant of each kind, chosen at random; the same seed gives the same."""
    rng = random.Random(f"mutants {seed}")
    by_kind: dict[str, list[GraphMutant]] = {}
    for mutant in all_mutants(refinement):
        by_kind.setdefault(mutant.kind, []).append(mutant)
    return [rng.choice(listed) for _, listed in sorted(by_kind.items())]


def all_mutants(refinement: Refinement) -> Iterator[GraphMutant]:
    """Every mutant."""
    graph = refinement.distributed
    for number, node in enumerate(graph.nodes):
        for kind, nodes in _instead(graph, number, node):
            yield GraphMutant(kind, replace(refinement, distributed=_with(graph, number, nodes)), node.site)
    for at, placed in enumerate(refinement.inputs):
        for other in _placed_otherwise(placed, graph.mesh):
            inputs = (*refinement.inputs[:at], other, *refinement.inputs[at + 1 :])
            yield GraphMutant("placement", replace(refinement, inputs=inputs), None)
    for placed in refinement.expected:
        for other in _placed_otherwise(placed, graph.mesh):
            yield GraphMutant("expectation", replace(refinement, expected=(other,)), None)


def _with(graph: Graph, number: int, instead: list[Node]) -> Graph:
    """The graph with nodes in the place of one; they count each other from -1 backwards: -1 is the first.

    Without any, others read the operand instead.
    """
    added = len(instead) - 1
    (operand, *_) = operands(graph.nodes[number]) or (number,)

    def moved(at: int) -> int:
        return operand if at == number and not instead else at + added if at >= number else at

    def inside(at: int) -> int:
        return number - at - 1 if at < 0 else at

    own = [redirected(node, inside) for node in instead]
    after = [redirected(node, moved) for node in graph.nodes[number + 1 :]]
    results = tuple(GraphResult(result.name, moved(result.node)) for result in graph.results)
    return replace(graph, nodes=(*graph.nodes[:number], *own, *after), results=results)


FIRST, SECOND = -1, -2


def _instead(graph: Graph, number: int, node: Node) -> Iterator[tuple[str, list[Node]]]:
    """Kinds of faults at a node, with the nodes that stand there instead; the last of them is what others read."""
    match node:
        case AllReduce():
            yield "dropped", []
            yield "doubled", [node, replace(node, operand=FIRST)]
        case ReduceScatter() if len(node.axes) == 1:
            yield "dropped", [_own_part(graph, node)]
        case AllGather():
            ways = [axis.size for axis in graph.mesh if axis.name in node.axes]
            copies = (node.operand,) * (ways[0] if len(ways) == 1 else ways[0] * ways[1])
            yield "dropped", [Concatenate(copies, node.dimension, node.shape, node.site)]
    match node:
        case AllReduce(axes=(axis,)) | AllGather(axes=(axis,)) | ReduceScatter(axes=(axis,)):
            size = next(each.size for each in graph.mesh if each.name == axis)
            for each in graph.mesh:
                if each.name != axis and (each.size == size or isinstance(node, AllReduce)):
                    yield "wrong axis", [replace(node, axes=(each.name,))]
    match node:
        case Slice():
            for start in _other_starts(graph, node):
                yield "slice", [replace(node, start=start)]
        case Constant(value=value):
            yield "scale", [replace(node, value=2 * value)]
        case Permute(pairs=pairs) if len(pairs) > 1:
            crossed = tuple(
                (sender, receiver) for (sender, _), (_, receiver) in zip(pairs, pairs[1:] + pairs[:1], strict=True)
            )
            yield "permute", [replace(node, pairs=crossed)]
        case Reduce() | AllReduce() | ReduceScatter():
            two = Constant(Fraction(2), (), node.site)
            spread = Spread(SECOND, (), node.shape, node.site)
            yield "scale", [node, two, spread, Elementwise("multiply", (FIRST, -3), node.shape, node.site)]
        case Elementwise(operator="add", operands=(left, right)):
            for one, other in ((left, right), (right, left)):
                reduced = graph.nodes[one]
                if isinstance(reduced, AllReduce) and reduced.monoid == "add":
                    early = Elementwise("add", (reduced.operand, other), node.shape, node.site)
                    yield "bias before the reduction", [early, replace(reduced, operand=FIRST, site=node.site)]


def _own_part(graph: Graph, node: ReduceScatter) -> Node:
    """A rank's own part of its own operand."""
    start: list[Index] = [Number(0, 0) for _ in node.shape]
    coordinate = IntegerReference(node.axes[0], 0)
    start[node.dimension] = IndexOperation("*", coordinate, node.shape[node.dimension], 0)
    return Slice(node.operand, tuple(start), node.shape, node.site)


def _other_starts(graph: Graph, node: Slice) -> Iterator[tuple[Index, ...]]:
    """Offsets of no rank, of the opposite rank; of the other half."""
    ways = {axis.name: axis.size for axis in graph.mesh}
    for at, offset in enumerate(node.start):
        match offset:
            case IndexOperation(operator="*", left=IntegerReference(name=name), right=size) if name in ways:
                opposite = IndexOperation("-", Number(ways[name] - 1, 0), IntegerReference(name, 0), 0)
                for other in (Number(0, 0), IndexOperation("*", opposite, size, 0)):
                    yield (*node.start[:at], other, *node.start[at + 1 :])
            case Number(value=0) if graph.nodes[node.operand].shape[at] != node.shape[at]:
                yield (*node.start[:at], node.shape[at], *node.start[at + 1 :])
            case _ if offset != Number(0, 0):
                yield (*node.start[:at], Number(0, 0), *node.start[at + 1 :])


def _placed_otherwise(placed: Placed, mesh: tuple[MeshAxis, ...]) -> Iterator[Placed]:
    """One placement on another axis of the same size, or partial parts taken for copies."""
    sizes = {axis.name: axis.size for axis in mesh}
    used = {each.axis for each in placed.placements}
    for at, each in enumerate(placed.placements):
        before, after = placed.placements[:at], placed.placements[at + 1 :]
        for axis in sizes:
            if axis not in used and sizes[axis] == sizes[each.axis]:
                yield replace(placed, placements=(*before, replace(each, axis=axis), *after))
        if isinstance(each, Partial):
            yield replace(placed, placements=(*before, *after))


def named_by(mutant: GraphMutant, right: Refinement) -> set[Place]:
    """The places that name a fault: of the node that was changed, of one that reads it, of a placement.

    A collective that was left out is named by what lacks it: its operand.
    """
    before, after = right.distributed, mutant.refinement.distributed
    changed = [one for one, other in zip(mutant.refinement.inputs, right.inputs, strict=True) if one != other]
    names = {placed.name for placed in changed}
    given = {node.site for node in after.nodes if isinstance(node, GraphInput) and node.name in names}
    found: set[Place] = {Site(placed.site) for placed in changed}
    sites = {mutant.site} if mutant.site is not None else given
    sites = {each for site in sites for each in _reads(after, site)}
    if mutant.kind == "dropped" and mutant.site is not None:
        (lost,) = (node for node in before.nodes if node.site == mutant.site)
        sites |= _reads(before, mutant.site) | {before.nodes[each].site for each in operands(lost)}
    return found | {InDeclaration(after.name, site) for site in sites}


def _reads(graph: Graph, site: int) -> set[int]:
    """The sites of nodes that read a node of this site, and itself."""
    numbers = {number for number, node in enumerate(graph.nodes) if node.site == site}
    return {site} | {node.site for node in graph.nodes if numbers & set(operands(node))}
