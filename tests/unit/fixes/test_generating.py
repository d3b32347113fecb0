"""Nests in another order: what is written is proved, what is forbidden breaks a dependence."""

from __future__ import annotations

import pytest

from rewright.checks.kernel_question import SourceText
from rewright.fixes.generating.answering import written_transform
from rewright.fixes.generating.question import (
    DeclaredLoops,
    NotWritten,
    OrderForbidden,
    SourceLoops,
    TransformReply,
    TransformRequest,
    WrittenTransform,
)
from rewright.fixes.generating.words import said
from rewright.fixes.loops.texts import read
from rewright.model.index import Name
from rewright.model.nest import Nest
from rewright.replay.loops.running import ExecutedOperation, NestRun
from rewright.rules.decision import Budget
from rewright.verdict import Verdict

SEIDEL = """loops seidel(T, N) {
  array A: f64[N, N]
  for t in 0..T, i in 1..N, j in 1..N {
    S: A[i, j] = A[i-1, j] + A[i, j-1]
  }
}"""

MATMUL = """loops matmul(N) {
  array A, B, C: f64[N, N]
  for i in 0..N, j in 0..N {
    Z: C[i, j] = 0.0
    for k in 0..N { U: C[i, j] += A[i, k] * B[k, j] }
  }
}"""

TRIANGLE = """loops triangle(N) {
  array A, B: f64[N, N]
  for i in 0..N, j in 0..i + 1 { S: A[i, j] = B[j, i] }
}"""

PAIR = """loops pair(N) {
  array A, B, C: f64[N]
  for i in 0..N { S: B[i] = A[i] }
  for i in 0..N { U: C[i] = B[i] }
}"""

NESTS = {"seidel": SEIDEL, "matmul": MATMUL, "triangle": TRIANGLE, "pair": PAIR}


def asked(text: str, schedule: str, name: str | None = None) -> TransformReply:
    return written_transform(TransformRequest(DeclaredLoops((text,), ("taken",)), schedule, name), Budget())


@pytest.mark.parametrize(
    ("nest", "schedule", "line"),
    [
        ("seidel", "interchange(i, j)", "for t in 0..T, j in 1..N, i in 1..N {"),
        ("seidel", "tile(32)", "ii in 1..N step 32, jj in 1..N step 32, i in ii..min(ii + 32, N), j in jj.."),
        ("seidel", "tile(i = 4, j = 2)", "ii in 1..N step 4, jj in 1..N step 2,"),
        ("seidel", "skew", "for t in 0..T, i in t + 1..N + t, j in i + 1..N + i {"),
        ("seidel", "skew(j, i, 2)", "S: A[i, j - 2 * i] = A[i - 1, j - 2 * i] + A[i, j - 2 * i - 1]"),
        ("seidel", "unroll(4)", "S: A[i, j + 3] = A[i - 1, j + 3] + A[i, j + 2]"),
        ("seidel", "skew; tile(8)", "for tt in 0..T step 8, ii in tt.."),
        ("seidel", "best", "for t in 0..T, i in t + 1..N + t, j in t + 1..N + t {"),
        ("matmul", "distribute; interchange(j, k)", "for i in 0..N, k in 0..N, j in 0..N {"),
        ("matmul", "distribute(j); unroll(k, 4)", "let last_k = N / 4 * 4"),
        ("matmul", "best(16)", "if kk == 0 {"),
        ("triangle", "interchange(i, j)", "for j in 0..N, i in j..N {"),
        ("triangle", "reverse(i)", "for i in N - 1..-1 step -1, j in 0..i + 1 {"),
        ("triangle", "unroll(i, 2)", "S: A[i + 1, j] = B[j, i + 1]"),
        ("pair", "fuse", "U: C[i] = B[i]"),
    ],
)  # fmt: skip
def test_what_is_written_is_proved(nest: str, schedule: str, line: str) -> None:
    reply = asked(NESTS[nest], schedule)
    assert isinstance(reply, WrittenTransform), reply
    assert reply.verdict is Verdict.PROVED
    assert line in reply.text
    again = read((NESTS[nest], reply.text))
    assert again is not None and not isinstance(again.value, Nest)


