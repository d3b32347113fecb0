"""Which errors refute a kernel, which conditions it needs otherwise, and what host code demands before a launch."""

from __future__ import annotations

from itertools import product

import pytest
from kernel_texts import ask
from msgspec.structs import replace

from rewright.checks.kernel import answer_launches
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.kernels.conditions.explaining import Explanations, Runs
from rewright.kernels.conditions.vocabulary import numbers, of_sizes
from rewright.kernels.execution.pages import MOST_REACHED
from rewright.kernels.execution.run import Machine
from rewright.kernels.launches.several import ProgramLaunch
from rewright.model.index import Name
from rewright.model.simt.violation import Setting
from rewright.rules.decision import Budget
from rewright.verdict import Answer, KernelWitness, Verdict

ALIGNED = """__global__ void scale4(float *a, int M, int K) {
  for (int k = threadIdx.x * 4; k < K; k += blockDim.x * 4) {
    float4 v = *reinterpret_cast<float4 *>(&a[blockIdx.x * K + k]);
    v.x *= 2;
    *reinterpret_cast<float4 *>(&a[blockIdx.x * K + k]) = v;
  }
}
"""
CALL = "scale4<<<M, 32>>>(a, M, K);"

EMBED = """__global__ void embed(float *out, const int *tok, const float *wte, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = wte[tok[i]];
}
void run(float *out, const int *tok, const float *wte, int n) {
  embed<<<(n + 255) / 256, 256>>>(out, tok, wte, n);
}
"""


USUAL = Budget()


def answered(source: str, budget: Budget = USUAL) -> Answer:
    """The answer for the one kernel of a source at all launches that it says."""
    (found,) = outline("a.cu", {"a.cu": source}).kernels
    assert found.launches and not found.findings, found.findings
    launches = []
    for each in found.launches:
        program = lower(each.kernel, {"a.cu": source}).program
        assert program is not None
        launches.append(ProgramLaunch(each.kernel, program, each.written, each.is_needed))
    return answer_launches(launches, (), budget)


def conditions(answer: Answer) -> list[str]:
    return [each.requires for each in answer.coverage.conditions]


def hosted(body: str) -> str:
    return f"{ALIGNED}void run(float *a, int M, int K) {{ {body} }}\n"


def test_a_vector_access_needs_a_divisibility() -> None:
    answer = answered(hosted(CALL))
    assert (answer.verdict, conditions(answer)) == (Verdict.CONDITIONAL, ["K % 4 == 0"])
    assert {each.code for each in answer.findings} == {"RW321"}
    assert answer.witness is not None and answer.witness.replayed


def test_a_large_constant_of_the_host_is_run_where_smaller_ones_go_wrong() -> None:
    call = "void run(float *a) { const int K = 100001; scale4<<<8, 32>>>(a, 8, K); }\n"
    answer = answered(ALIGNED + call)
    assert (answer.verdict, {each.code for each in answer.findings}) == (Verdict.REFUTED, {"RW306"})
    assert isinstance(answer.witness, KernelWitness) and answer.witness.replayed
    assert ("K", "100001") in answer.witness.values
    aligned = answered(ALIGNED + call.replace("100001", "100000"))
    assert (aligned.verdict, conditions(aligned)) == (Verdict.CHECKED, [])
    assert "K = 100000" in aligned.coverage.text


def test_a_large_constant_that_a_comment_excludes_is_left_out() -> None:
    calls = "scale4<<<8, 32>>>(a, 8, 100001); scale4<<<8, 32>>>(a, 8, 64);"
    source = "// rewright: requires K % 4 == 0\n" + hosted(calls)
    (found,) = outline("a.cu", {"a.cu": source}).kernels
    assert [each.reason for each in found.left_out] == ["it passes K = 100001, which `requires` excludes"]
    assert len(found.launches) == 1


def test_an_index_array_needs_a_range_in_the_elements_that_are_read() -> None:
    answer = answered(EMBED)
    assert (answer.verdict, conditions(answer)) == (Verdict.CONDITIONAL, ["forall i in 0..n: 0 <= tok[i]"])
    (condition,) = answer.coverage.conditions
    assert (condition.short, condition.broken) == ("0 <= tok[i]", "tok[i] < 0")
    assert condition.declares == (("tok", "in s32[n]"),)


