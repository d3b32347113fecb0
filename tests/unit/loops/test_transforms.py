"""Loop nests and transforms as they are written: verdict, what is said, where it points, and what is replayed."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from functools import cache

import pytest

from rewright.checks import table, transformation
from rewright.checks.table import questions, restore
from rewright.loops.decide import decide_by_text, decide_nest
from rewright.loops.decision import LoopsUndecided, ReorderingNotProved
from rewright.model.declared import Declared
from rewright.model.file import check_file
from rewright.model.nest import Nest, Transformation
from rewright.report import codes
from rewright.rules.decision import Budget, Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, InDeclaration, LoopsWitness, Site, Verdict
from rewright.verdict.codec import decode, encode

SEIDEL = """
loops seidel(T, N) {
  array A: f64[N, N]
  for t in 0..T, i in 1..N, j in 1..N {
    S: A[i, j] = A[i-1, j] + A[i, j-1]
  }
}
"""
MATMUL = """
loops matmul(M, N, K) {
  array A: f64[M, K]
  array B: f64[K, N]
  array C: f64[M, N]
  for i in 0..M, j in 0..N {
    Z: C[i, j] = 0
    for k in 0..K { U: C[i, j] += A[i, k] * B[k, j] }
  }
}
"""
COPY = "loops copy(N) {\n array A, B: f64[N]\n for i in 0..N { S: A[i] = B[i] }\n}\n"
UPDATE = "U: C[i, j] += A[i, k] * B[k, j]"
SWEEP = "S: A[i, j] = A[i-1, j] + A[i, j-1]"


@cache
def declared(text: str) -> tuple[Declared, ...]:
    """The declarations of a file without imports."""
    return check_file(parse(Text.of("test.rw", text)), lambda path: None).declarations


def answer(of: Declared) -> Answer:
    """The answer as a report has it: asked canonically, with the names restored."""
    value = of.value
    assert value is not None, (of.findings, of.unsupported)
    (asked,) = questions(value, Mode.NORMAL_FORMS)
    found = table.answer(decode(table.Payload, asked.payload), Budget())
    return restore(encode(found), asked.names)


def transformed(specification: str, body: str) -> Answer:
    name = specification.split()[1].partition("(")[0]
    return answer(declared(f"{specification}transform other of {name} {{\n{body}\n}}\n")[-1])


HALVES_OF = """loops halves(N) {
  array A, B: f64[N]
  for i in 0..N / 2 { A[i] = B[i] }
  for i in N / 2..N { A[i] = B[i] }
}
"""
PROVED = {
    "interchanged": (SEIDEL, f"for t in 0..T, j in 1..N, i in 1..N {{ {SWEEP} }}"),
    "tiled": (
        SEIDEL,
        "for t in 0..T, ii in 1..N step 32, jj in 1..N step 32,\n"
        f" i in ii..min(ii + 32, N), j in jj..min(jj + 32, N) {{ {SWEEP} }}",
    ),
    "wavefront": (
        SEIDEL,
        "for t in 0..T, w in 2..2*N - 1, x in max(1, w - N + 1)..min(w, N) {\n"
        " S: A[x, w - x] = A[x - 1, w - x] + A[x, w - x - 1]\n}",
    ),
    "sweeps skewed, iterators of other names": (
        SEIDEL,
        "for s in 0..T, w in s + 1..s + N, j in 1..N { S: A[w - s, j] = A[w - s - 1, j] + A[w - s, j - 1] }",
    ),
    "distributed": (
        MATMUL,
        f"for i in 0..M, j in 0..N {{ Z: C[i, j] = 0 }}\nfor k in 0..K, i in 0..M, j in 0..N {{ {UPDATE} }}",
    ),
    "tiled and guarded": (
        MATMUL,
        "for jj in 0..N step 8, kk in 0..K step 8, i in 0..M, j in jj..min(jj + 8, N), k in kk..min(kk + 8, K) {\n"
        f" if k == 0 {{ Z: C[i, j] = 0 }}\n {UPDATE}\n}}",
    ),
    "unrolled with the rest": (
        MATMUL,
        "for i in 0..M, j in 0..N {\n Z: C[i, j] = 0\n let last = K / 2 * 2\n for k in 0..last step 2 {\n"
        f" {UPDATE}\n U: C[i, j] += A[i, k + 1] * B[k + 1, j] }}\n for k in last..K {{ {UPDATE} }}\n}}",
    ),
    "reversed": (COPY, "for i in N - 1..-1 step -1 { A[i] = B[i] }"),
    "round robin": (COPY, "for r in 0..3, i in r..N step 3 { A[i] = B[i] }"),
    "merged": (HALVES_OF, "for i in 0..N { A[i] = B[i] }"),
    "merged and parted": (HALVES_OF, "for i in 3..N { A[i] = B[i] }\nfor i in 0..min(3, N) { A[i] = B[i] }"),
    "split": (COPY, "for i in 0..min(N, 7) { A[i] = B[i] }\nfor i in 7..N { A[i] = B[i] }"),
}


@pytest.mark.parametrize("case", PROVED)
def test_a_legal_reordering_is_proved_for_all_sizes(case: str) -> None:
    found = transformed(*PROVED[case])
    assert (found.verdict, found.coverage.bounded) == (Verdict.PROVED, False), found.findings
    assert found.coverage.text.startswith("all sizes, ")
    assert found.correspondence and found.replays


REFUTED = {
    "a bound by one": (
        (SEIDEL, f"for t in 0..T, i in 1..N, j in 1..N - 1 {{ {SWEEP} }}"),
        "missing: S at t = 0, i = 1, j = 1 is never executed (first at T = 1, N = 2)",
    ),
    "a tile by one": (
        (SEIDEL, f"for t in 0..T, i in 1..N, jj in 1..N step 32, j in jj..min(jj + 31, N) {{ {SWEEP} }}"),
        "missing: S at t = 0, i = 1, j = 32 is never executed, nor are 31 more (first at T = 1, N = 33)",
    ),
    "tiles under the sweeps": (
        (SEIDEL, f"for ii in 1..N step 32, t in 0..T, i in ii..min(ii + 32, N), j in 1..N {{ {SWEEP} }}"),
        "order: S at ii = 33, t = 0, i = 33, j = 1 reads `A[32, 1]` of S at t = 1, i = 32, j = 1, it should be that of"
        " S at t = 0, i = 32, j = 1 (first at T = 2, N = 34)",
    ),
    "a loop reversed": (
        (SEIDEL, f"for t in 0..T, i in N - 1..0 step -1, j in 1..N {{ {SWEEP} }}"),
        "order: S at t = 0, i = 2, j = 1 reads `A[1, 1]` before S at t = 0, i = 1, j = 1 wrote it"
        " (first at T = 1, N = 3)",
    ),
    "a subscript": (
        (SEIDEL, "for t in 0..T, i in 1..N, j in 1..N { S: A[i, j] = A[i-1, j-1] + A[i, j-1] }"),
        "operation: S at t = 0, i = 1, j = 1 reads `A[0, 0]`, S at t = 0, i = 1, j = 1 reads `A[0, 1]`"
        " (first at T = 1, N = 2)",
    ),
    "a statement twice": (
        (SEIDEL, f"for t in 0..T, i in 1..N, j in 1..N {{ {SWEEP}\n {SWEEP} }}"),
        "extra: S at t = 0, i = 1, j = 1 writes `A[1, 1]` once more than the specification (first at T = 1, N = 2)",
    ),
    "another value": (
        (COPY, "for i in 0..N { A[i] = B[i] + 0 }"),
        "operation: A[i] at i = 0 is executed where S at i = 0 is due (first at N = 1)",
    ),
    "nothing": (
        (COPY, "for i in 0..0 { A[i] = B[i] }"),
        "missing: S at i = 0 is never executed (first at N = 1)",
    ),
}


@pytest.mark.parametrize("case", REFUTED)
def test_what_is_none_is_refuted_at_the_smallest_sizes(case: str) -> None:
    asked, said = REFUTED[case]
    found = transformed(*asked)
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, LoopsWitness) and found.witness.replayed
    assert codes.message(found.findings[0]) == said


def test_a_finding_points_at_the_statement_and_at_the_loop_that_loses_it() -> None:
    asked, _ = REFUTED["a tile by one"]
    text = f"{asked[0]}transform other of seidel {{\n{asked[1]}\n}}\n"
    of = declared(text)
    (finding,) = answer(of[-1]).findings
    start = text.index("transform other")

    def written(number: int, sites: Declared, offset: int) -> str:
        span = sites.sites[number]
        return text[offset + span.start : offset + span.end]

    assert isinstance(finding.place, Site)
    assert written(finding.place.number, of[-1], start) == SWEEP.removeprefix("S: ")
    specified, loop = (each.place for each in finding.related)
    assert isinstance(specified, InDeclaration) and specified.declaration == "seidel"
    assert written(specified.number, of[0], text.index("loops")) == SWEEP.removeprefix("S: ")
    assert isinstance(loop, Site)
    assert written(loop.number, of[-1], start) == "j in jj..min(jj + 31, N)"


def test_a_transform_of_a_transform_is_compared_with_that() -> None:
    text = SEIDEL + f"transform a of seidel {{ for t in 0..T, j in 1..N, i in 1..N {{ {SWEEP} }} }}\n"
    of = declared(text + f"transform b of a {{ for t in 0..T, i in 1..N, j in 1..N {{ {SWEEP} }} }}\n")
    assert answer(of[-1]).verdict is Verdict.PROVED
    cycle = declared(f"transform a of b {{ {SWEEP} }}\ntransform b of a {{ {SWEEP} }}\n")
    assert [each.unsupported[0].reason for each in cycle] == [f"`{x}` is not understood: it has errors" for x in "ba"]


def test_requirements_are_what_a_proof_speaks_of() -> None:
    text = "loops c(N) {\n array A: f64[N]\n requires N >= 4, N % 2 == 0\n for i in 0..N { S: A[i] = 0 } }\n"
    halves = "for i in 0..N step 4 { S: A[i] = 0\n A[i + 1] = 0\n A[i + 2] = 0\n A[i + 3] = 0 }"
    found = transformed(text, f"requires N % 4 == 0\n{halves}")
    assert found.verdict is Verdict.PROVED
    assert found.coverage.text == "all sizes, N >= 4, N % 2 == 0, N % 4 == 0"
    assert transformed(text, halves).verdict is Verdict.REFUTED


def test_a_nest_has_a_verdict_of_its_own() -> None:
    assert answer(declared(SEIDEL)[0]).verdict is Verdict.PROVED
    outside = "loops o(N) {\n array A: f64[N]\n array s: f64\n for i in 0..N { s = 1\n A[i + 2] = s } }\n"
    found = answer(declared(outside)[0])
    assert codes.message(found.findings[0]) == (
        "bounds: A[i + 2] at i = 0 accesses `A[2]`, dimension 0 of which has the size 1 (first at N = 1)"
    )
    empty = answer(declared("loops e(N) {\n array A: f64[N]\n for i in N..0 { A[i] = 1 } }\n")[0])
    assert empty.verdict is Verdict.REFUTED and empty.witness is not None and empty.witness.fails == "vacuous"


NOT_AFFINE = {
    "A[i * i] = 0": "product of `i` and `i` is not affine",
    "A[i / N] = 0": "quotient of `i` by `N` is not affine",
    "A[B[i]] = 0": "`B[…]` is data, which is not affine",
    "for k in 0..N step i { A[k] = 0 }": "a step that is no number is not affine",
    "while i < 3 { A[i] = 0 }": "a statement of a loop nest that is no assignment is not supported yet",
}


@pytest.mark.parametrize("statement", NOT_AFFINE)
def test_what_is_not_affine_is_said_at_its_place(statement: str) -> None:
    (of,) = declared(f"loops l(N) {{\n array A, B: f64[N]\n for i in 0..N {{ {statement} }}\n}}\n")
    assert of.value is None and of.unsupported[0].reason == NOT_AFFINE[statement]


WRONG = {
    "A[m] = 0": "RW101",
    "x = 0": "RW101",
    "N = 0": "RW117",
    "A[i, i] = 0": "RW510",
    "for i in 0..N { A[i] = 0 }": "RW102",
    "for k in 0..N step 0 { A[k] = 0 }": "RW117",
    "A[i % 0] = 0": "RW117",
    "A[3000000000] = 0": "RW117",
    "S: A[i] = 0\n S: A[i] = 0": "RW102",
    "A[i] + 1": "RW117",
}


@pytest.mark.parametrize("statement", WRONG)
def test_what_is_wrong_with_a_nest_is_an_error(statement: str) -> None:
    (of,) = declared(f"loops l(N) {{\n array A, B: f64[N]\n for i in 0..N {{ {statement} }}\n}}\n")
    assert [finding.code for finding in of.findings] == [WRONG[statement]]


def test_isl_stops_at_its_budget_and_says_so() -> None:
    (of, other) = declared(SEIDEL + f"transform a of seidel {{ for t in 0..T, i in 1..N, j in 1..N {{ {SWEEP} }} }}\n")
    assert isinstance(of.value, Nest) and isinstance(other.value, Transformation)
    said = LoopsUndecided("not decided in 50 operations on sets")
    assert decide_nest(of.value, 50) == said
    assert decide_by_text(other.value, 50) == said


def test_what_is_executed_of_a_missing_statement_may_have_fewer_loops() -> None:
    text = "loops d(N) {\n array A: f64[N, N + 1]\n array B: f64[N]\n for i in 0..N { S: A[i, 0] = B[i] }\n"
    text += " for i in 0..N, j in 0..N { U: A[i, j + 1] = B[i] } }\n"
    kept = "for i in 0..N { S: A[i, 0] = B[i] }\nfor i in min(1, N - 1)..N, j in 0..N { U: A[i, j + 1] = B[i] }"
    found = transformed(text, kept)
    assert codes.message(found.findings[0]) == (
        "missing: U at i = 0, j = 0 is never executed, nor is 1 more (first at N = 2)"
    )


def test_a_missing_statement_is_not_one_that_computes_the_same_of_other_arrays() -> None:
    text = (
        "loops d(N) {\n array A, B, C: f64[N]\n for i in 0..N { S: B[i] = A[i] }\n for i in 0..N { U: C[i] = B[i] } }\n"
    )
    body = "for i in 0..N { B[i] = A[i] }\nfor i in 0..N - 1 { C[i] = B[i] }"
    whole = f"{text}transform other of d {{\n{body}\n}}\n"
    of = declared(whole)[-1]
    (finding,) = answer(of).findings
    start = whole.index("transform")
    placed = [each.place for each in (finding, finding.related[-1])]
    spans = [of.sites[place.number] for place in placed if isinstance(place, Site)]
    assert [whole[start + each.start : start + each.end] for each in spans] == ["C[i] = B[i]", "i in 0..N - 1"]


def test_loops_of_many_iterations_end_at_a_budget() -> None:
    text = "loops b(N) {\n array A: f64[N]\n for a in 0..1000000000 { A[0] = A[0] }\n for i in 0..1000000000 { }\n}\n"
    (of, other) = declared(f"{text}transform d of b {{ for a in 0..1000000001 {{ A[0] = A[0] }} }}\n")
    assert answer(of).verdict is Verdict.PROVED
    found = answer(other)
    assert (found.verdict, found.reason) == (Verdict.UNKNOWN, "no correspondence of the two programs was proved")


@pytest.mark.parametrize("inside", ["for i in 0..N + 1 { A[i] = B[i] }", "for i in 0..N - 1 { A[i] = B[i] }"])
def test_merged_statements_are_each_one_of_the_specification(inside: str) -> None:
    """An operation that is none of either is not overlooked."""
    value = declared(f"{HALVES_OF}transform other of halves {{ {inside} }}\n")[-1].value
    assert isinstance(value, Transformation)
    found = decide_by_text(value, 100_000)
    assert isinstance(found, ReorderingNotProved) and found.fails_at
    assert transformation.answer(value, Budget()).verdict is Verdict.REFUTED


def test_isl_is_loaded_by_workers_only() -> None:
    program = """
    import sys
    import rewright.cli.main, rewright.lsp.main, rewright.workspace.editor, rewright.workspace.batch
    import rewright.workers.full
    from rewright.model.file import check_file
    from rewright.syntax.parsed import parse
    from rewright.syntax.text import Text
    text = Text.of("a.rw", "loops c(N) { array A: f64[N]; A[0] = 1 }")
    (one,) = check_file(parse(text), lambda path: None).declarations
    assert one.value is not None
    from rewright.writing.loop_orders import loop_orders
    assert loop_orders(one.value) == ()
    rule = Text.of("a.rw", "rule r<T: int> { axes A; map n on A; tensor X: T[A: n]; X + X => 2 * X }")
    (two,) = check_file(parse(rule), lambda path: None).declarations
    from rewright.checks.table import questions
    from rewright.rules.decision import Mode
    handle = rewright.workers.full.load()
    for each in questions(two.value, Mode.NORMAL_FORMS):
        assert '"proved"' in handle(each.payload, 1).text
    print(sum(name == "islpy" for name in sys.modules))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False)
    assert done.stdout == "0\n", done.stderr
