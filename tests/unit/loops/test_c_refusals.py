"""What is not taken of a region in C is said on the exact expression."""

from __future__ import annotations

import pytest
from c_regions import nest, outside, reading, said

FUNCTION = "void f(int N, int M, double A[N][M], double s, double *p, int *k, unsigned u) {{\n{}\n}}\n"
SAID = (
    "`spec NAME` or `transform NAME of SPECIFICATION`, and perhaps `at T = 8, 32`, `private s`, `reduction S` or"
    " `expect refuted`"
)
EXPECTED = f"after `#pragma rewright` {SAID}, is expected"
ENDS = "this region ends in another block than it begins in"
OPEN = "`n` has no value that is known here: a loop or a condition may change it"
EACH = "for (int i = 0; i < N; i++) "


@pytest.mark.parametrize(
    ("inside", "message", "at"),
    [
        (EACH + "for (int j = 0; j < M; j++) A[i][i * j] = 0;", "product of `i` and `j` is not affine", "i * j"),
        (EACH + "A[i][k[i]] = 0;", "`k[…]` is data, which is not affine", "k[i]"),
        (EACH + "A[i][N / i] = 0;", "quotient of `N` by `i` is not affine", "N / i"),
        (EACH + "A[i][(int) s] = 0;", "`s` is data, which is not affine", "s"),
        (EACH + "if (s > 0) A[i][0] = 0;", "`s` is data, which is not affine", "s"),
        (EACH + "A[i][size(i)] = 0;", "the value of `size(i)` is not affine", "size(i)"),
        (EACH + "while (N) A[i][0] = 0;", "a `while` loop is not affine", "while (N) A[i][0] = 0;"),
        (EACH + "{ A[i][0] = 0; break; }", "a loop with `break` is not affine", "break;"),
        ("goto end;", "`goto` is not affine", "goto end;"),
        ("return;", "`return` in a region is not affine", "return;"),
        (EACH + "g(i);", "what the call `g(i)` writes is not known", "g(i)"),
        (EACH + "*p = 0;", "`*p` is no element of an array: pointers are not followed", "*p"),
        ("double *q = p;", "`*q = p` is not taken: pointers are not followed", "*q = p"),
        (EACH + "A[i][0] = p->x;", "`p->x` is no element of an array: pointers are not followed", "p->x"),
        (EACH + "A[i][0] = (s = 1);", "an assignment inside of an expression is not taken", "s = 1"),
        (EACH + "i = 3;", "`i` is assigned in the loop that counts it", "i++"),
        ("for (int i = 0; i < N; i += M) A[i][0] = 0;", "a step that is no number is not affine", "M"),
        ("for (int i = 0; i < N; i--) A[i][0] = 0;", "`i < N` does not end a loop that counts downward", "i < N"),
        ("for (int i = 0; i != N; i++) A[i][0] = 0;", "`i != N` is no end of a loop that counts", "i != N"),
        ("for (int i = 0; A[i][0] > s; i++) A[i][0] = 0;", "`A[…]` is data, which is not affine", "A[i][0]"),
        ("for (u = N; u > 0; u--) A[u][0] = 0;", "`u` is unsigned, and counted down", "u--"),
        ("for (;;) A[0][0] = 0;", "a loop that does not count is not affine", "for (;;) A[0][0] = 0;"),
        (EACH + "for (int i = 0; i < M; i++) A[i][0] = 0;", "`i` is assigned in the loop that counts it", "i++"),
        ("N = 3; " + EACH + "A[i][0] = 0;", None, ""),
        ("int n = 0; " + EACH + "{ n = n + 1; A[i][n] = 0; }", OPEN, "n"),
        ("int n = 0; if (N > 3) n = 1; A[0][n] = 0;", OPEN, "n"),
        ("int n = 0; " + EACH + "{ if (i) n += 1; }  A[n][0] = 0;", "`n` holds a bound, and is changed here", "n += 1"),
        ("double s = 0; A[0][0] = s;", "`s` is declared twice, and means two things here", "s"),
    ],
)  # fmt: skip
def test_refused(inside: str, message: str | None, at: str) -> None:
    text = FUNCTION.format(inside)
    found = reading(text)
    if message is None:
        assert found.nest is not None
    else:
        assert found.nest is None
        assert (message, at) in said(text, found.findings)


@pytest.mark.parametrize(
    ("inside", "message", "at"),
    [
        (EACH + "A[i] = 0;", "`A` has 2 dimensions, got 1 subscript", "A[i]"),
        ("A[0][3000000000] = 0;", "`3000000000` is not allowed here, expected a whole number below 2^31", "3000000000"),
        (EACH + "A[i / 0][0] = 0;", None, "0"),
        ("for (int i = 0; i < N; i += 0) A[i][0] = 0;", None, "0"),
        ("S: A[0][0] = 0; S: A[1][0] = 0;", None, "S"),
    ],
)  # fmt: skip
def test_wrong(inside: str, message: str | None, at: str) -> None:
    text = FUNCTION.format(inside)
    found = reading(text)
    assert found.nest is None
    heard = said(text, found.findings)
    assert at in [place for _, place in heard]
    assert all(each.severity == "error" for each in found.findings)
    assert message is None or (message, at) in heard


def test_a_half_typed_specification_is_not_taken_and_a_transform_is_read_as_far_as_it_parses() -> None:
    specification = nest(FUNCTION.format(EACH + "A[i][0] = s;"))
    text = FUNCTION.format(EACH + "A[i][0] = s +;\nfor (int j = 0; j < q; j++) A[0][j] = 1;")
    assert [message for message, _ in said(text, reading(text).findings)] == ["this cannot be read"]
    found = said(text, reading(text, "f", specification).findings)
    assert ("`q` is no parameter of `f`", "q") in found


def test_names_that_the_specification_does_not_have() -> None:
    specification = nest(FUNCTION.format(EACH + "A[i][0] = s;"))
    text = FUNCTION.format("double t; for (int i = 0; i < L; i++) { t = s; A[i][0] = t; }")
    found = said(text, reading(text, "f", specification).findings)
    assert found == [("`L` is no parameter of `f`", "L")]
    text = FUNCTION.format("double t; " + EACH + "{ t = s; A[i][0] = t; }")
    assert said(text, reading(text, "f", specification).findings)[0] == ("`t` is no array of `f`", "t")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("void f() {\n#pragma scop\n  A[0] = 0;\n}", "this region is not closed"),
        ("void f() {\n  A[0] = 0;\n#pragma endscop\n}", "no `#pragma scop` is before this"),
        ("void f() {\n#pragma scop\n if (N) {\n#pragma endscop\n A[0] = 0; } }", ENDS),
        ("#pragma rewright\nvoid f() {}", EXPECTED),
        ("#pragma rewright spec f expect nothing\nvoid f() {}", EXPECTED),
        ("void f() {}\n#pragma rewright spec a\n", "no statement or function comes after this"),
    ],
)  # fmt: skip
def test_pragmas(text: str, message: str) -> None:
    assert message in [each for each, _ in outside(text)]


def test_two_regions_of_one_name() -> None:
    text = "void f() {\n#pragma scop\n A[0] = 0;\n#pragma endscop\n#pragma scop\n A[1] = 0;\n#pragma endscop\n}"
    assert outside(text) == [("`f` is already declared", "f")]