@pytest.mark.parametrize(
    "body",
    [
        f"assert(K % 4 == 0); {CALL}",
        f'assert(K % 4 == 0 && "rows are aligned"); {CALL}',
        f'TORCH_CHECK(K % 4 == 0, "K"); {CALL}',
        f"GGML_ASSERT(M > 0 && K % 4 == 0); {CALL}",
        f"CHECK_EQ(K % 4, 0); {CALL}",
        f"if (K % 4 != 0) return; {CALL}",
        f'if (K % 4) {{ printf("no"); exit(1); }} {CALL}',
        f"if (a == nullptr || K % 4 != 0) throw 1; {CALL}",
        f"if (!(K % 4 == 0)) {{ return; }} {CALL}",
        f"if (K % 4 == 0) {{ {CALL} }}",
        f"if (K % 4 != 0) {{ M = 1; }} else {{ {CALL} }}",
    ],
)
def test_what_the_host_demands_the_launch_requires(body: str) -> None:
    assert answered(hosted(body)).verdict is Verdict.CHECKED


@pytest.mark.parametrize(
    "defined",
    [
        '#define GGML_ASSERT(x) if (!(x)) GGML_ABORT("GGML_ASSERT(%s) failed", #x)',
        "#define GGML_ASSERT(x) my_assert(bool(x), __FILE__, __LINE__)",
        "#define GGML_ASSERT(x) do { if (!(x)) throw Wrong(#x); } while (0)",
    ],
)
def test_what_a_known_assertion_demands_counts_however_a_text_defines_it(defined: str) -> None:
    answer = answered(f"{defined}\n{hosted(f'GGML_ASSERT(K % 4 == 0); {CALL}')}")
    assert answer.verdict is Verdict.CHECKED


@pytest.mark.parametrize(
    "body",
    [
        f"if (K % 4 != 0) K = 4; {CALL}",
        f"assert(K % 4 == 0); K++; {CALL}",
        f"if (K % 4 == 0) {{ }} {CALL}",
        f'if (M == 2 || K % 4 != 0) {{ printf("no"); }} {CALL}',
        f"{CALL} assert(K % 4 == 0);",
        f"if (K % 4 == 0 || a != nullptr) {{ {CALL} }}",
    ],
)
def test_what_the_host_does_not_demand_is_a_condition(body: str) -> None:
    assert conditions(answered(hosted(body))) == ["K % 4 == 0"]


def test_a_launch_that_a_comment_states_is_not_what_the_host_demands_of_its_own() -> None:
    stated = "// rewright: launch grid(3), block(32); K = 6\n" + hosted(f"assert(K % 4 == 0); {CALL}")
    assert answered(stated).verdict is Verdict.REFUTED


def test_what_the_compiler_may_assume_is_not_spoken_of() -> None:
    told = ALIGNED.replace("{\n  for", "{\n  __builtin_assume(K % 4 == 0);\n  for", 1)
    assert answered(f"{told}void run(float *a, int M, int K) {{ {CALL} }}\n").verdict is Verdict.CHECKED


def test_a_size_that_is_given_refutes() -> None:
    assert answered(hosted("scale4<<<M, 32>>>(a, M, 6);")).verdict is Verdict.REFUTED


UNGUARDED = """__global__ void k(const float *x, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = m * x[i];
}
void run(const float *x, float *y, int n, int m) { k<<<(n + 31) / 32, 32>>>(x, y, n, m); }
"""
SIZED = "x: in f32[n]; y: out f32[n]"


def test_a_missing_guard_is_conditional_where_nobody_gave_the_size() -> None:
    assert conditions(answered(f"// rewright: {SIZED}\n{UNGUARDED}")) == ["n % 32 == 0"]


@pytest.mark.parametrize("said", ["forall n", "forall n, m", "n = 33", "forall m; n = 33"])
def test_a_missing_guard_refutes_where_somebody_asked_for_all_sizes_or_gave_one(said: str) -> None:
    answer = answered(f"// rewright: {SIZED}; {said}\n{UNGUARDED}")
    assert (answer.verdict, {each.code for each in answer.findings}) == (Verdict.REFUTED, {"RW304"})


def test_that_any_value_of_another_parameter_counts_makes_no_size_given() -> None:
    assert conditions(answered(f"// rewright: {SIZED}; forall m\n{UNGUARDED}")) == ["n % 32 == 0"]


def test_any_value_counts_only_where_the_host_gives_none() -> None:
    text = UNGUARDED.replace("(x, y, n, m); }", "(x, y, 64, m); }").replace("(n + 31) / 32", "2")
    assert answered(f"// rewright: {SIZED}; forall n\n{text}").verdict is Verdict.CHECKED


def test_what_no_requirement_excludes_refutes_at_any_value_that_counts() -> None:
    text = """@forall(N)
kernel k<N>(y: out f32[N]) {
  launch grid((N + 7) / 8), block(8)
  y[block.x * 8 + thread.x] = 1.0
}
"""
    assert ask(text).codes == ["RW304"]
    assert ask(text.replace("  launch", "  requires N % 8 == 0\n  launch")).verdict is Verdict.CHECKED


