"""What is not what it seems in C: unsigned and other numbers, shared and hidden variables, types and rows of arrays.

Each of these texts was once taken for what a mathematician would read in it.
"""

from __future__ import annotations

import pytest
from c_regions import body, nest, reading, said, source

from rewright.checks import nest as nests
from rewright.frontends.c.reading import read_program
from rewright.frontends.nests import NestRequest
from rewright.model.index import Name
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.verdict import Verdict

HEAD = "int N, int M, double A[N][M], double B[N], double s"
SPECIFICATION = f"""
void f({HEAD}) {{
  double t; int v; double p[4];
#pragma scop
  for (int i = 0; i < N; i++) {{ t = B[i]; v = B[i]; p[0] = t; A[i][0] = t + v + p[0] + s; }}
  for (int j = 0; j < M; j++) A[0][j] = s;
#pragma endscop
}}
"""


def refused(inside: str, before: str = "", head: str = HEAD) -> list[tuple[str, str]]:
    """What is said of a function with this inside as a transform, none if it is taken."""
    text = f"{before}\nvoid g({head}) {{ {inside} }}\n"
    found = reading(text, "g", nest(SPECIFICATION))
    return said(text, found.findings) if found.nest is None else []


@pytest.mark.parametrize(
    ("inside", "reason", "at"),
    [
        (
            "for (int i = 0; i < N; i++) if ((unsigned int)(i - 3) < 5) A[i][0] = s;",
            "`(unsigned int)(i - 3)` is unsigned, and may be less than 0",
            "(unsigned int)(i - 3)",
        ),
        (
            "for (int i = 0; i < N; i++) if (i - 3u < 5) A[i][0] = s;",
            "`i - 3u` is unsigned, and may be less than 0",
            "i - 3u",
        ),
        (
            "for (unsigned i = 0; i < N; i++) if (i - 3 < 5) A[i][0] = s;",
            "`i - 3` is unsigned, and may be less than 0",
            "i - 3",
        ),
        (
            "for (int i = -1; i < (unsigned) N; i++) A[i + 1][0] = s;",
            "`i` becomes unsigned in `i < (unsigned) N`, and may be less than 0",
            "i",
        ),
        (
            "for (unsigned i = N - 2; i < N; i++) A[i][0] = s;",
            "`i` is unsigned, and `N - 2` may be less than 0",
            "N - 2",
        ),
        (
            "for (int i = 0; i < N; i++) for (int j = 0; j < (i > 2u ? i : -1); j++) A[i][j] = s;",
            None,
            "",
        ),
        (
            "for (double i = 0; i < N; i++) for (int j = 0; j < i / 2; j++) A[j][0] = s;",
            "`i` is counted or holds a bound, and is a `double`",
            "i",
        ),
        ("_Bool m = N; for (; 0;) A[m][0] = s;", "`m` is counted or holds a bound, and is a `_Bool`", "m"),
        (
            "for (int i = 0; i < N; i++) A[i][(short int) M] = s;",
            "`(short int) M` is not affine",
            "(short int) M",
        ),
    ],
)  # fmt: skip
def test_numbers_that_wrap_around(inside: str, reason: str | None, at: str) -> None:
    found = refused(inside)
    assert found
    if reason is not None:
        assert (reason, at) in found


@pytest.mark.parametrize(
    "inside",
    [
        "for (size_t i = 0; i < N; i++) A[i][0] = s;",
        "for (size_t i = 1; i < N; i++) A[i - 1][0] = s;",
        "for (unsigned i = 0; i + 1 < N; i++) A[i][0] = s;",
        "for (unsigned i = 0; i < N - 1u; i++) A[i][0] = s;",
        "for (int i = 0; i < N; i++) if ((unsigned) i < 5u) A[i][0] = s;",
    ],
)
def test_unsigned_numbers_that_are_not_negative(inside: str) -> None:
    assert refused(inside) == []


@pytest.mark.parametrize(
    ("type_", "reason"),
    [
        ("word", "`i` is unsigned, and counted down"),
        ("uintptr_t", "`i` is unsigned, and counted down"),
        ("real", "`i` is counted or holds a bound, and is a `double`"),
        ("index_t", "`i` is counted or holds a bound, and is a `index_t`"),
    ],
)
def test_a_type_is_what_its_name_stands_for(type_: str, reason: str) -> None:
    """A name that the text does not define may stand for anything."""
    before = "typedef unsigned int word; typedef double real;"
    found = refused(f"for ({type_} i = N - 1; i >= 0; i--) A[i][0] = s;", before)
    assert reason in [each for each, _ in found]


