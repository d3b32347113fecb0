"""Random numbers, clocks, textures, dynamic memory of any size: what depends on what nobody gave is said to."""

from __future__ import annotations

import pytest

from rewright.checks.kernel import answer
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Verdict


def answered(parameters: str, body: str, comment: str = "block(64)", before: str = "") -> Answer:
    """What is said of a kernel with these parameters and this body."""
    kernel = f"__global__ void k({parameters}) {{ int i = threadIdx.x; {body} }}\n"
    text = f"{before}\n// rewright: launch {comment}\n{kernel}"
    (outlined,) = outline("a.cu", {"a.cu": text}).kernels
    assert outlined.kernel is not None, (outlined.findings, outlined.problems)
    lowered = lower(outlined.kernel, {"a.cu": text})
    assert lowered.program is not None, lowered.problems
    return answer(outlined.kernel, lowered.program, Budget())


INIT = "curandState s; curand_init(seed, i, 0, &s);"
OUT = "block(64); x: out f32[64]"
RIGHT = {
    "states of an array": (
        "curandState *s, float *x",
        "curandState t = s[i]; x[i] = curand_uniform(&t); s[i] = t;",
        OUT,
    ),
    "states that are set": ("curandState *s, int seed", "curand_init(seed, i, 0, &s[i]);", "block(64)"),
    "uniform": ("int seed", f"{INIT} float u = curand_uniform(&s); assert(u > 0 && u <= 1);", "block(64)"),
    "uniform, four": (
        "int seed, curandStatePhilox4_32_10_t *g",
        "float4 u = curand_uniform4(&g[i]); assert(u.x > 0 && u.y > 0 && u.z > 0 && u.w <= 1);",
        "block(64)",
    ),
    "double": ("int seed", f"{INIT} double u = curand_uniform_double(&s); assert(u > 0 && u <= 1);", "block(64)"),
    "sizes": (
        "int n",
        "assert(sizeof(curandState) == 48 && sizeof(curandStatePhilox4_32_10_t) == 64);",
        "block(64)",
    ),
    "through a function of the thread": (
        "int seed, float *x",
        f"{INIT} auto f = [&](curandState *t) {{ return curand_normal(t); }}; x[i] = f(&s);",
        OUT,
    ),
    "a clock goes on": ("long long *x", "clock_t t = clock(); assert(clock() > t); x[i] = clock64() - t;", "block(64)"),
    "waiting for a clock": (
        "int n, long long *x",
        "long long t = clock64(); while (clock64() - t < n) ; x[i] = t;",
        "block(64)",
    ),
    "a texture": (
        "cudaTextureObject_t t, float *x",
        "x[i] = tex2D<float>(t, i + 0.5f, -3.f) + tex3D<float4>(t, i, i, i).w + tex1Dfetch<uchar4>(t, i).x;",
        OUT,
    ),
    "an index out of a texture, guarded": (
        "cudaTextureObject_t t, float *x",
        "int j = tex1Dfetch<int>(t, i); if (i == 0 && j >= 0 && j < 64) x[j] = 1;",
        OUT,
    ),
}
WRONG = {
    "one state of all": ("curandState *s, float *x", "x[i] = curand_uniform(&s[0]);", OUT),
    "an array that is too short": ("curandState *s", "curand(&s[i]);", "block(64); s.state: inout u32[63, 12]"),
    "a state without a value": ("float *x", "curandState s; x[i] = curand_uniform(&s);", OUT),
}
UNCERTAIN = {
    "an index out of a texture": ("cudaTextureObject_t t, float *x", "if (i == 0) x[tex1Dfetch<int>(t, i)] = 1;", OUT),
    "a branch on a random number": (
        "int seed, float *x",
        f"{INIT} if (i == 0 && curand_uniform(&s) < 0.5f) x[64] = 1;",
        OUT,
    ),
    "a branch on a clock": ("int n, float *x", "if (clock() % 2) x[64] = 1;", OUT),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_kernels_are_checked(name: str) -> None:
    parameters, body, comment = RIGHT[name]
    assert answered(parameters, body, comment).verdict is Verdict.CHECKED


@pytest.mark.parametrize("name", WRONG)
def test_wrong_kernels_are_refuted(name: str) -> None:
    parameters, body, comment = WRONG[name]
    assert answered(parameters, body, comment).verdict is Verdict.REFUTED


@pytest.mark.parametrize("name", UNCERTAIN)
def test_what_only_some_numbers_show_is_neither_refuted_nor_checked(name: str) -> None:
    parameters, body, comment = UNCERTAIN[name]
    found = answered(parameters, body, comment)
    assert found.verdict not in (Verdict.REFUTED, Verdict.CHECKED)
    assert found.findings


REFERENCES = """texture<float4, 2, cudaReadModeElementType> pixels;
texture<uchar2, cudaTextureType2D, cudaReadModeNormalizedFloat> shades;
texture<int> indices;"""

FETCHED = {
    "texels": ("x[i] = tex2D(pixels, i, 1.5f).w + tex2D(shades, i, i).y * 0.5f;", Verdict.CHECKED),
    "shades": ("assert(sizeof(tex2D(shades, 0, 0)) == 8);", Verdict.CHECKED),
    "guarded": ("int j = tex1Dfetch(indices, i); if (!i && 0 <= j && j < 64) x[j] = 1;", Verdict.CHECKED),
    "race": ("x[i / 2] = tex1Dfetch(indices, i);", Verdict.REFUTED),
}


@pytest.mark.parametrize("name", FETCHED)
def test_references_to_textures_are_fetched_from(name: str) -> None:
    body, verdict = FETCHED[name]
    assert answered("float *x", body, OUT, REFERENCES).verdict is verdict


DYNAMIC = {
    "its own element": ("s[i] = i; __syncthreads(); x[i] = s[i];", Verdict.CHECKED),
    "without a barrier": ("s[i] = i; x[i] = s[63 - i];", Verdict.REFUTED),
    "never written": ("x[i] = s[i];", Verdict.REFUTED),
    "before its start": ("s[i - 1] = i;", Verdict.REFUTED),
}


@pytest.mark.parametrize("name", DYNAMIC)
def test_dynamic_memory_of_a_size_that_nobody_states_is_long_enough(name: str) -> None:
    body, verdict = DYNAMIC[name]
    found = answered("float *x", f"extern __shared__ float s[]; {body}", OUT)
    assert found.verdict is verdict
    if verdict is Verdict.CHECKED:
        assert found.coverage.assumptions == ("accesses of `s` stay below the end, which is not declared",)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("curand((int *)x);", "expected the state of a generator, got a value of type s32"),
        ("x[0] = tex2D(t, 1, 2);", "`tex2D` needs the type of a texel, as in `tex2D<float>`"),
        ("x[0] = tex2D<float>(i, 1, 2);", "expected a texture object"),
        ("x[0] = tex2D<double4>(t, 1, 2).x;", "a texel of this type is not supported yet"),
    ],
)
def test_what_is_not_taken_is_said(body: str, reason: str) -> None:
    head = "__global__ void k(float *x, cudaTextureObject_t t) { int i = 0;"
    text = f"// rewright: launch block(64)\n{head} {body} }}\n"
    (outlined,) = outline("a.cu", {"a.cu": text}).kernels
    assert outlined.kernel is not None
    assert [each.reason for each in lower(outlined.kernel, {"a.cu": text}).problems] == [reason]
