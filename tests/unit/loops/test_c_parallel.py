"""Loops in C that OpenMP marks as parallel: what keeps their iterations apart, races, and what is not understood."""

from __future__ import annotations

import pytest
from c_regions import nest, reading, said
from test_transforms import declared

from rewright.checks import nest as nests
from rewright.checks import transformation
from rewright.model.nest import Transformation
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Verdict


def text(inside: str) -> str:
    head = "void f(int N, double A[N + 1][N + 1], double B[N + 1], double s, double t) {\n  int i, j;\n"
    return f"{head}#pragma scop\n{inside}\n#pragma endscop\n}}\n"


def answer(inside: str) -> Answer:
    return nests.answer(nest(text(inside)), Budget())


def loop(clauses: str, inside: str, head: str = "for (i = 1; i < N; i++)") -> str:
    return f"#pragma omp parallel for {clauses}\n{head}\n{{ {inside} }}"


APART = {
    "rows": loop("private(j)", "for (j = 1; j < N; j++) A[i][j] = A[i][j - 1];"),
    "a counter of its own": loop("", "for (int j = 1; j < N; j++) A[i][j] = A[i][j - 1];"),
    "a scalar of its own": loop("", "double u = B[i]; A[i][0] = u * u;"),
    "a private scalar": loop("schedule(dynamic, 4), private(t) default(shared)", "t = B[i]; A[i][0] = t * t;"),
    "what is only read": loop("firstprivate(t)", "B[i] = t;"),
    "a bound": loop("private(j) firstprivate(N)", "const int n = N - i; for (j = 1; j < n; j++) A[i][j] = B[i];"),
    "a sum": loop("reduction(+: s)", "s += B[i]; s += A[i][i];"),
    "a difference": loop("reduction(+: s)", "s -= B[i];"),
    "a sum and a difference": loop("reduction(+: s)", "s += B[i]; s -= A[i][i];"),
    "sums of columns": loop("private(j) reduction(+: B[:N])", "for (j = 1; j < N; j++) B[j] += A[i][j];"),
    "whether all are": loop("reduction(&&: s)", "s = s && B[i];"),
    "whether any is": loop("reduction(||: s)", "s = s || B[i] > 0;"),
    "a greatest": loop("reduction(max: s)", "s = max(s, B[i]);"),
    "both loops": loop("collapse(2)", "for (j = 1; j < N; j++) A[i][j] = A[i][j] + B[i];"),
    "in a block": f"#pragma omp parallel private(j)\n{{ double u;\n{loop('', 'u = B[i]; A[i][0] = u;')} }}".replace(
        "omp parallel for", "omp for"
    ),
    "simd": loop("private(j)", "\n#pragma omp simd\nfor (j = 1; j < N; j++) A[i][j] = B[i];"),
}


@pytest.mark.parametrize("case", APART)
def test_iterations_that_do_not_interfere(case: str) -> None:
    found = answer(APART[case])
    assert found.verdict is Verdict.PROVED, [codes.message(each) for each in found.findings]
    assert ("does not matter" in str(found.coverage.assumptions)) == ("reduction" in APART[case])


@pytest.mark.parametrize("clause", ["private", "firstprivate"])
def test_a_copy_of_a_pointer_has_no_elements_of_its_own(clause: str) -> None:
    written = text(loop(f"{clause}(B)", "B[0] = i; A[i][0] = B[0];"))
    found = reading(written)
    assert found.nest is None
    assert "a copy of `B` is one of a pointer, its elements are shared" in {
        each for each, _ in said(written, found.findings)
    }
    shared = answer(loop("", "B[0] = i; A[i][0] = B[0];"))
    assert shared.verdict is Verdict.REFUTED and "mends it" not in codes.message(shared.findings[0])
    of_its_own = written.replace("int i, j;", "int i, j; double D[4];").replace("B[0]", "D[0]").replace("(B)", "(D)")
    assert nests.answer(nest(of_its_own), Budget()).verdict is Verdict.PROVED