def test_a_name_of_int_counts_as_int_does() -> None:
    before = "typedef int whole; typedef whole place;"
    assert refused("for (place i = N - 1; i >= 0; i--) A[i][0] = s;", before) == []


def test_an_unsigned_number_is_another_value() -> None:
    one = body("void f(int N, double A[N]) { for (int i = 0; i < N; i++) A[i] = -i; }")
    other = body("void f(int N, double A[N]) { for (unsigned i = 0; i < N; i++) A[i] = -i; }")
    assert one != other
    assert "(unsigned)#0" in other


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("static int min(int a, int b) { if (a < b) return b; return a; }", "the value of `min(N, 5)` is not affine"),
        ("static double min(int a, int b) { return a; }", "the value of `min(N, 5)` is not affine"),
        ("static char min(int a, int b) { return a; }", "the value of `min(N, 5)` is not affine"),
    ],
)
def test_functions_that_are_not_what_they_are_called(function: str, reason: str) -> None:
    found = refused("for (int i = 0; i < min(N, 5); i++) A[i][0] = s;", function)
    assert (reason, "min(N, 5)") in found


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("double X[9]; static double get(double x) { return X[1] + x; }", "X"),
        ("static double get(double x) { static int k; k++; return x + k; }", "k"),
        ("double X[9]; static double in(double x) { return X[1]; } static double get(double x) { return in(x); }", "X"),
    ],
)
def test_functions_of_more_than_their_arguments(function: str, name: str) -> None:
    found = refused("for (int i = 0; i < N; i++) A[i][0] = get(s);", function)
    assert (f"`get` uses `{name}`, which is no argument of it", "get(s)") in found
    constant = "const double X = 3; static double get(double x) { double y = X; return x * y; }"
    assert refused("for (int i = 0; i < N; i++) A[i][0] = get(s);", constant) == []


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        (
            "for (int i = 0; i < N; i++) { static double t = 0; t += B[i]; A[i][0] = t; }",
            "`static double t = 0;` is not taken: it keeps its value",
        ),
        (
            "for (int i = 0; i < N; i++) { double t; t += B[i]; A[i][0] = t; }",
            "`t` has no value here, and may be read before it has one",
        ),
        (
            "{ double t = B[0]; A[0][0] = t; } { double t; A[1][0] = t; }",
            "`t` has no value here, and may be read before it has one",
        ),
        (
            "for (int i = 0; i < N; i++) { double t; if (i > 3) t = 1; A[i][0] = t; }",
            "`t` has no value here, and may be read before it has one",
        ),
        (
            "for (int i = 0; i < N; i++) { double t; for (int j = 0; j < i; j++) t = 1; A[i][0] = t; }",
            "`t` has no value here, and may be read before it has one",
        ),
        (
            "double t = 0; for (int i = 0; i < N; i++) { double t = B[i]; A[i][0] = t; } A[0][0] = t;",
            "`t` is declared twice, and means two things here",
        ),
        (
            "int v = 0; for (int i = 0; i < N; i++) { int v = B[i]; A[i][0] = v; } A[0][0] = v;",
            "`v` is declared twice, and means two things here",
        ),
    ],
)
def test_variables_that_outlive_or_hide_others(inside: str, reason: str) -> None:
    assert reason in {each for each, _ in refused(inside)}


@pytest.mark.parametrize(
    "inside",
    [
        "for (int i = 0; i < N; i++) { double t; t = B[i]; A[i][0] = t; }",
        "for (int i = 0; i < N; i++) { double t; if (i > 3) t = 1; else { t = 2; } A[i][0] = t; }",
        "for (int i = 0; i < N; i++) { double t; for (int j = 0; j < i; j++) { t = B[j]; A[i][j] = t; } }",
        "for (int i = 0; i < N; i++) { double p[4]; p[0] = B[i]; A[i][0] = p[0]; }",
        "for (int i = 0; i < N; i++) { double t = B[i]; A[i][0] = t; } { double t = B[0]; A[0][0] = t; }",
        "double t; for (int i = 0; i < N; i++) { A[i][0] = t; t = B[i]; }",
    ],
)
def test_variables_that_have_a_value(inside: str) -> None:
    assert refused(inside) == []