def test_conditions_are_of_what_is_chosen_where_any_value_of_another_size_counts() -> None:
    text = UNGUARDED.replace("  y[i]", "  if (m > 0) y[i]")
    assert conditions(answered(f"// rewright: {SIZED}; forall n\n{text}")) == ["m <= 0"]


def test_sizes_whose_arrays_would_be_too_large_are_left_out() -> None:
    text = """__global__ void k(float *z, int n, int m, int l) {
  long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && m > 0 && l > 0) z[i * m * l] = i;
}
"""
    free = f"{text}void run(float *z, int n, int m, int l) {{ k<<<(n + 255) / 256, 256>>>(z, n, m, l); }}\n"
    assert answered(free).verdict is Verdict.CHECKED
    given = f"// rewright: launch grid(2), block(256); n = 512; m = 1024; l = LENGTH\n{text}"
    inside, beyond = (answered(given.replace("LENGTH", str(length))) for length in (1024, 1 << 14))
    assert inside.verdict is Verdict.CHECKED, "2 GiB, of which little is touched"
    assert beyond.verdict is Verdict.UNKNOWN, "more elements than an `int` counts"
    assert conditions(answered(free.replace(" && m > 0 && l > 0", ""))) == ["m >= 1", "l >= 1"]


LONG = """__global__ void product(float *z, const float *x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < STEPS; ++j) sum += x[j % m];
  if (i < n) z[i] = sum;
}
void run(float *z, const float *x, int n, int m) { product<<<(n + 63) / 64, 64>>>(z, x, n, m); }
"""


def test_launches_at_larger_sizes_that_take_too_many_steps_are_left_out_and_named() -> None:
    long = answered(LONG.replace("STEPS", "(m > 64 ? 1 << 20 : m)"))
    assert long.verdict is Verdict.CHECKED and "too many steps" in long.coverage.text, long.coverage
    assert answered(LONG.replace("STEPS", "1 << 20")).verdict is Verdict.UNKNOWN, "at no size there are steps enough"
    shorter = answered(LONG.replace("STEPS", "(n < 7 ? 1 << 20 : m)"))
    assert shorter.verdict is Verdict.UNKNOWN, "the smallest size may never end"
    given = answered(f"// rewright: launch grid(2), block(64); n = 128; m = 65\n{LONG.replace('STEPS', '(1 << 20)')}")
    assert given.verdict is Verdict.UNKNOWN, "what is given is not left out"


def test_a_grid_that_is_a_quotient_without_rest_is_launched_at_whole_tiles() -> None:
    text = """__global__ void halves(float *y, const float *x) {
  for (int i = threadIdx.x; i < 256; i += 32) y[blockIdx.x * 256 + i] = x[i] - blockIdx.x;
}
void run(float *y, const float *x, long k) { const int blocks = k / 256; halves<<<blocks, 32>>>(y, x); }
"""
    answer = answered(text)
    assert answer.verdict is Verdict.CHECKED and "grid 1, 2, 7" in answer.coverage.text
    wrong = answered(text.replace("i < 256", "i <= 256"))
    assert wrong.verdict is not Verdict.CHECKED and wrong.findings, "two blocks write one element"


def test_a_size_is_bounded_only_by_numbers_of_the_program() -> None:
    text = """__global__ void below(float *y, int w) { if (w == 100) y[threadIdx.x] = w; }
void run(float *y, int w) { below<<<1, 64>>>(y, w); }
"""
    (found,) = outline("a.cu", {"a.cu": text}).kernels
    assert found.kernel is not None
    program = lower(found.kernel, {"a.cu": text}).program
    assert program is not None
    offered = {each.condition.requires for each in of_sizes(found.kernel, numbers(found.kernel, program))}
    assert {"w >= 1", "w >= 100", "w <= 100"} <= offered
    assert offered.isdisjoint(f"w {bound} {number}" for bound, number in product(("<=", ">="), range(4, 9)))


def test_a_failed_assertion_about_what_was_chosen_does_not_refute() -> None:
    text = """__global__ void pooled(float *y, const float *x, int n, int way) {
  float sum = 0;
  switch (way) {
    case 0: break;
    case 1: sum = 1; break;
    default: assert(false);
  }
  for (int i = 0; i < n * n * 64; ++i) sum += x[i % n];
  y[threadIdx.x] = sum;
}
void run(float *y, const float *x, int n, int way) { pooled<<<1, 256>>>(y, x, n, WAY); }
"""
    assert answered(text.replace("WAY", "way")).verdict is Verdict.UNKNOWN
    assert answered(text.replace("WAY", "2")).verdict is Verdict.REFUTED, "what the host passes is not chosen"