RACES = {
    "a sum": (loop("", "s += B[i];"), "`reduction(+: s)` mends it"),
    "a sum by another clause": (loop("reduction(*: s)", "s += B[i];"), "`reduction(+: s)` mends it"),
    "a sum and a product": (loop("reduction(+: s)", "s += B[i]; s *= A[i][i];"), "(first at N = 3)"),
    "all and any": (loop("reduction(&&: s)", "s = s && B[i]; s = s || A[i][i];"), "(first at N = 3)"),
    "a product": (loop("", "s *= B[i];"), "`reduction(*: s)` mends it"),
    "a scalar": (loop("", "s = B[i]; A[i][0] = s;"), "`private(s)` mends it"),
    "a neighbour": (loop("", "B[i] = B[i - 1];"), "(first at N = 3)"),
    "the inner one of two": (loop("collapse(2)", "for (j = 1; j < N; j++) A[i][j] = A[i][j - 1];"), "`parallel for j`"),
    "a sum that is read": (loop("reduction(+: s)", "s += B[i]; B[i] = s;"), "(first at N = 3)"),
    "a value from before": (loop("private(t)", "B[i] = t;"), "before that iteration wrote it"),
    "a value that is kept": (loop("firstprivate(t)", "t += B[i];"), "before that iteration wrote it"),
    "a value that leaves": (loop("private(t)", "t = B[i];") + "\nB[0] = t;", "private to an iteration"),
    "in a block": (f"#pragma omp parallel\n{{\n{loop('', 's += B[i];').replace('parallel for', 'for')} }}", "mends it"),
}


@pytest.mark.parametrize("case", RACES)
def test_iterations_that_interfere(case: str) -> None:
    inside, ending = RACES[case]
    found = answer(inside)
    assert found.verdict is Verdict.REFUTED
    message = codes.message(found.findings[0])
    assert message.startswith("race: ") and ending in message, message


UNKNOWN = {
    "a counter that is shared": (
        loop("", "for (j = 1; j < N; j++) A[i][j] = B[i];"),
        "all iterations change one `j`: declare it in the loop, or say `private(j)`",
    ),
    "a last value": (loop("lastprivate(t)", "t = B[i]; A[i][0] = t;"), "`lastprivate(t)` is not understood"),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_what_means_nothing_is_unknown_at_the_pragma(case: str) -> None:
    inside, message = UNKNOWN[case]
    found = reading(text(inside))
    assert found.nest is None
    ((saying, where),) = said(text(inside), found.findings)
    assert saying == message and where.startswith("pragma omp parallel for")


IN_ORDER = {
    "nowait": loop("nowait", "s += B[i];").replace("parallel for", "for"),
    "atomic": loop("", "\n#pragma omp atomic\ns += B[i];"),
    "a block that is repeated": "#pragma omp parallel\n{ s += B[0]; }",
    "simd alone": loop("", "s += B[i];").replace("parallel for", "simd"),
    "no second loop": loop("collapse(2)", "s += B[i];"),
    "half a clause": loop("private(t", "s += B[i];"),
    "an operator": loop("", "s += B[i];").replace("#pragma omp parallel for", '_Pragma("omp parallel for")'),
}


@pytest.mark.parametrize("case", IN_ORDER)
def test_what_is_not_understood_is_taken_in_order_and_said(case: str) -> None:
    found = reading(text(IN_ORDER[case]))
    assert found.nest is not None
    assert len(found.findings) == 1 and "it is taken in order" in codes.message(found.findings[0])
    assert nests.answer(found.nest, Budget()).verdict is Verdict.PROVED


def test_a_sum_without_a_label_may_be_combined_in_any_order_too() -> None:
    total = "loops total(N) {\n array A: f64[N]\n array s: f64\n for i in 0..N { S: s += A[i] }\n}\n"
    of = "transform t of total {\n reduction S\n parallel for i in 0..N { s += A[i] }\n}\n"
    value = declared(total + of)[-1].value
    assert isinstance(value, Transformation)
    assert transformation.answer(value, Budget()).verdict is Verdict.PROVED
    value = declared(total + of.replace("reduction S", ""))[-1].value
    assert isinstance(value, Transformation)
    assert transformation.answer(value, Budget()).verdict is Verdict.REFUTED