def test_a_bound_that_a_block_hides() -> None:
    text = "void f(int N, double A[N]) { int n = 1; { int n = 0; A[n] = 0; } for (int i = n; i < N; i++) A[i] = 1; }"
    found = reading(text)
    assert found.nest is None
    assert [each for _, each in said(text, found.findings)] == ["n"]


@pytest.mark.parametrize(
    ("inside", "head", "reason"),
    [
        ("", HEAD.replace("double B", "float B"), "`B` is `float` here, and `double` in `f`: values are converted"),
        ("float t;", HEAD, "`t` is `float` here, and `double` in `f`: values are converted"),
        ("int t;", HEAD, "`t` is `int` here, and `double` in `f`: values are converted"),
        ("long v;", HEAD, "`v` is `long` here, and `int` in `f`: values are converted"),
        (
            "",
            HEAD.replace("A[N][M]", "A[N][N]"),
            "`A` has `N` elements in dimension 1 here, and `M` in `f`",
        ),
    ],
)
def test_arrays_that_are_declared_otherwise(inside: str, head: str, reason: str) -> None:
    copy = f"{inside} for (int i = 0; i < N; i++) {{ t = B[i]; v = B[i]; A[i][0] = s; }}"
    assert reason in {each for each, _ in refused(copy, head=head)}
    # The same holds where it is run.
    run = f"{inside} int i = 0; while (i < N) {{ A[i][0] = s; i++; }}"
    text = f"void g({head}) {{ {run} }}"
    found = read_program(source(text), "g", NestRequest(Name("g"), nest(SPECIFICATION)), lambda at: at.start)
    assert found.program is None
    assert reason in {codes.message(each).removeprefix("not decided: ") for each in found.findings}


ROWS = """
void f(int n, int m, {there}) {{ for (int i = 0; i < n; i++) S: A[i][0] = 1.0; }}
"""


@pytest.mark.parametrize(
    ("there", "here", "is_taken"),
    [
        ("double A[100][ 100 ]", "double A[50][100]", True),
        ("double A[100][100]", "double A[100][50]", False),
        ("double A[n][m]", "double A[][m]", True),
        ("double A[n][m]", "double A[n][50]", False),
        ("double A[n][m]", "double A[n][n]", False),
        ("double A[n][n]", "double A[n][m]", False),
        ("double A[n][n]", "double **A", False),
        ("double **A", "double **A", True),
        ("double **A", "double A[n][n]", False),
    ],
)
def test_rows_that_say_nothing_of_the_parameters_of_a_nest(there: str, here: str, is_taken: bool) -> None:
    specification = nest(ROWS.format(there=there))
    text = f"void g(int n, int m, {here}) {{ for (int i = n - 1; i >= 0; i--) A[i][0] = 1.0; }}"
    found = reading(text, "g", specification)
    assert (found.nest is not None) == is_taken
    if not is_taken:
        assert any("elements in dimension 1 here, and" in codes.message(each) for each in found.findings)


def test_types_with_two_names() -> None:
    named = "typedef double real; typedef real number;"
    head = HEAD.replace("double", "number")
    assert refused("for (int i = 0; i < N; i++) A[i][0] = s;", named, head) == []
    other = "typedef float real; typedef real number;"
    assert refused("for (int i = 0; i < N; i++) A[i][0] = s;", other, head)


def test_what_is_read_under_a_condition_is_not_said_to_be_outside() -> None:
    text = "void f(int N, double A[N]) { for (int i = 0; i < N; i++) A[i] = i > 0 ? A[i - 1] : A[i]; }"
    (loop,) = nest(text).body
    (statement,) = loop.body  # type: ignore[union-attr]
    assert [each.certain for each in statement.reads] == [True, False, False]  # type: ignore[union-attr]
    found = nests.answer(nest(text), Budget())
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == "what may be outside of its array is read under a condition on the right side"
    outside = nests.answer(nest(text.replace("A[i - 1] :", "A[i] :").replace(": A[i]", ": A[i] + A[N]")), Budget())
    assert outside.verdict is Verdict.UNKNOWN
    assert nests.answer(nest(text.replace("i > 0 ? A[i - 1] : A[i]", "A[i - 1]")), Budget()).verdict is Verdict.REFUTED
