"""A graph's nodes at concrete sizes, on every rank at once.

Owns the order of evaluation and what is said of a node without a value. Each result has the shape that its node says,
or the node has no value. Must not know refinements.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from msgspec import Struct

from rewright.model.graph import (
    AllGather,
    AllReduce,
    AllToAll,
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
)
from rewright.model.index import Name
from rewright.replay.arrays import Data, filled
from rewright.replay.elements import NotReplayable, TooLarge
from rewright.replay.graphs import local
from rewright.replay.graphs.collectives import Held, exchanged
from rewright.replay.graphs.extents import Misfit, Numbers, Unfit, extent, extents
from rewright.replay.graphs.ranks import Coordinates, ranks
from rewright.replay.graphs.steps import MOST_STEPS, steps_of

MOST_BITS = 1 << 13
"""Bits of the largest number: where every operator multiplies, numbers grow as fast as a power of two."""


class GraphValues(Struct, frozen=True, eq=False):
    """What each rank holds of every node, in the order of the nodes, and of every result, by its name.

    An element without a value, such as a quotient by 0, is `UNDEFINED` in it. Arrays: object, with an axis for each
    dimension, () at rank 0.
    """

    nodes: tuple[Held, ...]
    results: Mapping[Name, Held]


class Valueless(Struct, frozen=True):
    """The node at `site` has no value at these sizes on `rank`; `node` is its number."""

    misfit: Misfit
    node: int
    site: int
    rank: Coordinates


def evaluate(graph: Graph, sizes: Numbers, inputs: Mapping[Name, Held]) -> GraphValues | Valueless:
    """The values of all nodes on all ranks, or the first node that has none, in exact arithmetic.

    `inputs` hold, for each rank, an array: object, with an axis for each dimension, () at rank 0. Without a mesh the
    one rank is `()`. Raises `NotReplayable` for an operator that is not replayed and `TooLarge` beyond `MOST_STEPS` and
    `MOST_BITS`.

    >>> x = GraphInput(Name("x"), "f32", (Number(2, 0),), 0)
    >>> graph = Graph(Name("twice"), (), (x, Elementwise("add", (0, 0), x.shape, 1)), (GraphResult(Name("y"), 1),))
    >>> evaluate(graph, {}, {Name("x"): {(): from_flat((2,), [Fraction(1), Fraction(3)])}}).results["y"][()]
    array([Fraction(2, 1), Fraction(6, 1)], dtype=object)
    """
    if steps_of(graph, sizes) > MOST_STEPS:
        raise TooLarge(f"a graph of more than {MOST_STEPS} steps is too large to be replayed")
    all_ranks = tuple(ranks(graph.mesh))
    found: list[Held] = []
    for number, node in enumerate(graph.nodes):
        values: dict[Coordinates, Data] = {}
        for rank in all_ranks:
            try:
                shape = extents(node.shape, sizes)
                values[rank] = _value(_At(graph, found, rank, sizes, inputs), node, shape)
                if values[rank].shape != shape:
                    raise Unfit("shapes")
                if isinstance(node, Elementwise | Dot):
                    _require_short(values[rank])
            except Unfit as unfit:
                return Valueless(unfit.misfit, number, node.site, rank)
        found.append(values)
    return GraphValues(tuple(found), {result.name: found[result.node] for result in graph.results})


class _At(Struct, frozen=True, eq=False):
    """Where a node is evaluated: the nodes before it, on all ranks, and the rank at hand."""

    graph: Graph
    found: list[Held]
    rank: Coordinates
    sizes: Numbers
    inputs: Mapping[Name, Held]

    @property
    def numbers(self) -> Numbers:
        """The sizes, and the rank's coordinates."""
        return {**self.sizes, **{axis.name: at for axis, at in zip(self.graph.mesh, self.rank, strict=True)}}

    def __getitem__(self, node: int) -> Data:
        return self.found[node][self.rank]


def _require_short(data: Data) -> None:
    """Raises `TooLarge` where numbers are longer than `MOST_BITS`: steps count none of their digits."""
    each: object
    for each in data.flat:
        if isinstance(each, Fraction) and max(each.numerator.bit_length(), each.denominator.bit_length()) > MOST_BITS:
            raise TooLarge(f"numbers of more than {MOST_BITS} bits are too large to be replayed")


def _value(at: _At, node: Node, shape: tuple[int, ...]) -> Data:
    match node:
        case GraphInput(name=name):
            if name not in at.inputs or at.rank not in at.inputs[name]:
                raise Unfit("input")
            return at.inputs[name][at.rank]
        case Constant(value=value):
            return filled((), value)
        case SizeValue(value=value):
            return filled((), Fraction(extent(value, at.numbers)))
        case Iota(dimension=dimension):
            return local.iota(dimension, shape)
        case Elementwise(operator=operator, operands=operands):
            return local.elementwise(operator, [at[each] for each in operands])
        case Spread(operand=operand, dimensions=dimensions):
            return local.spread(at[operand], dimensions, shape)
        case Dot(operands=(left, right), batch=batch, contract=contract):
            return local.dot(at[left], at[right], batch, contract)
        case Reduce(monoid=monoid, operand=operand, dimensions=dimensions):
            return local.reduced(monoid, at[operand], dimensions)
        case Transpose(operand=operand, permutation=permutation):
            return local.transposed(at[operand], permutation)
        case Reshape(operand=operand):
            return local.reshaped(at[operand], shape)
        case Slice(operand=operand, start=start):
            return local.cut(at[operand], [extent(each, at.numbers) for each in start], shape)
        case Concatenate(operands=operands, dimension=dimension):
            return local.concatenated([at[each] for each in operands], dimension)
        case Gather(operand=operand, indices=indices, dimension=dimension):
            return local.gathered(at[operand], at[indices], dimension)
        case OpaqueCall():
            raise NotReplayable("an operator of which only the shapes are known has no value")
        case AllReduce() | AllGather() | ReduceScatter() | AllToAll() | Permute() | CollectiveBroadcast():
            return exchanged(node, at.graph.mesh, at.found[node.operand], at.rank)
        case _:
            assert_never(node)
