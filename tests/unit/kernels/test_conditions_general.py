"""Conditions that are found are what people would demand of a call, and no accidents of the sizes that were run."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from kernel_texts import ask
from msgspec.structs import replace
from test_conditions import USUAL, answered, conditions

from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.kernels.conditions.boundary import just_within
from rewright.kernels.conditions.candidate import HERE, Probe, Sized
from rewright.kernels.conditions.inferring import ConditionSearch
from rewright.kernels.conditions.provenance import chosen
from rewright.kernels.conditions.support import Met, met
from rewright.kernels.conditions.trials import Trials
from rewright.kernels.conditions.vocabulary import numbers, of_contents, of_sizes
from rewright.kernels.launches.cases import pitched_cases, realistic_cases
from rewright.kernels.launches.inputs import filled_arrays
from rewright.kernels.launches.search import search
from rewright.model.body import Binary, Variable
from rewright.model.index import Name
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.model.simt.violation import Setting
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Verdict


def launched(kernel: str, call: str) -> Answer:
    """The answer for a kernel that host code calls with what its own parameters, and those after `;`, are named."""
    name = kernel.partition("(")[0].split()[-1]
    signature = kernel.partition("(")[2].partition(")")[0]
    arguments = ", ".join(each.split()[-1].strip("*") for each in signature.split(","))
    launch, _, more = call.partition("; ")
    return answered(f"{kernel}\nvoid run({signature}{more and ', ' + more}) {{ {name}<<<{launch}>>>({arguments}); }}\n")


def test_rows_of_blocks_that_are_apart_race_at_tiny_sizes_of_which_all_blocks_are_run() -> None:
    """Of large grids neighbours are run, which do not race."""
    answer = launched(
        """__global__ void biased(float *x, const float *bias, int width, int most) {
  int at = (blockIdx.x * most + blockIdx.y) * width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) x[at + i] += bias[blockIdx.x * width + i];
}""",
        "dim3(experts, count), threads; int experts, int count, int threads",
    )
    assert conditions(answer) == ["count <= most"]


EMBED = """__global__ void embed(float *out, const int *tok, const float *wte, int n, int width) {
  float4 *o = (float4 *)(out + blockIdx.x * width);
  const float4 *w = (const float4 *)(wte + tok[blockIdx.x] * width);
  for (int i = threadIdx.x; i < width / 4; i += blockDim.x) o[i] = w[i];
}"""


def test_an_element_is_related_only_to_what_it_meets() -> None:
    source = """// rewright: launch grid(1), block(32); n = 32; table: in f32[rows * width]; most = 9
