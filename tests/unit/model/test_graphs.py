"""Graphs and refinements as values: sizes as polynomials, nodes with their shapes, graphs that are imported."""

from __future__ import annotations

from fractions import Fraction

import pytest
from model_texts import model, parsed

from rewright.checks.refinement_question import RefinementPayload
from rewright.checks.table import questions
from rewright.model.check_graph.sizes import constant, index_of, product, scaled, size_of, symbolic, text, total
from rewright.model.file import Elsewhere, FileModel, check_file
from rewright.model.graph import AllGather, Dot, Elementwise, Graph, Partial, Refinement, Shard, Slice, Spread
from rewright.model.index import Name
from rewright.rules.decision import Mode
from rewright.verdict.codec import decode

PLAIN = "graph mlp(X: f32[m, k], A: f32[k, h]) -> Y { Y = max(X @ A, 0) }\n"
SHARDED = """graph mlp_tp(X: f32[m/dp, k], A: f32[k, h/tp]) -> Y on mesh(dp = 2, tp = 4) {
  H = max(X @ A, 0)
  Y = all_gather(H, 1, over = tp)
}
"""
REFINE = (
    "refine mlp_tp of mlp { X: shard(m, dp); A: replicate, shard(h, tp); expect Y: partial(add, tp), shard(0, dp) }\n"
)


def shapes(graph: Graph) -> list[str]:
    return [", ".join(text(size_of(size)) for size in node.shape) for node in graph.nodes]


def graph(written: str) -> Graph:
    (declared,) = model(written).declarations
    assert isinstance(declared.value, Graph), declared
    return declared.value


def test_a_size_is_written_with_one_division() -> None:
    size = total(
        (scaled(symbolic("h"), Fraction(1, 2)), scaled(product((symbolic("h"), symbolic("b"))), Fraction(-2, 3)))
    )
    assert text(size) == "h/2 - 2*b*h/3"
    assert size_of(index_of(size, 0)) == size
    assert size_of(index_of(constant(-3), 0)) == constant(-3)
    assert total((symbolic("a"), scaled(symbolic("a"), Fraction(-1)))) == constant(0)


def test_nodes_have_the_shape_of_one_rank() -> None:
    made = graph(SHARDED)
    assert shapes(made) == ["m/2, k", "k, h/4", "m/2, h/4", "", "m/2, h/4", "m/2, h/4", "m/2, h"]
    assert isinstance(made.nodes[2], Dot)
    _, _, _, _, spread, maximum, gathered = made.nodes
    assert isinstance(spread, Spread)
    assert (spread.operand, spread.dimensions) == (3, ())
    assert isinstance(maximum, Elementwise)
    assert (maximum.operator, maximum.operands) == ("maximum", (2, 4))
    assert isinstance(gathered, AllGather)
    assert (gathered.dimension, gathered.axes, made.results[0].node) == (1, ("tp",), 6)


@pytest.mark.parametrize(
    ("operands", "batch", "contract", "shape"),
    [
        ("X: f32[b, m, k], W: f32[k, n]", (), (2, 0), "b, m, n"),
        ("X: f32[b, m, k], W: f32[b, k, n]", ((0, 0),), (2, 1), "b, m, n"),
        ("X: f32[m, k], W: f32[b, k, n]", ((0, 0),), (2, 1), "b, m, n"),
        ("X: f32[k], W: f32[b, k, n]", (), (0, 1), "b, n"),
        ("X: f32[k], W: f32[k]", (), (0, 0), ""),
        ("X: f32[b, m, k], W: f32[k]", (), (2, 0), "b, m"),
    ],
)
def test_products_of_matrices_are_numpys(
    operands: str, batch: tuple[tuple[int, int], ...], contract: tuple[int, int], shape: str
) -> None:
    made = graph(f"graph g({operands}) -> Y {{ Y = X @ W }}")
    product_of = made.nodes[-1]
    assert isinstance(product_of, Dot)
    assert (product_of.batch, product_of.contract, shapes(made)[-1]) == (batch, (contract,), shape)


def test_a_slice_begins_where_the_rank_is() -> None:
    made = graph("graph g(X: f32[d]) -> Y on mesh(sp = 2) { Y = slice(X, 0, rank(sp) * d/2, (rank(sp) + 1) * d/2) }")
    part = made.nodes[-1]
    assert isinstance(part, Slice)
    assert (text(size_of(part.start[0])), shapes(made)[-1]) == ("d*sp/2", "d/2")


@pytest.mark.parametrize(("line", "count"), [("x{1} = x{0} + x{0}", 60), ("x{1} = x{0} + 1", 3000)])
def test_each_node_is_looked_at_once(line: str, count: int) -> None:
    """For what follows it: long chains, and tensors that are read twice at each step."""
    steps = "\n".join(f"  {line.format(number, number + 1)}" for number in range(count))
    assert len(graph(f"graph g(x0: f32[m]) -> y {{\n{steps}\n  y = exp(x{count})\n}}\n").nodes) > count


def test_powers_of_long_sums_are_not_multiplied_out() -> None:
    long = " + ".join("abcdefghijklmnopqrstuvwxyz")
    (declared,) = model(f"graph g(X: f32[{' * '.join([f'({long})'] * 12)}]) -> X {{ }}").declarations
    assert [each.reason for each in declared.unsupported] == ["a size of so many terms is not supported yet"]
    (declared,) = model(f"graph g(X: f32[{', '.join([long] * 12)}]) -> Y {{ Y = reshape(X, [1]) }}").declarations
    assert [each.reason for each in declared.unsupported] == ["a size of so many terms is not supported yet"]


def refinement(file: FileModel) -> Refinement:
    value = file.declarations[-1].value
    assert isinstance(value, Refinement), file.declarations[-1]
    return value


def test_a_refinement_has_both_graphs_and_the_placements() -> None:
    made = refinement(model(PLAIN + SHARDED + REFINE))
    assert (made.distributed.name, made.sequential.name) == ("mlp_tp", "mlp")
    assert [(each.name, each.placements) for each in made.inputs] == [
        ("X", (Shard(0, Name("dp")),)),
        ("A", (Shard(1, Name("tp")),)),
    ]
    assert made.expected[0].placements == (Partial("add", Name("tp")), Shard(0, Name("dp")))
    (asked,) = questions(made, Mode.NORMAL_FORMS)
    assert isinstance(decode(RefinementPayload, asked.payload), RefinementPayload)


def test_graphs_are_imported_and_a_change_of_one_asks_again() -> None:
    own = 'import "lib.rw"\n' + SHARDED

    def made(library: str, text: str, before: FileModel | None = None) -> FileModel:
        return check_file(parsed(text, "main.rw"), lambda path: parsed(library, path), before)

    first = made(PLAIN, own + REFINE)
    assert first.spoken_of["mlp"] == Elsewhere("lib.rw", 0, first.spoken_of["mlp"].sites)
    moved = made("// a comment\n" + PLAIN, own.replace("graph", "\ngraph") + REFINE, first)
    assert moved.declarations[-1] is first.declarations[-1]
    assert moved.spoken_of["mlp"].start == len("// a comment\n")
    changed = made(PLAIN.replace("max", "min"), own + REFINE, first)
    assert changed.declarations[1] is first.declarations[1]
    assert refinement(changed) != refinement(first)
