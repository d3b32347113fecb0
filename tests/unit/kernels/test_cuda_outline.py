"""The outline of a document: its kernels, and their launches from comments and calls, at their places."""

from __future__ import annotations

from random import Random

import pytest

from rewright.checks.kernel import answer
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.outlined import Outline, OutlinedKernel
from rewright.frontends.preset import anywhere
from rewright.frontends.programs import lower
from rewright.model.body import Binary, Convert, Expression, Function, Integer, Real, Select, Unary, Variable
from rewright.model.kernel import ArrayParameter, Fact, Foreign, Kernel, ScalarParameter
from rewright.rules.decision import Budget
from rewright.verdict import InSource, Verdict


def _outline(text: str, **others: str) -> Outline:
    return outline("k.cu", {"k.cu": text} | {f"{name}.cuh": other for name, other in others.items()})


def _only(text: str) -> OutlinedKernel:
    (kernel,) = _outline(text).kernels
    return kernel


def _kernel(text: str) -> Kernel:
    outlined = _only(text)
    assert outlined.kernel is not None, (outlined.findings, outlined.problems)
    return outlined.kernel


def _written(expression: Expression | None) -> str:
    match expression:
        case Integer(value=value):
            return str(value)
        case Real(text=text):
            return text
        case Variable(name=name):
            return str(name)
        case Convert(operand=operand):
            return _written(operand)
        case Unary(operator=operator, operand=operand):
            return f"{operator}{_written(operand)}"
        case Binary(operator=operator, left=left, right=right):
            return f"({_written(left)} {operator} {_written(right)})"
        case Select(condition=condition, on_true=yes, on_false=no):
            return f"select({_written(condition)}, {_written(yes)}, {_written(no)})"
        case Function(name=name, operands=operands):
            return f"{name}({', '.join(map(_written, operands))})"
        case other:
            return repr(other)


def _launch(kernel: Kernel) -> str:
    grid, block = (", ".join(map(_written, sizes)) for sizes in (kernel.launch.grid, kernel.launch.block))
    shared = "" if kernel.launch.shared is None else f", shared({_written(kernel.launch.shared)})"
    return f"grid({grid}), block({block}){shared}"


def _parameters(kernel: Kernel) -> str:
    return ", ".join(map(_parameter, kernel.parameters))


def _parameter(parameter: ArrayParameter | ScalarParameter) -> str:
    match parameter:
        case ArrayParameter(name, direction, scalar, extents, _):
            sizes = "?" if extents is None else ", ".join(map(_written, extents))
            return f"{name}: {direction} {scalar}[{sizes}]"
        case ScalarParameter(name, scalar, value, _):
            return f"{name}: {scalar}" + ("" if value is None else f" = {_written(value)}")


# ------------------------------------------------------------------------------------------------------------ comments

COMMENTED = {
    "all": (
        "// rewright: launch grid(4), block(256), shared(1024); n = 1024; x: in f32[n]; requires 0 < n; define T = 16\n"
        "__global__ void k(const float *x, float *y, int n) { y[T] = x[T]; }",
        "grid(4), block(256), shared(1024)",
        "x: in f32[n], y: inout f32[?], n: s32 = 1024",
    ),
    "several lines": (
        "// rewright: launch block(32)\n// Adds.\n\n/* And\n * more. */\n// rewright: n = 3;\n"
        "static __global__\nvoid k(char x, int n) {}",
        "grid(1), block(32)",
        "x: s8, n: s32 = 3",
    ),
    "sizes that depend": (
        "// rewright: launch grid((n + 255) / 256, 2), block(16, 16); a: out s64[n, m * 2]\n"
        "__global__ void k(long long *a, int n, unsigned m) {}",
        "grid(((n + 255) / 256), 2), block(16, 16)",
        "a: out s64[n, (m * 2)], n: s32, m: u32",
    ),
    "further sizes": (
        "// rewright: launch block(B); B = 64\n__global__ void k(double *a) {}",
        "grid(1), block(B)",
        "a: inout f64[?]",
    ),
    "vectors": (
        "// rewright: launch block(4)\n"
        "__global__ void k(const float4 *__restrict__ in, half2 out[], void *p, bool b) {}",
        "grid(1), block(4)",
        "in: in f32[?], out: inout f16[?], p: inout u8[?], b: pred",
    ),
    "type names": (
        "typedef unsigned int word;\nusing real = double;\n// rewright: launch block(4)\n"
        "__global__ void k(word *a, const real *b) {}",
        "grid(1), block(4)",
        "a: inout u32[?], b: in f64[?]",
    ),
    "carriage returns": (
        "// rewright: launch block(4); n = 2\r\n__global__ void k(int n)\r\n{}\r\n",
        "grid(1), block(4)",
        "n: s32 = 2",
    ),
    "by a macro": (
        '#define KERNEL extern "C" __global__ void\n// rewright: launch block(4)\nKERNEL k(int n) {}',
        "grid(1), block(4)",
        "n: s32",
    ),
    "names of our own words": (
        "// rewright: launch block(4); out: out f32[n]; in: in f32[n]\n"
        "__global__ void k(float *out, float *in, int n) {}",
        "grid(1), block(4)",
        "out: out f32[n], in: in f32[n], n: s32",
    ),
}


@pytest.mark.parametrize(("text", "launch", "parameters"), COMMENTED.values(), ids=COMMENTED)
def test_comment_gives_the_launch(text: str, launch: str, parameters: str) -> None:
    kernel = _kernel(text)
    assert (_launch(kernel), _parameters(kernel)) == (launch, parameters)
    assert isinstance(kernel.body, Foreign) and (kernel.body.path, kernel.body.entry) == ("k.cu", "k")


def test_comment_gives_requirements_and_macros() -> None:
    kernel = _kernel(COMMENTED["all"][0])
    assert len(kernel.requires) == 1
    assert isinstance(kernel.body, Foreign)
    assert [(define.name, define.value) for define in kernel.body.defines] == [("T", 16)]


def test_comment_gives_template_arguments() -> None:
    template = "template <typename T, int B, int C = 2>\n__global__ void k(T *x) {}"
    kernel = _kernel(f"// rewright: launch block(64); B = 64; T = float\n{template}")
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == ("float", "64")
    assert _parameters(kernel) == "x: inout f32[?]"


def test_comment_of_another_kernel_is_not_taken() -> None:
    text = "// rewright: launch block(4)\n__global__ void a() {}\n__global__ void b() {}\n"
    known = {each.name: each.kernel is not None for each in _outline(text).kernels}
    assert known == {"a": True, "b": False}


WRONG = {
    "unknown entry": ("launch block(4); lunch", "RW117", "lunch"),
    "no such array": ("launch block(4); z: in f32[3]", "RW117", "z: in f32[3]"),
    "syntax": ("launch block(4); n = 3 +", "RW002", "+"),
    "name": ("launch block(m)", "RW101", "m"),
    "type": ("launch block(4); x: in f31[n]", "RW120", "f31"),
    "clause": ("launch block(4), grit(3)", "RW117", "grit(3)"),
    "brace": ("launch block(4) } kernel z {", "RW001", None),
    "a value for nothing": ("launch block(4); nonsense = 4", "RW101", "nonsense"),
    "a value for a pointer": ("launch block(4); n = 3; x = 4", "RW101", "x"),
    "a macro that nothing uses": ("launch block(4); define TILE = 4; n = 2", "RW101", "TILE"),
    "too large": ("launch block(4); n = 4294967296", "RW117", "4294967296"),
    "too small": ("launch block(4); n = -2147483649", "RW117", "-2147483649"),
    "too large by a size": ("launch block(B); B = 65536; n = B * 32768", "RW117", "B * 32768"),
}


