"""What regions in C come to: loops, bounds, guards, statements, names."""

from __future__ import annotations

import textwrap

import pytest
from c_regions import body, nest, outside, reading, source
from msgspec.structs import replace

from rewright.frontends.c.reading import outline
from rewright.model.index import Name
from rewright.model.nest import statements
from rewright.model.nest_text import expression_text


def function(inside: str, parameters: str = "int N, int M, double A[N][M], double s") -> str:
    """A function `f` with a body."""
    return f"void f({parameters}) {{\n{textwrap.dedent(inside)}\n}}\n"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("for (int i = 0; i < N; i++)", "0..N"),
        ("for (int i = 0; i <= N - 2; ++i)", "0..N - 1"),
        ("for (int i = 0; N > i; i += 1)", "0..N"),
        ("for (int i = N - 1; i >= 0; i--)", "N - 1..-1 step -1"),
        ("for (int i = N - 1; i > 0; i -= 2)", "N - 1..0 step -2"),
        ("for (int i = 1; i < N && i < 10; i = i + 3)", "1..min(N, 10) step 3"),
        ("for (int i = 0; 2 * i < N; i++)", "0..(N + 1) / 2"),
        ("for (int i = 0; i + 1 < N; i++)", "0..N - 1"),
        ("for (register int i = min(2, N); i <= max(M, 3); i++)", "min(2, N)..max(M + 1, 4)"),
        ("for (int i = floord(N - 5, 32); i < ceild(N, 32); i++)", "(N + 27) / 32 - 1..(N + 31) / 32"),
        ("for (int i = 0; i < (N >> 2) * 4; i++)", "0..4 * (N / 4)"),
        ("for (int i = 0; i < (N & ~3); i++)", "0..4 * (N / 4)"),
        ("for (int i = 0; i < N / 4 * 4; i++)", "0..4 * (N / 4)"),
        ("for (int i = 0; i < (int) N; i++)", "0..N"),
    ],
)
def test_heads(head: str, expected: str) -> None:
    found = body(function(f"{head} A[i][0] = 0.0;"))
    assert found.splitlines()[0] == f"for i in {expected}"


def test_a_quotient_rounds_towards_zero_where_it_may_be_negative() -> None:
    assert "0..max((N + 3) / 4 - 3, 0) + min((N + 2) / 4 - 2, 0)" in body(
        function("for (int i = 0; i < (N - 9) / 4; i++) A[i][0] = 0.0;")
    )
    found = body(function("for (int i = 3; i < N; i++) if (i > 8) A[(i - 9) / 4][(i - 3) / 4] = 0.0;"))
    assert "A[(i + 3) / 4 - 3, (i + 1) / 4 - 1]" in found


MACROS = """
#define ceild(n,d)  (((n)<0) ? -((-(n))/(d)) : ((n)+(d)-1)/(d))
#define floord(n,d) (((n)<0) ? -((-(n)+(d)-1)/(d)) : (n)/(d))
#define max(x,y)    ((x) > (y)? (x) : (y))
#define min(x,y)    ((x) < (y)? (x) : (y))
"""


def test_macros_that_round_and_compare_are_what_they_compute() -> None:
    inside = "for (int i = max(0, floord(N - 40, 7)); i <= min(ceild(M - 9, 4), 32 * N + 31); i++) A[i][0] = 0.0;"
    assert (
        body(MACROS + function(inside)).splitlines()[0]
        == "for i in max(0, (N + 2) / 7 - 6)..min((M + 2) / 4 - 1, 32 * N + 32)"
    )


def test_a_macro_that_is_named_like_a_minimum_is_what_it_says() -> None:
    wrong = "#define min(a, b) ((a) < (b) ? (b) : (a))\n"
    assert "for i in 0..max(M, N)" in body(wrong + function("for (int i = 0; i < min(N, M); i++) A[i][0] = 0.0;"))


def test_functions_that_only_return_an_expression() -> None:
    helper = "static inline int upto(int a, int b) { return a < b ? a : b; }\n"
    assert "for i in 0..min(N, M + 2)" in body(
        helper + function("for (int i = 0; i < upto(N, M + 2); i++) A[i][0] = 0.0;")
    )


def test_integers_that_hold_bounds() -> None:
    found = body(
        function("""
            int lb, ub;
            register int lbv;
            for (int i = 0; i < N; i++) {
              lb = i + 1, ub = M - i;
              const int last = ub - 1;
              for (lbv = lb; lbv <= last; lbv++) A[i][lbv] = 1.0;
            }
        """)
    )
    assert found == "for i in 0..N\n  for lbv in i + 1..M - i\n    A[i, lbv] = 1.0 of"


def test_statements() -> None:
    found = body(
        function("""
            for (int i = 0; i < N; i++) {
              S: A[i][0] = sqrt(A[i][1] * 2.0) - (double) i / N;
              T: A[i][0] += s;
              if (i % 2 == 0 && i != 4 || !(i < 3)) A[i][2] = s > 0.0 ? A[i][0] : -s;
              else { A[i][3]++; }
            }
        """)
    )
    assert found == textwrap.dedent("""\
        for i in 0..N
          S: A[i, 0] = (sqrt((#0*2.0))-(((double)#1)/#2)) of A[i, 1], i, N
          T: A[i, 0] = (#0+#1) of A[i, 0], s
          if ((i - 2 * (i / 2) == 0) and (i != 4)) or (not (i < 3))
            A[i, 2] = ((#0>0.0)?#1:(-#2)) of s, A[i, 0], s
          else
            A[i, 3] = (#0+1) of A[i, 3]""")


