"""What a kernel in a source asks: the same whatever its text looks like and wherever it stands, and nothing less."""

from __future__ import annotations

import pytest

from rewright.checks.kernel_question import NumberedQuestion, OutlinedSource, OutlinePayload, SourceText
from rewright.checks.lowering import outline_source
from rewright.frontends.preset import anywhere

SOURCE = """\
#define SIZE 64
template <typename T> __device__ T twice(T value) { return value + value; }

// rewright: launch block(64); n = 64
__global__ void shift(const float *x, float *y, int n) {
  __shared__ float tile[SIZE];
  tile[threadIdx.x] = twice(x[threadIdx.x]);
  __syncthreads();
  for (int step = 1; step < 3; ++step) y[threadIdx.x] = tile[SIZE - step - threadIdx.x / 2];
}

__global__ void other(float *y) { y[0] = 1.0f; }
"""


def asking(text: str, name: str = "shift") -> NumberedQuestion:
    found = outline_source(OutlinePayload("a.cu", (SourceText("a.cu", text),)))
    (kernel,) = [kernel for kernel in found.kernels if kernel.name == name]
    assert kernel.lowered is not None and kernel.lowered.asking is not None, kernel.lowered
    return kernel.lowered.asking


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("// rewright", "// Shifts.\n\n// rewright"),
        ("  __syncthreads();", "    __syncthreads(); // all of them"),
        ("y[0] = 1.0f", "y[0] = 2.0f"),
        ("tile", "gekachelt"),
        ("step", "schritt"),
        ("shift", "shifted"),
        ("#define SIZE 64", "#define SIZE (32 + 32)"),
        ("SIZE - step", "64 - step"),
        ("\n", "\r\n"),
    ],
)
def test_what_means_the_same_asks_the_same(before: str, after: str) -> None:
    name = "shifted" if before == "shift" else "shift"
    changed_text = SOURCE.replace(before, after)
    assert changed_text != SOURCE
    assert asking(changed_text, name).payload == asking(SOURCE).payload


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  __syncthreads();\n", ""),
        ("value + value", "value - value"),
        ("step < 3", "step <= 3"),
        ("block(64)", "block(32)"),
        ("n = 64", "n = 65"),
        ("float tile", "double tile"),
        ("#define SIZE 64", "#define SIZE 65"),
    ],
)
def test_what_means_something_else_asks_something_else(before: str, after: str) -> None:
    assert asking(SOURCE.replace(before, after)).payload != asking(SOURCE).payload


def test_the_places_of_the_question_are_where_its_text_stands() -> None:
    for text in (SOURCE, "// größer\n" + SOURCE):
        data = text.encode()
        texts = [data[place.start : place.end].decode() for place in asking(text).places()]
        assert {"__syncthreads()", "tile[threadIdx.x]", "x[threadIdx.x]"} <= set(texts)


def test_nothing_is_lowered_before_all_that_it_includes_was_looked_for() -> None:
    text = '#include "a.cuh"\n// rewright: launch block(32)\n__global__ void k(float *x) { x[threadIdx.x] = N; }\n'
    given, sought = (SourceText("a.cu", text),), ("a.cu", "a.cuh", anywhere("a.cu", "a.cuh"))
    assert outline_source(OutlinePayload("a.cu", given, sought=("a.cu",))) == OutlinedSource((), (), sought)
    (absent,) = outline_source(OutlinePayload("a.cu", given, sought=sought)).kernels
    assert absent.lowered is not None and absent.lowered.asking is None, "it was looked for, and is not there"
    all_given = (*given, SourceText("a.cuh", "#define N 4\n"))
    (whole,) = outline_source(OutlinePayload("a.cu", all_given, sought=sought)).kernels
    assert whole.lowered is not None and whole.lowered.asking is not None