__global__ void k(float *out, const int *tok, const float *table, int n, int width, int rows, int pad, int most) {
  __shared__ int staged[32];
  staged[threadIdx.x] = tok[threadIdx.x];
  __syncthreads();
  int t = staged[threadIdx.x ^ 1];
  if (threadIdx.x < n && t != pad && t < 77) out[threadIdx.x] = table[t * width];
}
"""
    kernel = outline("a.cu", {"a.cu": source}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": source}).program
    assert program is not None
    (found,) = met(program, [Name("tok")]).values()
    assert found == Met(frozenset({Name("rows"), Name("width")}), frozenset({Name("pad")}), frozenset({77}))


def test_sizes_are_related_only_where_they_meet() -> None:
    source = """__global__ void k(float *out, const float *in, int n, int pitch, int shift) {
  for (int i = threadIdx.x; i < n; i += 32) out[blockIdx.x * pitch + i] = in[shift];
}
void run(float *out, const float *in, int n, int pitch, int shift, int rows) {
  k<<<rows, 32>>>(out, in, n, pitch, shift);
}
"""
    kernel = outline("a.cu", {"a.cu": source}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": source}).program
    assert program is not None
    made_of = numbers(kernel, program)
    assert made_of.meet(Name("n"), Name("pitch"), Name("rows"))
    assert not any(made_of.meet(Name("shift"), Name(other)) for other in ("n", "pitch", "rows"))


ROWS = """__global__ void rows(float *out, const float *in, int B, int T, int C) {
  extern __shared__ float sums[];
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= B * T) return;
  for (int i = threadIdx.x; i < C; i += blockDim.x) sums[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x % 32; i < C; i += 32) atomicAdd(&sums[i], in[row * C + i]);
  __syncthreads();
  for (int i = threadIdx.x; i < C; i += blockDim.x) atomicAdd(&out[i], sums[i]);
}
void run(float *out, const float *in, int B, int T, int C) {
  rows<<<(32 * (B * T) + 511) / 512, 512, C * sizeof(float)>>>(out, in, B, T, C);
}
"""


def test_one_condition_goes_before_several_that_fit_what_was_run() -> None:
    """Warps that leave early clear nothing; with an even `B`, an even `T` and a large `C` that still happens."""
    assert conditions(answered(ROWS)) == ["B * T % 16 == 0"]


@pytest.mark.parametrize(("at", "verdict"), [("threadIdx.x", Verdict.REFUTED), ("blockIdx.x", Verdict.UNKNOWN)])
def test_what_shows_however_many_blocks_there_are_refutes(at: str, verdict: Verdict) -> None:
    """Nobody says how many there are: in the first kernel a single one is wrong, too, in the other only many."""
    kernel = f"""__global__ void staged(float *x) {{
  __shared__ float s[64];
  s[{at}] = 1;
  __syncthreads();
  x[blockIdx.x * blockDim.x + threadIdx.x] = s[{at}];
}}"""
    assert launched(kernel, "blocks, 65; int blocks").verdict is verdict


def test_launches_that_store_nothing_show_nothing_of_a_kernel() -> None:
    source = """// rewright: launch block(32)
