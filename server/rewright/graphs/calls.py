"""Refinements of graphs that call graphs, by what is proved of those that are called.

Owns the law: of operands that the ranks hold as the inputs of a called graph are placed, they hold its results as was
proved of it at these placements. What is called is taken apart nowhere else, so 32 layers cost little more than one.
A call of the distributed graph that is like none of the sequential one, or of which nothing is proved, ends the
attempt: then the nodes of all calls are gone through as others are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.graphs.blocks import BlockTensor
from rewright.graphs.decision import Relation
from rewright.graphs.interpretation import Held, ranks_of
from rewright.graphs.operations import Operations
from rewright.graphs.relation import Placements, fitting, held_by
from rewright.graphs.roots import tensor_of
from rewright.graphs.sizes import SizeTerms
from rewright.model.graph import (
    CalledGraph,
    Graph,
    GraphInput,
    GraphResult,
    Node,
    Partial,
    Placed,
    Refinement,
    SizeValue,
    Slice,
    redirected,
)
from rewright.model.index import Index, IndexOperation, IntegerReference, Name
from rewright.model.index import Number as Literal

Prove = Callable[[Refinement], Sequence[Relation] | None]
"""The relations of a refinement, one for each result; None if not all are found."""


class NotByCalls(Exception):
    """A call of which nothing is proved."""


class _SequentialCall(Struct, frozen=True):
    """A call of the sequential graph, and the tensors that it takes and gives."""

    graph: Graph
    operands: tuple[BlockTensor, ...]
    results: tuple[BlockTensor, ...]


class Calls(Struct):
    """The calls of both graphs of a refinement; `prove` is asked once for each pair of graphs and placements."""

    asked: Refinement
    sizes: SizeTerms
    operations: Operations
    prove: Prove
    _sequential: list[_SequentialCall] = field(default_factory=list)
    _distributed: int = 0
    _proved: dict[tuple[Graph, Graph, tuple[Placements, ...]], Sequence[Relation] | None] = field(default_factory=dict)

    def sequential(self, call: CalledGraph, values: Sequence[Held]) -> Sequence[Held]:
        """The results of a call of the sequential graph: tensors of which nothing is known."""
        nodes = self.asked.sequential.nodes
        shapes = [self.sizes.terms(nodes[each].shape) for each in call.results]
        results = tuple(tensor_of(self.operations.roots.new(shape)) for shape in shapes)
        operands = tuple(values[each][()] for each in call.operands)
        self._sequential.append(_SequentialCall(_alone(self.asked.sequential, call), operands, results))
        return [{(): each} for each in results]

    def distributed(self, call: CalledGraph, values: Sequence[Held]) -> Sequence[Held]:
        """What the ranks hold of the results of a call of the distributed graph. Raises `NotByCalls`."""
        graph = _alone(self.asked.distributed, call)
        held = [values[each] for each in call.operands]
        self._distributed += 1
        # The calls of both graphs mostly come in one order.
        at = min(self._distributed, len(self._sequential)) - 1
        for other in (*self._sequential[at:], *self._sequential[:at]):
            placements = self._placements(other, held)
            relations = self._relations(graph, other.graph, placements) if placements is not None else None
            if relations is not None:
                return self._results(other, call, relations)
        raise NotByCalls

    def _placements(self, other: _SequentialCall, held: Sequence[Held]) -> tuple[Placements, ...] | None:
        """How the ranks hold the operands of a sequential call; None if they do not."""
        if len(held) != len(other.operands):
            return None
        found: list[Placements] = []
        for tensor, parts in zip(other.operands, held, strict=True):
            local = next(iter(parts.values())).shape
            choices = fitting(self.asked.distributed, tensor.shape, local, ())
            fit = next((each for each in choices if self._is_held(tensor, parts, each)), None)
            if fit is None:
                return None
            found.append(fit)
        return tuple(found)

    def _is_held(self, tensor: BlockTensor, parts: Held, placements: Placements) -> bool:
        mesh = self.asked.distributed.mesh
        return all(part == held_by(tensor, placements, mesh, rank) for rank, part in parts.items())

    def _relations(
        self, distributed: Graph, sequential: Graph, placements: tuple[Placements, ...]
    ) -> Sequence[Relation] | None:
        key = distributed, sequential, placements
        if key not in self._proved:
            names = [node.name for node in distributed.nodes if isinstance(node, GraphInput)]
            inputs = tuple(Placed(name, each, 0) for name, each in zip(names, placements, strict=True))
            self._proved[key] = self.prove(Refinement(distributed, sequential, inputs, (), self.asked.facts))
        return self._proved[key]

    def _results(self, other: _SequentialCall, call: CalledGraph, relations: Sequence[Relation]) -> Sequence[Held]:
        """What is held by relations of the results, which have their numbers as names. Raises `NotByCalls` if one is
        held as more than one result of the sequential graph, or not at all."""
        by_result = {int(each.held_as): each for each in relations}
        if set(by_result) != set(range(len(call.results))):
            raise NotByCalls
        if any(isinstance(placed, Partial) for each in relations for placed in each.placements):
            # What is held of a sum is not said by the sum.
            raise NotByCalls
        mesh, ranks = self.asked.distributed.mesh, ranks_of(self.asked.distributed)
        return [
            {rank: held_by(other.results[int(each.result)], each.placements, mesh, rank) for rank in ranks}
            for _, each in sorted(by_result.items())
        ]


def _alone(graph: Graph, call: CalledGraph) -> Graph:
    """What is called as a graph by itself, with an input for each operand: two calls of one graph at the same sizes are
    equal. Of equal operands the first is read."""
    place = {number: at for at, number in reversed(list(enumerate(call.operands)))}
    inputs = [
        GraphInput(Name(str(at)), "f32", _placeless(graph.nodes[number].shape), 0)
        for at, number in enumerate(call.operands)
    ]
    place |= {number: len(inputs) + number - call.first for number in range(call.first, call.stop)}
    nodes = tuple(_without_site(redirected(node, place.__getitem__)) for node in graph.nodes[call.first : call.stop])
    results = tuple(GraphResult(Name(str(at)), place[number]) for at, number in enumerate(call.results))
    inner = tuple(
        CalledGraph(
            place[each.first],
            place[each.stop - 1] + 1,
            tuple(place[at] for at in each.operands),
            tuple(place[at] for at in each.results),
        )
        for each in graph.calls
        if call.first <= each.first and each.stop <= call.stop and each != call
    )
    return Graph(Name("called"), graph.mesh, (*inputs, *nodes), results, (), inner)


def _without_site(node: Node) -> Node:
    moved = replace(node, shape=_placeless(node.shape), site=0)
    match moved:
        case Slice(start=start):
            return replace(moved, start=_placeless(start))
        case SizeValue(value=value):
            return replace(moved, value=_placeless((value,))[0])
        case _:
            return moved


def _placeless(indices: Sequence[Index]) -> tuple[Index, ...]:
    return tuple(map(_index, indices))


def _index(index: Index) -> Index:
    match index:
        case Literal(value=value):
            return Literal(value, 0)
        case IntegerReference(name=name):
            return IntegerReference(name, 0)
        case IndexOperation(operator=operator, left=left, right=right):
            return IndexOperation(operator, _index(left), _index(right), 0)
        case _:
            return index
