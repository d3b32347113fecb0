"""StableHLO as it is read: pretty and generic, with Shardy and with GSPMD's custom calls, and what is wrong with it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from graph_sources import answered, asked, imported

from rewright.frontends.stablehlo.reading import read_program
from rewright.frontends.tensor_programs.graph import imported_graph
from rewright.frontends.tensor_programs.imported import ImportedGraph
from rewright.model.check_graph.sizes import constant, size_of
from rewright.model.graph import AllReduce, Constant, Dot, Elementwise, GraphInput, Shard
from rewright.model.index import Name
from rewright.replay.arrays import from_flat
from rewright.replay.graphs.evaluation import GraphValues, evaluate
from rewright.verdict import InSource, RefinementWitness, Verdict

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs" / "jax"
SHARDY = """module @m attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["tp"=2]>
  func.func public @main(%arg0: tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {"tp"}]>]
      out_shardings=[<@mesh, [{}, {"tp"}]>] manual_axes={"tp"} (%arg1: tensor<4x4xf32>) {
BODY
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
"""

CONVERT = "%1 = stablehlo.convert %0 : (tensor<{}>) -> tensor<{}>"


def read(text: str) -> tuple[ImportedGraph, list[tuple[int, int]]]:
    """The graph of `main`, and the bytes of its sites."""
    spans: dict[tuple[int, int], int] = {}
    found = imported_graph(
        read_program(text), "main", "g", lambda start, end: spans.setdefault((start, end), len(spans))
    )
    return found, list(spans)


def said(text: str) -> list[tuple[str, str]]:
    """What is not taken: where it stands, and the reason."""
    found, spans = read(text)
    data = text.encode()
    return [(data[slice(*spans[each.site])].decode(), each.reason) for each in found.problems]


def body(*operations: str) -> str:
    return SHARDY.replace("BODY", "\n".join(f"      {each}" for each in operations))


def test_shardings_are_placements_and_shapes_are_those_of_a_rank() -> None:
    found, _ = read((LIBRARY / "mlp_tp.mlir").read_text(encoding="utf-8"))
    assert found.graph is not None and not found.problems
    assert [each.placements for each in found.inputs] == [(), (Shard(1, Name("tp")),), (Shard(0, Name("tp")),)]
    assert [each.placements for each in found.results] == [()]
    assert [type(each) for each in found.graph.nodes][-2:] == [Dot, AllReduce]
    shapes = [tuple(map(size_of, each.shape)) for each in found.graph.nodes if isinstance(each, GraphInput)]
    assert shapes == [tuple(map(constant, sizes)) for sizes in ((8, 16), (16, 16), (16, 16))]


def test_an_operation_that_is_not_taken_is_named_at_its_place() -> None:
    text = body(
        '%1 = "stablehlo.sort"(%arg1) <{dimension = 0 : i64}> : (tensor<4x4xf32>) -> tensor<4x4xf32>',
        "%2 = stablehlo.tanh %arg1 : tensor<4x4xf32>",
        "sdy.return %2 : tensor<4x4xf32>",
    )
    assert said(text) == [('%1 = "stablehlo.sort"(%arg1)', "`stablehlo.sort` is not taken")]
    graph = read(text)[0].graph
    assert graph is not None and isinstance(graph.nodes[-1], Elementwise)


def test_what_reads_what_is_not_taken_is_not_taken_either() -> None:
    text = body(
        "%1 = stablehlo.custom_call @mystery(%arg1) : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "%2 = stablehlo.tanh %1 : tensor<4x4xf32>",
        "sdy.return %2 : tensor<4x4xf32>",
    )
    assert read(text)[0].graph is None
    assert [reason for _, reason in said(text)] == ["`stablehlo.custom_call` `mystery` is not taken"]


def test_a_text_that_ends_too_early_is_said_to_and_gives_no_graph() -> None:
    text = body("%1 = stablehlo.add %arg1, %arg1 : tensor<4x4xf32>", "sdy.return %1 : tensor<4x4xf32>")
    for length in range(10, text.index("sdy.return"), 11):
        found, _ = read(text[:length])
        assert found.graph is None and found.problems, text[:length]


def test_a_half_typed_operation_leaves_the_others_as_they_are() -> None:
    whole = ("%1 = stablehlo.tanh %arg1 : tensor<4x4xf32>", "sdy.return %1 : tensor<4x4xf32>")
    found, _ = read(body("%9 = stablehlo.dot_general %arg1, %", *whole))
    assert found.problems and [each.name for each in found.inputs] == ["arg0"]
    assert [each.name for each in found.results] == ["result"]


def test_the_pairs_of_the_library_are_decided_and_point_into_the_text() -> None:
    proved = {name: answered(LIBRARY, name).verdict for name in ("mlp_tp", "attention_sp", "step_dp", "rotary_sp")}
    assert proved == dict.fromkeys(proved, Verdict.PROVED)
    wrong = answered(LIBRARY, "rotary_from_zero")
    assert wrong.verdict is Verdict.REFUTED and isinstance(wrong.witness, RefinementWitness) and wrong.witness.replayed
    assert wrong.places[wrong.findings[0]].startswith("%1 = stablehlo.slice %arg4 [0:4, 0:8]")


def test_an_offset_that_is_not_the_rank_s_own_is_refuted_where_it_stands() -> None:
    sources = {name: (LIBRARY / name).read_text(encoding="utf-8") for name in ("rotary.mlir", "rotary_sp.mlir")}
    shown = "%c_1 = stablehlo.constant dense<4>"
    assert shown in sources["rotary_sp.mlir"]
    sources["rotary_sp.mlir"] = sources["rotary_sp.mlir"].replace(shown, shown.replace("4", "3"))
    text = (LIBRARY / "attention.rw").read_text(encoding="utf-8")
    wrong = asked(text, sources, "rotary_sp")
    assert wrong.verdict is Verdict.REFUTED
    assert wrong.places[wrong.findings[0]].startswith("%9 = stablehlo.dynamic_slice %arg4, %8")


def test_an_input_in_parts_is_their_concatenation() -> None:
    assert answered(LIBRARY, "two_steps").verdict is Verdict.PROVED
    wrong = answered(LIBRARY, "two_steps_summed")
    assert isinstance(wrong.witness, RefinementWitness) and wrong.witness.cause is not None
    assert (wrong.witness.cause.kind, wrong.witness.cause.factor) == ("scaled", "2")


def test_the_line_of_the_model_is_known_at_each_operation() -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in LIBRARY.iterdir() if path.is_file()}
    _, found = imported(sources["mlp.rw"], sources, "mlp_without_psum")
    assert found.asking is not None and "models.py" in found.read
    lines = {sources["models.py"].encode()[each.start : each.end].decode() for each in found.asking.lines if each.path}
    assert {"x @ a, 0.0)", "jnp.maximum(x @ a, 0.0)", "hidden @ b"} <= lines


def test_a_shape_that_its_operands_do_not_make_is_not_taken() -> None:
    text = body(
        "%1 = stablehlo.reshape %arg1 : (tensor<4x4xf32>) -> tensor<4x5xf32>", "sdy.return %1 : tensor<4x5xf32>"
    )
    assert [reason for _, reason in said(text)] == [
        "`stablehlo.reshape` is not taken: its shapes do not hold the same number of elements"
    ]
    text = body(
        "%1 = stablehlo.add %arg1, %arg1 : tensor<4x4xf32>",
        "%2 = stablehlo.transpose %1, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "sdy.return %2 : tensor<4x4xf32>",
    )
    assert not said(text)
    text = body(
        "%1 = stablehlo.dot_general %arg1, %arg1, contracting_dims = [1] x [0] : "
        "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>",
        "sdy.return %1 : tensor<2x4xf32>",
    )
    assert [reason for _, reason in said(text)] == [
        "`stablehlo.dot_general` is not taken: its type does not fit its operands"
    ]


def test_what_stands_outside_of_what_each_rank_runs_is_not_taken() -> None:
    text = body("sdy.return %arg1 : tensor<4x4xf32>").replace(
        "    return %0", "    %5 = stablehlo.tanh %0 : tensor<4x8xf32>\n    return %5"
    )
    assert said(text) == [
        ("%5 = stablehlo.tanh %0", "`stablehlo.tanh` is not taken: it stands outside of what each rank runs")
    ]
    assert read(text)[0].graph is None


def test_a_reduction_counts_only_if_it_returns_what_its_operator_gives() -> None:
    reduced = """%1 = "stablehlo.all_reduce"(%arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %6 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return RETURNED : tensor<f32>
      }) : (tensor<4x4xf32>) -> tensor<4x4xf32>"""
    end = "sdy.return %1 : tensor<4x4xf32>"
    assert not said(body(reduced.replace("RETURNED", "%6"), end))
    reasons = [reason for _, reason in said(body(reduced.replace("RETURNED", "%arg6"), end))]
    assert reasons == ["`stablehlo.all_reduce` is not taken: it combines by more than one operator"]


def test_complex_numbers_are_not_taken_for_real_ones() -> None:
    text = body("sdy.return %arg1 : tensor<4x4xf32>").replace("x8xf32>", "x8xcomplex<f32>>")
    assert [reason for _, reason in said(text)] == ["`%arg0` holds `complex<f32>`: what reads it is not taken"]


def test_a_constant_is_made_of_its_blocks_of_equal_elements() -> None:
    rows = "[[[1.0, 2.0], [1.0, 2.0]], [[3.0, 3.0], [3.0, 3.0]], [[3.0, 3.0], [3.0, 0.5]]]"
    text = (
        "func.func @main(%arg0: tensor<3x2x2xf32>) -> tensor<3x2x2xf32> {\n"
        f"  %0 = stablehlo.constant dense<{rows}> : tensor<3x2x2xf32>\n"
        "  %1 = stablehlo.multiply %arg0, %0 : tensor<3x2x2xf32>\n  return %1 : tensor<3x2x2xf32>\n}\n"
    )
    graph = read(text)[0].graph
    assert graph is not None
    ones = from_flat((3, 2, 2), [Fraction(1)] * 12)
    found = evaluate(graph, {}, {Name("arg0"): {(): ones}})
    assert isinstance(found, GraphValues)
    assert found.results[Name("result")][()].tolist() == [
        [[1, 2], [1, 2]],
        [[3, 3], [3, 3]],
        [[3, 3], [3, Fraction(1, 2)]],
    ]


def test_a_mask_of_known_numbers_selects_piece_by_piece() -> None:
    masked = body(
        "%0 = stablehlo.iota dim = 0 : tensor<4x4xi32>",
        "%1 = stablehlo.iota dim = 1 : tensor<4x4xi32>",
        "%2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>",
        "%cst = stablehlo.constant dense<-1.0> : tensor<4x4xf32>",
        "%3 = stablehlo.select %2, %arg1, %cst : tensor<4x4xi1>, tensor<4x4xf32>",
        "sdy.return %3 : tensor<4x4xf32>",
    )
    graph = read(masked)[0].graph
    assert graph is not None and not said(masked)
    twos = from_flat((4, 4), [Fraction(2)] * 16)
    found = evaluate(graph, {}, {Name("arg0"): {(0,): twos, (1,): twos}})
    assert isinstance(found, GraphValues)
    expected = [[2 if row >= column else -1 for column in range(4)] for row in range(4)]
    assert found.results[Name("result")][(1,)].tolist() == expected


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        (("%0 = stablehlo.constant dense<2> : tensor<i32>", CONVERT.format("i32", "i1")), 1),
        (("%0 = stablehlo.constant dense<5.0e-01> : tensor<f32>", CONVERT.format("f32", "i1")), 1),
        (("%0 = stablehlo.constant dense<0.0> : tensor<f32>", CONVERT.format("f32", "i1")), 0),
        (("%0 = stablehlo.constant dense<300> : tensor<i32>", CONVERT.format("i32", "ui8")), 44),
        (("%a = stablehlo.constant dense<true> : tensor<i1>", "%1 = stablehlo.add %a, %a : tensor<i1>"), 1),
    ],
)
def test_a_number_becomes_one_that_its_type_holds(operations: tuple[str, str], expected: int) -> None:
    element = operations[1].rpartition("<")[2].removesuffix(">")
    text = body(
        *operations,
        f"%2 = stablehlo.convert %1 : (tensor<{element}>) -> tensor<f32>",
        "%3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<4x4xf32>",
        "sdy.return %3 : tensor<4x4xf32>",
    )
    graph = read(text)[0].graph
    assert graph is not None and not said(text)
    assert [each.value for each in graph.nodes if isinstance(each, Constant)] == [expected]


def test_the_numbers_of_a_list_become_such_as_its_type_holds() -> None:
    text = body(
        "%0 = stablehlo.iota dim = 1 : tensor<4x4xui8>",
        "%1 = stablehlo.constant dense<100> : tensor<4x4xui8>",
        "%2 = stablehlo.multiply %0, %1 : tensor<4x4xui8>",
        "%3 = stablehlo.convert %2 : (tensor<4x4xui8>) -> tensor<4x4xf32>",
        "sdy.return %3 : tensor<4x4xf32>",
    )
    graph = read(text)[0].graph
    assert graph is not None and not said(text)
    assert [each.value for each in graph.nodes if isinstance(each, Constant)] == [0, 100, 200, 44]


def test_truth_values_are_not_summed_over_ranks() -> None:
    text = body(
        "%0 = stablehlo.partition_id : tensor<ui32>",
        "%1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i1>",
        '%2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, '
        "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({",
        "^bb0(%a: tensor<i1>, %b: tensor<i1>):",
        "  %s = stablehlo.add %a, %b : tensor<i1>",
        "  stablehlo.return %s : tensor<i1>",
        "}) : (tensor<i1>) -> tensor<i1>",
        "%3 = stablehlo.convert %2 : (tensor<i1>) -> tensor<f32>",
        "%4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>",
        "sdy.return %4 : tensor<4x4xf32>",
    )
    assert [reason for _, reason in said(text)] == ["`stablehlo.all_reduce` is not taken: it is on truth values"]


def test_a_function_that_holds_what_ranks_run_is_read_through() -> None:
    inner = body("%1 = stablehlo.tanh %arg1 : tensor<4x4xf32>", "sdy.return %1 : tensor<4x4xf32>")
    nested = inner.replace("public @main", "private @inner").replace(
        "  func.func private",
        "  func.func public @main(%arg0: tensor<4x8xf32>) -> (tensor<4x8xf32>) {\n"
        "    %0 = call @inner(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>\n    return %0 : tensor<4x8xf32>\n  }\n"
        "  func.func private",
    )
    assert not said(nested)
    assert [each.placements for each in read(nested)[0].results] == [(Shard(1, Name("tp")),)]


def test_a_sharding_by_an_axis_that_the_mesh_has_not_is_not_taken() -> None:
    text = body("sdy.return %arg1 : tensor<4x4xf32>")
    for wrong, why in (
        ('{"xp"}', "its mesh has no axis `xp`"),
        ('{"tp", "tp"}', "its sharding uses a mesh axis twice"),
    ):
        (reason,) = [reason for _, reason in said(text.replace('[{}, {"tp"}]', f"[{{}}, {wrong}]"))]
        assert reason == f"`sdy.manual_computation` is not taken: {why}"


def test_a_text_that_nests_too_deep_is_said_to() -> None:
    deep = "func.func @main() -> tensor<4xf32> {\n%0 = stablehlo.constant dense<" + "[" * 3000 + "]" * 3000 + ">\n}\n"
    _, found = imported('graph s from "d.mlir"\ngraph d from "d.mlir"\nrefine d of s', {"d.mlir": deep}, "d")
    assert found.asking is None and "`d.mlir` nests too deep to be read" in str(found.problems)


def test_a_sharding_that_does_not_fit_is_said_in_the_text() -> None:
    text = body("sdy.return %arg1 : tensor<4x4xf32>")
    sources = {"d.mlir": text.replace('in_shardings=[<@mesh, [{}, {"tp"}]>]', "in_shardings=[<@mesh, [{}, {}]>]")}
    _, found = imported('graph s from "d.mlir"\ngraph d from "d.mlir"\nrefine d of s', sources, "d")
    (finding,) = found.problems
    assert found.asking is None and isinstance(finding.place, InSource) and finding.place.path == "d.mlir"
