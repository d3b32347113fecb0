"""Parallel loops, `private`, `reduction` and tile sizes: verdicts, what is said, and what may not be written."""

from __future__ import annotations

import pytest
from test_transforms import COPY, SEIDEL, SWEEP, answer, declared

from rewright.report import codes
from rewright.verdict import Answer, Verdict


def nest(body: str, arrays: str = "array A: f64[N]\n array B: f64[N + 1]\n array s: f64") -> Answer:
    return answer(declared(f"loops n(N) {{\n {arrays}\n {body}\n}}\n")[0])


def transform(text: str) -> Answer:
    return answer(declared(text)[-1])


def said(found: Answer) -> str:
    return codes.message(found.findings[0])


AVERAGE = "parallel for i in 0..N { S: s = B[i] + B[i + 1]\n U: A[i] = s / 2 }"
SUM = "parallel for i in 0..N { S: s += A[i] }"

PARALLEL = {
    "apart": ("parallel for i in 0..N { A[i] = B[i] + B[i + 1] }", ()),
    "the inner loop": ("for i in 1..N { parallel for j in i..N { A[j] = A[i - 1] } }", ()),
    "a private scalar": (f"private s\n {AVERAGE}", ("values that `s` has at the end are not used",)),
    "a sum": (f"reduction S\n {SUM}", ("the order in which `S` combines values does not matter",)),
    "two sums of one element": (
        "reduction S, U\n parallel for i in 0..N { S: s += A[i]\n U: s += B[i] }",
        (
            "the order in which `S` combines values does not matter",
            "the order in which `U` combines values does not matter",
        ),
    ),
}


@pytest.mark.parametrize("case", PARALLEL)
def test_iterations_that_do_not_interfere_may_run_at_once(case: str) -> None:
    body, assumptions = PARALLEL[case]
    found = nest(body)
    assert (found.verdict, found.coverage.assumptions) == (Verdict.PROVED, assumptions), found.findings


RACES = {
    "a scalar": (
        AVERAGE,
        "race: S at i = 0 writes `s` and S at i = 1 writes it, which `parallel for i` does not order (first at N = 2);"
        " `private s` mends it",
    ),
    "a sum": (
        SUM,
        "race: S at i = 0 writes `s` and S at i = 1 reads it, which `parallel for i` does not order (first at N = 2);"
        " `reduction S` mends it",
    ),
    "a neighbour": (
        "parallel for i in 1..N { S: A[i] = A[i - 1] }",
        "race: S at i = 1 writes `A[1]` and S at i = 2 reads it, which `parallel for i` does not order"
        " (first at N = 3)",
    ),
    "a private scalar that is read first": (
        "private s\n parallel for i in 0..N { U: A[i] = s\n S: s = B[i] }",
        "race: U at i = 0 reads `s`, private in `parallel for i`, before that iteration wrote it (first at N = 1)",
    ),
    "a private scalar that nothing writes": (
        "private s\n parallel for i in 0..N { U: A[i] = s }",
        "race: U at i = 0 reads `s`, private in `parallel for i`, before that iteration wrote it (first at N = 1)",
    ),
    "a private scalar that is read afterwards": (
        "private s\n parallel for i in 0..N { S: s = B[i] }\n U: A[0] = s",
        "race: U reads `s` of S at i = 0, but it is private to an iteration of `parallel for i` (first at N = 1)",
    ),
    "a sum that is read": (
        "reduction S\n parallel for i in 0..N { S: s += A[i]\n U: B[i] = s }",
        "race: U at i = 0 reads `s` and S at i = 1 writes it, which `parallel for i` does not order (first at N = 2)",
    ),
    "sums by other operators": (
        "reduction S, U\n parallel for i in 0..N { S: s += A[i]\n U: s *= A[i] }",
        "race: U at i = 0 writes `s` and S at i = 1 reads it, which `parallel for i` does not order (first at N = 2)",
    ),
}


