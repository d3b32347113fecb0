"""What must not come out as checked: nothing that was left out, cut short or tried with too few inputs counts."""

from __future__ import annotations

import pytest
from kernel_texts import ask, body

from rewright.checks import kernel
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.kernels.launches.search import FENCES
from rewright.replay.kernel import replayed
from rewright.replay.kernel.outcome import Replayed, ReplayOutcome
from rewright.rules.decision import Budget
from rewright.verdict import Verdict
from rewright.verdict.diagnostics.kernels import WrongUnless

CHOSEN = """__global__ void entry(const int *a, const int *b, int *y) {
  const int *p = threadIdx.x < 4 ? a : b;
  if (p[threadIdx.x] >= -2000000000) { y[0] = threadIdx.x; }
}
"""
DECLARED = 'kernel k(a: in s32[8], b: in s32[8], y: out s32[8]) from "a.cu"::entry { launch block(8) }'


@pytest.mark.parametrize("pointer", ["threadIdx.x < 4 ? a : b", "a"])
def test_what_is_read_from_two_arrays_at_once_is_not_undefined(pointer: str) -> None:
    asked = ask(DECLARED, a_cu=CHOSEN.replace("threadIdx.x < 4 ? a : b", pointer))
    assert asked.codes == ["RW301"]


def test_what_an_atomic_gets_from_two_arrays_at_once_is_not_undefined() -> None:
    source = CHOSEN.replace("const int *", "int *").replace("p[threadIdx.x]", "atomicAdd(&p[threadIdx.x], 1)")
    asked = ask(DECLARED.replace("in s32", "inout s32"), a_cu=source)
    assert asked.codes == ["RW301"]


def test_an_input_by_the_name_of_undefined_is_an_input() -> None:
    text = "kernel k(undefined: in s32[8], y: out s32[8]) { launch block(8); STATEMENT }"
    assert ask(text.replace("STATEMENT", "if undefined[thread.x] > 0 { y[0] = thread.x }")).codes == ["RW301"]


@pytest.mark.parametrize("launch", ["block(4)", "grid(4), block(1)"])
def test_writes_that_are_equal_later_on_are_tried_with_other_inputs_too(launch: str) -> None:
    text = """kernel k(x: in s32[4], y: out s32[4]) {
  launch LAUNCH
  let mine = thread.x + block.x
  var v = 1
  for i in 0..2 {
    y[0] = v
    barrier()
    v = select(x[mine] < -500000000, mine, 1)
  }
}
"""
    (rests,) = [each for each in ask(text.replace("LAUNCH", launch)).reported if each.code == "RW321"]
    assert rests.says(WrongUnless).found.code in ("RW301", "RW313")
    assert ask(text.replace("LAUNCH", launch).replace("mine, 1)", "1, 1)")).codes[0] == "RW311"


UNSURE = {
    "convert(x[thread.x], s32) > 0": Verdict.UNKNOWN,
    "exp(convert(thread.x, f32)) > 1.0": Verdict.UNKNOWN,
    "k[thread.x] >= -2000000000": Verdict.ERROR,
    "thread.x > 0": Verdict.ERROR,
}
EQUAL = {
    "1": Verdict.ERROR,
    "select(exp(x[thread.x]) > 0.0, 1, 1)": Verdict.UNKNOWN,
}


@pytest.mark.parametrize("condition", UNSURE)
def test_only_floats_excuse_what_does_not_replay(condition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replayed, "replay", lambda *asked: Replayed(ReplayOutcome.FAILS))
    asked = body(f"if {condition} {{ m[0] = thread.x }}")
    assert asked.verdict is UNSURE[condition]
    assert asked.codes == [{Verdict.UNKNOWN: "RW320", Verdict.ERROR: "RW901"}[asked.verdict]]


@pytest.mark.parametrize("value", EQUAL)
def test_writes_that_the_replay_does_not_find_equal_are_not_passed_over(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = body(f"m[0] = {value}")
    assert (asked.verdict, asked.codes) == (Verdict.CHECKED, ["RW311"])
    monkeypatch.setattr(replayed, "replay", lambda *asked: Replayed(ReplayOutcome.FAILS))
    assert body(f"m[0] = {value}").verdict is EQUAL[value]


def test_a_kernel_of_which_no_run_counts_is_not_checked() -> None:
    asked = ask("kernel k<N>(y: out f32[N]) { launch block(4); assume thread.x > 99; y[thread.x + N] = 1.0 }")
    assert (asked.verdict, asked.answer.reason) == (Verdict.UNKNOWN, "every run is excluded by an `assume`")


DOUBTFUL = """__global__ void entry(const int *c, int *count, int *y) {
  int left = c[0];
  atomicAdd(count, 1);
  if (left > 1000) { __threadfence(); y[0] = threadIdx.x; }
  while (left > 1000) { left = left - 1; }
}
"""


def test_a_doubt_about_fences_in_a_run_that_is_cut_short_remains() -> None:
    text = 'kernel k(c: in s32[1], count: inout s32[1], y: out s32[1]) from "a.cu"::entry { launch block(64) }'
    asked = ask(text, a_cu=DOUBTFUL)
    assert (asked.verdict, asked.answer.reason) == (Verdict.UNKNOWN, FENCES)


def test_a_free_parameter_of_floats_is_tried_with_either_sign() -> None:
    text = "kernel k(y: out s32[4], a: f32) { launch block(4); y[select(a < 0.0, 4, 0) + thread.x] = 1 }"
    (rests,) = [each for each in ask(text).reported if each.code == "RW321"]
    assert rests.says(WrongUnless).found.code == "RW304" and rests.says(WrongUnless).chosen == (("a", "-1.5"),)
    asked = ask(text.replace("4, 0", "0, 0"))
    assert asked.answer.coverage.text == "4 launches: grid 1, block 4; a = -1.5, 0.0, 1.0, 1.5 (a chosen)"


UNSIZED = """// rewright: launch block(8)
__global__ void entry(const float *x, int *y) {
  if (x[9000 + threadIdx.x] >= 0) { y[0] = threadIdx.x; }
}
"""


def test_what_lies_after_the_chosen_elements_of_an_array_without_size_is_not_undefined() -> None:
    sources = {"a.cu": UNSIZED}
    (found,) = outline("a.cu", sources).kernels
    assert found.kernel is not None
    lowered = lower(found.kernel, sources)
    assert lowered.program is not None
    answer = kernel.answer(found.kernel, lowered.program, Budget())
    assert [finding.code for finding in answer.findings] == ["RW301"]


def test_increments_that_wrap_at_different_numbers_depend_on_their_order() -> None:
    source = """__global__ void entry(unsigned *n, int *y) {
  atomicInc(n, 5 + threadIdx.x % 2);
  __syncthreads();
  if (*n == 3) { y[threadIdx.x] = 1; }
}
"""
    asked = ask('kernel k(n: inout u32[1], y: out s32[8]) from "a.cu"::entry { launch block(8) }', a_cu=source)
    assert asked.verdict is Verdict.CHECKED
    assert asked.answer.coverage.assumptions == ("threads perform atomics in ascending or in descending order",)