@pytest.mark.parametrize(
    ("nest", "schedule"),
    [
        ("seidel", "interchange(t, i)"),
        ("seidel", "reverse(i)"),
        ("seidel", "tile(4, 4, 4)"),
        ("matmul", "distribute; reverse(k)"),
    ],
)
def test_what_is_forbidden_breaks_a_dependence(nest: str, schedule: str) -> None:
    reply = asked(NESTS[nest], schedule)
    assert isinstance(reply, OrderForbidden), reply
    made = read((NESTS[nest],))
    assert made is not None and isinstance(made.value, Nest)
    values = {Name(name): value for name, value in reply.sizes}
    operations = list(NestRun(dict(values), 10_000).operations(made.value))
    first = _found(operations, reply.first, reply.first_at)
    second = _found(operations, reply.second, reply.second_at)
    assert first < second
    one, other = operations[first], operations[second]
    meet = {"flow": one.writes in other.reads, "anti": other.writes in one.reads, "output": one.writes == other.writes}
    assert meet[reply.kind]
    assert reply.array in said(reply)


def _found(operations: list[ExecutedOperation], label: str, at: tuple[tuple[str, int], ...]) -> int:
    (found,) = [
        number
        for number, each in enumerate(operations)
        if each.statement.label == label and each.iteration == tuple((Name(name), value) for name, value in at)
    ]
    return found


@pytest.mark.parametrize(
    ("schedule", "reason"),
    [
        ("", "the schedule is empty"),
        ("turn(i)", "`turn(i)` is no step of a schedule"),
        ("tile(0)", "is no step"),
        ("tile(i = 4, 8)", "is no step"),
        ("interchange(i, i)", "is no step"),
        ("interchange(i, q)", "there is no loop `q`; loops are `i`, `j`, `k`"),
        ("interchange(j, k)", "`Z` is in loop `j`, but not in loop `k`: `distribute(j)` would take them apart"),
        ("tile(8, 8, 8)", "fewer than the 3 that are tiled"),
        ("fuse", "no loop follows directly on another"),
        ("distribute(k)", "has one part only"),
        ("unroll(4); tile(8)", "`unroll` comes last"),
        ("tile(8); best", "`best` comes first"),
        ("skew(i, k)", "not in loop `k`"),
    ],
)
def test_what_does_not_fit_is_said(schedule: str, reason: str) -> None:
    reply = asked(MATMUL, schedule)
    assert isinstance(reply, NotWritten), reply
    assert reason in reply.reason


def test_names_that_are_taken() -> None:
    reply = asked(SEIDEL, "tile(8)", "taken")
    assert isinstance(reply, NotWritten) and "`taken` is taken" in reply.reason
    loops = DeclaredLoops((SEIDEL,), ("seidel", "seidel_tiled"))
    named = written_transform(TransformRequest(loops, "tile(8)", None), Budget())
    assert isinstance(named, WrittenTransform) and named.name == "seidel_tiled_2"


def test_names_for_bounds_in_statements() -> None:
    text = """loops shifted(N) {
  array A, B: f64[N + 2]
  let low = 2
  for i in low..N + low { S: A[i - low] = B[i] * 2.0 }
}"""
    reply = asked(text, "reverse(i)")
    assert isinstance(reply, WrittenTransform), reply
    assert "S: A[i - 2] = B[i] * 2.0" in reply.text


def test_a_transform_of_a_transform() -> None:
    loops = DeclaredLoops((SEIDEL, asked_text(SEIDEL, "interchange(i, j)")), ())
    reply = written_transform(TransformRequest(loops, "interchange(j, i)", "back"), Budget())
    assert isinstance(reply, WrittenTransform), reply
    assert "transform back of seidel_interchanged {" in reply.text
    assert "for t in 0..T, i in 1..N, j in 1..N {" in reply.text


def asked_text(text: str, schedule: str) -> str:
    reply = asked(text, schedule)
    assert isinstance(reply, WrittenTransform)
    return reply.text.strip()


C = """#define SUM(i, j) A[i][j] = A[i - 1][j] + A[i][j - 1]

static void sweep(int T, int N, double A[N][N]) {
    double s;
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 1; i < N; i++)
            for (int j = 1; j < N; j++)
                SUM(i, j);
    s = 0;
    for (int i = 0; i < N; i++)
        s += A[i][i];
#pragma endscop
}
"""


def source(text: str, schedule: str, nest: str = "sweep") -> TransformReply:
    loops = SourceLoops("sweep.c", nest, (SourceText("sweep.c", text),))
    return written_transform(TransformRequest(loops, schedule, None), Budget())


