"""Variables in device memory: what their declarations say lies in them, and what is tried, told and assumed of them."""

from __future__ import annotations

import pytest

from rewright.checks.kernel import answer
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.cuda.reading.changes import changed
from rewright.frontends.cuda.reading.tree import parse
from rewright.frontends.programs import lower
from rewright.model.kernel import Kernel
from rewright.model.simt.program import Object, Program, VariableMemory
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Verdict
from rewright.verdict.diagnostics.kernels import DataRace, WrongUnless


def read(source: str, name: str = "k") -> tuple[Kernel, Program]:
    """The kernel of a source at its first launch, and its program."""
    found = next(each for each in outline("a.cu", {"a.cu": source}).kernels if each.name == name)
    assert not found.findings and not found.problems, (found.findings, found.problems)
    kernel = found.launches[0].kernel
    lowered = lower(kernel, {"a.cu": source})
    assert lowered.program is not None, lowered.problems
    return kernel, lowered.program


def variable(declared: str, use: str) -> Object:
    """The variable `v` of a source with these declarations, of which an expression is used."""
    source = f"{declared}\n// rewright: launch block(1); y: out f32[1]\n"
    source += f"__global__ void k(float *y) {{ y[0] = {use}; }}\n"
    return next(each for each in read(source)[1].objects if each.name == "v")


def answered(source: str, name: str = "k") -> Answer:
    """What is said of a kernel of a source."""
    return answer(*read(source, name), Budget())


def kernel(comment: str, body: str, shared: str = "") -> str:
    """The text of a kernel `k` with one output, below a comment with its launch."""
    return f"// rewright: launch block(4); y: out s32[4]{comment}\n__global__ void k(int *y) {{ {shared} {body} }}\n"


# ------------------------------------------------------------------------------------------------------ first values

FIRST = {
    "__device__ int v = 7;": ("v", (7,)),
    "__device__ int v{3};": ("v", (3,)),
    "__device__ int v;": ("v", ()),
    "__constant__ int v[4] = {1, 2};": ("v[0]", (1, 2)),
    "__constant__ int v[] = {0, 0, 5};": ("v[0]", (0, 0, 5)),
    "__device__ int v[2][2] = {{1}, {2, 3}};": ("v[0][0]", (1, 0, 2, 3)),
    "__device__ int v[][2] = {1, 2, 3};": ("v[0][0]", (1, 2, 3)),
    "__device__ float v[2] = {0.1, 1.0 / 4};": ("v[0]", (0.10000000149011612, 0.25)),
    "__device__ short v = 70000;": ("v", (4464,)),
    "__device__ bool v[2] = {true, false};": ("v[0]", (1,)),
    '__constant__ char v[] = "a\\n";': ("v[0]", (97, 10)),
    '__constant__ char v[2][3] = {"ab", "c"};': ("v[0][0]", (97, 98, 0, 99)),
    "__constant__ float4 v = {1, 2, 3, 4};": ("v.x", (1.0, 2.0, 3.0, 4.0)),
    "#define M(i) (i) * 2\n__device__ int v[2] = {M(1), M(2)};": ("v[0]", (2, 4)),
    "constexpr int f(int n) { int r = 0; for (int i = 0; i < n; ++i) r += i; return r; }\n__device__ int v = f(4);": (
        "v",
        (6,),
    ),
    "constexpr int f(int n) { int r = 0; for (int i = 0; i < n; i++) r = -r + ~i * !(i - 9); return r; }\n"
    "__device__ int v[2] = {f(9), f(10)};": ("v[0]", (0, -10)),
    "struct P { char c; float x; }; __device__ P v = {1, 2.0f};": ("v.x", (1, 0, 0, 0, 0, 0, 0, 64)),
    "struct P { int a = 4; int b; }; __device__ P v;": ("v.a", (4,)),
    "struct P { int a; constexpr P(int n) : a(n * 2) {} }; __device__ P v(3);": ("v.a", (6,)),
    "struct S { static __device__ int v; };": ("S::v", ()),
    "namespace a { namespace b { __device__ int v = 5; } }": ("a::b::v", (5,)),
    "extern __device__ int v;": ("v", None),
    "__device__ int v = 2; extern __device__ int v;": ("v", (2,)),
    "__managed__ int v = 9;": ("v", (9,)),
}


@pytest.mark.parametrize("declared", FIRST)
def test_a_variable_starts_as_it_is_declared(declared: str) -> None:
    use, initial = FIRST[declared]
    found = variable(declared, use).variable
    assert found is not None and found.initial == initial


