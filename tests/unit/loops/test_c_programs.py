"""Transforms in C that are not affine: checked or refuted at sizes; what ends by a budget; what is not taken."""

from __future__ import annotations

import textwrap

import pytest
from c_regions import nest, source

from rewright.checks import program as programs
from rewright.frontends.c.reading import read_program
from rewright.frontends.nests import NestRequest, ReadProgram
from rewright.model.index import Name
from rewright.model.nest_program import ProgramTransformation
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.verdict import Answer, LoopsWitness, Verdict

COPY = """
void copy(int N, double A[N], double B[N]) {
#pragma scop
  for (int i = 0; i < N; i++) A[i] = B[i];
#pragma endscop
}
"""
ROWS = """
void rows(int M, int N, double A[M][N], double s) {
#pragma scop
  for (int i = 0; i < M; i++)
    for (int j = 1; j < N; j++) A[i][j] = A[i][j - 1] * s;
#pragma endscop
}
"""


def reading(text: str, of: str = COPY) -> ReadProgram:
    """The function `f` of a text as a program."""
    specification = nest(of, "copy" if of is COPY else "rows")
    return read_program(source(textwrap.dedent(text)), "f", NestRequest(Name("f"), specification), lambda at: at.start)


def answer(text: str, of: str = COPY) -> Answer:
    """The answer to the function `f` of a text."""
    found = reading(text, of)
    assert found.program is not None, [codes.message(each) for each in found.findings]
    specification = nest(of, "copy" if of is COPY else "rows")
    return programs.answer(ProgramTransformation(specification, found.program, (), "it", 0), Budget())


def copying(inside: str, before: str = "") -> str:
    return f"{before}\nvoid f(int N, double A[N], double B[N]) {{ int i, k; {inside} }}\n"


HALVES = """
static void half(int low, int high, double *to, double *from) {
  if (high - low < 1) return;
  if (high - low == 1) { to[low] = from[low]; return; }
  half(low, (low + high) / 2, to, from);
  half((low + high) / 2, high, to, from);
}
"""
RIGHT = {
    "while": copying("i = 0; while (i < N) { A[i] = B[i]; ++i; }"),
    "do": copying("i = 0; do { A[i] = B[i]; i++; } while (i < N);"),
    "downwards": copying(
        "for (i = N; i-- > 0;) A[i] = B[i];".replace("i-- > 0;)", "i > 0; i--)").replace("[i]", "[i - 1]")
    ),
    "recursion": copying("half(0, N, A, B);", HALVES),
    "product of iterators": copying("for (i = 0; i * i < N * N; i++) A[i] = B[i];"),
    "round robin": copying("for (i = 0, k = 0; i < N; i++) { A[k % N] = B[k % N]; k += N + 1; }"),
    "order in an array": copying(
        "int at[N]; for (i = 0; i < N; i++) at[i] = N - 1 - i; for (i = 0; i < N; i++) A[at[i]] = B[at[i]];"
    ),
    "cuts": copying(
        "int cuts[5] = {0, 1, 1, 4}; cuts[4] = max(N, 4);\n"
        "for (k = 0; k < 4; k++) for (i = cuts[k]; i < min(cuts[k + 1], N); i++) A[i] = B[i];"
    ),
    "break and continue": copying("for (i = -3; ; i++) { if (i < 0) continue; if (i >= N) break; A[i] = B[i]; }"),
    "two functions": copying(
        "for (i = 0; i < N; i = next(i)) put(i, A, B);",
        "int next(int i) { return i + 1; }\nvoid put(int i, double X[], double Y[]) { X[i] = Y[i]; }",
    ),
    "a count": copying("i = N; while (i-- > 0) A[i] = B[i];"),
    "a count in a subscript": copying("i = 0; k = -1; while (i++ < N) A[++k] = B[i - 1];"),
    "an inner name": copying("for (int j = 0; j < N; j++) { int j2 = j; { int j = j2; A[j] = B[j]; } }"),
}


@pytest.mark.parametrize("case", RIGHT)
def test_what_does_the_same_is_checked(case: str) -> None:
    found = answer(RIGHT[case])
    assert found.verdict is Verdict.CHECKED, [codes.message(each) for each in found.findings]
    assert found.coverage.bounded and found.coverage.text.startswith("N up to 8; N = 11; N = 19; N = 37")