__global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }
"""
    kernel = outline("a.cu", {"a.cu": source}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": source}).program
    assert program is not None
    searched = search(kernel, program, 100_000)
    trials = Trials(kernel, program, searched, chosen(kernel, searched.variables), 100_000, inf, list(searched.tried))
    found = ConditionSearch(trials)
    at = {n: Setting((1, 1, 1), (32, 1, 1), ((Name("n"), n),), ()) for n in (0, 4)}
    assert found._passing(kernel, program, iter([at[0], at[0]]), 10_000, 1) is None
    assert found._passing(kernel, program, iter([at[0], at[4]]), 10_000, 1) == 2


def test_no_condition_is_told_under_which_a_kernel_does_nothing() -> None:
    source = """__global__ void spread(int *reached, const int *next, int level, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && reached[i] == level) reached[next[i]] = level + 1;
}
void run(int *reached, const int *next, int level, int n) { spread<<<(n + 63) / 64, 64>>>(reached, next, level, n); }
"""
    assert answered(source, Budget(USUAL.steps // 64, USUAL.seconds, USUAL.nodes)).verdict is Verdict.UNKNOWN


def test_a_tree_of_threads_needs_a_power_of_two() -> None:
    kernel = """__global__ void total(float *y, const float *x, int n) {
  extern __shared__ float s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int k = 1; k < blockDim.x; k *= 2) {
    if (threadIdx.x * k * 2 < blockDim.x) s[threadIdx.x * k * 2] += s[threadIdx.x * k * 2 + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}"""
    found = conditions(launched(kernel, "(n + threads - 1) / threads, threads, threads * sizeof(float); int threads"))
    assert found == ["(threads & (threads - 1)) == 0"]


def test_what_fails_is_run_again_just_within_conditions() -> None:
    kernel = outline("a.cu", {"a.cu": ROWS}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": ROWS}).program
    assert program is not None
    even = [
        each.requirement
        for each in of_sizes(kernel, numbers(kernel, program))
        if each.condition.short in ("B % 2 == 0", "T % 2 == 0")
    ]
    required = replace(kernel, requires=(*kernel.requires, *even))
    failing = {Name("B"): 3, Name("T"): 3, Name("C"): 1025}
    found = [dict(each.values) for each in just_within(required, program, [failing], even)]
    assert [(each[Name("B")], each[Name("T")], each[Name("C")]) for each in found] == [
        (2, 2, 1025),
        (2, 4, 1025),
        (4, 2, 1025),
    ]


def test_blocks_may_have_to_be_a_multiple_of_what_their_number_is_divided_by() -> None:
    source = """__global__ void turned(float *out, const float *in, int size, int length, int heads) {
  int batch = blockIdx.x / length, at = blockIdx.x % length;
  for (int h = threadIdx.x; h < heads; h += 32)
    out[blockIdx.y * size + (batch * heads + h) * length + at] = in[(blockIdx.x * 3 + blockIdx.y) * heads + h];
}
void run(float *out, const float *in, int size, int length, int heads, int rows) {
  turned<<<dim3(rows, 3), 32>>>(out, in, size, length, heads);
}
"""
    kernel = outline("a.cu", {"a.cu": source}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": source}).program
    assert program is not None
    said = {each.condition.short for each in of_sizes(kernel, numbers(kernel, program))}
    assert "rows % length == 0" in said
    assert not {"rows % heads == 0", "rows % size == 0"} & said


def test_an_element_may_have_to_differ_from_a_parameter() -> None:
    kernel = """__global__ void masked(float *out, const int *tok, int n, int pad) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v;
  if (i >= n) return;
  if (tok[i] != pad) v = 1;
  out[i] = v;
}"""
    assert conditions(launched(kernel, "(n + 63) / 64, 64")) == ["forall i in 0..n: tok[i] != pad"]


COMPACT = """__global__ void compact(int *out, const int *at, const int *marked, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n MARK) out[at[i]] = i;
}"""


@pytest.mark.parametrize("mark", ["&& marked[i]", ""])
def test_places_differ_unless_they_may_be_the_running_sums_of_marks(mark: str) -> None:
    answer = launched(COMPACT.replace("MARK", mark), "(n + 63) / 64, 64")
    if mark:
        assert answer.verdict is Verdict.UNKNOWN
    else:
        assert "forall i in 0..n: forall j in 0..i: at[i] != at[j]" in conditions(answer)


def test_contents_that_are_in_order_may_repeat() -> None:
    """Where a cell begins is written by the first of its particles."""
    kernel = """__global__ void begins(int *start, const int *cell, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (i == 0 || cell[i] != cell[i - 1])) start[cell[i]] = i;
}"""
    assert launched(kernel, "(n + 63) / 64, 64").verdict is Verdict.UNKNOWN


def test_a_float_is_blamed_for_what_goes_wrong_at_its_own_value() -> None:
    kernel = """__global__ void scaled(float *out, int n, float decay, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = decay / scale;
  if (i < n) out[v != v || v > 100.0f ? 0 : i] = i;
}"""
    assert conditions(launched(kernel, "(n + 63) / 64, 64")) == ["scale != 0.0"]


def test_a_window_needs_room_on_both_sides() -> None:
    kernel = """__global__ void window(float *out, int h, int r) {
  float sum;
  for (int i = r; i < h - r; i++) sum = i;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}"""
    assert conditions(launched(kernel, "2, 32")) == ["2 * r < h"]


def test_a_condition_on_contents_is_looked_at_in_large_arrays_as_well() -> None:
    """Of the elements that were chosen: behind these are zeros."""
    source = "// rewright: launch grid(n), block(32); n = 1\n" + EMBED
    kernel = outline("a.cu", {"a.cu": source}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": source}).program
    assert program is not None
    (tok,) = (each for each in filled_arrays(kernel) if each.name == "tok")
    width = Variable(Name("width"), Scalar.S32, HERE)
    extent = Binary(BinaryOperator.MULTIPLY, width, width, Scalar.S32, HERE)
    made = of_contents(tok, numbers(kernel, program), Met(), Sized(tok.name, (extent,)))
    first = next(made)
    assert first.condition.short == "0 <= tok[i]"
    for elements, holds in (((1, 2), True), ((1, -2), False)):
        held = Probe({Name("width"): 1000}, {tok.name: np.asarray(elements, np.int32)})
        assert first.holds(kernel, held) is holds


def test_an_array_may_have_several_elements_of_each_size() -> None:
    kernel = """__global__ void degrees(float *y, const int *ends, int width, int count) {
  for (int i = blockIdx.x; i < count; i += gridDim.x)
    for (int j = threadIdx.x; j < width; j += blockDim.x)
      atomicAdd(&y[ends[2 * i] * width + j], 1), atomicAdd(&y[ends[2 * i + 1] * width + j], 1);
}"""
    (condition,) = launched(kernel, "count, 32").coverage.conditions
    assert condition.requires.startswith("forall i in 0..2 * count: 0 <= ends[i]")


def test_a_size_may_have_to_exceed_how_far_a_loop_goes() -> None:
    """What mirrors at a border needs as many elements, not a multiple of something."""
    kernel = """__global__ void blurred(float *out, const float *in, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int i = -3; i <= 3; i++)
    for (int j = -3; j <= 3; j++) {
      int column = x + i, row = y + j;
      if (column < 0) column = -column;
      if (row < 0) row = -row;
      if (column > w - 1) column = w - 1 - i;
      if (row > h - 1) row = h - 1 - j;
      sum += in[row * w + column];
    }
  out[y * w + x] = sum;
}"""
    assert conditions(launched(kernel, "dim3((w + 7) / 8, (h + 7) / 8), dim3(8, 8)")) == ["w >= 4", "h >= 4"]


PACK = """__global__ void pack(float *out, const float *in, const float *marked, const float *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && marked[i] != 0.f) {
    int at = sums[i] - 1;
    out[at] = in[i];
  }
}
"""


def test_elements_numbered_by_floats_that_nobody_gave_do_not_race() -> None:
    """The floats are sums of marks, say, which differ where something is marked."""
    answer = launched(PACK, "(n + 255) / 256, 256")
    assert answer.verdict is Verdict.UNKNOWN
    assert {each.code for each in answer.findings} == {"RW310", "RW321"}


def test_elements_numbered_by_declared_floats_race() -> None:
    launch = "// rewright: launch grid(1), block(64); n = 64; out: inout f32[200]; in: in f32[64]; marked: in f32[64]\n"
    answer = answered(launch.replace("\n", "; sums: in f32[64]\n") + PACK)
    assert answer.verdict is Verdict.REFUTED


def test_sizes_that_index_are_ordered_before_numbers_of_blocks_and_threads() -> None:
    source = """struct Shape { int rows, columns, stride; };