def test_instances_of_a_template_have_variables_of_their_own() -> None:
    source = "template <int N> struct S { static __device__ int v; };\n" + kernel("", "y[0] = S<1>::v + S<2>::v;")
    assert sum(each.variable is not None for each in read(source)[1].objects) == 2


MEMORY = {
    "__constant__ int v = 1;": VariableMemory.CONSTANT,
    "__constant__ int v[2];": VariableMemory.CONSTANT,
    "__constant__ const int v[2] = {1, 2};": VariableMemory.FIXED,
    "__device__ int v;": VariableMemory.DEVICE,
    "__device__ int v = 1;": VariableMemory.KEPT,
    "__device__ int v = 1; void h(int n) { cudaMemcpyToSymbol(v, &n, 4); }": VariableMemory.DEVICE,
}


@pytest.mark.parametrize("declared", MEMORY)
def test_who_may_write_a_variable(declared: str) -> None:
    found = variable(declared, "v[1]" if "v[2]" in declared else "v").variable
    assert found is not None and found.memory is MEMORY[declared]


# ------------------------------------------------------------------------------------------------- what may change it

CHANGING = (
    "v[0] = 1;",
    "v[n] += 1;",
    "++v[0];",
    "(v[0])--;",
    "*v = 1;",
    "atomicAdd(&v[0], 1);",
    "int *p = v;",
    "int *p = v + 1;",
    "int &r = v[0];",
    "auto p = &v[1];",
    "fill(v);",
    "one(v[0]);",
    "cudaMemcpyToSymbol(v, &n, 4);",
    "void *p; cudaGetSymbolAddress(&p, v);",
    "unknown(v);",
)
READING = (
    "n = v[0];",
    "n = v[v[1]] + 1;",
    "if (v[n] == 3) n = 0;",
    "n = min(v[0], v[1]);",
    "n = __ldg(&v[0]);",
    "const int *p = v;",
    "const int &r = v[0];",
    "sum(v);",
    "n = sizeof(v);",
    "cudaMemcpyFromSymbol(&n, v, 4);",
    "for (int each : v) n += each;",
)
CALLED = "void fill(int *to) {} void one(int &to) {} void sum(const int *from) {}\n"


@pytest.mark.parametrize("text", [*CHANGING, *READING])
def test_what_may_change_a_variable(text: str) -> None:
    source = f"__device__ int v[4] = {{1}};\n{CALLED}__global__ void k(int n) {{ {text} }}\n"
    assert changed([parse(source.encode())]) == ({"v"} if text in CHANGING else set())


# ------------------------------------------------------------------------------------------------------ what is told


def test_a_table_with_a_first_value_is_what_it_says() -> None:
    given = answered("__device__ int v[4] = {3, 1, 0, 2};\n" + kernel("", "y[v[threadIdx.x]] = 1;"))
    assert given.verdict is Verdict.CHECKED and not given.findings
    assert given.coverage.assumptions == ("nothing outside the source changes `v`",)


def test_that_the_host_keeps_constant_memory_is_assumed() -> None:
    given = answered("__constant__ int v[4] = {3, 1, 0, 2};\n" + kernel("", "y[v[threadIdx.x]] = 1;"))
    assert given.verdict is Verdict.CHECKED
    assert given.coverage.assumptions == ("the host does not change `v`",)


def chosen_races(given: Answer) -> list[tuple[tuple[str, str], ...]]:
    """Of each race that was seen only with what was chosen, that."""
    told = [each.diagnosis for each in given.findings if isinstance(each.diagnosis, WrongUnless)]
    return [each.chosen for each in told if isinstance(each.found, DataRace)]


@pytest.mark.parametrize("declared", ["__constant__ int v;", "__device__ int v;", "extern __constant__ int v;"])
def test_a_finding_names_the_contents_that_nobody_stated(declared: str) -> None:
    given = answered(f"{declared}\n" + kernel("", "if (v == 37) y[0] = threadIdx.x;"))
    assert given.verdict is Verdict.UNKNOWN
    assert chosen_races(given) == [(("v", "37"),)]


def test_a_table_that_the_source_changes_may_be_cleared() -> None:
    source = "__device__ int v[4] = {3, 1, 2, 1};\nvoid host() { cudaMemcpyToSymbol(v, v, 16); }\n"
    given = answered(source + kernel("", "if (v[1] == 0) y[0] = threadIdx.x;"))
    assert chosen_races(given) == [(("v", "[0, 0, 0, 0]"),)]