def test_rows_are_followed_and_a_value_is_handed_on() -> None:
    text = """
    static void row(int n, double *line, double by) { int j = 1; while (j < n) { line[j] = line[j - 1] * by; j++; } }
    void f(int M, int N, double A[M][N], double s) {
      int i = 0;
      do { double *line = A[i]; row(N, line, s); i++; } while (i < M);
    }
    """
    assert answer(text, ROWS).verdict is Verdict.CHECKED
    wrong = answer(text.replace("row(N, line, s)", "row(N, A[M - 1 - i], s)"), ROWS)
    assert wrong.verdict is Verdict.CHECKED  # rows in another order
    assert answer(text.replace("row(N, line, s)", "row(N, A[0], s)"), ROWS).verdict is Verdict.REFUTED


WRONG = {
    "one too few": (copying("i = 1; while (i < N) { A[i] = B[i]; ++i; }"), "missing", (("N", 1),)),
    "one too many": (copying("i = 0; while (i <= N) { A[i] = B[i]; ++i; }"), "extra", (("N", 1),)),
    "one twice": (copying("half(0, N, A, B); A[0] = B[0];", HALVES), "extra", (("N", 1),)),
    "one without end": (copying("i = 0; while (i < N) A[i] = B[i];"), "extra", (("N", 1),)),
    "another element": (copying("i = 0; while (i < N) { A[i] = B[i / 2]; ++i; }"), "operation", (("N", 2),)),
    "another statement": (copying("i = 0; while (i < N) { A[i] = B[i] + 1; ++i; }"), "operation", (("N", 1),)),
    "a lost rest": (copying("half(0, N / 2 * 2, A, B);", HALVES), "missing", (("N", 1),)),
    "at seven only": (copying("i = 0; while (i < N) { if (i != 6) A[i] = B[i]; ++i; }"), "missing", (("N", 7),)),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_differs_is_refuted_at_the_smallest_size(case: str) -> None:
    text, fails, sizes = WRONG[case]
    found = answer(text)
    assert found.verdict is Verdict.REFUTED and isinstance(found.witness, LoopsWitness)
    assert (found.witness.fails, found.witness.sizes, found.witness.replayed) == (fails, sizes, True)


def test_what_never_ran_is_named() -> None:
    found = answer(copying("i = 0; while (i < N) { A[i] = B[i]; ++i; } if (N > 900) { k = 1; A[k] = B[k]; }"))
    assert found.verdict is Verdict.CHECKED and found.coverage.text.endswith("; 2 statements never ran")
    assert sum("never ran" in codes.message(each) for each in found.findings) == 2
    assert [each.code for each in found.findings].count("RW508") == 2


STOPS = {
    "endless recursion": (copying("g(0);", "void g(int i) { g(i + 1); }"), "this recursion does not end"),
    "endless loop": (copying("i = 0; while (1) i = 0;"), "this loop does not end"),
    "many steps": (copying("k = 0; for (i = 0; i < 1000000000; i++) k = 1;"), "this loop does not end"),
    "many calls": (copying("g(30);", "int g(int n) { return n < 2 ? n : g(n - 1) + g(n - 2); }"), "does not end"),
    "no value": (copying("A[i] = B[i];"), "a variable has no value yet"),
    "no value in a test": (copying("if (i == 3) A[0] = B[0];"), "a variable has no value yet"),
    "division by 0": (copying("i = N / (N - N);"), "division by 0"),
    "32 bits": (copying("i = 2147483647; i = i + 1;"), "a number of 32 bits overflows"),
    "64 bits": (copying("long q = 3; while (q > 0) q = q * q;"), "overflows"),
    "32 bits of a parameter": (
        copying("long q = 1; q = q << 31; g(q);", "void g(int n) { }"),
        "a number of 32 bits overflows",
    ),
    "32 bits of a value": (
        copying("i = g(2147483647L);", "long g(long n) { return n + 1; }"),
        "a number of 32 bits overflows",
    ),
    "32 bits of a returned value": (
        copying("long q = g(2147483647);", "int g(int n) { return n + 1; }"),
        "a number of 32 bits overflows",
    ),
    "32 bits of an element": (copying("int at[2]; at[0] = 2147483647 + 1;"), "a number of 32 bits overflows"),
    "32 bits of a first element": (copying("int at[1] = { 2147483647 + 1 };"), "a number of 32 bits overflows"),
    "32 bits of a counter": (copying("i = 2147483647; if (i++ > 0) k = 1;"), "a number of 32 bits overflows"),
    "no value in a later iteration": (
        copying("for (i = 0; i < 2; i++) { int q; if (i == 0) q = 1; k = q; }"),
        "a variable has no value yet",
    ),
    "no value after a branch": (copying("if (N > 0) k = 1; else i = 2; k = i;"), "a variable has no value yet"),
    "no value after a loop": (copying("for (k = 0; k > 0; k++) i = 1; k = i;"), "a variable has no value yet"),
    "no value after `continue`": (
        copying("for (k = 0; k < 2; k += i) { if (k == 0) continue; i = 1; }"),
        "a variable has no value yet",
    ),
    "outside of an array": (copying("int at[2]; at[2] = 1;"), "a subscript outside of its array"),
    "no element yet": (copying("int at[2]; at[0] = 1; i = at[1];"), "an element has no value yet"),
    "a shift": (copying("i = 1 << 70;"), "a shift by so many bits"),
    "no returned value": (copying("i = g(1);", "int g(int n) { if (n > 1) return 2; }"), "a function returns no value"),
    "an array that is too large": (copying("int at[100000000]; at[0] = 1;"), "an array of such a size"),
    "a row that is written": (
        "void f(int M, int N, double A[M][N], double s) { A[0] = A[0] * s; }",
        "has 2 subscripts",
    ),
    "nothing": (copying("i = 0;"), "missing"),
}


@pytest.mark.parametrize("case", STOPS)
def test_a_run_that_cannot_be_carried_on_is_unknown_with_its_reason(case: str) -> None:
    text, reason = STOPS[case]
    found = answer(text, ROWS if "double s" in text else COPY)
    expected = Verdict.REFUTED if case == "nothing" else Verdict.UNKNOWN
    assert found.verdict is expected
    assert reason in codes.message(found.findings[0])


REFUSED = {
    "a size that is changed": (copying("N++;"), "`N` is changed, which is a size of `A`"),
    "other rows": (
        "static void g(int M, int N, double X[M][N]) { X[0][1] = X[0][0]; }\n"
        "void f(int M, int N, double A[M][N], double s) { g(M, N + 1, A); }",
        "`A` is taken with rows of `(N+1)` elements, not `N`",
    ),
    "rows of another variable of that name": (
        "static void g(int M, int N, double X[M][N]) { X[0][1] = X[0][0]; }\n"
        "void f(int M, int N, double A[M][N], double s) { { int N = 3; g(M, N, A); } }",
        "`A` is taken with rows of `N'` elements, not `N`",
    ),
    "rows of another variable of that name in a function": (
        "static void h(int m, int n, double X[m][n]) { X[0][1] = X[0][0]; }\n"
        "static void g(int m, int n, double X[m][n]) { { int n = 3; h(m, n, X); } }\n"
        "void f(int M, int N, double A[M][N], double s) { g(M, N, A); }",
        "`X` is taken with rows of `n'` elements, not `n`",
    ),
    "rows of a name of the whole text": (
        "static void g(double X[][N]) { X[0][1] = X[0][0]; }\nvoid f(int M, int N, double A[M][N], double s) { g(A); }",
        "`A` is taken with rows of `::N` elements, not `N`",
    ),
    "a pointer to other rows": (
        "void f(int M, int N, double A[M][N], double s) { double (*R)[N + 1] = A; R[0][1] = R[0][0]; }",
        "`A` is taken with rows of `N+1` elements, not `N`",
    ),
    "goto": (copying("goto end; end: ;"), "`goto end;` is not taken"),
    "a value that is kept": (copying("static int q = 0; q++;"), "it keeps its value between calls"),
    "a short value": (copying("i = g(70000);", "short g(int n) { return n; }"), "`short` as what a function returns"),
    "an address": (copying("g(A);", "double *g(double *X) { return X; }"), "`double` as what a function returns"),
    "used and changed": (copying("k = 0; i = 0; A[i++] = B[i];"), "`i` is changed and used in one expression"),
    "counted and combined": (copying("i = 0; A[i++] += B[0];"), "`i++` is not taken in what is counted or combined"),
    "unsigned": (copying("unsigned u = 0; A[u] = B[u];"), "`unsigned u` is not taken: only `int` and `long` are"),
    "unknown function": (copying("g(A);"), "what `g(A)` does is not known: the text has no `g`"),
    "pointer": (copying("*A = *B;"), "is no element of an array: pointers are not followed"),
    "unknown array": (copying("C[0] = B[0];"), "what `C` is, is not known here"),
    "data as a bound": (copying("for (i = 0; i < A[0]; i++) A[i] = B[i];"), "`A` is data, where an array of whole"),
    "a local value": (copying("double t = B[0]; A[0] = t;"), "`t` is data that the specification does not have"),
    "other parameters": (copying("g(1, 2);", "void g(int n) { }"), "`g` has 1 parameters, not 2"),
    "a value that is written": (
        copying("g(A[0], A, B);", "void g(double t, double *X, double *Y) { X[0] = t; }"),
        "`A[0]` is handed on by value, though it may be written",
    ),
    "half-typed here": (copying("while (i < N) { A[i] = B[i]; i++ }"), "this cannot be read"),
    "half-typed": (copying("g(1);", "void g(int n) { n = ( ; }"), "this cannot be read"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_taken_is_said(case: str) -> None:
    text, reason = REFUSED[case]
    found = reading(text, ROWS if "double s)" in text else COPY)
    assert found.program is None
    assert reason in codes.message(found.findings[0])


def test_rows_whose_sizes_look_alike_are_other_rows() -> None:
    of = ROWS.replace("A[M][N]", "A[M][2 * N + 1]")
    text = """static void g(int n, double X[][2 * n]) { X[0][1] = X[0][0]; }
void f(int M, int N, double A[M][2 * N + 1], double s) { g(N + 1, A); }"""
    found = read_program(source(text), "f", NestRequest(Name("f"), nest(of, "rows")), lambda at: at.start)
    assert "with rows of `2*(N+1)` elements, not `2*N+1`" in codes.message(found.findings[0])


BUMP = "static int bump(int *t) { t[0] = t[0] + 1; return t[0]; }\n"
PUT = "static int put(int i, double *A, double *B) { A[i] = B[i]; return i; }\n"


@pytest.mark.parametrize(
    ("inside", "before", "reason"),
    [
        (
            "int t[1] = {-1}; for (i = 0; i < N; i++) { k = t[0] * 2 - bump(t) + 2; A[k] = B[k]; }",
            BUMP,
            "`bump(t)` changes elements, and stands beside `t[0]` in one expression",
        ),
        (
            "int t[1] = {-1}; for (i = 0; i < N; i++) A[bump(t)] = B[t[0]];",
            BUMP,
            "`bump(t)` changes elements, and stands beside `A[bump(t)] = B[t[0]]` in one expression",
        ),
        (
            "i = 0; while (i + 1 < N) i = i + 0 * (put(i, A, B) + put(i + 1, A, B)) + 2;",
            PUT,
            "`put(i, A, B)` changes elements, and stands beside `put(i + 1, A, B)` in one expression",
        ),
        (
            "int t[2][3]; i = 0; while (i < N) A[at(t, i)] = B[i];",
            "static int at(int t[][2], int i) { return t[i / 2][i % 2]; }",
            "`t` is taken with rows of `2` elements, not `3`",
        ),
        (
            "long t[9]; i = 0; while (i < N) A[at(t, i)] = B[i];",
            "static int at(int *t, int i) { return t[i]; }",
            "`t` is handed on as another array than it is",
        ),
        (
            "i = 0; while (i < N) put(i++, A, B);",
            "static void put(int i, float *A, double *B) { A[i] = B[i]; }",
            "`A` is taken as `float`, and is `f64`",
        ),
        ("float *r = A; i = 0; while (i < N) r[i] = B[i];", "", "`A` is taken as `float`, and is `f64`"),
        (
            "i = 0; while (i < N) if ((unsigned int)(i - 3) < 5) A[i] = B[i];",
            "",
            "`(unsigned int)(i - 3)` is no whole number that can be computed here",
        ),
        ("i = 0; while (i < N) if (i - 3u < 5) A[i] = B[i];", "", "`3u` is no whole number that can be computed here"),
        ("long n = N; while ((int)(n + 1) > 0) A[n] = B[n];", "", "`n` may have more bits than it is cast to"),
        (
            "i = 0; while (i < N) { A[i] = get(B[i]); i++; }",
            "double X; static double get(double x) { return X + x; }",
            "`get` uses `X`, which is no argument of it",
        ),
    ],
)
def test_what_is_not_what_it_seems(inside: str, before: str, reason: str) -> None:
    found = reading(copying(inside, before))
    assert found.program is None
    assert reason in {codes.message(each).removeprefix("not decided: ") for each in found.findings}


def test_a_parameter_that_wraps_around() -> None:
    found = reading("void f(unsigned N, double A[N], double B[N]) { int i = 0; while (i < N - 5) A[i] = B[i]; }")
    assert found.program is None
    assert [codes.message(each) for each in found.findings] == [
        "not decided: `unsigned N` is not taken: only `int` and `long` are"
    ]


def test_a_call_that_changes_elements_alone() -> None:
    inside = "int t[1] = {-1}; for (i = 0; i < N; i++) { k = bump(t) + 0; A[k] = B[k]; } if (put(0, A, A) > 0) {}"
    found = reading(copying(inside, BUMP + PUT))
    assert found.program is not None


def test_that_it_is_taken_in_order_is_said() -> None:
    inside = "#pragma omp parallel for\n for (i = 0; i < N; i++) { k = i; while (k < i + 1) { A[k] = B[k]; k++; } }"
    found = reading(copying("\n" + inside))
    assert found.program is not None
    (said,) = (codes.message(each) for each in found.findings)
    assert said.startswith("not decided: whether this may run in parallel, and it is taken in order")