__global__ void mirrored(float *s, const float *t, Shape of, Shape to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < to.rows && j <= i) s[j * to.stride + i] += t[j * of.stride + i];
}
void run(dim3 grid, dim3 block, float *s, const float *t, Shape of, Shape to) {
  mirrored<<<grid, block>>>(s, t, of, to);
}
"""
    kernel = outline("a.cu", {"a.cu": source}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": source}).program
    assert program is not None
    said = {each.condition.short for each in of_sizes(kernel, numbers(kernel, program))}
    assert {"to.rows <= to.stride", "to.rows <= of.stride"} <= said


COPIED = """
// rewright: launch grid(heads, 4), block(64)
__global__ void copied(float *out, const float *in, int heads, int length, int width, int out_batch, int out_head,
                       int out_row, int in_batch, int in_head, int in_row) {
  float *to = out + blockIdx.y * out_batch + blockIdx.x * out_head;
  const float *from = in + blockIdx.y * in_batch + blockIdx.x * in_head;
  for (int row = 0; row < length; row++)
    for (int i = threadIdx.x; i < width; i += blockDim.x) to[row * out_row + i] = from[row * in_row + i];
}
"""


def test_strides_that_nobody_gave_reach_over_each_other_in_some_launches() -> None:
    """No tensor has them alike."""
    kernel = outline("a.cu", {"a.cu": COPIED}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": COPIED}).program
    assert program is not None
    cases = [dict(each.values) for each in pitched_cases(kernel, program)]
    strides = [
        [case[Name(f"{of}_{each}")] for of in ("out", "in") for each in ("batch", "head", "row")] for case in cases
    ]
    assert [128**3, 128**2, 128] * 2 in strides and [128**2, 128, 1] * 2 in strides
    answer = answered(COPIED)
    assert answer.verdict is Verdict.UNKNOWN


def test_nothing_shows_everywhere_where_no_steps_are_left_for_strides() -> None:
    source = "// rewright: launch grid(2), block(32)\n__global__ void k(float *x, int n) { x[n] = threadIdx.x; }\n"
    kernel = outline("a.cu", {"a.cu": source}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": source}).program
    assert program is not None
    searched = search(kernel, program, 10_000)
    resting = chosen(kernel, searched.variables)
    trials = Trials(kernel, program, searched, resting, 10_000, inf, list(searched.tried))
    trials.run_realistic()
    assert trials.everywhere() and trials.pitched
    trials.is_unpitched = True
    assert not trials.everywhere()


def test_no_size_is_a_product_where_32_bits_do_not_number_the_threads() -> None:
    """`blockIdx.x * blockDim.x` wraps beyond: what goes wrong there says nothing of sizes that people have."""
    source = """__global__ void moved(float *to, const float *from, int batch, int length, int heads) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  to[at / (length * heads) * length * heads + at % length * heads + at / length % heads] = from[at];
}
void run(float *to, const float *from, int batch, int length, int heads, int threads) {
  moved<<<batch * length * heads, threads>>>(to, from, batch, length, heads);
}
"""
    kernel = outline("a.cu", {"a.cu": source}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": source}).program
    assert program is not None
    found = realistic_cases(kernel, program)
    sizes = [max(value for _, value in each.values) for each in (*found.needed, *found.further)]
    assert sizes and max(sizes) < 1 << 16


def test_contents_of_all_kinds_are_tried_where_no_launch_is_tiny() -> None:
    source = """// rewright: launch grid(rows), block(threads); requires threads % 128 == 0; requires threads <= pitch
