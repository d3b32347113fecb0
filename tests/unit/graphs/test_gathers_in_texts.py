"""Gathers of StableHLO and HLO: indices that a table lacks are clamped, tokens that come in are indices of it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from graph_sources import answered, asked

from rewright.frontends.stablehlo.reading import read_program
from rewright.frontends.tensor_programs.graph import imported_graph
from rewright.frontends.tensor_programs.imported import ImportedGraph
from rewright.model.graph import Elementwise, Gather, GraphInput
from rewright.model.index import Name
from rewright.replay.arrays import Data, from_flat
from rewright.replay.graphs.evaluation import GraphValues, evaluate
from rewright.verdict import RefinementWitness, Verdict

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs" / "jax"
NUMBERS = "offset_dims = {}, collapsed_slice_dims = {}, start_index_map = {}, index_vector_dim = {}"


def gathered(table: str, indices: str, result: str, numbers: str, sizes: str, before: Sequence[str] = ()) -> str:
    """A function of a table and indices, which looks up `%i`."""
    lines = before or ("%i = stablehlo.optimization_barrier %arg1 : tensor<" + indices + ">",)
    return "\n".join(
        (
            f"func.func @main(%arg0: tensor<{table}>, %arg1: tensor<{indices}>) -> tensor<{result}> {{",
            *lines,
            f'%r = "stablehlo.gather"(%arg0, %i) <{{dimension_numbers = #stablehlo.gather<{numbers}>, '
            f"slice_sizes = array<i64: {sizes}>}}> : (tensor<{table}>, tensor<{indices}>) -> tensor<{result}>",
            f"return %r : tensor<{result}>",
            "}",
        )
    )


def read(text: str) -> ImportedGraph:
    return imported_graph(read_program(text), "main", "g", lambda start, end: start)


def reasons(text: str) -> list[str]:
    return [each.reason for each in read(text).problems]


def by_definition(
    table: Sequence[int], shapes: Sequence[tuple[int, ...]], at: Sequence[int], dims: Sequence[tuple[int, ...]]
) -> list[int]:
    """What StableHLO's specification says of one `start_index_map`: flat numbers, the table's being 0, 1, 2, …"""
    (own, given, made), (offsets, collapsed, (d,), (vector,)) = shapes, dims
    found = []
    for place in product(*map(range, made)):
        batch = [k for n, k in enumerate(place) if n not in offsets]
        if vector < len(given):
            batch.insert(vector, 0)
        flat = 0
        for k, size in zip(batch, given, strict=True):
            flat = flat * size + k
        start = min(max(at[flat], 0), own[d] - 1)
        offset = [place[n] for n in offsets]
        for k in collapsed:
            offset.insert(k, 0)
        where = [k + (start if n == d else 0) for n, k in enumerate(offset)]
        flat = 0
        for k, size in zip(where, own, strict=True):
            flat = flat * size + k
        found.append(table[flat])
    return found


@pytest.mark.parametrize(
    ("shapes", "dims", "sizes"),
    [
        (((5, 3), (2, 4, 1), (2, 4, 3)), ((2,), (0,), (0,), (2,)), (1, 3)),
        (((5, 3), (2, 4), (2, 4, 3)), ((2,), (0,), (0,), (2,)), (1, 3)),
        (((5, 3), (1, 4), (4, 3)), ((1,), (0,), (0,), (0,)), (1, 3)),
        (((5, 3), (4, 1), (3, 4)), ((0,), (0,), (0,), (1,)), (1, 3)),
        (((5, 3), (4, 1), (4, 1, 3)), ((1, 2), (), (0,), (1,)), (1, 3)),
        (((5, 3), (4, 1), (5, 4, 1)), ((0, 2), (), (1,), (1,)), (5, 1)),
        (((2, 5, 3), (4, 2, 1), (2, 4, 3, 2)), ((0, 2), (1,), (1,), (2,)), (2, 1, 3)),
        (((2, 5, 3), (4,), (4, 2, 3)), ((1, 2), (1,), (1,), (1,)), (2, 1, 3)),
        (((5,), (), ()), ((), (0,), (0,), (0,)), (1,)),
    ],
)
def test_a_gather_is_what_the_specification_says(
    shapes: Sequence[tuple[int, ...]], dims: Sequence[tuple[int, ...]], sizes: tuple[int, ...]
) -> None:
    own, given, made = shapes
    table, indices, result = ("x".join([*map(str, each), ""]) for each in shapes)
    numbers = NUMBERS.format(list(dims[0]), list(dims[1]), list(dims[2]), dims[3][0])
    # Twice the indices less themselves: no input as it comes, so what is out of range is clamped.
    type_ = f"tensor<{indices}i32>"
    before = (f"%a = stablehlo.add %arg1, %arg1 : {type_}", f"%i = stablehlo.subtract %a, %arg1 : {type_}")
    text = gathered(f"{table}f32", f"{indices}i32", f"{result}f32", numbers, ", ".join(map(str, sizes)), before)
    found = read(text)
    assert found.graph is not None and not found.problems
    flat = list(range(len(list(product(*map(range, own))))))
    at = [(7 * k) % 11 - 3 for k in range(len(list(product(*map(range, given)))))]
    values = evaluate(
        found.graph,
        {},
        {
            Name("arg0"): {(): from_flat(own, map(Fraction, flat))},
            Name("arg1"): {(): from_flat(given, map(Fraction, at))},
        },
    )
    assert isinstance(values, GraphValues)
    data = values.results[Name("result")][()]
    assert data.shape == made and list(data.ravel()) == by_definition(flat, shapes, at, dims)


def test_what_is_looked_up_by_indices_of_another_shape_has_that_shape() -> None:
    type_, flat = "tensor<2x3xi32>", "tensor<6x1xi32>"
    text = (
        f"func.func @main(%arg0: tensor<5x2xf32>, %arg1: {type_}) -> tensor<3x4xf32> {{\n"
        f"%a = stablehlo.add %arg1, %arg1 : {type_}\n"
        f"%b = stablehlo.broadcast_in_dim %a, dims = [0, 1] : ({type_}) -> tensor<2x3x1xi32>\n"
        f"%i = stablehlo.reshape %b : (tensor<2x3x1xi32>) -> {flat}\n"
        f'%r = "stablehlo.gather"(%arg0, %i) <{{dimension_numbers = #stablehlo.gather<{EMBEDDING}>, '
        f"slice_sizes = array<i64: 1, 2>}}> : (tensor<5x2xf32>, {flat}) -> tensor<6x2xf32>\n"
        "%s = stablehlo.reshape %r : (tensor<6x2xf32>) -> tensor<3x4xf32>\nreturn %s : tensor<3x4xf32>\n}"
    )
    found = read(text)
    assert found.graph is not None and not found.problems
    given: Mapping[Name, Mapping[tuple[int, ...], Data]] = {
        Name("arg0"): {(): from_flat((5, 2), map(Fraction, range(10)))},
        Name("arg1"): {(): from_flat((2, 3), map(Fraction, (0, 1, 2, -1, 3, 1)))},
    }
    values = evaluate(found.graph, {}, given)
    assert isinstance(values, GraphValues)
    assert values.results[Name("result")][()].tolist() == [[0, 1, 4, 5], [8, 9, 0, 1], [8, 9, 4, 5]]


EMBEDDING = NUMBERS.format([1], [0], [0], 1)


def clamps(text: str) -> int:
    """How many gathers of a text look up what was clamped."""
    graph = read(text).graph
    assert graph is not None
    looked_up = [graph.nodes[each.indices] for each in graph.nodes if isinstance(each, Gather)]
    return sum(isinstance(each, Elementwise) and each.operator == "minimum" for each in looked_up)


def test_indices_that_come_in_are_those_of_the_table_unless_something_else_reads_them() -> None:
    text = gathered("5x3xf32", "4xi32", "4x3xf32", EMBEDDING, "1, 3")
    graph = read(text).graph
    assert graph is not None and not clamps(text)
    assert [each.type for each in graph.nodes if isinstance(each, GraphInput)] == ["f32", "s32"]
    compared = "%c = stablehlo.compare LT, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>"
    read_twice = text.replace("%r =", compared + "\n%r =")
    assert clamps(read_twice) == 1
    returned = text.replace("-> tensor<4x3xf32> {", "-> (tensor<4x3xf32>, tensor<4xi32>) {").replace(
        "return %r : tensor<4x3xf32>", "return %r, %arg1 : tensor<4x3xf32>, tensor<4xi32>"
    )
    assert clamps(returned) == 1


def test_indices_of_parts_that_ranks_have_are_clamped() -> None:
    assert clamps((LIBRARY / "embedding.mlir").read_text(encoding="utf-8")) == 0
    assert clamps((LIBRARY / "embedding_of_columns.mlir").read_text(encoding="utf-8")) == 0
    by_rows = (
        (LIBRARY / "embedding_of_columns.mlir").read_text(encoding="utf-8").replace('[{}, {"tp"}]', '[{"tp"}, {}]')
    )
    by_rows = (
        by_rows.replace("tensor<8x2xf32>", "tensor<4x4xf32>").replace("1, 2>", "1, 4>").replace("3x2xf32", "3x4xf32")
    )
    assert (
        clamps(by_rows.replace("tensor<2x3x4xf32>) -> tensor<2x3x4xf32>", "tensor<2x3x4xf32>) -> tensor<2x3x8xf32>"))
        == 1
    )


def test_indices_that_come_in_are_not_counted_from_the_end() -> None:
    """What JAX prints of `w[tokens]`; if anything is otherwise, nothing is assumed."""
    text = (LIBRARY / "embedding_by_brackets.mlir").read_text(encoding="utf-8")
    graph = read(text).graph
    assert graph is not None and not clamps(text)
    (found,) = [each for each in graph.nodes if isinstance(each, Gather)]
    assert isinstance(graph.nodes[found.indices], GraphInput)
    for before, after in (
        ("dense<8>", "dense<7>"),
        ("dense<0>", "dense<1>"),
        ("compare LT", "compare GT"),
        ("stablehlo.add %arg1, %", "stablehlo.subtract %arg1, %"),
        ("stablehlo.select %1, %3, %arg1", "stablehlo.select %1, %arg1, %3"),
        ("return %6 : tensor<2x3x4xf32>", "return %6, %4 : tensor<2x3x4xf32>, tensor<2x3xi32>"),
    ):
        assert before in text, before
        assert clamps(text.replace(before, after)) == 1, before


def test_of_several_tables_the_largest_has_all_indices() -> None:
    text = gathered("5x3xf32", "4xi32", "4x3xf32", EMBEDDING, "1, 3").replace(
        "%r =",
        "%s = stablehlo.slice %arg0 [0:4, 0:3] : (tensor<5x3xf32>) -> tensor<4x3xf32>\n"
        '%q = "stablehlo.gather"(%s, %i) <{dimension_numbers = #stablehlo.gather<' + EMBEDDING + ">, "
        "slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>\n%r =",
    )
    assert clamps(text) == 1


def test_the_pairs_of_the_library_are_decided() -> None:
    proved = (
        *("embedding_tp", "embedding_tp_clamped", "embedding_tp_by_brackets", "embedding_of_columns"),
        *("embedding_tp_hlo", "embedding_tp_run"),
    )
    for name in proved:
        assert answered(LIBRARY, name).verdict is Verdict.PROVED, name
    wrong_ones = ("without_mask", "with_one_more", "with_one_more_hlo", "from_the_end")
    for name in (f"embedding_tp_{each}" for each in wrong_ones):
        wrong = answered(LIBRARY, name)
        assert wrong.verdict is Verdict.REFUTED, name
        assert isinstance(wrong.witness, RefinementWitness) and wrong.witness.replayed


def test_a_row_too_many_is_not_proved_where_it_is_hardly_ever_looked_up() -> None:
    """Of a thousand rows a rank takes one that it does not have: the clamp gives another one in its place."""
    names = ("embedding.mlir", "embedding_tp_with_one_more.mlir")
    sources = {name: (LIBRARY / name).read_text(encoding="utf-8") for name in names}
    whole, ranks = sources.values()
    sources["embedding.mlir"] = whole.replace("8x4xf32", "1000x4xf32")
    made = ranks.replace("8x4xf32", "1000x4xf32").replace("<4x4xf32>", "<500x4xf32>").replace("dense<4>", "dense<500>")
    assert made.count("dense<500>") == 2
    text = (LIBRARY / "embedding.rw").read_text(encoding="utf-8")
    for one_more in (True, False):
        sources["embedding_tp_with_one_more.mlir"] = made if one_more else made.replace("compare LE", "compare LT")
        found = asked(text, sources, "embedding_tp_with_one_more").verdict
        assert (found is Verdict.PROVED) == (not one_more)


COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "GE": operator.ge,
    "GT": operator.gt,
    "LT": operator.lt,
    "LE": operator.le,
}


@pytest.mark.parametrize("name", ["embedding_tp", "embedding_tp_with_one_more"])
def test_every_mask_is_proved_or_refuted_as_the_clamp_says(name: str) -> None:
    """Bounds that are one off, or the wrong way round; the index is masked in the first of the texts."""
    sources = {each: (LIBRARY / each).read_text(encoding="utf-8") for each in ("embedding.mlir", f"{name}.mlir")}
    text, declared = sources[f"{name}.mlir"], (LIBRARY / "embedding.rw").read_text(encoding="utf-8")
    assert "compare GE" in text and text.count("%c_2 = stablehlo.constant dense<4>") == 1
    seen = set[bool]()
    for low, high, rows in product(("GE", "GT", "LE"), ("LT", "LE", "GE"), (3, 4, 5)):
        made = text.replace("compare LT", "compare LE").replace("compare LE", "compare TO").replace("GE", low)
        made = made.replace("compare TO", f"compare {high}").replace(
            "%c_2 = stablehlo.constant dense<4>", f"%c_2 = stablehlo.constant dense<{rows}>"
        )
        sources[f"{name}.mlir"] = made
        right = all(
            _rows(token, low, high, rows, is_index_masked=name == "embedding_tp") == [token] for token in range(8)
        )
        assert asked(declared, sources, name).verdict is (Verdict.PROVED if right else Verdict.REFUTED), (
            low,
            high,
            rows,
        )
        seen.add(right)
    assert seen == {True, False}


def _rows(token: int, low: str, high: str, rows: int, *, is_index_masked: bool) -> list[int]:
    """Which rows of the table two ranks sum at a token, each with four of them; none that is masked."""
    found = []
    for first in (0, 4):
        is_own = COMPARED[low](token, first) and COMPARED[high](token, first + rows)
        index = token - first if is_own or not is_index_masked else 0
        if is_own:
            found.append(first + min(max(index, 0), 3))
    return found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            gathered("5x3xf32", "4x2xi32", "4xf32", NUMBERS.format([], [0, 1], [0, 1], 1), "1, 1"),
            "its indices are of several dimensions",
        ),
        (
            gathered("5x3xf32", "4xi32", "4x2x3xf32", NUMBERS.format([1, 2], [], [0], 1), "2, 3"),
            "its slices are not one index of one dimension, and all of the others",
        ),
        (
            gathered("5x3xf32", "4xi32", "4x2xf32", EMBEDDING, "1, 2"),
            "its slices are not one index of one dimension, and all of the others",
        ),
        (gathered("0x3xf32", "4xi32", "4x3xf32", EMBEDDING, "1, 3"), "its table is empty"),
        (gathered("5x3xf32", "4xf32", "4x3xf32", EMBEDDING, "1, 3"), "its indices are no integers"),
        (
            gathered("5x3xf32", "4xi32", "4x3xf32", EMBEDDING + ", operand_batching_dims = [1]", "1, 3"),
            "it looks up in several tables at once",
        ),
        (
            gathered("5x3xf32", "4xi32", "4x3xf32", NUMBERS.format([1], [1], [0], 1), "1, 3"),
            "its dimensions are not those of its operands",
        ),
        (
            gathered("5x3xf32", "4xi32", "4x3xf32", NUMBERS.format([0, 1], [0], [0], 1), "1, 3"),
            "its dimensions are not those of its operands",
        ),
    ],
)
def test_a_gather_of_another_form_is_not_taken(text: str, why: str) -> None:
    assert reasons(text) == [f"`stablehlo.gather` is not taken: {why}"]
    assert read(text).graph is None


def test_unsigned_integers_that_come_in_are_not_taken() -> None:
    text = gathered("5x3xf32", "4xui32", "4x3xf32", EMBEDDING, "1, 3")
    assert reasons(text) == ["`%arg1` holds `ui32`: what reads it is not taken"]
    before = ("%i = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xui32>",)
    text = gathered("5x3xf32", "4xi32", "4x3xf32", EMBEDDING, "1, 3", before)
    assert reasons(text) == ["`stablehlo.convert` is not taken: numbers below 0 wrap around"]


@pytest.mark.parametrize(("number", "problems"), [("2", 0), ("5.0e-01", 1)])
def test_what_may_be_no_integer_any_more_is_not_taken_for_one(number: str, problems: int) -> None:
    """A quotient or a product with a fraction would have to be rounded."""
    type_ = "tensor<4xf32>"
    before = (
        f"%a = stablehlo.convert %arg1 : (tensor<4xi32>) -> {type_}",
        f"%b = stablehlo.constant dense<{number}> : {type_}",
        f"%c = stablehlo.multiply %a, %b : {type_}",
        f"%i = stablehlo.convert %c : ({type_}) -> tensor<4xi32>",
    )
    text = gathered("5x3xf32", "4xi32", "4x3xf32", EMBEDDING, "1, 3", before)
    assert len(reasons(text)) == problems
    assert reasons(text.replace("multiply", "divide")) == ["`stablehlo.convert` is not taken: it rounds"]