def test_c_is_written_in_the_manner_of_its_function() -> None:
    reply = source(C, "tile(i = 4, j = 4); unroll(j, 2)")
    assert isinstance(reply, NotWritten)  # two loops are called `i`, and only one of them has a `j` in it
    reply = source(C, "interchange(t, j)")
    assert isinstance(reply, OrderForbidden)
    reply = source(C, "unroll(2)")
    assert isinstance(reply, WrittenTransform), reply
    assert (
        "#pragma rewright transform sweep_unrolled of sweep\nstatic void sweep_unrolled(int T, int N, double A[N][N]) {"
        in reply.text
    )
    assert "\n    double s;\n" in reply.text
    assert "SUM(i, j + 1);" in reply.text
    assert reply.at == len(C) - 1


def test_what_c_lacks_is_defined() -> None:
    text = C.replace("    s = 0;\n    for (int i = 0; i < N; i++)\n        s += A[i][i];\n", "")
    reply = source(text, "tile(8)")
    assert isinstance(reply, WrittenTransform), reply
    assert reply.text.startswith("\n\n#define min(a, b) ((a) < (b) ? (a) : (b))\n\n#pragma rewright transform")
    again = source("#define min(a, b) ((a) < (b) ? (a) : (b))\n" + text, "tile(8)")
    assert isinstance(again, WrittenTransform) and "#define" not in again.text


def test_crlf_stays() -> None:
    reply = source(C.replace("\n", "\r\n"), "unroll(2)")
    assert isinstance(reply, WrittenTransform), reply
    assert reply.text.count("\r\n") == reply.text.count("\n")
    own = asked(SEIDEL.replace("\n", "\r\n"), "tile(8)")
    assert isinstance(own, WrittenTransform) and own.text.count("\r\n") == own.text.count("\n")


def test_sources_without_the_nest() -> None:
    assert isinstance(source(C, "unroll(2)", "other"), NotWritten)
    assert isinstance(source(C.replace("SUM(i, j);", "SUM(i, j * i);"), "unroll(2)"), NotWritten)


CLEAR = """loops clear(M, N) {
  array A: f64[M, N]
  for i in 0..M { parallel for j in 0..N { S: A[i, j] = 0 } }
}"""
PASSED = """loops passed(N) {
  array A, B: f64[N, N]
  array s: f64
  private s
  parallel for i in 0..N, j in 1..N { S: s = A[i, j]; U: B[i, j] = s + B[i, j - 1] }
}"""


@pytest.mark.parametrize(
    ("nest", "schedule", "heads"),
    [
        (CLEAR, "interchange(i, j)", ["parallel for j in 0..N {", "for i in 0..M {"]),
        (CLEAR, "tile(8)", ["parallel for ii in 0..M step 8 {", "for jj in 0..N step 8, i in ii..min(ii + 8, M), "]),
        (CLEAR, "distribute; reverse(j)", ["parallel for i in 0..M {", "for j in N - 1..-1 step -1 {"]),
        (PASSED, "interchange(i, j)", ["for j in 1..N {", "parallel for i in 0..N {"]),
        (SEIDEL, "interchange(i, j)", ["for t in 0..T, j in 1..N, i in 1..N {"]),
    ],
)
def test_the_outermost_loops_that_stay_parallel_are_marked(nest: str, schedule: str, heads: list[str]) -> None:
    reply = asked(nest, schedule)
    assert isinstance(reply, WrittenTransform) and not reply.is_unmarked
    found = [line.strip() for line in reply.text.splitlines() if "for " in line]
    assert len(found) == len(heads)
    assert all(line.startswith(head) for line, head in zip(found, heads, strict=True)), found


NORMS = """void norms(int M, int N, double A[M][N], double B[M], double total) {
  double t;
#pragma scop
#pragma omp parallel for private(t) reduction(+: total)
  for (int i = 0; i < M; i++) {
    t = 0;
    for (int j = 0; j < N; j++)
      t += A[i][j];
    B[i] = t;
    total -= t;
  }
#pragma endscop
}
"""


def test_clauses_of_openmp_are_kept() -> None:
    reply = source(NORMS, "unroll(j, 2)", "norms")
    assert isinstance(reply, WrittenTransform) and not reply.is_unmarked
    assert reply.text.count("#pragma omp") == 1
    assert "#pragma omp parallel for private(t) reduction(+: total)\n  for (int i = 0; i < M; i++) {" in reply.text
    assert reply.assumptions[-1] == "the order in which values are combined into `total` does not matter"