def test_of_large_variables_the_first_elements_are_chosen() -> None:
    source = "__device__ float v[1 << 23];\n"
    assert answered(source + kernel("", "y[threadIdx.x] = v[1 << 22] > 0;")).verdict is Verdict.CHECKED
    given = answered(source + kernel("", "if (v[7] > 1) y[0] = threadIdx.x;"))
    assert [chosen[0][0] for chosen in chosen_races(given)] == ["v"]


def test_what_fails_with_the_first_contents_needs_no_others() -> None:
    given = answered("__device__ int v;\n" + kernel("", "if (v < 5) y[0] = threadIdx.x;"))
    assert [(each.code, each.unstated) for each in given.findings] == [("RW301", ())]


def test_writes_that_are_equal_at_first_and_differ_later_need_what_they_write() -> None:
    given = answered("__device__ int v[4];\n" + kernel("", "y[0] = v[threadIdx.x];"))
    assert [[name for name, _ in chosen] for chosen in chosen_races(given)] == [["v"]]


def test_a_barrier_that_some_contents_need_is_not_needless() -> None:
    body = "if (threadIdx.x == 0) s = 1; __syncthreads(); y[threadIdx.x] = v == 9 ? s : 0;"
    needed = answered("__constant__ int v;\n" + kernel("", body, "__shared__ int s;"))
    assert needed.verdict is Verdict.CHECKED and not needed.findings
    stated = answered("__constant__ int v;\n" + kernel("; v = 2", body, "__shared__ int s;"))
    assert [each.code for each in stated.findings] == ["RW312"]


@pytest.mark.parametrize(
    ("comment", "verdict"),
    [
        ("; v = 1", Verdict.CHECKED),
        ("; v = 2", Verdict.REFUTED),
        ("; requires v < 2", Verdict.CHECKED),
        ("; requires 1 < v, v < 4", Verdict.REFUTED),
    ],
)
def test_a_comment_states_a_scalar(comment: str, verdict: Verdict) -> None:
    given = answered("namespace n { __constant__ int v; }\n" + kernel(comment, "if (n::v == 2) y[0] = threadIdx.x;"))
    assert given.verdict is verdict
    assert all(not each.unstated for each in given.findings)


def test_a_comment_states_an_array() -> None:
    source = "__constant__ int v[2][2];\n"
    required = "; requires forall i in 0..2: forall j in 0..2: v[i, j] == 2 * i + j"
    assert answered(source + kernel(required, "y[(&v[0][0])[threadIdx.x]] = 1;")).verdict is Verdict.CHECKED
    findings = answered(source + kernel("; v: in s32[2, 2]", "y[(&v[0][0])[threadIdx.x] & 3] = threadIdx.x;")).findings
    assert [(each.code, each.unstated) for each in findings] == [("RW310", ()), ("RW321", ())]


# ------------------------------------------------------------------------------------------------------ constant memory

STORES = (
    "v[1] = 2;",
    "int *p = v; p[threadIdx.x] = 1;",
    "int &r = v[2]; r = 3;",
    "atomicExch(&v[0], 1);",
    "*const_cast<int *>(v) = 1;",
    "*reinterpret_cast<int2 *>(v) = make_int2(1, 2);",
)


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("declared", ["__constant__ int v[4];", "__constant__ int v[4] = {1};"])
def test_a_store_to_constant_memory_is_reported(declared: str, store: str) -> None:
    source = declared.replace(" int v[4]", " __align__(8) int v[4]") if "int2" in store else declared
    given = answered(f"{source}\n" + kernel("", store))
    assert {each.code for each in given.findings} == {"RW316"}


def test_dynamic_shared_memory_may_be_declared_outside_functions() -> None:
    source = """extern __shared__ int pool[];
__device__ void put(int at, int value) { pool[at] = value; }
// rewright: launch block(4), shared(BYTES); y: out s32[4]
__global__ void k(int *y) { put(threadIdx.x, 1); WAIT y[threadIdx.x] = pool[3 - threadIdx.x]; }
"""
    right = source.replace("BYTES", "16").replace("WAIT", "__syncthreads();")
    assert answered(right).verdict is Verdict.CHECKED
    assert {each.code for each in answered(right.replace("__syncthreads();", "")).findings} == {"RW301"}
    assert {each.code for each in answered(right.replace("16", "12")).findings} == {"RW304"}
