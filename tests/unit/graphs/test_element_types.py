"""What element types lose in texts of compilers: a warning with a code of its own, and the verdict stays."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from graph_sources import imported

from rewright.frontends.fx.reading import read_program as read_fx
from rewright.frontends.stablehlo.reading import read_program
from rewright.frontends.tensor_programs.element_types import element_notes, held_as
from rewright.frontends.tensor_programs.program import TensorProgram
from rewright.report.codes import sentence
from rewright.verdict import Severity

REDUCED = """module @m attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["tp"=2]>
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<4xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"tp"}]>] out_shardings=[<@mesh, [{}]>]
      manual_axes={"tp"} (%arg1: tensor<4xf32>) {
BODY
      sdy.return %3 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""
ALL_REDUCE = """ = "stablehlo.all_reduce"(OPERAND) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%a: tensor<TYPE>, %b: tensor<TYPE>):
        %c = stablehlo.add %a, %b : tensor<TYPE>
        stablehlo.return %c : tensor<TYPE>
      }) : (tensor<4xTYPE>) -> tensor<4xTYPE>"""


def all_reduce(result: str, operand: str, element: str) -> str:
    return result + ALL_REDUCE.replace("OPERAND", operand).replace("TYPE", element)


def said(program: TensorProgram) -> list[tuple[str, str]]:
    assert program.entry is not None
    found = element_notes(program, program.functions[program.entry])
    return [(each.diagnosis.code, sentence(each.diagnosis)) for each in found]


def body(*lines: str) -> list[tuple[str, str]]:
    return said(read_program(REDUCED.replace("BODY", "\n".join(f"      {each}" for each in lines))))


def test_a_sum_over_ranks_in_few_bits_is_noted() -> None:
    assert (
        body(
            "%1 = stablehlo.negate %arg1 : tensor<4xf32>",
            all_reduce("%3", "%1", "f32"),
        )
        == []
    )
    assert body(
        "%0 = stablehlo.convert %arg1 : (tensor<4xf32>) -> tensor<4xbf16>",
        "%1 = stablehlo.negate %0 : tensor<4xbf16>",
        all_reduce("%2", "%1", "bf16"),
        "%3 = stablehlo.convert %2 : (tensor<4xbf16>) -> tensor<4xf32>",
    ) == [("RW420", "this is added over the ranks in `bf16`, which keeps 8 binary digits")]


def test_a_cast_before_the_sum_is_told_from_one_after_it() -> None:
    assert body(
        "%1 = stablehlo.convert %arg1 : (tensor<4xf32>) -> tensor<4xf16>",
        "%5 = stablehlo.reshape %1 : (tensor<4xf16>) -> tensor<4xf16>",
        all_reduce("%2", "%5", "f16"),
        "%3 = stablehlo.convert %2 : (tensor<4xf16>) -> tensor<4xf32>",
    ) == [("RW421", "this is narrowed from `f32` to `f16` before it is added over the ranks, and not after")]
    assert (
        body(
            all_reduce("%1", "%arg1", "f32"),
            "%2 = stablehlo.convert %1 : (tensor<4xf32>) -> tensor<4xbf16>",
            "%3 = stablehlo.convert %2 : (tensor<4xbf16>) -> tensor<4xf32>",
        )
        == []
    )


@pytest.mark.parametrize(("terms", "noted"), [(256, False), (257, True)])
def test_a_sum_of_more_terms_than_the_type_counts_is_noted(terms: int, noted: bool) -> None:
    found = said(
        read_fx(
            "class GraphModule(torch.nn.Module):\n"
            f'    def forward(self, x: "bf16[{terms}]"):\n'
            '        y: "bf16[]" = torch.ops.aten.sum.default(x)\n'
            "        return (y,)\n"
        )
    )
    assert found == ([("RW422", f"{terms} terms are added in `bf16`")] if noted else [])


def test_a_count_that_its_type_does_not_hold_is_noted() -> None:
    assert body(
        "%c = stablehlo.constant dense<300> : tensor<i8>",
        "%d = stablehlo.constant dense<100> : tensor<i8>",
        "%e = stablehlo.multiply %d, %d : tensor<i8>",
        "%f = stablehlo.constant dense<65536> : tensor<i32>",
        "%g = stablehlo.convert %f : (tensor<i32>) -> tensor<f16>",
        "%h = stablehlo.convert %f : (tensor<i32>) -> tensor<f32>",
        "%3 = stablehlo.negate %arg1 : tensor<4xf32>",
    ) == [
        ("RW423", "`i8` does not hold 10000: it becomes 16"),
        ("RW423", "`f16` does not hold 65536: it becomes infinity"),
    ]


def test_numbers_are_held_as_numpy_holds_them() -> None:
    for number in (*range(0, 5000, 7), 65504, 65519, 65520, 70000, -2049):
        with np.errstate(over="ignore"):
            meant = np.float16(number)
        made = held_as(Fraction(number), "f16")
        assert (made is None) == bool(np.isinf(meant)) and (made is None or float(made) == float(meant)), number
        for element, kind in (("i8", np.int8), ("ui16", np.uint16)):
            assert held_as(Fraction(number), element) == int(np.array(number).astype(kind))
    assert held_as(Fraction(257), "bf16") == 256 and held_as(Fraction(259), "bf16") == 260


def test_the_verdict_speaks_of_real_numbers_all_the_same() -> None:
    lines = (
        "%1 = stablehlo.convert %arg1 : (tensor<4xf32>) -> tensor<4xbf16>",
        all_reduce("%2", "%1", "bf16"),
        "%3 = stablehlo.convert %2 : (tensor<4xbf16>) -> tensor<4xf32>",
    )
    parts = REDUCED.replace("BODY", "\n".join(lines))
    whole = (
        "func.func public @main(%arg0: tensor<8xf32>) -> tensor<4xf32> {\n"
        "  %0 = stablehlo.slice %arg0 [0:4] : (tensor<8xf32>) -> tensor<4xf32>\n"
        "  %1 = stablehlo.slice %arg0 [4:8] : (tensor<8xf32>) -> tensor<4xf32>\n"
        "  %2 = stablehlo.add %0, %1 : tensor<4xf32>\n"
        "  return %2 : tensor<4xf32>\n}\n"
    )
    text = 'graph whole from "whole.mlir"\ngraph parts from "parts.mlir"\nrefine parts of whole\n'
    _, found = imported(text, {"whole.mlir": whole, "parts.mlir": parts}, "parts")
    assert found.asking is not None
    assert [(each.diagnosis.code, each.severity) for each in found.problems] == [("RW421", Severity.WARNING)]
