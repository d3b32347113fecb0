"""What the nodes of a graph are in block normal form, on every rank.

Owns the pass over a graph's nodes, and collectives: what a rank holds after one is made of what the ranks of its group
held. Must not know placements or results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import assert_never

from msgspec import Struct, field

from rewright.graphs.blocks import BlockTensor, concatenated, one_piece, sliced, spread, transposed
from rewright.graphs.operations import Operations
from rewright.graphs.sizes import ZERO, SizeTerms, quotient
from rewright.model.graph import (
    AllGather,
    AllReduce,
    AllToAll,
    CalledGraph,
    Collective,
    CollectiveBroadcast,
    Concatenate,
    Constant,
    Dot,
    Elementwise,
    Gather,
    Graph,
    GraphInput,
    Iota,
    Node,
    OpaqueCall,
    Permute,
    Reduce,
    ReduceScatter,
    Reshape,
    SizeValue,
    Slice,
    Spread,
    Transpose,
    operands_of,
)
from rewright.model.index import Name
from rewright.terms import Term, multiply, number

Rank = tuple[int, ...]
"""Coordinates on the axes of a mesh, in their order; () where there is no mesh."""

Held = Mapping[Rank, BlockTensor]
"""What each rank holds of one tensor."""


Called = Callable[[CalledGraph, Sequence[Held]], Sequence[Held]]
"""What each rank holds of the results of a call, by what they hold of the nodes before it."""


class GraphPlace(Struct, frozen=True):
    """The node of a graph, on one of the ranks that compute it."""

    graph: Name
    node: int
    rank: Rank


class Interpretation(Struct):
    """A pass over a graph; `values` are the tensors of its nodes so far.

    With `called`, calls are left to it, and nothing is held of the nodes inside of them.
    """

    graph: Graph
    sizes: SizeTerms
    operations: Operations
    given: Callable[[GraphInput, Rank], BlockTensor]
    called: Called | None = None
    values: list[Held] = field(default_factory=list)

    def run(self) -> Sequence[Held]:
        """What each rank holds of each node. Raises `NotComparable`, `NotWithin`, `NotDivided` and `NotPolynomial`."""
        ranks = ranks_of(self.graph)
        calls = {} if self.called is None else outermost(self.graph.calls)
        for number_of_node, node in enumerate(self.graph.nodes):
            if number_of_node < len(self.values):
                continue
            if self.called is not None and number_of_node in calls:
                self._call(calls[number_of_node], self.called)
            elif isinstance(node, Collective):
                self._at(number_of_node, ranks[0])
                self.values.append(self._exchanged(node, ranks))
            else:
                self.values.append(self._on_all(number_of_node, node, ranks))
        return self.values

    def _call(self, call: CalledGraph, called: Called) -> None:
        self._at(call.results[0], ranks_of(self.graph)[0])
        results = dict(zip(call.results, called(call, self.values), strict=True))
        self.values += [results.get(number, {}) for number in range(call.first, call.stop)]

    def _on_all(self, number_of_node: int, node: Node, ranks: Sequence[Rank]) -> Held:
        """What each rank holds of a node; ranks that hold the same operands compute it once."""
        shape, operands = self.sizes.terms(node.shape), operands_of(node)
        if isinstance(node, GraphInput | SizeValue | Slice):
            return {rank: self._computed(number_of_node, node, rank, shape) for rank in ranks}
        found: dict[tuple[int, ...], BlockTensor] = {}
        held: dict[Rank, BlockTensor] = {}
        for rank in ranks:
            of = tuple([id(self.values[each][rank]) for each in operands])
            if of not in found:
                found[of] = self._computed(number_of_node, node, rank, shape)
            held[rank] = found[of]
        return held

    def _at(self, node: int, rank: Rank) -> None:
        self.operations.roots.enter(GraphPlace(self.graph.name, node, rank))

    def _computed(self, number_of_node: int, node: Node, rank: Rank, shape: tuple[Term, ...]) -> BlockTensor:
        self._at(number_of_node, rank)

        def held(of: int) -> BlockTensor:
            return self.values[of][rank]

        match node:
            case GraphInput():
                return self.given(node, rank)
            case Constant(value=value):
                return spread(self.operations.constant(value), (), shape)
            case SizeValue(value=value):
                return one_piece((), self.operations.products.size(self.sizes.term(value, self._coordinates(rank))))
            case Iota(dimension=dimension):
                return self.operations.iota(dimension, shape)
            case Elementwise(operator=operator, operands=operands):
                return self.operations.elementwise(operator, [held(each) for each in operands])
            case Spread(operand=operand, dimensions=dimensions):
                return spread(held(operand), dimensions, shape)
            case Dot(operands=operands, batch=batch, contract=contract):
                return self.operations.dot([held(each) for each in operands], batch, contract)
            case Reduce(monoid=monoid, operand=operand, dimensions=dimensions):
                return self.operations.reduce(monoid, held(operand), dimensions)
            case Transpose(operand=operand, permutation=permutation):
                return transposed(held(operand), permutation)
            case Reshape(operand=operand):
                return self.operations.reshape(held(operand), shape)
            case Slice(operand=operand, start=start):
                return sliced(held(operand), self.sizes.terms(start, self._coordinates(rank)), shape)
            case Concatenate(operands=operands, dimension=dimension):
                return concatenated([held(each) for each in operands], dimension, shape)
            case Gather(operand=operand, indices=indices, dimension=dimension):
                return self.operations.gather(held(operand), held(indices), dimension)
            case OpaqueCall(operator=operator, operands=operands):
                return self.operations.opaques.applied(operator, tuple(held(each) for each in operands), shape)
            case AllReduce() | AllGather() | ReduceScatter() | AllToAll() | Permute() | CollectiveBroadcast():
                raise AssertionError("a collective is no affair of one rank")
            case _:
                assert_never(node)

    def _coordinates(self, rank: Rank) -> Mapping[Name, int]:
        return {axis.name: at for axis, at in zip(self.graph.mesh, rank, strict=True)}

    def _exchanged(self, node: Collective, ranks: Sequence[Rank]) -> Held:
        held, shape = self.values[node.operand], self.sizes.terms(node.shape)
        axes = node.axes if isinstance(node, AllReduce | AllGather | ReduceScatter | AllToAll) else (node.axis,)
        result: dict[Rank, BlockTensor] = {}
        for rank in ranks:
            if rank not in result:
                group = group_of(self.graph, rank, axes)
                parts = self._in_group(node, [held[each] for each in group], shape)
                result.update(zip(group, parts, strict=True))
        return result

    def _in_group(
        self, node: Collective, tensors: Sequence[BlockTensor], shape: Sequence[Term]
    ) -> Sequence[BlockTensor]:
        """What the ranks of a group hold afterwards, in their order."""
        count = len(tensors)
        match node:
            case AllReduce(monoid=monoid):
                return [self.operations.together(monoid, tensors)] * count
            case AllGather(dimension=dimension):
                return [concatenated(tensors, dimension, shape)] * count
            case ReduceScatter(monoid=monoid, dimension=dimension):
                total = self.operations.together(monoid, tensors)
                return [_part(total, dimension, each, shape) for each in range(count)]
            case AllToAll(split=split, concatenate=dimension):
                size = self.sizes.terms(node.shape)
                cut = list(tensors[0].shape)
                cut[split] = _share(size, tensors[0].shape, split, dimension, count)
                return [
                    concatenated([_part(each, split, to, cut) for each in tensors], dimension, shape)
                    for to in range(count)
                ]
            case Permute(pairs=pairs):
                sender = {to: start for start, to in pairs}
                nothing = one_piece(shape, frozenset())
                return [tensors[sender[to]] if to in sender else nothing for to in range(count)]
            case CollectiveBroadcast(root=root):
                return [tensors[root]] * count
            case _:
                assert_never(node)


def _share(result: Sequence[Term], operand: Sequence[Term], split: int, concatenate: int, count: int) -> Term:
    """The size along `split` of what a rank sends to each of `count` in an `AllToAll`."""

    return quotient(operand[split], number(count)) if split == concatenate else result[split]


def _part(tensor: BlockTensor, dimension: int, at: int, shape: Sequence[Term]) -> BlockTensor:
    """The part of this shape with number `at` along a dimension."""
    start = [ZERO] * len(tensor.shape)
    start[dimension] = multiply(number(at), shape[dimension])
    return sliced(tensor, start, shape)


def ranks_of(graph: Graph) -> list[Rank]:
    """All ranks of a graph's mesh, the last axis fastest; one rank if there is none."""
    return list(product(*(range(axis.size) for axis in graph.mesh)))


def group_of(graph: Graph, rank: Rank, axes: Sequence[Name]) -> list[Rank]:
    """The ranks that differ from this one on the given axes alone, the last of these fastest."""
    names = [axis.name for axis in graph.mesh]
    places = [names.index(axis) for axis in axes]
    found = []
    for coordinates in product(*(range(graph.mesh[place].size) for place in places)):
        other = list(rank)
        for place, coordinate in zip(places, coordinates, strict=True):
            other[place] = coordinate
        found.append(tuple(other))
    return found


def outermost(calls: Sequence[CalledGraph]) -> Mapping[int, CalledGraph]:
    """The calls by their first nodes; of those that begin at one node the longest."""
    return {each.first: each for each in sorted(calls, key=lambda call: call.stop - call.first)}