__global__ void picked(float *out, const float *in, const int *at, int rows, int threads, int pitch) {
  int row = blockIdx.x;
  if (threadIdx.x == 0) out[row] = in[row * pitch + at[row]];
}
"""
    kernel = outline("a.cu", {"a.cu": source}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": source}).program
    assert program is not None
    searched = search(kernel, program, 100_000)
    trials = Trials(kernel, program, searched, chosen(kernel, searched.variables), 100_000, inf, list(searched.tried))
    tried = list(ConditionSearch(trials)._adverse(kernel))
    assert any(min(dict(each.contents)[Name("at")]) < 0 for each in tried)


def test_products_may_have_to_fit_and_to_be_multiples() -> None:
    source = """__global__ void kept(float *to, const float *from, int heads, int width, int length, int size) {
  int row = blockIdx.x * 16 + threadIdx.x;
  for (int i = 0; i < heads * width; i++)
    if (row < length && i < size) to[blockIdx.y * size + row * heads * width + i] = from[row * heads * width + i];
}
void run(float *to, const float *from, int heads, int width, int length, int size, int batch) {
  kept<<<dim3(batch * length / 16, 3), 16>>>(to, from, heads, width, length, size);
}
"""
    kernel = outline("a.cu", {"a.cu": source}).kernels[0].launches[0].kernel
    program = lower(kernel, {"a.cu": source}).program
    assert program is not None
    said = {each.condition.short for each in of_sizes(kernel, numbers(kernel, program))}
    assert {"heads * width * length <= size", "batch * length % 16 == 0"} <= said


def test_elements_that_bound_a_loop_meet_the_size_of_what_it_reads() -> None:
    text = """kernel k<N, V>(t: in s32[N], x: in f32[V], y: out f32[N]) {
  launch block(16)
  for i in thread.x..N step 16 {
    var sum = 0.0
    for j in 0..t[i] { sum += x[j] }
    y[i] = sum
  }
}
"""
    assert conditions(ask(text).answer) == ["forall i in 0..N: 0 <= t[i] and t[i] <= V"]
