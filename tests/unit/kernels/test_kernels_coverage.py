"""What a check of a kernel covers, from text to words: sizes and inputs, given or chosen such that `requires` holds."""

from __future__ import annotations

from kernel_texts import ask

from rewright.kernels.launches.search import ALONE
from rewright.verdict import KernelWitness, Verdict


def test_sizes_as_given_are_named() -> None:
    asked = ask("kernel k<N = 6, M = (2 * N)>(y: out f32[M], n: s32 = M - 1) { launch block(N); y[thread.x] = 1.0 }")
    assert asked.answer.coverage.text == "grid 1, block 6; N = 6, M = 12, n = 11"
    assert asked.answer.coverage.bounded


def test_scalars_of_other_types_may_have_values() -> None:
    text = "kernel k<N = 4>(y: out f32[N], scale: f32 = 0.5, flag: pred = true, n: u32 = N) {\n launch block(N)\n {} }"
    asked = ask(text.replace("{}", "assert flag, n == convert(4, u32)\n y[thread.x] = scale"))
    assert asked.verdict is Verdict.CHECKED
    assert asked.answer.coverage.text == "grid 1, block 4; N = 4, scale = 0.5, flag = 1, n = 4"


def test_free_sizes_are_chosen_around_the_block() -> None:
    asked = ask("kernel k<N>(y: out f32[N]) { launch block(32)\n for i in thread.x..N step 32 { y[i] = 1.0 } }")
    assert asked.verdict is Verdict.CHECKED
    assert asked.answer.coverage.text == "8 launches: grid 1, block 32; N = 1, 7, 31, 32, 33, … 65 (N chosen)"


def test_a_free_size_may_be_the_launch() -> None:
    asked = ask("kernel k<N>(y: out f32[N]) { launch block(N); y[N - 1 - thread.x] = 1.0 }")
    covered = "4 launches: grid 1, block 1, 7, 33, 64; N = 1, 7, 33, 64 (N chosen)"
    assert asked.answer.coverage.text == covered


def test_a_race_that_needs_two_passes_is_found_at_a_chosen_size() -> None:
    text = """kernel k<N>(x: in f32[N], y: out f32[N]) {
  launch block(8)
  shared s: f32[8]
  var start = 0
  while start < N {
    if start + thread.x < N { s[thread.x] = x[start + thread.x] }
    barrier()
    if start + 7 - thread.x < N { y[start + 7 - thread.x] = s[7 - thread.x] }
    start += 8
  }
}
"""
    asked = ask(text)
    assert asked.codes == ["RW301"]
    assert isinstance(asked.answer.witness, KernelWitness)
    assert asked.answer.witness.values == (("N", "17"),)


FREE_SCALAR = """kernel k<N = 16>(y: out f32[N], n: s32) {
  launch block(1)
  for i in 0..n { y[i] = 1.0 }
}
"""


def test_a_free_scalar_takes_any_value() -> None:
    assert ask(FREE_SCALAR.replace("0..n", "0..min(n, N)")).verdict is Verdict.CHECKED
    assert ask(FREE_SCALAR.replace("0..n", "0..n + 15")).codes == ["RW304"]


def test_a_free_scalar_satisfies_what_is_required() -> None:
    asked = ask(FREE_SCALAR.replace("launch", "requires 0 <= n, n <= N; launch"))
    assert asked.verdict is Verdict.CHECKED
    assert "n = 0, 1, 2, 3, 7" in asked.answer.coverage.text
    assert "(n chosen)" in asked.answer.coverage.text


GATHER = """kernel k<N = 8, M = 3>(index: in s32[N], x: in f32[M], y: out f32[N]) {
  requires forall i in 0..N: 0 <= index[i] and index[i] < M
  launch block(N)
  y[thread.x] = x[index[thread.x]]
}
"""


def test_inputs_satisfy_what_is_required() -> None:
    asked = ask(GATHER)
    assert asked.verdict is Verdict.CHECKED
    assert asked.answer.coverage.text == "grid 1, block 8; N = 8, M = 3; 5 choices of `index`"


def test_inputs_that_matter_are_in_the_witness() -> None:
    asked = ask(GATHER.replace("index[i] < M", "index[i] <= M"))
    assert asked.codes == ["RW304"]
    assert isinstance(asked.answer.witness, KernelWitness)
    values = dict(asked.answer.witness.values)
    assert "3" in values["index"]


def test_inputs_that_do_not_matter_are_not_tried_twice() -> None:
    asked = ask("kernel k<N = 8>(a: in s32[N], b: out s32[N]) { launch block(N); b[thread.x] = a[thread.x] + 1 }")
    assert asked.answer.coverage.text == "grid 1, block 8; N = 8"


