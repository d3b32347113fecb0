"""Which errors refute a kernel, which conditions it needs otherwise, and what host code demands before a launch."""

from __future__ import annotations

import pytest
from kernel_texts import ask

from rewright.checks.kernel import answer_launches
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.kernels.launches.several import ProgramLaunch
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Verdict

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


def answered(source: str) -> Answer:
    """The answer for the one kernel of a source at all launches that it says."""
    (found,) = outline("a.cu", {"a.cu": source}).kernels
    assert found.launches and not found.findings, found.findings
    launches = []
    for each in found.launches:
        program = lower(each.kernel, {"a.cu": source}).program
        assert program is not None
        launches.append(ProgramLaunch(each.kernel, program, each.written, each.is_needed))
    return answer_launches(launches, (), Budget())


def conditions(answer: Answer) -> list[str]:
    return [each.requires for each in answer.coverage.conditions]


def hosted(body: str) -> str:
    return f"{ALIGNED}void run(float *a, int M, int K) {{ {body} }}\n"


def test_a_vector_access_needs_a_divisibility() -> None:
    answer = answered(hosted(CALL))
    assert (answer.verdict, conditions(answer)) == (Verdict.CONDITIONAL, ["K % 4 == 0"])
    assert {each.code for each in answer.findings} == {"RW321"}
    assert answer.witness is not None and answer.witness.replayed


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
