"""CUDA C: each construct that is read runs; what is not read is said at its place; no text is too broken."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from kernel_texts import ask, cuda

from rewright.rules.decision import Budget
from rewright.verdict import InSource, Verdict
from rewright.verdict.diagnostics.kernels import ArrayElement, IndexOutside, NotChecked

LIBRARY = Path(__file__).parents[3] / "rules" / "kernels"

RIGHT = {
    "declarations": "int t = threadIdx.x, u; u = t; const float a = x[t]; double d = a; bool b = u < 3;\n"
    "y[t] = b ? d : a;",
    "types": "unsigned int a = 1u; long long b = 1LL << 40; size_t f = 3; unsigned char d = 300; int8_t e = 200;\n"
    "assert(a == 1 && b / 2 == 1LL << 39 && f == 3 && d == 44 && e == -56);",
    "literals": "assert(0x1F == 31); assert(010 == 8); assert(0b101 == 5); assert(1'000 == 1000); assert(-1 < 0);\n"
    "float f = 1.5e3f + .5 + 2.f; y[threadIdx.x] = f; assert(4294967295u > 0);",
    "unsigned wraps": "unsigned u = threadIdx.x - 1u; if (threadIdx.x == 0) assert(u == 0xFFFFFFFFu);",
    "truncated division": "assert(-7 / 2 == -3); assert(-7 % 2 == -1); assert(7u / 2 == 3);",
    "compound assignment": "int v = 8; v += 1; v -= 2; v *= 3; v /= 2; v %= 7; v <<= 1; v >>= 1; v &= 7; v |= 1;\n"
    "v ^= 2; assert(v == 1); v++; ++v; v--; assert(v == 2);",
    "element updated": "int t = threadIdx.x; c[t] = 2; c[t] += t; c[t]++; assert(c[t] == 3 + t);",
    "for": "int v = 0; for (int i = threadIdx.x; i < 8; i += blockDim.x) { v++; } assert(v == 2);",
    "for without braces, two counters": "int v = 0; for (int i = 0, j = 4; i < j; i++, j--) v++; assert(v == 2);",
    "for without parts": "int i = 0; for (; i < 3;) i++; assert(i == 3);",
    "while": "int v = 0; while (v < threadIdx.x) v++; assert(v == threadIdx.x);",
    "if without braces": "int v; if (threadIdx.x == 0) v = 1; else if (threadIdx.x == 1) v = 2; else v = 3;\n"
    "assert(v > 0);",
    "return": "if (threadIdx.x > 1) return; m[threadIdx.x] = 1;",
    "two-dimensional": "__shared__ float a[4][5]; a[threadIdx.x][4] = 1.0f; y[threadIdx.x] = a[threadIdx.x][4];",
    "pragma unroll": "#pragma unroll 4\n  for (int i = 0; i < 2; i++) { m[threadIdx.x] = i; }",
    "comments": "int /* a */ v = /* b */ 1; // c\n  if (/* d */ v) { /* e */ } m[threadIdx.x] /* f */ = v;",
    "casts": "int v = (int) 3.5f; float f = (float) n; y[threadIdx.x] = f + float(n) + static_cast<float>(n) + v;",
    "logic": "if (threadIdx.x < 8 && k[threadIdx.x] < 3 || !n) m[threadIdx.x] = 1; assert(!(n && 0));",
    "arithmetic on truths": "int v = (n > 0) + (n > 1); assert(v == 2);",
    "functions": "y[threadIdx.x] = expf(x[threadIdx.x]) * fmaxf(x[0], 0.0f) + rsqrtf(2.0f) + __expf(1.0f) + exp(1.0);\n"
    "assert(min(2, 3) == 2 && max(2u, 3u) == 3 && abs(-4) == 4);",
    "a maximum by comparison": "float best = x[0]; float other = x[1]; if (other > best) best = other;\n"
    "y[threadIdx.x] = best;",
    "shadowing": "int v = 1; { int v = 2; m[threadIdx.x] = v; } assert(v == 1);",
    "barriers": "s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); y[threadIdx.x] = s[3 - threadIdx.x];",
    "empty statements": ";;; { } m[threadIdx.x] = 1;",
    "grid": "assert(gridDim.x == 1 && blockIdx.x == 0 && blockDim.x == 4 && threadIdx.y == 0 && blockDim.z == 1);",
    "parameter assigned": "n = n + 1; assert(n == 6);",
    "limits": "assert(std::numeric_limits<int>::max() == 2147483647 && std::numeric_limits<unsigned>::max() == -1);\n"
    "assert(std::numeric_limits<float>::lowest() < -3e38f && std::numeric_limits<short>::digits == 15);",
    "storage": "typename std::aligned_storage<16, 16>::type a; std::aligned_storage<12, 4>::type b;\n"
    "assert(sizeof(a) == 16 && sizeof(b) == 12 && alignof(decltype(b)) == 4);",
    "fence": "__threadfence(); m[threadIdx.x] = 1;",
}


ATTRIBUTES = {
    "of a function": "__attribute__((noinline)) __device__ int f(int v) { return v; }\n",
    "of a declaration": "__device__ __declspec(noinline) int f(int);\n__device__ int f(int v) { return v; }\n",
}


@pytest.mark.parametrize("before", ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_attributes_are_passed_over(before: str) -> None:
    asked = cuda("assert(f(3) == 3);", before=before)
    assert asked.verdict is Verdict.CHECKED, asked.reported


@pytest.mark.parametrize("statements", RIGHT.values(), ids=RIGHT)
def test_construct_is_checked(statements: str) -> None:
    asked = cuda(statements)
    assert asked.verdict is Verdict.CHECKED, (asked.answer.reason, asked.reported)


MACROS = {
    "literal": "#define W 4 // four\n",
    "parenthesised": "#define V 2 /* two */\n#define W (2 * V)\n",
    "of a macro": "#define V 4\n#define W V\n",
    "carriage returns": "#define W 4\r\n",
}


@pytest.mark.parametrize("before", MACROS.values(), ids=MACROS)
def test_macro_is_read(before: str) -> None:
    asked = cuda("__shared__ int a[W]; a[threadIdx.x] = W; assert(W * 2 == 8);", before=before)
    assert asked.verdict is Verdict.CHECKED, asked.reported


REFUSED = [
    ("if (n) { end: ; } goto end;", "goto end;"),
    ("m[0] = k;", "k"),
    ("__shared__ float d[n];", "n"),
    ("static int v = 0;", "static int v = 0;"),
    ("m[0] = unknown;", "unknown"),
    ("int v = 1; int v = 2;", "v"),
    ("return 1;", "return 1;"),
    ("x[0.5f] = 1;", "0.5f"),
    ("y[0] = 1.0f % 2.0f;", "1.0f % 2.0f"),
    ('asm("bar.sync 0;");', 'asm("bar.sync 0;")'),
]


@pytest.mark.parametrize(("statements", "at"), REFUSED, ids=[case[0] for case in REFUSED])
def test_construct_is_refused_at_its_place(statements: str, at: str) -> None:
    asked = cuda(statements)
    assert asked.verdict is Verdict.UNKNOWN
    assert {reported.code for reported in asked.reported} == {"RW310"}
    assert at in [reported.at for reported in asked.reported], asked.reported
    assert asked.answer.reason == asked.reported[0].says(NotChecked).reason


def test_each_construct_is_refused_once_and_the_others_too() -> None:
    asked = cuda("return 1;\n  m[0] = unknown;\n  m[1] = missing;\n  x[0.5f] = 1;")
    assert [reported.at for reported in asked.reported] == ["return 1;", "unknown", "missing", "0.5f"]


SURROUNDINGS = [
    ("#define W 1\n#undef W\n", "m[0] = W;", "W"),
    ("#ifdef A\n#define W 1\n#endif\n", "m[0] = W;", "W"),
    ("#define W W\n", "m[0] = W;", "W"),
]


@pytest.mark.parametrize(("before", "statements", "at"), SURROUNDINGS, ids=[f"{c[0]}{c[1]}" for c in SURROUNDINGS])
def test_surroundings_are_refused_at_their_place(before: str, statements: str, at: str) -> None:
    asked = cuda(statements, before=before)
    assert asked.verdict is Verdict.UNKNOWN
    assert at in [reported.at for reported in asked.reported], asked.reported


MISMATCHES = [
    ('kernel f(x: in f32[4]) from "a.cu"::f { launch block(1) }', "__global__ void f(int *x) { }", "int *x"),
    ('kernel f(x: in f32[4]) from "a.cu"::f { launch block(1) }', "__global__ void f(float x) { }", "float x"),
    ('kernel f(x: in f32[4]) from "a.cu"::f { launch block(1) }', "__global__ void f(float **x) { }", "float **x"),
    ('kernel f(n: s32 = 1) from "a.cu"::f { launch block(1) }', "__global__ void f(int *n) { }", "int *n"),
    ('kernel f(n: s32 = 1) from "a.cu"::f { launch block(1) }', "__global__ void f() { }", "()"),
    ('kernel f(n: s32 = 1) from "a.cu"::f { launch block(1) }', "void f(int n) { }", "f(int n)"),
]


@pytest.mark.parametrize(("text", "source", "at"), MISMATCHES, ids=[case[1] for case in MISMATCHES])
def test_parameters_must_fit(text: str, source: str, at: str) -> None:
    asked = ask(text, a_cu=source)
    assert asked.verdict is Verdict.UNKNOWN
    assert [reported.at for reported in asked.reported] == [at]


@pytest.mark.parametrize(
    "source", ["", "int x;", "__global__ void g() { }", "__global__ void f() {} __global__ void f() {}"]
)
def test_the_entry_must_be_there_once(source: str) -> None:
    asked = ask('kernel f(n: s32 = 1) from "a.cu"::f { launch block(1) }', a_cu=source)
    assert asked.verdict is Verdict.UNKNOWN
    assert [reported.at for reported in asked.reported] == ['"a.cu"::f']


def test_arguments_match_by_position_and_messages_name_the_source() -> None:
    text = 'kernel k<N = 4>(a: in f32[N, N], b: out f32[N]) from "a.cu"::f { launch block(N); define W = 2 }'
    source = "__global__ void f(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x * 8 + W]; }"
    (reported,) = ask(text, a_cu=source).reported
    assert (reported.code, reported.at) == ("RW304", "in[threadIdx.x * 8 + W]")
    outside = reported.says(IndexOutside)
    assert (outside.element, outside.extents) == (ArrayElement("a", (18,)), (16,))


def test_other_functions_of_a_broken_file_do_not_matter() -> None:
    source = "__global__ void f(int n) { }\n__global__ void g(int n) { int a = ; }\nint main() { f<<<1, 1>>>(2; }\n"
    assert ask('kernel f(n: s32 = 1) from "a.cu"::f { launch block(1) }', a_cu=source).verdict is Verdict.CHECKED


def test_a_missing_semicolon_is_a_syntax_error_where_it_is_missing() -> None:
    asked = cuda("m[threadIdx.x] = 1")
    (finding,) = asked.answer.findings
    assert isinstance(finding.place, InSource)
    assert finding.place.start == finding.place.end
    assert asked.sources["a.cu"].encode()[: finding.place.start].endswith(b"m[threadIdx.x] = 1")


def test_unicode_and_carriage_returns_keep_places_exact() -> None:
    statements = "// größer 𝔸 →\r\n  s[threadIdx.x] = x[0]; /* é */ y[threadIdx.x] = s[3 - threadIdx.x];\r\n"
    (reported,) = cuda(statements, before="// Übung 🎉\r\n").reported
    assert (reported.code, reported.at, reported.related) == ("RW301", "s[threadIdx.x]", ("s[3 - threadIdx.x]",))


REDUCE = (LIBRARY / "reduce.cu").read_text(encoding="utf-8")
DECLARATION = (LIBRARY / "reduce.rw").read_text(encoding="utf-8")
FEW_STEPS = Budget(steps=400_000)


@pytest.mark.parametrize("end", range(0, len(REDUCE) - 1, 7))
def test_a_half_typed_text_is_unknown_and_says_where(end: int) -> None:
    asked = ask(DECLARATION, reduce_cu=REDUCE[:end])
    assert asked.verdict is Verdict.UNKNOWN
    assert asked.reported


def test_no_edit_is_an_internal_error() -> None:
    random = Random(5)
    words = re.findall(r"\w+|\s+|[^\w\s]", REDUCE)
    strange = [*"{}()[];+-*/%&<>'\"", "é", "\r\n", "/*", "#define A\n", "__syncthreads();", "return;", "while", "int"]
    for _ in range(150):
        edited = list(words)
        for _ in range(random.randint(1, 3)):
            edited[random.randrange(len(edited))] = random.choice(["", *strange, random.choice(words)])
        asked = ask(DECLARATION, FEW_STEPS, reduce_cu="".join(edited))
        assert asked.verdict is not Verdict.ERROR, "".join(edited)
        assert asked.reported or asked.verdict is Verdict.CHECKED


def test_lanes_that_jump_over_a_barrier_meet_again_at_the_label() -> None:
    asked = cuda("if (threadIdx.x < 32) goto out; __syncwarp(); m[threadIdx.x] = 1; out: __syncthreads();")
    assert asked.verdict is Verdict.CHECKED, asked.reported
    asked = cuda("if (threadIdx.x < 3) goto out; __syncthreads(); out: m[threadIdx.x] = 1;")
    assert asked.verdict is Verdict.REFUTED, asked.reported


REPEATED = [
    ("__syncthreads(); m[0] = threadIdx.x; __syncthreads();", Verdict.REFUTED),
    ("if (threadIdx.x == 0) m[0] = 1; __syncthreads();", Verdict.CHECKED),
    ("m[threadIdx.x] = k;", Verdict.CHECKED),
    ("if (threadIdx.x == k) __syncthreads();", Verdict.REFUTED),
    ("__syncwarp(); if (threadIdx.x > 0) m[threadIdx.x] = m[threadIdx.x - 1];", Verdict.REFUTED),
]


@pytest.mark.parametrize(("body", "verdict"), REPEATED)
def test_a_goto_back_is_a_loop(body: str, verdict: Verdict) -> None:
    """Threads meet in it and after it as they do in a loop that is written as one."""
    written = f"int k = 0; again: {body} if (++k < 3) goto again; __syncthreads(); m[threadIdx.x] = k;"
    loop = f"int k = 0; do {{ {body} }} while (++k < 3); __syncthreads(); m[threadIdx.x] = k;"
    assert [cuda(each).verdict for each in (written, loop)] == [verdict, verdict]


@pytest.mark.parametrize(
    "body",
    ["end: ; goto end;", "int k = 0; again: k += threadIdx.x % 2; if (k < 3) goto again; m[threadIdx.x] = k;"],
)
def test_a_goto_back_that_never_ends_is_seen(body: str) -> None:
    asked = cuda(body)
    assert asked.verdict is Verdict.UNKNOWN
    assert ["this loop never ends" in str(each.diagnosis) for each in asked.reported] == [True]


def test_two_names_of_a_vector_of_halves_are_one_type() -> None:
    body = (
        "half2 a = __float2half2_rn(2); __half2 b = a; half2 *p = &b; assert(__low2float(*p) == 2 && sizeof(b) == 4);"
    )
    asked = cuda(body)
    assert asked.verdict is Verdict.CHECKED, asked.reported