@pytest.mark.parametrize("case", RACES)
def test_iterations_that_interfere_are_a_race(case: str) -> None:
    body, message = RACES[case]
    found = nest(body)
    assert found.verdict is Verdict.REFUTED and found.witness is not None and found.witness.fails == "race"
    assert said(found) == message


def test_a_parallel_loop_of_a_transform_must_be_free_of_races() -> None:
    head = f"{SEIDEL}transform w of seidel {{ for t in 0..T, w in 2..2*N - 1 {{ parallel for x in"
    body = "max(1, w - N + 1)..min(w, N) { S: A[x, w - x] = A[x - 1, w - x] + A[x, w - x - 1] } } }"
    assert transform(f"{head} {body}").verdict is Verdict.PROVED
    wrong = f"for t in 0..T {{ parallel for i in 1..N, j in 1..N {{ {SWEEP} }} }}"
    found = transform(f"{SEIDEL}transform p of seidel {{ {wrong} }}")
    assert said(found) == (
        "race: S at t = 0, i = 1, j = 1 writes `A[1, 1]` and S at t = 0, i = 1, j = 2 reads it,"
        " which `parallel for j` does not order (first at T = 1, N = 3)"
    )


TOTAL = "loops total(N) {\n array A: f64[N]\n array s: f64\n Z: s = 0\n for i in 0..N { S: s += A[i] }\n}\n"
PARTS = "Z: s = 0\n for r in 0..4, p in r..N step 4 { S: s += A[p] }"


def test_a_sum_may_have_another_order_if_the_user_says_so() -> None:
    assert said(transform(f"{TOTAL}transform t of total {{ {PARTS} }}")).endswith("; `reduction S` allows it")
    found = transform(f"{TOTAL}transform t of total {{ reduction S\n {PARTS} }}")
    assert found.verdict is Verdict.PROVED
    assert found.coverage.assumptions[-1] == "the order in which `S` combines values does not matter"
    lost = transform(f"{TOTAL}transform t of total {{ reduction S\n {PARTS.replace('..N step', '..N - 1 step')} }}")
    assert said(lost) == "missing: S at i = 0 is never executed (first at N = 1)"
    late = "for i in 0..N { S: s += A[i] }\n Z: s = 0"
    assert transform(f"{TOTAL}transform t of total {{ reduction S\n {late} }}").verdict is Verdict.REFUTED


SCRATCH = """
loops scratch(N) {
  array A, B, C: f64[N]
  array s: f64
  for i in 0..N { S: s = A[i]; U: B[i] = s }
  for i in 0..N { V: s = B[i]; W: C[i] = s + 1 }
}
"""
FUSED = "for i in 0..N { S: s = A[i]; U: B[i] = s; V: s = B[i]; W: C[i] = s + 1 }"


def test_what_is_added_and_what_is_subtracted_may_change_places() -> None:
    balance = (
        "loops balance(N) {\n array A, B: f64[N]\n array s: f64\n for i in 0..N { I: s += A[i]\n O: s -= B[i] }\n}\n"
    )
    apart = "for i in 0..N { O: s -= B[i] }\n for i in 0..N { I: s += A[i] }"
    assert transform(f"{balance}transform t of balance {{ reduction I, O\n {apart} }}").verdict is Verdict.PROVED
    assert transform(f"{balance}transform t of balance {{ {apart} }}").verdict is Verdict.REFUTED
    scaled = f"{balance}transform t of balance {{ reduction I, O\n {apart} }}".replace("O: s -=", "O: s *=")
    assert transform(scaled).verdict is Verdict.REFUTED


def test_a_scratch_array_may_be_used_in_another_order_if_it_is_private() -> None:
    assert said(transform(f"{SCRATCH}transform f of scratch {{ {FUSED} }}")).endswith("; `private s` allows it")
    assert transform(f"{SCRATCH}transform f of scratch {{ private s; {FUSED} }}").verdict is Verdict.PROVED
    wrong = FUSED.replace("S: s = A[i]; U: B[i] = s; V: s = B[i]", "S: s = A[i]; V: s = B[i]; U: B[i] = s")
    found = transform(f"{SCRATCH}transform f of scratch {{ private s; {wrong} }}")
    assert found.verdict is Verdict.REFUTED and said(found).startswith("order: ")