def test_names_that_are_used_somewhere_may_stand_in_a_comment() -> None:
    text = (
        "#ifndef TILE\n#define TILE 4\n#endif\n__device__ int mode, limit[2];\n"
        "// rewright: launch block(B); B = 4; mode = 2; x: in f32[C]; C = 5; define TILE = 8; m = 3000000000\n"
        "__global__ void k(float *x, unsigned m) { if (mode) x[TILE] = m; }\n"
    )
    assert not _only(text).findings


@pytest.mark.parametrize(("entries", "code", "at"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_in_a_comment_is_reported_in_it(entries: str, code: str, at: str | None) -> None:
    text = f"// é\n// rewright: {entries}\n__global__ void k(float *x, int n) {{}}\n"
    outlined = _only(text)
    assert outlined.kernel is None
    said = [*outlined.findings, *outlined.problems]
    assert said
    if at is not None:
        (finding,) = outlined.findings
        assert finding.code == code
        place = finding.place
        assert text.encode()[place.start : place.end].decode() == at  # type: ignore[union-attr]


# ----------------------------------------------------------------------------------------------------------- constants

CONSTANTS = {
    "macro": ("#define THREADS 128\n", 128),
    "macro of macros": ("#define WARPS 4\n#define THREADS (WARPS * 32)\n", 128),
    "macro without parentheses": ("#define THREADS 2 + 3\n", 5),
    "last definition before the kernel": ("#define THREADS 1\n#undef THREADS\n#define THREADS 0x80u\n", 128),
    "constexpr": ("constexpr int THREADS = 4 * sizeof(double);\n", 32),
    "static const": ("static const unsigned THREADS = 1u << 5;\n", 32),
    "const by a macro": ("#define WARP 32\nconst int THREADS = 2 * WARP;\n", 64),
    "computed": ("constexpr int half(int n) { return n / 2; }\nconstexpr int THREADS = half(64);\n", 32),
    "enum": ("enum { ONE = 1, THREADS = ONE << 4, LAST };\n", 16),
    "next in an enum": ("enum Sizes { BEFORE = 63, THREADS };\n", 64),
    "negative": ("#define THREADS (-4)\n", -4),
    "taken branch": ("#if __CUDA_ARCH__ >= 800\n#define THREADS 8\n#else\n#define THREADS 4\n#endif\n", 8),
    "wrapped": ("constexpr unsigned char THREADS = 258;\n", 2),
}


def _sizes(kernel: Kernel) -> dict[str, str]:
    return {str(size.name): _written(size.value) for size in kernel.sizes}


@pytest.mark.parametrize(("before", "value"), CONSTANTS.values(), ids=CONSTANTS)
def test_comment_knows_constants_of_the_document(before: str, value: int) -> None:
    kernel = _kernel(
        f"{before}// rewright: launch grid(4), block(THREADS), shared(THREADS * 4); n = 2 * THREADS; "
        "x: in f32[THREADS]\n"
        "__global__ void k(const float *x, int n) {}\n"
    )
    assert _sizes(kernel) == {"THREADS": str(value)}
    assert _launch(kernel) == "grid(4), block(THREADS), shared((THREADS * 4))"
    assert _parameters(kernel) == "x: in f32[THREADS], n: s32 = (2 * THREADS)"


UNKNOWN = {
    "not defined": "",
    "of the host": "int THREADS = 128;\n",
    "with parameters": "#define THREADS(n) n\n",
    "no integer": "#define THREADS 1.5f\n",
    "several": "#define THREADS 16, 16\n",
    "no expression": "#define THREADS } {\n",
    "nothing": "#define THREADS\n",
    "undefined again": "#define THREADS 4\n#undef THREADS\n",
    "of 64 bits": "#define THREADS 0x100000000\n",
    "of a struct": "struct S { static constexpr int THREADS = 4; };\n",
    "of a function": "void f() { const int THREADS = 4; }\n",
    "endless": "constexpr int THREADS = THREADS + 1;\n",
    "by zero": "#define THREADS (4 / 0)\n",
}


@pytest.mark.parametrize("before", UNKNOWN.values(), ids=UNKNOWN)
def test_name_that_is_no_constant_is_reported_where_it_stands(before: str) -> None:
    text = (
        f"// é\n#define WIDTH 4\n{before}// rewright: launch grid(WIDTH), block(WIDTH * THREADS)\n"
        "__global__ void k(int n) { const int THREADS = 4; }\n#define THREADS 8\n"
    )
    outlined = _only(text)
    assert outlined.kernel is None
    (finding,) = outlined.findings
    assert isinstance(finding.place, InSource)
    assert (finding.code, finding.place.start) == ("RW101", text.encode().rindex(b"THREADS)"))


def test_parameters_and_own_values_win_over_constants() -> None:
    kernel = _kernel(
        "const int n = 7, m = 8, B = 9, C = 10;\n"
        "// rewright: launch grid(n, m), block(B, C); B = 2; n = 3\n__global__ void k(int n, int m) {}\n"
    )
    assert _launch(kernel) == "grid(n, m), block(B, C)"
    assert _sizes(kernel) == {"B": "2", "C": "10"}
    assert _parameters(kernel) == "n: s32 = 3, m: s32"


def test_constants_are_those_where_the_kernel_stands() -> None:
    text = (
        "#define B 8\n// rewright: launch block(B)\n__global__ void j() {}\n"
        "#undef B\n#define B 16\n// rewright: launch block(B)\n__global__ void k() {}\n"
        "namespace a { constexpr int C = 32;\n// rewright: launch block(C)\n__global__ void l() {}\n}\n"
        "// rewright: launch block(C)\n__global__ void m() {}\n"
    )
    j, k, inside, outside = (each.kernel for each in _outline(text).kernels)
    assert j is not None and k is not None and inside is not None and outside is None
    assert [_sizes(each) for each in (j, k, inside)] == [{"B": "8"}, {"B": "16"}, {"C": "32"}]


def test_macros_that_a_comment_gives_count_in_its_constants() -> None:
    text = (
        "#ifndef TILE\n#define TILE 4\n#endif\n#define B (TILE * TILE)\n"
        "// rewright: launch block(B); define TILE = 16\n__global__ void j() {}\n"
        "// rewright: launch block(B)\n__global__ void k() {}\n"
    )
    assert [_sizes(each.kernel) for each in _outline(text).kernels if each.kernel] == [{"B": "256"}, {"B": "16"}]


def test_constants_of_included_files_are_known() -> None:
    text = '#include "sizes.cuh"\n// rewright: launch block(B)\n__global__ void k() {}\n'
    (outlined,) = _outline(text, sizes="#define B 64\n").kernels
    assert outlined.kernel is not None and _sizes(outlined.kernel) == {"B": "64"}


def test_constants_are_arguments_of_templates_and_these_are_sizes() -> None:
    kernel = _kernel(
        "#define THREADS 128\n// rewright: launch block(B); B = THREADS; T = float\n"
        "template <typename T, int B> __global__ void k(T *x) {}\n"
    )
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == ("float", "128")
    assert _launch(kernel) == "grid(1), block(B)" and _sizes(kernel)["B"] == "128"


# --------------------------------------------------------------------------------------------------------------- calls

CALLED = {
    "literals": ("k<<<4, 256>>>(x, 7);", "grid(4), block(256)", "n: s32 = 7"),
    "triples": ("k<<<dim3(4, 2), dim3(16, 16, 2)>>>(x, n);", "grid(4, 2), block(16, 16, 2)", "n: s32"),
    "variables": (
        "const int B = 256; int blocks = (n + B - 1) / B; k<<<blocks, B, B * sizeof(float)>>>(x, n);",
        "grid((((n + 256) - 1) / 256)), block(256), shared(1024)",
        "n: s32",
    ),
    "declared triples": ("dim3 g(8, 4), b{32, 8}; k<<<g, b>>>(x, 100);", "grid(8, 4), block(32, 8)", "n: s32 = 100"),
    "components": (
        "dim3 b(32, 8), g((n + b.x - 1) / b.x, b.y, b.z); k<<<g, b>>>(x, n);",
        "grid((((n + 32) - 1) / 32), 8, 1), block(32, 8)",
        "n: s32",
    ),
    "assigned once": ("dim3 b; b = dim3(64); int g; g = 3; k<<<g, b>>>(x, 1);", "grid(3), block(64)", "n: s32 = 1"),
    "macros": ("k<<<DIV(n, 128), TILE>>>(x, n);", "grid((((n + 128) - 1) / 128)), block(32)", "n: s32"),
    "functions": ("k<<<blocks_for(n, 64), 64>>>(x, n);", "grid((((n + 64) - 1) / 64)), block(64)", "n: s32"),
    "a function with variables and a default": (
        "k<<<some_blocks(n), 64>>>(x, n);",
        "grid(((((n + 64) - 1) / 64) min 99)), block(64)",
        "n: s32",
    ),
    "enumerators": ("k<<<SOME, 64>>>(x, ALL);", "grid(4), block(64)", "n: s32 = 5"),
    "a variable called like one": ("int NONE = n; k<<<1, 64>>>(x, NONE);", "grid(1), block(64)", "n: s32"),
    "rounded up": ("k<<<(int)ceil((float)n / 64.0f), 64>>>(x, n);", "grid((((n + 64) - 1) / 64)), block(64)", "n: s32"),
    "constants": ("const int N = 1 << 10; k<<<N / 128, 128>>>(x, N);", "grid((n / 128)), block(128)", "n: s32 = 1024"),
    "large constant": (
        "int N = 1 << 24; k<<<(N + 63) / 64, 64>>>(x, N);",
        "grid(((n + 63) / 64)), block(64)",
        "n: s32",
    ),
    "choice": ("k<<<n > 64 ? 2 : 1, std::min(n, 64)>>>(x, n);", "", "n: s32"),
    "checked call": ("CHECK((k<<<1, 32>>>(x, 3)));", "grid(1), block(32)", "n: s32 = 3"),
    "first that is known": ("k<<<1>>>(x, 3); k<<<2, 64>>>(x, 4);", "grid(2), block(64)", "n: s32 = 4"),
}
HOST = (
    "const int TILES = 8;\n"
    "#define TILE 32\n#define DIV(a, b) (((a) + (b) - 1) / (b))\n#define CHECK(e) do { if (e) exit(1); } while (0)\n"
    "int blocks_for(int a, int b) { return (a + b - 1) / b; }\n"
    "int some_blocks(int a, int b = 64) { const int c = (a + b - 1) / b; int d = 99; return std::min(c, d); }\n"
    "enum Way { NONE, SOME = 4, ALL };\n"
    "__global__ void k(float *x, int n) {}\nvoid host(float *x, int n) {\n"
)


@pytest.mark.parametrize(("call", "launch", "parameter"), CALLED.values(), ids=CALLED)
def test_call_gives_the_launch(call: str, launch: str, parameter: str) -> None:
    kernel = _kernel(f"{HOST}{call}\n}}\n")
    assert _parameters(kernel) == f"x: inout f32[?], {parameter}"
    if launch:
        assert _launch(kernel) == launch


FREE = {
    "variable": ("k<<<blocks, 32>>>(x, 3);", "grid(blocks), block(32)", "blocks"),
    "changed": ("int b = 32; b *= 2; k<<<1, b>>>(x, 3);", "grid(1), block(b)", "b"),
    "changed by a loop": ("for (int b = 32; b > 0; b /= 2) k<<<1, b>>>(x, 3);", "grid(1), block(b)", "b"),
    "by a pointer": ("int b = 32; read(&b); k<<<1, b>>>(x, 3);", "grid(1), block(b)", "b"),
    "no dim3": ("int4 b{32}; k<<<1, b.x>>>(x, 3);", "grid(1), block(b_x)", "b_x"),
    "itself by a field": ("dim3 b(b.x); k<<<1, b>>>(x, 3);", "grid(1), block(b_x)", "b_x"),
    "parameter": (
        "} void other(float *x, int threads) { k<<<1, threads>>>(x, 3);",
        "grid(1), block(threads)",
        "threads",
    ),
    "hidden": ("int TILES = 1; TILES++; k<<<TILES, 4>>>(x, 3);", "grid(TILES), block(4)", "TILES"),
    "itself": ("int b = b; k<<<1, b>>>(x, 3);", "grid(1), block(b)", "b"),
    "call": ("k<<<blocks_of(y), 32>>>(x, 3);", "grid(blocks_of_y), block(32)", "blocks_of_y"),
    "call in an expression": ("k<<<y.size(0) + 1, 32>>>(x, 3);", "grid((y_size_0 + 1)), block(32)", "y_size_0"),
    "no whole number": ("k<<<(int)(m * 0.5), 32>>>(x, 3);", "grid(int_m_0_5), block(32)", "int_m_0_5"),
    "member": ("k<<<p->blocks, q.n[2]>>>(x, 3);", "grid(p_blocks), block(q_n_2)", "p_blocks, q_n_2"),
    "name of a parameter": ("int m = n(); k<<<n(), 32>>>(x, 3);", "grid(host_n), block(32)", "host_n"),
    "first value of a variable": ("int rows = y.size(0); k<<<rows, 32>>>(x, 3);", "grid(rows), block(32)", "rows"),
    "variable of a parameter's name": (
        "int n = y.size(0); k<<<n, 32>>>(x, 3);",
        "grid(y_size_0), block(32)",
        "y_size_0",
    ),
    "variables of one name": (
        "int b = y.size(0); int c = b + 1; { int b = y.size(1); k<<<c, b>>>(x, 3); }",
        "grid((b + 1)), block(y_size_1)",
        "b, y_size_1",
    ),
    "long call": (
        "k<<<at::cuda::GET_BLOCKS(x.numel(), 1), GET_BLOCKS(y.numel(), 512)>>>(x, 3);",
        "grid(GET_BLOCKS), block(GET_BLOCKS_2)",
        "GET_BLOCKS, GET_BLOCKS_2",
    ),
    "long expression": (
        "k<<<(int)(measured * 0.25 * other), 32>>>(x, 3);",
        "grid(int_measured_0_25), block(32)",
        "int_measured_0_25",
    ),
    "triple": ("k<<<make_uint3(t / 4, 2, 1), 32>>>(x, 3);", "grid((t / 4), 2, 1), block(32)", "t"),
    "name of our own words": (
        "k<<<grid, block>>>(x, 3);",
        "grid(size_grid), block(size_block)",
        "size_grid, size_block",
    ),
}

COMPONENTS = {
    "call": ("k<<<grid_of(y), 32>>>(x, 3);", "grid(grid_of_y_x, grid_of_y_y), block(32)"),
    "variable": ("auto grid = grid_of(y); k<<<grid, 32>>>(x, 3);", "grid(grid_x, grid_y), block(32)"),
    "long call": (
        "k<<<grid_of(y.numel(), y.size(1)), 32>>>(x, 3);",
        "grid(grid_of_x, grid_of_y), block(32)",
    ),
}


@pytest.mark.parametrize(("call", "launch"), COMPONENTS.values(), ids=COMPONENTS)
def test_components_that_are_not_known_are_named_by_their_axis(call: str, launch: str) -> None:
    host = HOST.replace("{}", "{ x[blockIdx.x + blockIdx.y] = n; }", 1)
    assert (
        _launch(_kernel(f"{host}{call}\n}}\n".replace("void host(float *x, int n)", "void host(float *x)"))) == launch
    )


@pytest.mark.parametrize(("call", "launch", "sizes"), FREE.values(), ids=FREE)
def test_what_is_not_known_of_the_host_is_a_free_size(call: str, launch: str, sizes: str) -> None:
    kernel = _kernel(f"{HOST}{call}\n}}\n".replace("void host(float *x, int n)", "void host(float *x)"))
    assert (_launch(kernel), ", ".join(str(size.name) for size in kernel.sizes if size.value is None)) == (
        launch,
        sizes,
    )


SCOPED = {
    "block": ("{ int b = 8; } int b = 16; { int b = 32; k<<<1, b>>>(x, n); }", "grid(1), block(32)"),
    "after a block": ("int b = 16; { int b = 32; } k<<<1, b>>>(x, n);", "grid(1), block(16)"),
    "assigned in a block": ("int b = 16; { b = 32; } k<<<1, b>>>(x, n);", "grid(1), block(32)"),
    "last before the call": ("int b = 16; b = 32; k<<<1, b>>>(x, n); b = 64;", "grid(1), block(32)"),
    "lambda": ("int b = 32; auto run = [&] { k<<<1, b>>>(x, n); };", "grid(1), block(32)"),
    "by a field": ("dim3 b(32, 2); b.x = 64; k<<<1, b>>>(x, n);", "grid(1), block(64, 2, 1)"),
    "by fields": ("dim3 b; b.x = 64; b.y = 2; k<<<1, b>>>(x, n);", "grid(1), block(64, 2, 1)"),
    "what leaves": ("int b = 32; if (n > 9) { b = 64; return; } k<<<1, b>>>(x, n);", "grid(1), block(32)"),
    "like a function": ("int b = 32; dim3 t(b); dim3 g(b * n); k<<<g, t>>>(x, n);", "grid((32 * n)), block(32)"),
    "case": ("switch (m) { case 32: k<<<1, m>>>(x, n); }", "grid(1), block(32)"),
    "case of what it is made of": (
        "int b = m / 2; dim3 t(b); switch (b) { case 32: k<<<m, t>>>(x, n); }",
        "grid(m), block(32)",
    ),
    "equation": ("if (m == 64 && n > 2) { k<<<1, m>>>(x, n); }", "grid(1), block(64)"),
    "constant choice": ("const int b = 64; k<<<1, (b > 32) ? 8 : 16>>>(x, n);", "grid(1), block(8)"),
    "well known": ("k<<<cdiv(n, 32), 32>>>(x, n);", "grid((((n + 32) - 1) / 32)), block(32)"),
    "passed as it is": ("k<<<(y.size(0) + 31) / 32, 32>>>(x, y.size(0));", "grid(((n + 31) / 32)), block(32)"),
    "passed by another name": ("int m = y.size(0); k<<<m, 32>>>(x, y.size(0));", "grid(n), block(32)"),
}


@pytest.mark.parametrize(("call", "launch"), SCOPED.values(), ids=SCOPED)
def test_names_are_those_of_the_scope(call: str, launch: str) -> None:
    assert _launch(_kernel(f"{HOST}{call}\n}}\n")) == launch


BOUNDS = {
    "within": ("__launch_bounds__(128)", "k<<<4, 128>>>(x);", "block(128)"),
    "beyond": ("__launch_bounds__(128)", "k<<<4, dim3(16, 9)>>>(x);", "`__launch_bounds__` allows 128 threads"),
    "macro": ("__launch_bounds__(MOST, 2)", "k<<<4, 65>>>(x);", "`__launch_bounds__` allows 64 threads"),
    "constant": ("__launch_bounds__(LEAST)", "k<<<4, 65>>>(x);", "`__launch_bounds__` allows 32 threads"),
    "free": ("__launch_bounds__(128)", "k<<<4, dim3(threads, 4)>>>(x);", "requires (threads) * (4) <= 128"),
    "not known": ("__launch_bounds__(other())", "k<<<4, 512>>>(x);", "block(512)"),
}


@pytest.mark.parametrize(("bounds", "call", "said"), BOUNDS.values(), ids=BOUNDS)
def test_launch_bounds_limit_the_block(bounds: str, call: str, said: str) -> None:
    source = (
        "#define MOST 64\nconstexpr int LEAST = 32;\n"
        f"__global__ void {bounds} k(float *x) {{ x[threadIdx.y] = 1; }}\nvoid host(float *x) {{ {call} }}\n"
    )
    (kernel,) = outline("k.cu", {"k.cu": source}).kernels
    if said.startswith("`"):
        assert (kernel.launches, said in kernel.unlaunched) == ((), True)
    else:
        assert kernel.kernel is not None
        assert said.startswith("requires") == bool(kernel.kernel.requires)


def test_launch_bounds_of_a_template_are_those_of_its_argument() -> None:
    source = (
        "template <int B> __global__ void __launch_bounds__(B) k(float *x) { x[0] = 1; }\n"
        "void host(float *x) { k<64><<<1, 64>>>(x); k<32><<<1, 33>>>(x); }\n"
    )
    (kernel,) = outline("k.cu", {"k.cu": source}).kernels
    assert (len(kernel.launches), ["allows 32" in each.reason for each in kernel.left_out]) == (1, [True])


STRUCTS = {
    "field": ("k<<<(a.n + 31) / 32, 32>>>(a);", "grid(((p.n + 31) / 32)), block(32)", "p.n"),
    "of a pointer": ("k<<<q->n / 32, 32>>>(*q);", "grid((p.n / 32)), block(32)", "p.n"),
    "variable": ("int m = a.n; k<<<m, 32>>>(a);", "grid(p.n), block(32)", "p.n"),
    "set": ("Args b; b.n = q->n; k<<<b.n, 32>>>(b);", "grid(p.n), block(32)", "p.n"),
    "set to a constant": ("Args b; b.n = 64; k<<<b.n / 32, 32>>>(b);", "grid((p.n / 32)), block(32)", "p.n = 64"),
    "list": ("Args b = {x, m}; k<<<m / 32, 32>>>(b);", "grid((p.n / 32)), block(32)", "p.n"),
    "named list": ("Args b{.x = x, .n = 4 * m}; k<<<m, 128>>>(b);", "grid(m), block(128)", "m, p.n = (4 * m)"),
    "copy": ("Args b{x, 96}; Args c = b; k<<<c.n / 32, 32>>>(c);", "grid((p.n / 32)), block(32)", "p.n = 96"),
    "another": ("Args b; k<<<b.n, 32>>>(a);", "grid(b_n), block(32)", "b_n, p.n"),
}


@pytest.mark.parametrize(("call", "launch", "sizes"), STRUCTS.values(), ids=STRUCTS)
def test_the_fields_of_a_struct_that_is_passed_are_those_of_the_parameter(call: str, launch: str, sizes: str) -> None:
    source = (
        "struct Args { float *x; int n; };\n__global__ void k(Args p) { p.x[threadIdx.x] = p.n; }\n"
        f"void host(Args a, const Args *q, float *x, int m) {{\n{call}\n}}\n"
    )
    kernel = _kernel(source)
    listed = [*(str(size.name) for size in kernel.sizes if size.value is None), *_parameters(kernel).split(", ")[1:]]
    assert (_launch(kernel), ", ".join(each.replace(": s32", "") for each in listed)) == (launch, sizes)


BRANCHES = {
    "if": ("int b = 32; if (n > 100) b = 64; k<<<1, b>>>(x, n);", ["block(64)", "block(32)"]),
    "else": (
        "int b, g; if (m) { b = 32; g = 1; } else { b = 64; g = 2; } k<<<g, b>>>(x, n);",
        ["block(32)", "block(64)"],
    ),
    "switch": (
        "int b; switch (m) { case 1: b = 32; break; case 2: { b = 64; break; } default: b = 96; } k<<<1, b>>>(x, n);",
        ["block(32)", "block(64)", "block(96)"],
    ),
    "choice": ("k<<<1, m ? 32 : 64>>>(x, n);", ["block(32)", "block(64)"]),
}


@pytest.mark.parametrize(("call", "blocks"), BRANCHES.values(), ids=BRANCHES)
def test_each_branch_is_a_launch(call: str, blocks: list[str]) -> None:
    outlined = _only(f"{HOST}{call}\n}}\n")
    assert [_launch(each.kernel).partition(", ")[2] for each in outlined.launches] == blocks


TWICE = {
    "integers": ("float *x, int n, long m", "int p", "x, p, p", "n: s32, m: s64 = n"),
    "by another name": ("float *x, int n, int m", "int p", "x, p, q", "n: s32, m: s32 = n"),
    "floats": ("float *x, float a, float b", "float p", "x, p, p", "a: f32, b: f32 = a"),
    "an integer of a float": ("float *x, float a, int m", "float p", "x, p, (int)p", "a: f32, m: s32"),
    "structs": ("P a, P b", "P p", "p, p", "a.n: s32, b.n: s32 = a.n"),
}


@pytest.mark.parametrize(("parameters", "host", "given", "said"), TWICE.values(), ids=TWICE)
def test_a_variable_that_is_passed_twice_is_one(parameters: str, host: str, given: str, said: str) -> None:
    text = f"struct P {{ float *x; int n; }};\n__global__ void k({parameters}) {{}}\n"
    kernel = _kernel(f"{text}void f(float *x, {host}) {{ {'int q = p; ' * ('q' in given)}k<<<1, 8>>>({given}); }}")
    assert ", ".join(each for each in _parameters(kernel).split(", ") if ".x" not in each and "x:" not in each) == said


def test_what_is_passed_may_be_made_of_what_follows() -> None:
    text = (
        "__global__ void k(int m, bool b, int n) {}\nvoid f(int p) { bool c = p > 3; if (c) k<<<1, 8>>>(p - 1, c, p); }"
    )
    kernel = _kernel(text)
    assert _parameters(kernel) == "m: s32 = (n - 1), b: pred = (n > 3), n: s32"
    assert _written_truth(kernel) == ["(n > 3)"]


def test_the_condition_of_a_branch_is_required() -> None:
    first, second = _only(f"{HOST}int b = 32; if (n > 100) b = 64; k<<<1, b>>>(x, n);\n}}\n").launches
    assert [_written_truth(each.kernel) for each in (first, second)] == [["(n > 100)"], ["(n <= 100)"]]


def test_the_case_of_a_switch_is_required_of_what_it_is_made_of() -> None:
    kernel = _kernel(f"{HOST}int b = n / 2; dim3 t(b); switch (b) {{ case 32: k<<<n, t>>>(x, n); }}\n}}\n")
    assert (_launch(kernel), _written_truth(kernel)) == ("grid(n), block(32)", ["(n == 64)"])


LOOPS = {
    "upwards": ("for (int i = 2; i < n; i++) k<<<1, 8>>>(i, n);", ["(m < n)", "(m >= 2)"]),
    "by a step": ("for (int i = n; i <= 64; i += s) { k<<<1, 8>>>(i, n); }", ["(m <= 64)", "(m >= n)"]),
    "downwards": ("for (int i = n; i > 0; --i) k<<<1, i>>>(i, n);", ["(m > 0)", "(m <= n)"]),
    "by halves": ("for (int i = n / 2; i > 0; i >>= 1) k<<<1, i>>>(i, n);", ["(m > 0)", "(m <= (n / 2))"]),
    "halves down to 0": ("for (int i = n; i >= 0; i /= 2) k<<<1, 8>>>(i, n);", []),
    "set in the body": ("for (int i = 0; i < n; i++) { i = s; k<<<1, 8>>>(i, n); }", []),
    "after the loop": ("int i; for (i = 0; i < n; i++) { } k<<<1, 8>>>(i, n);", []),
    "of another loop": ("for (int i = 0; i < n; i++) { if (i > 3) return; } k<<<1, 8>>>(s, n);", []),
    "before it": ("if (i > 9) return; for (int i = 0; i < n; i++) k<<<1, 8>>>(i, n);", ["(m < n)", "(m >= 0)"]),
    "in it": ("for (int i = 0; i < n; i++) if (i > 3) k<<<1, 8>>>(i, n);", ["(m > 3)", "(m < n)", "(m >= 0)"]),
}


@pytest.mark.parametrize(("loop", "required"), LOOPS.values(), ids=LOOPS)
def test_the_head_of_a_loop_is_required_of_its_variable(loop: str, required: list[str]) -> None:
    text = f"__global__ void k(int m, int n) {{}}\nint i;\nvoid host(int n, int s) {{\n{loop}\n}}\n"
    assert _written_truth(_kernel(text)) == required


CALLERS = {
    "guard": ("static ", "if (p % 4 == 0) run(x, p);", [["((n % 4) == 0)"]]),
    "assertion": ("static ", "assert(p > 8); run(x, (int)p);", [["(n > 8)"]]),
    "loop": ("static ", "for (int i = 1; i < p; i++) run(x, i);", [["(n >= 1)"]]),
    "each caller": ("static ", "if (p > 1) run(x, p); if (p < 0) run(x, p);", [["(n > 1)"], ["(n < 0)"]]),
    "one without": ("static ", "if (p > 1) run(x, p); run(x, p);", [["(n > 1)"], []]),
    "computed": ("static ", "if (p > 1) run(x, p + 1);", [[]]),
    "set in between": ("static ", "if (p > 1) { p = 0; run(x, p); }", [[]]),
    "by a branch": ("static ", "int b = 2; if (x) b = 4; if (p % b == 0) run(x, p);", [[]]),
    "address taken": ("static ", "if (p > 1) run(x, p); auto f = &run;", [[]]),
    "others may call it": ("", "if (p > 1) run(x, p);", [[]]),
    "a whole program": ("", "if (p > 1) run(x, p); } int main() {", [["(n > 1)"]]),
}


@pytest.mark.parametrize(("storage", "calls", "required"), CALLERS.values(), ids=CALLERS)
def test_what_callers_demand_is_required(storage: str, calls: str, required: list[list[str]]) -> None:
    text = f"__global__ void k(float *x, int n) {{}}\n{storage}void run(float *x, int m) {{ k<<<1, 8>>>(x, m); }}\n"
    found = _only(f"{text}void top(float *x, int p) {{ {calls} }}\n").launches
    assert [_written_truth(each.kernel) for each in found] == required


def test_a_caller_demands_of_the_instance_that_it_calls() -> None:
    text = "template <int W> __global__ void k(float *x, int n) {}\n"
    text += "template <int W> void run(float *x, int m) { k<W><<<1, W>>>(x, m); }\n"
    outlined = _only(f"{text}void top(float *x, int n) {{ if (n >= 960) run<192>(x, n); else run<64>(x, n); }}\n")
    found = [(_launch(each.kernel), _written_truth(each.kernel)) for each in outlined.launches]
    assert found == [("grid(1), block(192)", ["(n >= 960)"]), ("grid(1), block(64)", ["(n < 960)"])]


def _written_truth(kernel: Kernel) -> list[str]:
    return [_written(each.condition) for each in kernel.requires if isinstance(each, Fact)]


WRAPPERS = {
    "variable": "auto run = k<32>; run<<<1, 8>>>(x);",
    "address in a branch": "void (*run)(float *); if (n) run = &k<32>; else run = k<32>; run<<<1, 8>>>(x);",
    "runtime": "void *args[] = {(void *)&x}; cudaLaunchKernel((const void *)k<32>, dim3(1), dim3(8), args, 0, 0);",
    "hip": "hipLaunchKernelGGL(k<32>, 1, 8, 0, 0, x);",
    "wrapper": "launch(k<32>, x); } template <typename K> void launch(K run, float *x) { run<<<1, 8>>>(x);",
    "one of two": "auto run = n > 3 ? k<32> : k<32>; run<<<1, 8>>>(x);",
    "returned": "auto run = pick(n); run<<<1, 8>>>(x); } auto pick(int n) { if (n) { return &k<32>; } return k<32>;",
    "template around": "launch<32>(x); } template <int B> void launch(float *x) { k<B><<<1, 8>>>(x);",
    "instantiation": "} template <int B> void launch(float *x) { k<B><<<1, 8>>>(x); }\n"
    "template void launch<32>(float *x) {",
}


@pytest.mark.parametrize("call", WRAPPERS.values(), ids=WRAPPERS)
def test_kernels_are_launched_by_other_names(call: str) -> None:
    text = f"template <int B> __global__ void k(float *x) {{}}\nvoid host(float *x, int n) {{ {call} }}\n"
    kernel = _kernel(text.replace("float *x) { }", "float *x);"))
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == ("32",)
    assert _launch(kernel).removesuffix(", shared(0)") == "grid(1), block(8)"


TYPES = {
    "argument": "void f(double *x) { k<double><<<1, 2>>>(x); }",
    "alias": "void f() { using T = double; k<T><<<1, 2>>>(nullptr); }",
    "passed": "void f(int n) { double *x; k<<<1, 2>>>(x); }",
    "passed to a wrapper": "template <class S> void g(S *x) { k<<<1, 2>>>(x); } void f(double *y) { g(y); }",
    "cast": "void f(void *x) { k<<<1, 2>>>((double *)x + 4); }",
    "method": "void f(Tensor x) { k<<<1, 2>>>(x.data_ptr<double>()); }",
    "instantiation": "template <class S> void f(S *x) { k<S><<<1, 2>>>(x); }\ntemplate void f<double>(double *x);",
    "instantiation deduced": "template <class S> void f(S *x) { k<<<1, 2>>>(x); }\ntemplate void f(double *x);",
    "called": "template <class S> void f(S *x) { k<S><<<1, 2>>>(x); }\nvoid g() { f<double>(nullptr); }",
    "by two": (
        "template <class S> void f(S *x) { k<S><<<1, 2>>>(x); }\ntemplate <class R> void g(R *x) { f<R>(x); }\n"
        "template void g<double>(double *x);"
    ),
    "dispatched": "#define ALL(...) [&] { using scalar_t = double; __VA_ARGS__(); }\n"
    "void f(Tensor x) { ALL([&] { k<scalar_t><<<1, 2>>>(x.data_ptr<scalar_t>()); }); }",
    "default": "template <class S, class R = S> void f(R *x) { k<R><<<1, 2>>>(x); }\nvoid g() { f<double>(nullptr); }",
}


@pytest.mark.parametrize("host", TYPES.values(), ids=TYPES)
def test_types_of_templates_are_those_of_the_call(host: str) -> None:
    kernel = _kernel(f"template <typename T> __global__ void k(T *x) {{}}\n{host}\n")
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == ("double",)


def test_a_type_of_a_dispatch_that_is_not_there_is_a_float_though_helpers_have_a_parameter_of_that_name() -> None:
    text = "template <typename T> __global__ void k(T *x) {}\n"
    text += "template <typename scalar_t> __device__ scalar_t sum(scalar_t a) { using acc_t = float; return a; }\n"
    text += "void f(Tensor x) { AT_DISPATCH(x.type(), [&] { k<<<1, 2>>>(x.data_ptr<scalar_t>()); }); }\n"
    kernel = _kernel(text)
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == ("float",)
    own = _kernel(f"using scalar_t = double;\n{text}")
    assert isinstance(own.body, Foreign) and own.body.arguments == ("scalar_t",)


@pytest.mark.parametrize("name", ["real", "accreal"])
def test_a_type_that_files_of_torch_are_made_for_in_turn_is_a_float(name: str) -> None:
    text = f"template <typename T> __global__ void k(T *x) {{}}\nvoid f({name} *x) {{ k<{name}><<<1, 2>>>(x); }}\n"
    kernel = _kernel(text)
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == ("float",)
    own = _kernel(f"typedef double {name};\n{text}")
    assert isinstance(own.body, Foreign) and own.body.arguments == (name,)


@pytest.mark.parametrize(("kind", "count"), [("float", 4), ("double", 2), ("at::Half", 8)])
def test_the_size_of_a_type_with_a_local_name_is_known(kind: str, count: int) -> None:
    text = "template <int B, typename T> __global__ void k(T *x) {}\n"
    text += f"void f() {{ using S = {kind}; const int n = sizeof(float4) / sizeof(S); k<n, S><<<1, 2>>>(nullptr); }}\n"
    kernel = _kernel(text)
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == (str(count), kind)


@pytest.mark.parametrize(("kind", "size"), [("at::BFloat16", 4), ("double", 8)])
def test_the_type_in_which_torch_adds_is_known(kind: str, size: int) -> None:
    text = "template <typename T> __global__ void k(T *x) {}\n"
    text += f"void f(Tensor x) {{ using scalar_t = {kind}; using acc = at::acc_type<scalar_t, true>;\n"
    text += "  k<<<1, 2, 2 * sizeof(acc)>>>(x.data_ptr<acc>()); }\n"
    kernel = _kernel(text)
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == ("double" if size == 8 else "float",)
    assert _launch(kernel) == f"grid(1), block(2), shared({2 * size})"


def test_functions_of_the_host_know_the_arguments_of_their_templates() -> None:
    text = "__global__ void k(float *x) {}\ntemplate <class T> int per() { return sizeof(float) / sizeof(T); }\n"
    assert _launch(_kernel(f"{text}void f(float *x) {{ k<<<1, 64 / per<at::Half>()>>>(x); }}")) == "grid(1), block(32)"


def test_a_pointer_to_a_kernel_is_that_of_its_scope() -> None:
    text = "__global__ void k(float *x) {}\n__global__ void l(float *x) {}\n"
    text += "void f(float *x) { { auto run = k; run<<<1, 2>>>(x); } with([&] { auto run = l; run<<<3, 4>>>(x); }); }"
    launched = {each.name: [_launch(one.kernel) for one in each.launches] for each in _outline(text).kernels}
    assert launched == {"k": ["grid(1), block(2)"], "l": ["grid(3), block(4)"]}


NUMBER_TYPES = {
    "bool": ("std::bool_constant<N>", "std::bool_constant<true>{}", "1"),
    "integral": ("std::integral_constant<int, N> v", "std::integral_constant<int, 32>{}", "32"),
    "variable": ("std::bool_constant<N> v", "c", "0"),
}


@pytest.mark.parametrize("name", NUMBER_TYPES)
def test_a_type_that_is_a_number_gives_the_argument_of_a_template(name: str) -> None:
    parameter, passed, number = NUMBER_TYPES[name]
    text = f"template <class T, int N> __global__ void k(T *x, {parameter}) {{}}\n"
    text += f"void f(double *x, std::bool_constant<false> c) {{ k<<<1, 2>>>(x, {passed}); }}\n"
    kernel = _kernel(text)
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == ("double", number)
    assert [str(each.name) for each in kernel.parameters] == ["x"]


@pytest.mark.parametrize("call", ["k<<<1,,2>>>(x, 3);", "k<<<1, >>>(x, 3);", "k<<<1, 2.5>>>(x, 3);"])
def test_what_is_no_block_is_no_launch(call: str) -> None:
    assert _only(f"{HOST}{call}\n}}\n").kernel is None


def test_dynamic_memory_of_more_than_32_bits_is_not_taken_for_none() -> None:
    assert _launch(_kernel(f"{HOST}k<<<1, 8, 1ll << 40>>>(x, 3);\n}}\n")) == "grid(1), block(8), shared(1099511627776)"


def test_a_launch_that_states_no_dynamic_memory_has_none_of_it() -> None:
    text = "__global__ void k() { extern __shared__ float s[]; }\n__global__ void l() { __shared__ float s[8]; }\n"
    text += "void f(int bytes) { k<<<1, 8>>>(); k<<<1, 8, of(bytes)>>>(); l<<<1, 8>>>(); }\n"
    launched = [_launch(each.kernel) for kernel in _outline(text).kernels for each in kernel.launches]
    assert launched == ["grid(1), block(8), shared(0)", "grid(1), block(8)", "grid(1), block(8)"]


CHOSEN = {
    "either side": "run = half ? k<2> : k<1>;",
    "branches": "run = k<1>; if (half) { run = k<2>; }",
    "returned": "run = pick(half);",
}


@pytest.mark.parametrize("name", CHOSEN)
def test_kernels_and_sizes_that_are_chosen_apart_are_not_put_together(name: str) -> None:
    text = "template <int N> __global__ void k(float *x) {}\n"
    text += "auto pick(bool half) { if (half) { return k<2>; } return k<1>; }\n"
    text += f"void f(float *x, bool half) {{ auto {CHOSEN[name]} run<<<SIZE, 64>>>(x); }}\n"
    chosen, one = (_only(text.replace("SIZE", size)) for size in ("half ? 4 : 8", "8"))
    assert chosen.launches == () and "with which of its sizes is not known" in (chosen.unlaunched or "")
    assert [_launch(each.kernel) for each in one.launches] == ["grid(8), block(64)"] * 2


def test_a_launch_of_one_part_is_not_guessed() -> None:
    outlined = _only(f"{HOST}k<<<1>>>(x, 3);\n}}\n")
    assert (outlined.kernel, outlined.unlaunched) == (None, "`k<<<1>>>`: it states no block")


def test_call_gives_template_arguments() -> None:
    template = "template <int B, typename T> __global__ void k(T *x) {}\n"
    kernel = _kernel(f"{template}void f() {{ const int b = 64; k<b * 2, double><<<1, b>>>(x); }}")
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == ("128", "double")
    assert (_launch(kernel), _parameters(kernel)) == ("grid(1), block(64)", "x: inout f64[?]")


def test_names_of_constants_are_arguments_of_templates() -> None:
    template = "template <int B, int C> __global__ void k(float *x) {}\nconstexpr int WARP = 32;\n"
    kernel = _kernel(f"{template}void f() {{ constexpr int b = 2 * WARP; k<b, (WARP)><<<1, b>>>(x); }}")
    assert isinstance(kernel.body, Foreign) and kernel.body.arguments == ("64", "32")


def test_parameter_types_that_a_call_cannot_be_declared_with_are_reported_at_the_kernel() -> None:
    text = "struct P { int a; };\n__global__ void k(curandState *s, int **q) {}\nvoid f() { k<<<1, 32>>>(s, q); }"
    outlined = _only(text)
    assert outlined.kernel is None
    assert [text[each.place.start : each.place.end] for each in outlined.problems if isinstance(each.place, InSource)]
    assert all("is not" in each.reason for each in outlined.problems)


def test_what_keeps_a_call_from_being_a_launch_is_kept() -> None:
    text = "template <int B> __global__ void k(float *x) {}\nvoid f() { k<<<1, 32>>>(make()); }"
    assert _only(text).unlaunched == "`k<<<1, 32>>>`: the template parameter `B` has no argument; state `B = …`"
    assert not _only(text).problems


def test_values_that_are_passed_have_the_types_of_parameters() -> None:
    text = "__global__ void k(bool b, float x, int n, unsigned m, double y) {}\n"
    kernel = _kernel(f"{text}void f() {{ k<<<1, 2>>>(true, 1, 2.5, 3u, -1.5e3); }}")
    assert _parameters(kernel) == "b: pred = (1 != 0), x: f32 = 1, n: s32, m: u32 = 3, y: f64 = -1.5e3"


def test_comment_completes_a_call() -> None:
    text = "// rewright: x: in f32[n]; n = 5\n__global__ void k(float *x, int n) {}\nvoid f() { k<<<2, 32>>>(x, 7); }"
    kernel = _kernel(text)
    assert (_launch(kernel), _parameters(kernel)) == ("grid(2), block(32)", "x: in f32[n], n: s32 = 5")


# ------------------------------------------------------------------------------------------------- without a launch

COMMENTS = {
    "plain": ("__global__ void k(float *x) {}", "launch block(256)"),
    "sizes": (
        "__global__ void k(float *x, int n, size_t m, float a) { x[blockIdx.x] = threadIdx.x; }",
        "launch grid(4), block(256); n = 1024; m = 64",
    ),
    "planes": (
        "__global__ void k(float *x) { x[threadIdx.y] = blockIdx . y; }",
        "launch grid(4, 2), block(16, 16)",
    ),
    "template": (
        "template <typename T, int B, bool C = true>\n__global__ void k(T *x, T y) {}",
        "launch block(256); T = float; B = 32",
    ),
    "launch bounds": ("__global__ void __launch_bounds__(128) k(float *x) {}", "launch block(128)"),
    "shared array": (
        "__global__ void k(float *x) { __shared__ float s[64]; s[threadIdx.x] = x[0]; }",
        "launch block(64)",
    ),
    "shared array of no block": (
        "__global__ void k(float *x) { __shared__ float s[33], t[2][8]; }",
        "launch block(256)",
    ),
    "dynamic": ("__global__ void k() { extern __shared__ float s[]; }", "launch block(256), shared(4096)"),
}


def test_a_launch_that_is_offered_has_the_constants_of_the_text() -> None:
    text = "#define THREADS 128\n__global__ void k(float *x) { __shared__ float s[THREADS]; s[threadIdx.x] = x[0]; }\n"
    assert _only(text).comment == "// rewright: launch block(128)\n"


@pytest.mark.parametrize(("text", "comment"), COMMENTS.values(), ids=COMMENTS)
def test_comment_is_a_launch_where_it_goes(text: str, comment: str) -> None:
    document = f"int é;\n\n  {text}\n"
    outlined = _only(document)
    assert outlined.comment == f"  // rewright: {comment}\n"
    data = document.encode()
    there = (data[: outlined.insert] + outlined.comment.encode() + data[outlined.insert :]).decode()
    assert there == f"int é;\n\n{outlined.comment}  {text}\n"
    assert _only(there).kernel is not None
    assert document.encode()[outlined.place.start : outlined.place.end] == b"k"


def test_kernels_of_included_files_are_not_of_the_document() -> None:
    found = _outline('#include "a.cuh"\n#include "b.cuh"\n__global__ void k() {}\n', a="__global__ void other() {}\n")
    assert [kernel.name for kernel in found.kernels] == ["k"]
    assert found.read == ("k.cu", "a.cuh", "b.cuh", anywhere("k.cu", "b.cuh"))


def test_kernels_of_included_files_that_the_document_calls_are_among_its_own() -> None:
    text = '#include "a.cuh"\nvoid f(float *x, int n) { other<<<n, 64>>>(x, n); }\n'
    (kernel,) = _outline(text, a="__global__ void other(float *x, int n) {}\n__global__ void third() {}\n").kernels
    assert kernel.kernel is not None and _launch(kernel.kernel) == "grid(n), block(64)"
    assert (kernel.name, text[kernel.place.start : kernel.place.end], kernel.place.path) == ("other", "other", "k.cu")


def test_parameters_that_cannot_be_declared_are_reported() -> None:
    text = "union U { int *a; };\n// rewright: launch block(4)\n__global__ void k(U u, float **p, int n) {}\n"
    outlined = _only(text)
    assert outlined.kernel is None
    assert [text[p.place.start : p.place.end] for p in outlined.problems] == ["U u", "float **p"]  # type: ignore[union-attr]


ARGUMENTS = {
    "a function": ("float (*op)(float)", "op = op_abs", "x[0] = op(-1); assert(x[0] == 1);"),
    "an enumerator": ("Kind k", "k = Kind::B", "assert(k == B);"),
    "an enumerator of its own scope": ("Spec k", "k = Spec::Y", "assert(k == Spec::Y);"),
    "a constant": ("int N", "N = WARP", "assert(N == 32);"),
    "an expression": ("int N", "N = 2 * WARP + 1", "assert(N == 65);"),
    "a truth": ("bool is", "is = true", "assert(is);"),
    "a type": ("typename T", "T = unsigned char", "assert(sizeof(T) == 1);"),
    "a struct": ("typename T", "T = Pair<int>", "assert(sizeof(T) == 8);"),
}


@pytest.mark.parametrize("parameter", ARGUMENTS)
def test_template_arguments_are_what_they_are_in_the_source(parameter: str) -> None:
    written, said, body = ARGUMENTS[parameter]
    text = "__device__ float op_abs(float x) { return x < 0 ? -x : x; }\nenum Kind { A, B };\n"
    text += "enum class Spec { X, Y };\nconstexpr int WARP = 32;\ntemplate <typename T> struct Pair { T a, b; };\n"
    text += f"// rewright: launch block(1); {said}\ntemplate <{written}> __global__ void k(float *x) {{ {body} }}\n"
    kernel = _only(text).kernel
    assert kernel is not None
    lowered = lower(kernel, {"k.cu": text})
    assert lowered.program is not None, lowered.problems
    assert answer(kernel, lowered.program, Budget()).verdict is Verdict.CHECKED


def test_template_without_arguments_is_reported() -> None:
    (problem,) = _only("// rewright: launch block(4)\ntemplate <int B> __global__ void k() {}\n").problems
    assert problem.reason == "the template parameter `B` has no argument; state `B = …`"


# ---------------------------------------------------------------------------------------------------------- any text

DOCUMENT = "\n".join(
    [COMMENTED["all"][0], HOST.replace("void k(", "void l("), CALLED["variables"][0].replace("k<<<", "l<<<"), "}"]
)


def test_half_typed_text_keeps_the_other_kernels() -> None:
    text = "// rewright: launch block(4)\n__global__ void a(int n) { int v = (n +\n}\n\n// rewright: launch block(4)\n"
    a, b = _outline(f"{text}__global__ void b(int n) {{ }}\n").kernels
    assert (a.name, b.name) == ("a", "b")
    assert b.kernel is not None


def test_kernel_without_an_end_is_reported_and_the_others_are_kept() -> None:
    text = "__global__ void a(float *x) {\n  for (int i = 0; i < 3; i++ {\n\n// rewright: launch block(4)\n"
    a, b = _outline(f"{text}__global__ void b(int n) {{ }}\n").kernels
    assert (a.kernel, a.comment) == (None, "")
    assert a.problems[0].reason == "the definition of `a` has no end that could be found"
    assert b.kernel is not None


def test_damaged_text_never_raises() -> None:
    random = Random(6)
    for _ in range(150):
        data = list(DOCUMENT)
        for _ in range(random.randint(1, 6)):
            at = random.randrange(len(data))
            match random.randrange(3):
                case 0:
                    del data[at : at + random.randint(1, 30)]
                case 1:
                    data.insert(at, random.choice("{}()<>;:=/*\"'#\\\n,é"))
                case _:
                    data[at:at] = data[random.randrange(len(data)) :][:20]
        text = "".join(data)
        size = len(text.encode())
        for kernel in _outline(text).kernels:
            assert 0 <= kernel.insert <= kernel.place.start < kernel.place.end <= size


@pytest.mark.parametrize("written", ["word", "a, b", "A(b)\\", ""])
def test_a_kernel_whose_body_is_half_typed_is_not_lost(written: str) -> None:
    text = f"__global__ void a(int *x) {{ {written} }}\n// __global__ void c() {{ }}\n__global__ void b(int *x) {{ }}\n"
    assert [kernel.name for kernel in _outline(text).kernels] == ["a", "b"]


@pytest.mark.parametrize("broken", ["for (int i i += 1) {", "if (", "x[", "{", "return 1"])
@pytest.mark.parametrize("between", ["", "// a comment\n", "/* one */\n", "union U { int i; };\n", "enum E { F };\n"])
def test_what_stands_after_a_broken_kernel_is_read(broken: str, between: str) -> None:
    b = "__global__ void b(int *x) { x[0] = 1; }\n"
    text = f"__global__ void a(int *x) {{\n  {broken}\n}}\n{between}{b}{between}{b.replace(' b', ' c')}"
    assert [kernel.name for kernel in _outline(text).kernels] == ["a", "b", "c"]
    assert not any(kernel.problems for kernel in _outline(text).kernels[1:])


def test_null_characters_count_as_blanks() -> None:
    text = "__global__ void a() { }\n\0\0// rewright: launch block(1)\n__global__\0void b() { }\n"
    assert [kernel.name for kernel in _outline(text).kernels] == ["a", "b"]


@pytest.mark.parametrize("unnamed", ["typename", "int", "typename = void", "typename = T", "bool = true"])
def test_a_parameter_of_a_template_without_a_name_needs_no_argument(unnamed: str) -> None:
    given = "7" if unnamed == "int" else "float" if unnamed == "typename" else ""
    arguments = f"float, {given}" if given else "float"
    text = f"""template <typename T, {unnamed}> __global__ void k(T *x) {{ x[threadIdx.x] = 0; }}
void f(float *x) {{ k<{arguments}><<<1, 32>>>(x); }}"""
    assert _launch(_kernel(text)) == "grid(1), block(32)"


def test_the_default_of_a_parameter_without_a_name_is_no_name() -> None:
    text = """template <typename T, typename = T> __global__ void k(T *x) { x[threadIdx.x] = 0; }
void f(float *x) { k<float, double><<<1, 32>>>(x); }"""
    (array,) = [each for each in _kernel(text).parameters if isinstance(each, ArrayParameter)]
    assert array.type.bits == 32


def test_a_pack_of_a_template_is_said_by_its_name() -> None:
    text = """template <typename T, typename... As> __global__ void k(T *x, As... rest) { x[threadIdx.x] = 0; }
void f(float *x) { k<<<1, 32>>>(x, 1, 2.0f); }"""
    assert _only(text).unlaunched == "`k<<<1, 32>>>`: a pack, as `As` of the template is, is not supported yet"
    assert "As" not in _only(text).comment