def test_what_shows_only_where_one_size_is_ample_does_not_refute_if_the_others_take_too_long() -> None:
    text = """__global__ void mirrored(float *y, const float *x, int n, int m) {
  if (m < 8 || n < 8) y[threadIdx.x] = x[-1];
  for (int i = threadIdx.x; i < n; i += 192) for (int j = 0; j < 64 * m * m; ++j) y[i] += x[j % n];
}
void run(float *y, const float *x, int n, int m) {
  mirrored<<<dim3((n + 191) / 192, (m + 191) / 192), 192>>>(y, x, n, m);
}
"""
    few = Budget(steps=1_500_000)  # a twentieth: no run ends at which both are ample
    assert answered(text, few).verdict is not Verdict.REFUTED
    assert answered(text.replace("if (m < 8 || n < 8) ", ""), few).verdict is Verdict.REFUTED


def test_rows_whose_product_with_their_length_overflows_say_nothing() -> None:
    """At 256 each the product of three sizes is far from 32 bits, that of all rows and a column is not."""
    text = """__global__ void rows(float *out, const float *in, int N, int T) {
  int row = blockIdx.x * 8 + threadIdx.x / 32;
  if (row >= N * T) return;
  for (int i = threadIdx.x % 32; i < T; i += 32) out[row * T + i] = in[row * T + i];
}
void run(float *out, const float *in, int B, int H, int T) {
  rows<<<(B * H * T + 7) / 8, 256>>>(out, in, B * H, T);
}
"""
    answer = answered(text)
    assert (answer.verdict, conditions(answer)) == (Verdict.CHECKED, [])


def test_contents_that_a_requirement_speaks_of_are_stated() -> None:
    text = """kernel k(t: in s32[8], y: out s32[8]) {
  requires forall i in 0..8: 0 <= t[i] and t[i] <= 8
  launch block(8)
  y[t[thread.x] / 8 * 8] = thread.x
}
"""
    assert ask(text).verdict is Verdict.REFUTED


def test_what_shows_wherever_it_is_realistic_refutes_though_a_small_size_would_hide_it() -> None:
    text = """kernel k<N>(y: out f32[N]) {
  launch block(32)
  shared s: f32[32]
  for start in 0..N step 32 {
    if start + thread.x < N { s[thread.x] = 1.0 }
    barrier()
    if start + 31 - thread.x < N { y[start + 31 - thread.x] = s[31 - thread.x] }
  }
}
"""
    assert ask(text).codes == ["RW301"]


def test_two_conditions_together() -> None:
    text = """kernel k<M, N>(x: in f32[M], y: out f32[N]) {
  launch block(32)
  for i in thread.x..(M + 3) / 4 step 32 { y[4 * i] = x[4 * i + 3] }
}
"""
    asked = ask(text)
    assert asked.verdict is Verdict.CONDITIONAL
    assert sorted(conditions(asked.answer)) == ["M % 4 == 0", "M <= N"]


def test_the_search_is_a_function_of_the_kernel() -> None:
    assert answered(EMBED) == answered(EMBED)


UNRELATED = """template <int T> __global__ void sums(float *a) {
  __shared__ float s[T];
  s[threadIdx.x] = a[threadIdx.x];
}
void run(float *a, Plan p) { sums<4><<<1, p.threads>>>(a); }
"""


def test_sizes_of_host_code_that_are_not_known_refute_nothing() -> None:
    answer = answered(UNRELATED)
    assert answer.verdict is Verdict.UNKNOWN and answer.findings
    assert answered(UNRELATED.replace("p.threads", "64")).verdict is Verdict.REFUTED


def test_what_rests_on_nothing_chosen_refutes_beside_what_does() -> None:
    text = """kernel k(t: in s32[32], y: out s32[32]) {
  launch block(32)
  shared s: s32[32]
  s[thread.x] = 1
  y[31 - thread.x] = s[31 - thread.x] + t[select(t[0] < 0, t[thread.x], 0)]
}
"""
    asked = ask(text)
    assert (asked.verdict, set(asked.codes)) == (Verdict.REFUTED, {"RW301", "RW321"})


def test_what_shows_at_every_size_refutes_beside_what_needs_one() -> None:
    text = """kernel k<N>(y: out f32[N]) {
  launch grid((N + 31) / 32), block(32)
  shared s: f32[32]
  s[thread.x] = 1.0
  y[block.x * 32 + thread.x] = s[31 - thread.x]
}
"""
    asked = ask(text)
    assert (asked.verdict, set(asked.codes)) == (Verdict.REFUTED, {"RW301", "RW321"})


SCATTER = """__global__ void scatter(int *y, const int *t, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < k; j++) y[t[i] * k + j] = i;
}
"""
AT = "// rewright: launch grid((n + 63) / 64), block(64); n = 256"
DIFFER = "forall i in 0..n: forall j in 0..i: t[i] != t[j]"


