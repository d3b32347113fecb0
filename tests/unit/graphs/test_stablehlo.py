"""StableHLO as it is read: pretty and generic, with Shardy and with GSPMD's custom calls, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

from graph_sources import answered

from rewright.frontends.stablehlo.reading import read_program
from rewright.frontends.tensor_programs.graph import imported_graph
from rewright.frontends.tensor_programs.imported import ImportedGraph
from rewright.model.graph import AllReduce, Dot, Elementwise, GraphInput, Shard
from rewright.verdict import RefinementWitness, Verdict

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
    found, _ = read((LIBRARY / "mlp_tp2.mlir").read_text(encoding="utf-8"))
    assert found.graph is not None and not found.problems
    assert [each.placements for each in found.inputs] == [(), (Shard(1, "tp"),), (Shard(0, "tp"),)]
    assert [each.placements for each in found.results] == [()]
    assert [type(each) for each in found.graph.nodes][-2:] == [Dot, AllReduce]
    shapes = [[size.value for size in each.shape] for each in found.graph.nodes if isinstance(each, GraphInput)]
    assert shapes == [[8, 16], [16, 16], [16, 16]]


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
    proved = {name: answered(LIBRARY, name).verdict for name in ("mlp_tp", "attention_sp", "loss_dp")}
    assert proved == dict.fromkeys(proved, Verdict.PROVED)
    wrong = answered(LIBRARY, "mlp_without_psum")
    assert wrong.verdict is Verdict.REFUTED and isinstance(wrong.witness, RefinementWitness) and wrong.witness.replayed
    assert wrong.places[wrong.findings[0]].startswith("%4 = stablehlo.dot_general %3, %arg5")