def test_scattering_collides_unless_the_input_is_a_permutation() -> None:
    text = """kernel k<N = 8>(to: in s32[N], y: out f32[N]) {
  requires forall i in 0..N: 0 <= to[i] and to[i] < N
  launch block(N)
  y[to[thread.x]] = convert(thread.x, f32)
}
"""
    assert ask(text).codes == ["RW301"]
    different = "forall i in 0..N: forall j in 0..i: to[j] < to[i]"
    asked = ask(text.replace("launch", f"requires {different}\n  launch"))
    assert asked.verdict in (Verdict.CHECKED, Verdict.UNKNOWN)
    identity = ask(text.replace("0 <= to[i] and to[i] < N", "to[i] == N - 1 - i"))
    assert identity.verdict is Verdict.CHECKED


def test_what_cannot_be_satisfied_is_unknown() -> None:
    asked = ask(GATHER.replace("index[i] < M", "index[i] < 0"))
    assert (asked.verdict, asked.answer.reason) == (
        Verdict.UNKNOWN,
        "no inputs were found that satisfy `requires`",
    )
    asked = ask("kernel k<N = 4>(y: out f32[N]) { requires N > 4; launch block(N) }")
    assert (asked.verdict, asked.answer.reason) == (
        Verdict.UNKNOWN,
        "the sizes given do not satisfy `requires`: N = 4",
    )


def test_first_middle_and_last_block_are_run() -> None:
    asked = ask("kernel k(y: out f32[9]) { launch grid(9), block(1); y[block.x] = 1.0 }")
    assert asked.answer.coverage.text == "grid 9, block 1; blocks 0, 3, 4, 5, 7, 8"
    assert asked.answer.coverage.assumptions == ("blocks that were not run do not interfere",)


def test_of_several_launches_values_and_shapes_are_listed() -> None:
    asked = ask("kernel k<N, M = 3>(y: out f32[N]) { launch grid(N), block(1); y[block.x] = 1.0 }")
    text = asked.answer.coverage.text
    assert text.startswith("3 launches: grid 1, 3, 7, block 1; N = 1, 3, 7; M = 3; ")
    assert text.endswith("of large grids the first block, the last and one in the middle, with neighbours (N chosen)")


def test_the_order_of_atomics_is_an_assumption_where_control_depends_on_it() -> None:
    text = """kernel k(n: inout s32[1], y: inout s32[8]) {
  launch block(8)
  let mine = atomic_add(n[0], 1)
  if mine < 8 { y[mine] = thread.x }
}
"""
    asked = ask(text)
    assumption = "threads perform atomics in ascending or in descending order"
    assert asked.answer.coverage.assumptions == (assumption,)


def test_what_only_a_later_block_may_do_is_not_checked() -> None:
    """Blocks run from the memory at the start: none but the first would see what atomics return to a later one."""
    text = """kernel k(n: inout s32[1], y: inout s32[8]) {
  requires n[0] == 0
  launch grid(2), block(4)
  shared count: s32[1]
  if thread.x == 0 { count[0] = atomic_add(n[0], 1) }
  barrier()
  if count[0] == grid_dim.x - 1 { y[8] = 1 }
}
"""
    assert (found := ask(text)).verdict is Verdict.UNKNOWN
    assert found.answer.reason == ALONE
    assert ask(text.replace("grid(2)", "grid(1)")).verdict is Verdict.REFUTED
    assert ask(text.replace("if count[0] == grid_dim.x - 1 { y[8] = 1 }", "")).verdict is Verdict.CHECKED


def test_functions_of_floats_that_control_depends_on_are_an_assumption() -> None:
    text = "kernel k(y: out s32[8]) { launch block(8); if CONDITION > 1.0 { y[thread.x] = 1 } }"
    assumption = "control does not depend on the last places of functions of floats"
    assert ask(text.replace("CONDITION", "exp(convert(thread.x, f32))")).answer.coverage.assumptions == (assumption,)
    assert ask(text.replace("CONDITION", "sqrt(convert(thread.x, f32))")).answer.coverage.assumptions == ()


def test_which_threads_are_active_is_an_assumption_where_control_depends_on_it() -> None:
    text = 'kernel k(y: out s32[8]) from "a.cu"::entry { launch block(8) }'
    source = "__global__ void entry(int *y) { unsigned m = __activemask(); STATEMENT }"
    asked = ask(text, a_cu=source.replace("STATEMENT", "if (m > 3) { y[threadIdx.x] = 1; }"))
    assert asked.answer.coverage.assumptions == (
        "the active threads of a warp are those that lock step brings together",
    )
    assert ask(text, a_cu=source.replace("STATEMENT", "y[threadIdx.x] = m;")).answer.coverage.assumptions == ()


def test_contents_with_which_a_run_was_cut_short_are_reported() -> None:
    text = """kernel k(c: in s32[4], y: out s32[4]) {
  launch block(4)
  var left = c[thread.x]
  while left > 0 { left = left - 1 }
  y[thread.x] = left
}
"""
    asked = ask(text)
    assert asked.verdict is Verdict.CHECKED
    assert asked.answer.coverage.text.endswith("choices of `c` (1 more cut short)")