def test_an_index_array_whose_elements_must_differ() -> None:
    """A permutation makes it right, so nothing that is not given of the indices refutes it."""
    answer = answered(f"{AT}; k = 1; y: out s32[n]; t: in s32[n]\n{SCATTER}")
    assert answer.verdict is Verdict.CONDITIONAL
    assert sorted(conditions(answer)) == ["forall i in 0..n: 0 <= t[i] and t[i] < n", DIFFER]


def test_indices_may_be_larger_than_the_smallest_size() -> None:
    answer = answered(f"{AT}; k = 4; y: out s32[n, k]; t: in s32[n]\n{SCATTER}")
    assert answer.verdict is Verdict.CONDITIONAL and DIFFER in conditions(answer)


def test_elements_that_are_required_to_differ_do() -> None:
    stated = f"{AT}; k = 4; y: out s32[n, k]; t: in s32[n]; requires {DIFFER}"
    assert (
        answered(f"{stated}; requires forall i in 0..n: 0 <= t[i] and t[i] < n\n{SCATTER}").verdict is Verdict.CHECKED
    )
    outside = answered(f"{stated}\n{SCATTER}")
    assert outside.verdict is Verdict.REFUTED and "RW304" in {each.code for each in outside.findings}


def test_other_arrays_are_tried_at_their_ends_beside_elements_that_differ() -> None:
    within = "requires forall i in 0..n: 0 <= t[i] and t[i] < n; requires forall i in 0..n: -9 <= u[i] and u[i] <= 9"
    arrays = f"y: out s32[n]; t: in s32[n]; u: in s32[n]; requires {DIFFER}; {within}"
    answer = answered(f"""// rewright: launch grid(1), block(64); n = 64; {arrays}
__global__ void scattered(int *y, const int *t, const int *u, int n) {{
  y[t[threadIdx.x]] = 1;
  if (u[0] == -9 && u[1] == -9 && u[2] == -9 && u[3] == -9) y[threadIdx.x] = 2;
}}
""")
    assert answer.verdict is Verdict.REFUTED


@pytest.mark.parametrize("block", [8, 32])
def test_a_size_may_be_a_multiple_of_three_channels(block: int) -> None:
    text = f"""kernel last_channel<K>(y: out f32[K]) {{
  launch block({block})
  for i in thread.x..(K + 2) / 3 step {block} {{ y[3 * i + 2] = 1.0 }}
}}
"""
    asked = ask(text)
    assert (asked.verdict, conditions(asked.answer)) == (Verdict.CONDITIONAL, ["K % 3 == 0"])


HEADS = """
__global__ void heads(float *out, const float *in, int batch, int heads, int length, int width) {
  int at = ((blockIdx.z * heads + blockIdx.y) * length + blockIdx.x) * width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) out[at + i] = in[at + i];
}
"""


def test_sizes_whose_product_overflows_an_index_say_nothing_unless_they_are_given() -> None:
    """At 257 each the product of four is beyond 32 bits."""
    host = """void run(float *out, const float *in, int batch, int nh, int length, int width) {
  dim3 grid(length, nh, batch);
  heads<<<grid, 128>>>(out, in, batch, nh, length, width);
}
"""
    assert answered(f"{HEADS}{host}").verdict is Verdict.CHECKED
    at = "// rewright: launch grid(length, heads, batch), block(128)"
    before = HEADS.replace("out[at + ", "out[at - 64 + ").strip()
    assert answered(f"{at}\n{before}").verdict is Verdict.REFUTED
    beyond = HEADS.replace("out[at + ", "out[at - 64u + ").strip()
    assert answered(f"{at}\n{beyond}").verdict is Verdict.UNKNOWN, "unsigned: beyond what is held at any size"
    given = answered(f"{at}; batch = 257; heads = 257; length = 257; width = 257\n{HEADS.strip()}")
    assert given.verdict is Verdict.REFUTED, "what is given is not left out"


@pytest.mark.parametrize(("size", "bound"), [("", ""), ("; table: in f32[rows * width]", " and ids[i] < rows")])
def test_the_bound_of_an_index_is_that_of_what_it_indexes(size: str, bound: str) -> None:
    """Where this has no size, accesses are assumed to stay below its end: no bound is made up."""
    launch = f"// rewright: launch grid(tokens), block(64); ids: in s32[tokens]{size}"
    answer = answered(f"{launch}\n{GATHER}")
    assert conditions(answer) == [f"forall i in 0..tokens: 0 <= ids[i]{bound}"]
    stated = answered(f"{launch}; requires {conditions(answer)[0]}\n{GATHER}")
    assert stated.verdict is Verdict.CHECKED, "what is offered makes it right"


GATHER = """__global__ void gather(const int *ids, const float *table, float *out, int tokens, int width, int rows) {
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    out[blockIdx.x * width + i] = table[ids[blockIdx.x] * width + i];
}
"""