def test_parameters_are_inferred_and_arrays_are_as_declared() -> None:
    text = """
        double sum;
        void f(int n, double A[n][m + 1], float *x, double (*B)[n], double out[]) {
          double t = 0.0;
        #pragma scop
          for (int i = 0; i < n; i++) {
            double u = x[i] * t;
            for (int j = lo; j < m; j++) { A[i][j] += u; B[i][j] = out[j]; sum += undeclared[i][j]; }
          }
        #pragma endscop
        }
    """
    made = nest(text)
    assert made.parameters == ("n", "lo", "m") and made.at_least_one == made.parameters
    sizes = {str(each.name): [size and expression_text(size) for size in each.sizes] for each in made.arrays}
    assert sizes == {
        "sum": [],
        "A": ["n", "m + 1"],
        "x": [None],
        "B": [None, "n"],
        "out": [None],
        "t": [],
        "u": [],
        "undeclared": [None, None],
    }


def test_a_number_as_size_says_nothing_of_parameters() -> None:
    text = "double A[100]; void f(int n) { for (int i = 0; i < n; i++) A[i] = 0; }"
    assert nest(text).arrays[0].sizes == (None,)
    fixed = "double A[100]; void f() { for (int i = 0; i < 100; i++) A[i] = 0; }"
    assert [expression_text(size) for size in nest(fixed).arrays[0].sizes if size] == ["100"]


def test_declarations_before_the_statement_that_a_pragma_marks_are_of_its_region() -> None:
    text = """
        #pragma rewright spec a
        static int unused;
        void f(int n, double *x) {
          for (int i = 0; i < n; i++) x[i] = 0;
        }
        void g(int n, double *x) {
          #pragma rewright spec b
          int half = n / 2; // what comes first
          for (int i = 0; i < half; i++) x[i] = 0;
          #pragma rewright spec c
          int other = 0;
          #pragma scop
          for (int i = 0; i < n; i++) x[i] = 1;
          #pragma endscop
        }
    """
    assert [each.name for each in outline(source(text)).nests] == ["a", "b", "c"]
    assert outside(text) == []
    assert [len(nest(text, name).body) for name in ("a", "b", "c")] == [1] * 3


def test_a_pragma_inside_of_a_marked_function_takes_nothing_from_it() -> None:
    text = """
        #pragma rewright spec a
        void f(int n, double *x) {
          #pragma rewright spec b
          for (int i = 0; i < n; i++) x[i] = 0;
        }
    """
    assert [each.name for each in outline(source(text)).nests] == ["a", "b"]
    assert outside(text) == []


def test_the_regions_of_a_text() -> None:
    text = """
        void a(int n, double *x) {
        #pragma scop
          for (int i = 0; i < n; i++) x[i] = 0;
        #pragma endscop
        }
        #pragma rewright spec b
        void c(int n, double *x) {
          double y = 1;
        #pragma scop
          for (int i = 0; i < n; i++) x[i] = y;
        #pragma endscop
        }
        void d(int n, double *x) {
          #pragma rewright transform e of a
          #pragma omp parallel for
          for (int i = 0; i < n; i++) x[i] = 0;
          #pragma rewright transform g of b
          #pragma scop
          for (int i = n - 1; i >= 0; i--) x[i] = y;
          #pragma endscop
        }
        #pragma rewright transform h of b
        void h(int n, double *x) {
          for (int i = 0; i < n; i++) x[i] = y;
        }
    """
    assert [(each.name, each.of) for each in outline(source(text)).nests] == [
        ("a", None),
        ("b", None),
        ("e", "a"),
        ("g", "b"),
        ("h", "b"),
    ]
    assert outside(text) == []
    assert [len(nest(text, name).body) for name in ("a", "b", "e", "g", "h")] == [1] * 5
    assert nest(text, "c") == replace(nest(text, "b"), name=Name("c"))


def test_a_transform_has_the_parameters_and_arrays_of_its_specification() -> None:
    specification = nest(function("for (int i = 0; i < N; i++) A[i][0] = s;"))
    inside = "int i;\ndouble s = 2.0;\nfor (i = N - 1; i >= 0; i--) A[i][0] = s;"
    other = function(inside, "int N, int M, double A[N][M]")
    assert nest(other, "f", specification).arrays == specification.arrays
    assert body(other, "f", specification) == "for i in N - 1..-1 step -1\n  A[i, 0] = #0 of s"
    assert not reading(function("for (int i = 0; i < n; i++) A[i][0] = s;"), "f", specification).nest


def test_a_statement_is_called_as_its_macro() -> None:
    macros = "#define STEP(i) A[i][0] = (double)(i)\n#define FIRST A[0][0] = 0.0\n#define AT(i) A[i][0]\n"
    inside = "FIRST; for (int i = 0; i < N; i++) { STEP(i); AT(i) = AT(i) + s; A[i][0] = s; L: STEP(i); }"
    found = [(each.label, each.macro) for each in statements(nest(macros + function(inside)).body)]
    assert found == [("", "FIRST"), ("", "STEP"), ("", ""), ("", ""), ("L", "STEP")]