TILED = "for ii in 0..N step T, i in ii..min(ii + T, N) { S: A[i] = B[i] }"


def test_listed_tile_sizes_are_proved_and_open_ones_checked() -> None:
    listed = transform(f"{COPY}transform t(T) of copy at T = 4, 8 {{ {TILED} }}")
    assert (listed.verdict, listed.coverage.text) == (Verdict.PROVED, "T = 4, 8; all sizes, N >= 1")
    opened = transform(f"{COPY}transform t(T) of copy {{ {TILED} }}")
    assert (opened.verdict, opened.coverage.bounded) == (Verdict.CHECKED, True)
    assert opened.coverage.text == "T = 1, 2, 3, 4, 8, 32; all sizes, N >= 1"


def test_tile_sizes_stand_in_products_and_in_requirements() -> None:
    sections = "for p in 0..N / T, q in 0..T { S: A[T * p + q] = B[T * p + q] }"
    found = transform(f"{COPY}transform t(T) of copy at T = 2, 5 {{ requires N % T == 0\n {sections} }}")
    assert found.verdict is Verdict.PROVED, found.findings
    wrong = transform(f"{COPY}transform t(T) of copy {{ {sections} }}")
    assert said(wrong) == "missing: S at i = 0 is never executed (first at T = 2, N = 1)"
    two = "for p in 0..N step T, q in p..min(p + T, N) step U, i in q..min(q + U, p + T, N) { S: A[i] = B[i] }"
    both = transform(f"{COPY}transform t(T, U) of copy at T = 4, 6, U = 2 {{ {two} }}")
    assert (both.verdict, both.coverage.text) == (Verdict.PROVED, "(T, U) = (4, 2), (6, 2); all sizes, N >= 1")
    turns = "for r in 0..T, i in r..N step T { S: A[i] = B[i] }"
    least = transform(f"{COPY}transform t(T) of copy {{ requires T >= 3\n {turns} }}")
    assert least.coverage.text == "T = 3, 4, 8, 32; all sizes, N >= 1"


def test_sizes_of_the_nest_may_be_given() -> None:
    found = transform(f"{COPY}transform t of copy at N = 5, 7 {{ for i in 0..N {{ S: A[i] = B[i] }} }}")
    assert (found.verdict, found.coverage.text) == (Verdict.CHECKED, "N = 5, 7")
    short = "for i in 0..6 { S: A[i] = B[i] }"
    assert transform(f"{COPY}transform t of copy at N = 6 {{ {short} }}").verdict is Verdict.CHECKED
    assert said(transform(f"{COPY}transform t of copy at N = 6, 7 {{ {short} }}")).endswith("(first at N = 7)")


WRONG = {
    "t(T) of copy at U = 4 { }": "RW101",
    "t(T) of copy at T = 4, N = M { }": "RW101",
    "t(T) of copy at T = N { }": "RW117",
    "t(T) of copy at 4 { }": "RW117",
    "t(N) of copy { }": "RW102",
    "t(T: s32) of copy { }": "RW117",
    "t(T) of copy { requires T < 1 }": "RW117",
    "t of copy { private x }": "RW101",
    "t of copy { reduction X }": "RW101",
    "t of copy { reduction S }": "RW117",
    "t(T) of copy { for i in 0..N step T - 1 { S: A[i] = B[i] } }": "RW117",
}


@pytest.mark.parametrize("written", WRONG)
def test_what_is_wrong_is_an_error(written: str) -> None:
    of = declared(f"{COPY}transform {written}\n")[-1]
    assert [finding.code for finding in of.findings] == [WRONG[written]], of.findings
    assert of.value is None


def test_a_kernel_has_no_parallel_loops() -> None:
    text = "kernel k(x: out f32[4]) {\n launch block(1)\n parallel for i in 0..4 { x[i] = 0 }\n}\n"
    assert [finding.code for finding in declared(text)[0].findings] == ["RW117"]