@pytest.mark.parametrize(
    ("index", "verdict"), [("ids[0]", "checked"), ("ids[0] * 4", "checked"), ("~ids[0]", "refuted")]
)
def test_a_large_index_is_held_against_an_array_only_where_nothing_overflows(index: str, verdict: str) -> None:
    """It may be as large as it is stated to be: `~` of it is before the start without any overflow."""
    answer = answered(f"""// rewright: launch block(32); ids: in s32[1]; requires 0 <= ids[0]
__global__ void pick(const int *ids, const float *table, float *out) {{ out[threadIdx.x] = table[{index}]; }}
""")
    assert str(answer.verdict) == verdict


def test_indices_that_are_stated_and_may_be_equal_refute() -> None:
    stated = f"{AT}; k = 4; y: out s32[n, k]; t: in s32[n]; requires forall i in 0..n: 0 <= t[i] and t[i] < n"
    assert answered(f"{stated}\n{SCATTER}").verdict is Verdict.REFUTED


def test_rows_that_overlap_in_some_contents_refute_nothing() -> None:
    answer = answered(f"""{AT}; row: in s32[n + 1]
__global__ void rows(float *y, const int *row, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = row[i]; k < row[i + 1]; k++) y[k] = i;
}}
""")
    assert answer.verdict in (Verdict.UNKNOWN, Verdict.CONDITIONAL)


@pytest.mark.parametrize(("launch", "verdict"), [("", Verdict.UNKNOWN), ("; x: in u8[n]", Verdict.REFUTED)])
def test_bytes_of_which_nobody_says_anything_may_be_letters(launch: str, verdict: Verdict) -> None:
    """As an index they are of a range that is not known; of an array that is declared any byte counts."""
    answer = answered(f"""// rewright: launch block(64); n = 64{launch}
__global__ void letters(const unsigned char *x, int *bins, int n) {{
  atomicAdd(&bins[(x[threadIdx.x] - 'a') / 4], 1);
}}
""")
    assert answer.verdict is verdict


def test_bytes_collide() -> None:
    """Of more than 256 bytes some are equal, so a histogram of them needs atomics."""
    answer = answered("""// rewright: launch block(64); n = 512; x: in u8[n]; bins: inout s32[256]
__global__ void histogram(const unsigned char *x, int *bins, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) bins[x[i]]++;
}
""")
    assert answer.verdict is Verdict.REFUTED


@pytest.mark.parametrize("index", ["N + thread.x", "thread.x - 32"])
def test_what_goes_wrong_wherever_it_runs_refutes(index: str) -> None:
    asked = ask(f"kernel k<N>(y: out f32[N]) {{\n  launch block(32)\n  y[{index}] = 1.0\n}}\n")
    assert (asked.verdict, asked.codes) == (Verdict.REFUTED, ["RW304"])


def test_a_condition_excludes_no_realistic_launch_that_passes() -> None:
    text = """kernel k(y: out s32[4], a: f32) {
  launch block(4)
  y[select(a * a > 2.0, 4, 0) + thread.x] = 1
}
"""
    asked = ask(text)
    assert (asked.verdict, asked.codes) == (Verdict.UNKNOWN, ["RW310", "RW321"])


def test_that_a_single_small_size_passes_is_no_condition() -> None:
    text = "kernel k<N>(y: out f32[N]) {\n  launch block(32)\n  for i in thread.x..N step 32 { y[0] = i }\n}\n"
    asked = ask(text)
    assert (asked.verdict, asked.codes) == (Verdict.REFUTED, ["RW301"])


def test_conditions_that_exclude_less_are_preferred_to_fewer() -> None:
    text = """__global__ void k(float *z, int n, int m, int l) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i * m * l] = i;
}
void run(float *z, int n, int m, int l) { k<<<(n + 63) / 64, 64>>>(z, n, m, l); }
"""
    assert conditions(answered(text)) == ["m >= 1", "l >= 1"]


TILED = """__global__ void tiled(const float *a, float *c, const int M, const int K) {
  __shared__ float s[16];
  int m = blockIdx.x * 128 + threadIdx.x * 8;
  if (m >= M) return;
  float sum = 0;
  for (int k = 0; k < K; k++) {
    s[threadIdx.x] = a[m * K + k];
    __syncthreads();
    for (int i = 0; i < WORK; i++) sum += s[(threadIdx.x + i) % 16];
    __syncthreads();
  }
  c[m] = sum;
}
void run(const float *a, float *c, int M, int K) { tiled<<<(M + 127) / 128, 16>>>(a, c, M, K); }
"""


