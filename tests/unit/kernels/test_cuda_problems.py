"""What the CUDA front end does not take: said at its place, once, and only of the kernel that it concerns."""

from __future__ import annotations

import pytest
from cuda_runs import lowered, shown

HEAD = "(int *ints, float *reals, const int *in, int n)"
INT = "a value of type s32"
HELPER = "__device__ int helper(int x) { return x + 1; }\n"


def problems(body: str, before: str = "") -> list[tuple[str, str]]:
    """The problems of a kernel with this body: the text at the place, and the reason."""
    source = f"{before}\n__global__ void k{HEAD} {{ {body} }}\n"
    found = lowered(source, "k")
    assert (found.program is None) == bool(found.problems)
    return [(shown(source, problem.place), problem.reason) for problem in found.problems]


@pytest.mark.parametrize(
    ("body", "where", "reason"),
    [
        ("ints[0] = foo(3);", "foo", "`foo` is not known here"),
        ("ints[0] = n + bar;", "bar", "`bar` is not known here"),
        ('asm volatile("bar.sync 0;");', 'asm volatile("bar.sync 0;")', "inline assembly is not supported yet"),
        ("goto x;", "goto x;", "there is no label `x`"),
        ("x: n++; y: n--; if (n) goto x; goto y;", "goto y;", "such a `goto` back is not supported yet"),
        (
            "goto y; x: n++; y: if (n) goto x;",
            "x: n++;",
            "a `goto` into what another one repeats is not supported yet",
        ),
        ("goto x; { x: n++; }", "goto x;", "a `goto` into a block is not supported yet"),
        ("unknown_t x;", "unknown_t", "the type `unknown_t` is not known here"),
        ("ints[0] = 3 +;", "+", "syntax error"),
        ("int *p = 3;", "3", "a value of type s32 does not convert to a pointer here"),
        ("ints[0] = in;", "in", "a pointer does not convert to a value of type s32 here"),
        ("ints[reals[0]] = 1;", "reals[0]", "an index must be an integer"),
        ("reals[0] = reals[1] % 2;", "reals[1] % 2", "there is no operator `%` for floats"),
        ("char c = '\\x';", "'\\x'", "the literal `'\\x'` is not supported yet"),
        (
            "__builtin_assume_aligned();",
            "__builtin_assume_aligned()",
            "`__builtin_assume_aligned` takes 2 to 3 arguments, 0 given",
        ),
        ("int a[n];", "n", "the size of an array must be known when the text is read"),
        ("float4 v; v.q = 1;", "q", "a `float4` has no member `q`"),
        ("static int z;", "static int z;", "a static variable that is not shared is not supported yet"),
        ("for (int i : in) ints[0] = i;", "for (int i : in) ints[0] = i;", "a loop over a range is not supported yet"),
        ("int x = 1; int x = 2;", "x", "`x` is declared twice"),
        ("break;", "break;", "there is nothing to leave here"),
        ("(n + 1) = 3;", "(n + 1)", "this is a value, not an object that can be assigned to"),
        ("return 3;", "return 3;", "a kernel returns no value"),
        ("threadIdx.w;", "w", "`threadIdx` has no member `w`"),
        ("using T = int; ints[0] = T - 1;", "T", "`T` is not a value"),
        ("ints[0] = (n <=> 3);", "n <=> 3", f"there is no operator `<=>` for {INT} and {INT}"),
        ("n();", "n()", "a value of type s32 cannot be called"),
        ("*n = 3;", "n", "expected a pointer, got a value of type s32"),
        (
            'static_assert(sizeof(int) == 8, "no");',
            'static_assert(sizeof(int) == 8, "no");',
            "this assertion does not hold here",
        ),
    ],
)
def test_what_is_not_taken_is_said_at_its_place(body: str, where: str, reason: str) -> None:
    assert problems(body) == [(where, reason)]


def test_all_problems_of_a_kernel_are_listed_and_what_follows_from_them_is_not() -> None:
    found = problems("int a = foo(1); ints[0] = a; if (bar) { ints[1] = qux(2); } ints[2] = a + 1;")
    assert [where for where, _ in found] == ["foo", "bar", "qux"]


def test_problems_inside_a_device_function_stand_there_once() -> None:
    before = "__device__ int half_done(int x) { int y = unheard_of(x); return y; }"
    assert problems("ints[0] = half_done(1); ints[1] = half_done(2);", before) == [
        ("unheard_of", "`unheard_of` is not known here")
    ]


def test_functions_that_call_themselves_are_refused() -> None:
    assert problems("ints[0] = f(n);", "__device__ int f(int x) { return x ? f(x - 1) : 0; }") == [
        ("f(x - 1)", "a function that calls itself is not supported yet")
    ]
    endless = "template <int N> __device__ int g() { return g<N + 1>(); }"
    assert "too many calls" in problems("ints[0] = g<0>();", endless)[0][1]


PAIRS = {
    "pointers": ("int f(%sint *p) { return %s; }", "f(ints)"),
    "references": ("int f(%sint &p) { return %s; }", "f(ints[0])"),
    "templates": ("template <class T> __device__ int f(%sT *p) { return %s; }", "f(ints)"),
    "operators": ("struct S { int a; }; __device__ int operator-(%sS &s) { return %s; }", "-s"),
}


@pytest.mark.parametrize(("function", "call"), PAIRS.values(), ids=PAIRS)
def test_functions_that_differ_in_const_only_and_in_what_they_do_are_not_distinguished(
    function: str, call: str
) -> None:
    made = function if "__device__" in function else f"__device__ {function}"
    struct, _, second = made.rpartition("}; ")
    body = f"{struct and 'S s;'} ints[0] = {call};"
    pair = made % ("", 1) + "\n" + second % ("const ", 2)
    assert [reason for _, reason in problems(body, pair)] == [
        "a choice between functions that differ in `const` or as templates is not supported yet"
    ]
    assert problems(body, made % ("", 1) + "\n" + second % ("const ", 1)) == []


