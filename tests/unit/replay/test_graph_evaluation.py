"""Graphs evaluated on every rank of a mesh, and inputs made by placements."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from rewright.model.graph import (
    AllGather,
    AllReduce,
    AllToAll,
    CollectiveBroadcast,
    Concatenate,
    Constant,
    Dot,
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
    Reshape,
    Shape,
    Shard,
    Slice,
    Spread,
    Transpose,
)
from rewright.model.index import Index, IndexOperation, IntegerReference, Name, Number
from rewright.replay.arrays import from_flat
from rewright.replay.elements import UNDEFINED, TooLarge
from rewright.replay.enclosures import Enclosure
from rewright.replay.graphs.collectives import Held
from rewright.replay.graphs.drawing import DRAWS, Draw, drawn_inputs
from rewright.replay.graphs.evaluation import GraphValues, Valueless, evaluate
from rewright.replay.graphs.expectation import ExpectationFails, ExpectationOfOtherShape, failing_expectation
from rewright.replay.graphs.extents import Misfit
from rewright.replay.graphs.placing import replicas
from rewright.replay.graphs.recovery import Sums, unrecoverable
from rewright.replay.graphs.sizes import size_names, sizes_to_try
from rewright.replay.graphs.steps import steps_of

X, W, Y = Name("x"), Name("w"), Name("y")
A, B = Name("a"), Name("b")
MESH = (MeshAxis(A, 2), MeshAxis(B, 3))


def sized(*sizes: int | str) -> Shape:
    return tuple(Number(size, 0) if isinstance(size, int) else IntegerReference(Name(size), 0) for size in sizes)


def over(size: str, parts: int) -> Index:
    return IndexOperation("//", IntegerReference(Name(size), 0), Number(parts, 0), 0)


def of(*nodes: Node, mesh: tuple[MeshAxis, ...] = ()) -> Graph:
    return Graph(Name("g"), mesh, nodes, (GraphResult(Y, len(nodes) - 1),))


def held(values: Mapping[Any, object]) -> Held:
    return {
        rank: from_flat(np.shape(value), map(Fraction, np.ravel(np.array(value)).tolist()))  # type: ignore[call-overload]
        for rank, value in values.items()
    }


def results(graph: Graph, **inputs: Mapping[Any, object]) -> dict[tuple[int, ...], object]:
    found = evaluate(graph, {}, {Name(name): held(value) for name, value in inputs.items()})
    assert isinstance(found, GraphValues), found
    return {rank: data.tolist() for rank, data in found.results[Y].items()}


def on_one(graph: Graph, **inputs: object) -> object:
    return results(graph, **{name: {(): value} for name, value in inputs.items()})[()]


def input_of(*sizes: int) -> GraphInput:
    return GraphInput(X, "f32", sized(*sizes), 0)


def test_one_device() -> None:
    x = input_of(2, 3)
    matrix = [[1, 2, 3], [4, 5, 6]]
    assert on_one(of(x, Reduce("add", 0, (1,), sized(2), 1)), x=matrix) == [6, 15]
    assert on_one(of(x, Reduce("maximum", 0, (0, 1), (), 1)), x=matrix) == 6
    assert on_one(of(x, Transpose(0, (1, 0), sized(3, 2), 1)), x=matrix) == [[1, 4], [2, 5], [3, 6]]
    assert on_one(of(x, Reshape(0, sized(3, 2), 1)), x=matrix) == [[1, 2], [3, 4], [5, 6]]
    assert on_one(of(x, Slice(0, sized(0, 1), sized(2, 2), 1)), x=matrix) == [[2, 3], [5, 6]]
    assert on_one(of(x, Concatenate((0, 0), 1, sized(2, 6), 1)), x=matrix) == [[1, 2, 3] * 2, [4, 5, 6] * 2]
    assert on_one(of(x, Spread(0, (1, 2), sized(1, 2, 3), 1)), x=matrix) == [matrix]
    assert on_one(of(input_of(1), Spread(0, (1,), sized(2, 2), 1)), x=[7]) == [[7, 7], [7, 7]]
    assert on_one(of(x, Dot((0, 0), (), ((1, 1),), sized(2, 2), 1)), x=matrix) == [[14, 32], [32, 77]]
    assert on_one(of(x, Dot((0, 0), ((0, 0),), ((1, 1),), sized(2), 1)), x=matrix) == [14, 77]
    assert on_one(of(Constant(Fraction(1, 2), (), 0), Elementwise("negate", (0,), (), 1))) == Fraction(-1, 2)


def test_elements_without_exact_values_or_without_any() -> None:
    x = input_of(2)
    exponentials = on_one(of(x, Elementwise("exponential", (0,), x.shape, 1)), x=[0, 1])
    assert isinstance(exponentials, list) and exponentials[0] == 1
    assert isinstance(exponentials[1], Enclosure) and 2.71828 < exponentials[1].low < 2.71829
    assert on_one(of(x, Elementwise("divide", (0, 0), x.shape, 1)), x=[0, 3]) == [UNDEFINED, 1]
    squared = of(x, Elementwise("exponential", (0,), x.shape, 1), Dot((1, 1), (), ((0, 0),), (), 2))
    assert isinstance(on_one(squared, x=[1, 2]), Enclosure)


@pytest.mark.parametrize(
    ("node", "misfit"),
    [
        (Slice(0, sized(3), sized(2), 7), "outside"),
        (Slice(0, sized(-1), sized(2), 7), "outside"),
        (Slice(0, sized(0), sized(-2), 7), "negative"),
        (Reshape(0, (IndexOperation("//", Number(4, 0), Number(3, 0), 0),), 7), "uneven"),
        (Reshape(0, sized(5), 7), "shapes"),
        (Elementwise("negate", (0,), sized(5), 7), "shapes"),
        (AllGather(0, 0, (A,), sized(4), 7), "axis"),
    ],
)
def test_a_node_without_a_value(node: Node, misfit: Misfit) -> None:
    found = evaluate(of(input_of(4), node), {}, {X: held({(): [1, 2, 3, 4]})})
    assert found == Valueless(misfit, 1, 7, ())


RANKS = [(a, b) for a in range(2) for b in range(3)]
NUMBERED = {(a, b): [10 * a + b] for a, b in RANKS}


def test_collectives_combine_the_ranks_of_their_group() -> None:
    x = input_of(1)

    def after(node: Node) -> dict[tuple[int, ...], object]:
        return results(of(x, node, mesh=MESH), x=NUMBERED)

    assert after(AllReduce("add", 0, (B,), x.shape, 1)) == {(a, b): [30 * a + 3] for a, b in RANKS}
    assert after(AllReduce("maximum", 0, (A, B), x.shape, 1)) == {key: [12] for key in RANKS}
    assert after(AllGather(0, 0, (A, B), sized(6), 1)) == {key: [0, 1, 2, 10, 11, 12] for key in RANKS}
    assert after(AllGather(0, 0, (B, A), sized(6), 1)) == {key: [0, 10, 1, 11, 2, 12] for key in RANKS}
    assert after(CollectiveBroadcast(0, A, 1, x.shape, 1)) == {(a, b): [10 + b] for a, b in RANKS}
    assert after(Permute(0, B, ((0, 1), (1, 2)), x.shape, 1)) == {
        (a, b): [10 * a + b - 1 if b else 0] for a, b in RANKS
    }


def test_collectives_that_cut() -> None:
    mesh = (MeshAxis(A, 2),)
    values = {(0,): [[1, 2], [3, 4]], (1,): [[5, 6], [7, 8]]}
    x = input_of(2, 2)
    scattered = of(x, ReduceScatter("add", 0, 0, (A,), sized(1, 2), 1), mesh=mesh)
    assert results(scattered, x=values) == {(0,): [[6, 8]], (1,): [[10, 12]]}
    exchanged = of(x, AllToAll(0, 0, 1, (A,), sized(1, 4), 1), mesh=mesh)
    assert results(exchanged, x=values) == {(0,): [[1, 2, 5, 6]], (1,): [[3, 4, 7, 8]]}
    uneven = of(input_of(3), ReduceScatter("add", 0, 0, (A,), sized(1), 9), mesh=mesh)
    assert evaluate(uneven, {}, {X: held({(0,): [1, 2, 3], (1,): [1, 2, 3]})}) == Valueless("uneven", 1, 9, (0,))


def test_an_offset_of_the_rank() -> None:
    start = IndexOperation("*", IntegerReference(A, 0), Number(2, 0), 0)
    graph = of(input_of(4), Slice(0, (start,), sized(2), 1), mesh=(MeshAxis(A, 2),))
    assert results(graph, x={key: [1, 2, 3, 4] for key in [(0,), (1,)]}) == {(0,): [1, 2], (1,): [3, 4]}


def linear(mesh: tuple[MeshAxis, ...], depth: Index) -> Graph:
    x, w = GraphInput(X, "f32", (*sized("t"), depth), 0), GraphInput(W, "f32", (depth, *sized("h")), 1)
    return of(x, w, Dot((0, 1), (), ((1, 0),), sized("t", "h"), 2), mesh=mesh)


def contracted(*of_x: Shard | Partial) -> Refinement:
    """A product whose contracted dimension is cut over three ranks; the first operand is placed as stated."""
    mesh = (MeshAxis(B, 3),)
    placed = (Placed(X, of_x, 0), Placed(W, (Shard(0, B),), 0))
    return Refinement(linear(mesh, over("k", 3)), linear((), *sized("k")), placed, ())


def test_sizes_at_which_everything_divides() -> None:
    refinement = contracted(Shard(1, B))
    assert size_names(refinement) == ("t", "k", "h")
    assert list(sizes_to_try(refinement)) == [
        {"t": 1, "k": 3, "h": 1},
        {"t": 2, "k": 6, "h": 2},
        {"t": 2, "k": 6, "h": 3},
    ]


def test_inputs_that_cannot_be_placed() -> None:
    for placement in (Shard(0, B), Shard(2, B), Shard(1, A)):
        refinement = contracted(placement)
        assert list(sizes_to_try(refinement)) == []
        assert drawn_inputs(refinement, {Name("t"): 3, Name("k"): 3, Name("h"): 1}, DRAWS[0]) is None


@pytest.mark.parametrize("draw", DRAWS)
def test_inputs_are_made_by_their_placements(draw: Draw) -> None:
    refinement = contracted(Shard(1, B))
    (*_, sizes) = sizes_to_try(refinement)
    drawn = drawn_inputs(refinement, sizes, draw)
    assert drawn is not None
    whole = evaluate(refinement.sequential, sizes, drawn.sequential)
    parts = evaluate(refinement.distributed, sizes, drawn.distributed)
    assert isinstance(whole, GraphValues) and isinstance(parts, GraphValues)
    (replica,) = replicas(parts.results[Y], [Partial("add", B)], refinement.distributed.mesh)
    assert replica.whole.tolist() == whole.results[Y][()].tolist()


def stated(refinement: Refinement, *placements: Shard | Partial) -> Refinement:
    return replace(refinement, expected=(Placed(Y, placements, 0),))


SMALL = {Name("t"): 2, Name("k"): 6, Name("h"): 2}


def test_an_expectation_that_holds_fails_nowhere() -> None:
    assert failing_expectation(stated(contracted(Shard(1, B)), Partial("add", B)), SMALL) is None
    assert unrecoverable(contracted(Shard(1, B)), SMALL) is None


def test_an_expectation_that_fails() -> None:
    found = failing_expectation(stated(contracted(Shard(1, B))), SMALL)
    assert isinstance(found, ExpectationFails)
    assert found.index == (0, 0) and found.expected != found.found
    (entry,) = found.entries
    assert (entry.rank, entry.index, entry.element) == ((0,), (0, 0), found.found)
    wrong_sum = failing_expectation(stated(contracted(Shard(1, B)), Partial("maximum", B)), SMALL)
    assert isinstance(wrong_sum, ExpectationFails) and len(wrong_sum.entries) == 3
    assert failing_expectation(stated(contracted(Shard(1, B)), Shard(0, B)), SMALL) == ExpectationOfOtherShape(
        Y, (2, 2), (6, 2)
    )


def doubled(*, twice: bool) -> Refinement:
    """The reduced product, which stands for the whole one; added to itself if `twice`."""
    refinement = contracted(Shard(1, B))
    graph, shape = refinement.distributed, sized("t", "h")
    nodes: tuple[Node, ...] = (*graph.nodes, AllReduce("add", 2, (B,), shape, 3))
    if twice:
        nodes = (*nodes, Elementwise("add", (3, 3), shape, 4))
    return replace(refinement, distributed=replace(graph, nodes=nodes, results=(GraphResult(Y, len(nodes) - 1),)))


def test_an_element_that_no_rank_holds() -> None:
    assert unrecoverable(doubled(twice=False), SMALL) is None
    found = unrecoverable(doubled(twice=True), SMALL)
    assert found is not None and found.sums is Sums.ANY_ENTRIES
    assert found.index == (0, 1) and found.expected == found.run.expected.data[1] == "10"


def after(graph: Graph, *nodes: Node) -> Graph:
    nodes = (*graph.nodes, *nodes)
    return replace(graph, nodes=nodes, results=(GraphResult(Y, len(nodes) - 1),))


def test_a_fault_before_a_function_that_saturates() -> None:
    def saturated(graph: Graph) -> Graph:
        last = graph.results[0].node
        thousand = Constant(Fraction(1000), (), 5)
        shape = sized("t", "h")
        scaled = Elementwise("multiply", (last, last + 2), shape, 7)
        return after(
            graph, thousand, Spread(last + 1, (), shape, 6), scaled, Elementwise("tanh", (last + 3,), shape, 8)
        )

    wrong = doubled(twice=True)
    assert unrecoverable(
        replace(wrong, distributed=saturated(wrong.distributed), sequential=saturated(wrong.sequential)), SMALL
    )


def test_numbers_without_exact_values_are_recovered_only_if_they_are_near() -> None:
    """The exponential of the sum is no sum of exponentials; the sum of exponentials is."""
    refinement = contracted(Shard(1, B))
    exponential = Elementwise("exponential", (2,), sized("t", "h"), 3)
    summed = AllReduce("add", 2, (B,), sized("t", "h"), 3)
    of_sum = replace(exponential, operands=(3,))
    sequential = after(refinement.sequential, exponential)
    right = Refinement(after(refinement.distributed, summed, of_sum), sequential, refinement.inputs, ())
    wrong = replace(right, distributed=after(refinement.distributed, exponential))
    assert unrecoverable(right, SMALL) is None and unrecoverable(wrong, SMALL) is not None
    assert failing_expectation(stated(right), SMALL) is None
    assert isinstance(failing_expectation(stated(wrong, Partial("add", B)), SMALL), ExpectationFails)


def test_what_takes_too_many_steps_is_not_begun() -> None:
    refinement = contracted(Shard(1, B))
    assert steps_of(refinement.distributed, SMALL) == 3 * (2 * 2 + 2 * 2 + 2 * 2 * 2)
    large = {Name("t"): 1 << 10, Name("k"): 3 << 10, Name("h"): 1 << 10}
    with pytest.raises(TooLarge):
        failing_expectation(stated(refinement), large)
    with pytest.raises(TooLarge):
        unrecoverable(refinement, SMALL, 80)


def test_numbers_too_long_are_not_multiplied_on() -> None:
    shape = (Number(1, 0),)
    x = GraphInput(Name("x"), "f32", shape, 0)

    def squared(times: int) -> Graph:
        squares = (Elementwise("multiply", (at, at), shape, 0) for at in range(times))
        return Graph(Name("power"), (), (x, *squares), (GraphResult(Name("y"), times),))

    inputs: dict[Name, Any] = {Name("x"): {(): np.array([Fraction(3)], dtype=object)}}
    assert evaluate(squared(12), {}, inputs).results[Name("y")][()][0] == 3 ** (1 << 12)  # type: ignore[union-attr]
    with pytest.raises(TooLarge):
        evaluate(squared(40), {}, inputs)