def test_realistic_sizes_are_multiples_of_what_the_grid_divides_them_by() -> None:
    """At no multiple of the block below a tile all threads reach the barrier."""
    answer = answered(TILED.replace("WORK", "2"))
    assert (answer.verdict, conditions(answer)) == (Verdict.CONDITIONAL, ["M % 128 == 0"])


def test_a_realistic_run_that_does_not_end_refutes_nothing() -> None:
    """The kernel is right at multiples of a tile, which take too long; it is wrong at every size that does not."""
    answer = answered(TILED.replace("WORK", "20000"))
    assert answer.verdict is Verdict.UNKNOWN
    assert "RW321" in {each.code for each in answer.findings}


PITCHED = """__global__ void rows(char *out, int width, int height, int pitch) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  int *row = (int *)(out + y * pitch);
  row[x] = y;
}
void run(char *out, int width, int height, int pitch) {
  rows<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(out, width, height, pitch);
}
"""


def test_a_pitch_may_count_bytes() -> None:
    """Where all sizes are alike, rows overlap; that refutes nothing, and each kind of error is told once."""
    answer = answered(PITCHED)
    assert answer.verdict in (Verdict.CONDITIONAL, Verdict.UNKNOWN)
    told = [each for each in answer.findings if each.code == "RW321"]
    assert told
    if answer.verdict is Verdict.UNKNOWN:
        assert len(told) <= 3


def test_an_index_outside_for_some_contents_at_every_size_refutes_nothing() -> None:
    source = """__global__ void move(float *out, const float *at, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) out[(int)(at[i] * 100.0f)] = 1.0f;
}
void run(float *out, const float *at, int n) { move<<<(n + 31) / 32, 32>>>(out, at, n); }
"""
    answer = answered(source)
    assert answer.verdict is Verdict.UNKNOWN
    assert "RW321" in {each.code for each in answer.findings}


STRIDED = """__global__ void filled(float *x, size_t n, ptrdiff_t stride, ptrdiff_t other, unsigned seed) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[blockIdx.y * stride + i] = i + seed + other;
}
void run(float *x, size_t n, ptrdiff_t stride, ptrdiff_t other, unsigned seed, int layers) {
  filled<<<dim3((n + 511) / 512, layers), 512>>>(x, n, stride, other, seed);
}
"""


def test_a_condition_may_exclude_what_passes_where_blocks_are_left_out() -> None:
    """Where `n > stride`, distant blocks race, and of large grids neighbours are run."""
    assert conditions(answered(STRIDED)) == ["n <= stride"]


def test_what_explains_runs_holds_in_realistic_ones() -> None:
    first, second, third = [False, True, True, True], [True, False, True, True], [False, False, False, True]
    both = Runs(fails=0b0011, kept=0, realistic=(0b0100, 0b1000))
    explanations = Explanations([2, 2, 1])
    assert explanations.best([first, second, third], both) == (0, 1), "the third alone leaves one size"
    assert explanations.best([first, second, third], replace(both, realistic=(0b1000,))) == (2,)
    assert explanations.best([first, second], replace(both, fails=0b0111)) is None
    explanations.refused.add((0, 1))
    assert explanations.best([first, second, third], both) is None


def test_what_is_simple_to_say_is_looked_at_beside_what_excludes_most() -> None:
    strong = [[at % 30 == number or at > 59 for at in range(62)] for number in range(30)]
    simple = [[at % 2 == odd for at in range(60)] + [True, True] for odd in (0, 1)]
    runs = Runs(fails=(1 << 60) - 1, kept=0, realistic=(1 << 60, 1 << 61))
    found = Explanations([5] * 30 + [1, 1]).best([*strong, *simple], runs)
    assert found == (30, 31)


DIVIDED = """__global__ void cropped(const float *x, float *y, const int *strides, int dims, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at = i;
  for (int d = 0; d < dims; d++) at = at % strides[d];
  y[i] = x[at];
}
void run(const float *x, float *y, const int *strides, int dims, int n) {
  cropped<<<(n + 511) / 512, 512>>>(x, y, strides, dims, n);
}
"""


def test_a_divisor_from_an_array_that_nobody_filled_refutes_nothing() -> None:
    assert answered(DIVIDED).verdict is not Verdict.REFUTED
    each = DIVIDED.replace("  for (int d = 0; d < dims; d++) at = at % strides[d]", "  at = at % strides[i]")
    assert answered(f"// rewright: launch grid((n + 511) / 512), block(512)\n{each}").verdict is not Verdict.REFUTED
    comment = "// rewright: launch grid(1), block(32); strides: in s32[4]; dims = 4; n = 32; requires strides[1] == 0\n"
    assert answered(f"{comment}{DIVIDED}").verdict is Verdict.REFUTED


ROWS_OF = """__global__ void rows(float *out, const float *in, int n, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i / width % height];
}
void run(float *out, const float *in, int n, int width, int height) {
  rows<<<(n + 255) / 256, 256>>>(out, in, n, width, height);
}
"""