@pytest.mark.parametrize("way", ["*", "&"], ids=["pointers", "references"])
def test_a_template_may_be_closer_to_what_is_not_const_than_a_function(way: str) -> None:
    pair = f"__device__ int f(const int {way}p) {{ return 1; }}\n"
    pair += f"template <class T> __device__ int f(T {way}p) {{ return 2; }}"
    body = "ints[0] = f(ints);" if way == "*" else "ints[0] = f(ints[1]);"
    assert [reason for _, reason in problems(body, pair)] == [
        "a choice between functions that differ in `const` or as templates is not supported yet"
    ]
    assert problems(body, pair.replace("T " + way, "const T " + way)) == []


def test_structured_bindings_are_refused_once() -> None:
    for binding in ("auto [a, b] = m;", "auto &[a, b] = m;"):
        (problem,) = problems(f"int m[2] = {{1, 2}}; {binding} if (a) ints[b] = 1;")
        assert problem == ("[a, b]", "a structured binding is not supported yet")


def test_of_two_templates_neither_may_be_more_special() -> None:
    pair = "template <class T> __device__ int f(T x, int y) { return 1; }\n"
    pair += "template <class T> __device__ int f(int x, T y) { return 2; }"
    assert [where for where, _ in problems("ints[0] = f(3, 4);", pair)] == ["f(3, 4)"]
    assert problems("ints[0] = f(3, 4.f) + f(3.f, 4);", pair) == []


def test_a_method_may_have_a_twin_for_objects_that_are_const() -> None:
    twins = "struct S { int a; __device__ int f() { return a; } __device__ int f() const { return this->a; } };"
    assert problems("S s; s.a = 1; ints[0] = s.f();", twins) == []


def test_a_problem_in_a_macro_stands_where_the_macro_is_used() -> None:
    assert problems("STOP; ints[0] = 1;", '#define STOP asm volatile("exit;")') == [
        ("STOP", "inline assembly is not supported yet")
    ]


@pytest.mark.parametrize(
    "broken",
    [
        "__global__ void bad(int *out) {\n  if (out[0] {\n   out[1] = 3;\n",
        "__global__ void bad(int *out) {\n  out[0] = (3 + ;\n  for (int i = 0; i < \n}\n",
        "__global__ void bad(int *out) { out[0] = 1; } }\n",
        "__global__ void bad(int *out\n",
        "void host() { auto y = [](){ ;\n",
        "}}}}\n",
        "struct X { int a;\n",
        "template <int N\n__global__ void bad(int* out) {}\n",
        '"unclosed\n',
        "foo bar baz (((\n",
        "__global__ void bad(int *out) { out[0] = unknown(3); }\n",
        "",
    ],
)
def test_broken_text_elsewhere_does_not_concern_a_kernel(broken: str) -> None:
    body = f"{HEAD} {{ ints[0] = helper(n); }}\n"
    source = f"{HELPER}__global__ void first{body}{broken}\n__global__ void last{body}"
    for entry in ("first", "last"):
        assert lowered(source, entry).problems == ()


def test_a_kernel_is_sought_in_the_namespace_that_is_said() -> None:
    source = "".join(f"namespace {name} {{ __global__ void k{HEAD} {{ ints[0] = {name}_; }} }}\n" for name in "ab")
    assert [problem.reason for problem in lowered(source, "b::k").problems] == ["`b_` is not known here"]
    assert [problem.reason for problem in lowered(source, "k").problems] == ["`case.cu` defines `k` 2 times"]


def test_a_kernel_that_is_not_there_is_said_so() -> None:
    assert [p.reason for p in lowered("__device__ void f() {}", "f").problems] == ["the function is not `__global__`"]
    assert [p.reason for p in lowered("", "f").problems] == ["`case.cu` defines no function `f`"]


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("int *a, float *b, const int *c", "the function has 3 parameters, the declaration `k` has 4"),
        ("int *a, float *b, const int *c, int *d", "the declaration has the scalar `n` here, this is a pointer"),
        ("int *a, float b, const int *c, int d", "the declaration has the array `reals` here, this is not a pointer"),
        ("int *a, double *b, const int *c, int d", "the declaration has elements of type f32 here"),
        ("unsigned *a, float *b, const int *c, int d", "the declaration has elements of type s32 here"),
        (
            "int *a, float *b, const int *c, float4 d",
            "the function has 7 parameters, fields counted, the declaration `k` has 4",
        ),
        ("int *a, float *b, const int *c, float **d", "a pointer to pointers is not supported yet"),
    ],
)
def test_parameters_that_do_not_fit_the_declaration_are_said(parameters: str, reason: str) -> None:
    found = lowered(f"__global__ void k({parameters}) {{ a[0] = 1; }}", "k")
    assert found.program is None
    assert [problem.reason for problem in found.problems] == [reason]


def test_template_arguments_that_do_not_fit_are_said() -> None:
    source = f"template <int N, typename T> __global__ void k{HEAD} {{ ints[0] = N + sizeof(T); }}"
    assert lowered(source, "k", ("3", "float")).problems == ()
    assert lowered(source, "k", ("3", "unsigned int")).problems == ()
    assert "the template parameter `T` has no argument" in lowered(source, "k", ("3",)).problems[0].reason
    assert "has 2 template parameters, 3 arguments" in lowered(source, "k", ("3", "int", "4")).problems[0].reason
    assert "the template argument `nothing`" in lowered(source, "k", ("3", "nothing")).problems[0].reason