def test_what_a_kernel_divides_by_is_a_size_and_not_0() -> None:
    answer = answered(ROWS_OF)
    assert (answer.verdict, conditions(answer)) == (Verdict.CHECKED, [])
    assert answered(ROWS_OF.replace("% height", "% (height - 1)")).verdict is not Verdict.CHECKED


INDEX = """// rewright: launch block(32)
__global__ void fill(float *out, int a, int b) { out[threadIdx.x] = PRODUCT; }
"""


@pytest.mark.parametrize(
    ("product", "a", "b", "overflows"),
    [
        ("a * b", 46340, 46341, False),
        ("a * b", 46341, 46341, True),
        ("a * b", -65536, 32768, False),
        ("a * 65536", 32767, 0, False),
        ("a * 65536", 32768, 0, True),
        ("a - b", -(2**31), 1, True),
        ("(unsigned)a * b", 65536, 65536, False),
    ],
)
def test_signed_arithmetic_of_a_kernel_is_seen_to_overflow(product: str, a: int, b: int, overflows: bool) -> None:
    source = INDEX.replace("PRODUCT", product)
    (found,) = outline("a.cu", {"a.cu": source}).kernels
    assert found.kernel is not None
    program = lower(found.kernel, {"a.cu": source}).program
    assert program is not None
    values = ((Name("a"), a), (Name("b"), b))
    setting = Setting((1, 1, 1), (32, 1, 1), values, ())
    assert (Machine(program).overflow(setting, [((0, 0, 0), 1000)], MOST_REACHED) is not None) == overflows


CHOSEN_BY_CASE = """template <int WIDTH> __global__ void sums(float *y, const float *x) {
  float v = x[blockIdx.x * WIDTH + threadIdx.x];
  for (int mask = 16; mask > 0; mask /= 2) v += __shfl_xor_sync(0xffffffff, v, mask);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}
void run(torch::Tensor y, torch::Tensor x) {
  int rows = x.size(0), width = x.size(1);
  switch (width) {
    case 16: sums<16><<<4, width>>>(y.data_ptr<float>(), x.data_ptr<float>()); break;
    case 32: sums<32><<<4, width>>>(y.data_ptr<float>(), x.data_ptr<float>()); break;
  }
}
"""


def test_a_size_that_host_code_compares_with_a_number_is_known() -> None:
    """Half a warp takes values of the lanes that there are not."""
    answer = answered(CHOSEN_BY_CASE)
    assert answer.verdict is Verdict.REFUTED
    assert answered(CHOSEN_BY_CASE.replace("case 16", "case 64").replace("<16>", "<64>")).verdict is Verdict.CHECKED


SHAPES = """// rewright: launch block(64)
__global__ void gather(float *out, const float *in, const int *shape) {
  for (int d = 0; d <= shape[0]; d++) out[d + threadIdx.x / 2] = in[threadIdx.x];
}
"""


def test_what_hangs_on_shapes_that_nobody_gave_does_not_refute() -> None:
    assert answered(SHAPES).verdict is Verdict.UNKNOWN
    before = SHAPES.replace("  for", "  out[threadIdx.x / 2] = threadIdx.x;\n  for")
    assert answered(before).verdict is Verdict.REFUTED, "what comes before does"


def test_a_width_that_no_pitch_was_chosen_for_does_not_refute() -> None:
    text = """__global__ void rows(float *out, int width, int height, int pitch) {
  int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  for (int i = 0; i < 8; i++) out[y * pitch + x + 16 * i] = y;
}
void run(float *out, int width, int height, int pitch) {
  assert(width % 128 == 0); assert(height % 4 == 0);
  rows<<<dim3(width / 128, height / 4), dim3(16, 4)>>>(out, width, height, pitch);
}
"""
    answer = answered(text)
    assert (answer.verdict, conditions(answer)) == (Verdict.CONDITIONAL, ["width <= pitch"])


def test_how_many_blocks_there_are_says_nothing_of_their_threads_nor_of_what_both_make() -> None:
    text = """__global__ void fill(float *y, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = 1;
}
void run(float *y, int size, int blocks, int threads) { fill<<<blocks, threads>>>(y, size); }
"""
    (found,) = outline("a.cu", {"a.cu": text}).kernels
    assert found.kernel is not None
    program = lower(found.kernel, {"a.cu": text}).program
    assert program is not None
    offered = {each.condition.requires for each in of_sizes(found.kernel, numbers(found.kernel, program))}
    assert {"size % threads == 0", "threads <= size", "size <= blocks * threads"} <= offered
    assert offered.isdisjoint({"threads <= blocks", "blocks <= threads", "size <= blocks", "blocks <= size"})
