"""Which changes are found for wrong transforms in C: each is made, and the whole source is read again and proved."""

from __future__ import annotations

import pytest

from rewright.checks import table
from rewright.checks.kernel_question import OutlinePayload, SourceText
from rewright.checks.reading_nests import outlined_nest
from rewright.checks.table import LoopsPayload, named
from rewright.fixes.edited import edited
from rewright.fixes.generating.question import SourceLoops
from rewright.fixes.loops.question import LoopsFixes, SourceLoopsSearch
from rewright.fixes.loops.source_search import source_fixes
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.verdict import Answer, LoopsWitness, Verdict
from rewright.verdict.codec import decode

TEXT = """/* größer */
#define min(a, b) ((a) < (b) ? (a) : (b))
#define SUM(i, j) A[i][j] = A[i - 1][j] + A[i][j - 1]

void sweep(int T, int N, double A[N][N], double B[N]) {
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N; i++)
      for (int j = 1; j < N; j++)
        SUM(i, j);
    for (int i = 0; i < N; i++) {
      B[i] = A[i][i]; /* the diagonal; of A */
    }
  }
#pragma endscop
}

#pragma rewright transform tiled of sweep
void sweep_tiled(int T, int N, double A[N][N], double B[N]) {
  for (int t = 0; t < T; t++) {
    for (int ii = 1; ii < N; ii += 8)
      for (int i = ii; i < min(ii + 8, N); i++)
        for (int j = 1; j < N; j++)
          SUM(i, j);
    for (int i = 0; i < N; i++) {
      B[i] = A[i][i];
    }
  }
}
"""


def searched(text: str, nest: str = "tiled", items: tuple[str, ...] = ()) -> LoopsFixes:
    """The fixes of a nest that is wrong."""
    found = answered(text, nest)
    assert found.verdict is Verdict.REFUTED
    sizes = found.witness.sizes if isinstance(found.witness, LoopsWitness) else ()
    loops = SourceLoops("sweep.c", nest, (SourceText("sweep.c", text),))
    return source_fixes(SourceLoopsSearch(loops, items, sizes), Budget())


def answered(text: str, nest: str) -> Answer:
    found = outlined_nest(OutlinePayload("sweep.c", (SourceText("sweep.c", text),)), nest)
    assert found is not None and found.lowered is not None and found.lowered.asking is not None, found
    asked: LoopsPayload = decode(LoopsPayload, named(found.lowered.asking.payload, found.lowered.asking.names))
    answer = table.answer(asked, Budget())
    assert isinstance(answer, Answer)
    return answer


CHANGES = [
    ("i < min(ii + 8, N); i++)", "i < min(ii + 7, N); i++)", "Run `int i = ii; i < min(ii + 8, N); i++`"),
    ("SUM(i, j);\n    for", "SUM(i, j + 1);\n    for", "Access at `j` for `j + 1`"),
    ("i < min(ii + 8, N); i++)", "i < ii + 8; i++)", "Run `int i = ii; i < min(ii + 8, N); i++`"),
    ("i < min(ii + 8, N); i++)", "i <= min(ii + 8, N); i++)", "Compare `i < min(ii + 8, N)`"),
    ("ii = 1; ii < N", "ii = 2; ii < N", "Run `int ii = 1; ii < N; ii += 8`"),
    ("B[i] = A[i][i];\n", "B[i] = A[i][i];\n      B[i] = A[i][i];\n", "Leave out `B[i] = A[i][i];`"),
    ("B[i] = A[i][i];\n", "B[i] = A[i - 1][i];\n", "Access at `i` for `i - 1`"),
]
"""What is replaced in the transform, by what, and the title of a fix."""

DEFAULT = 2
"""So many of them in every run."""


@pytest.mark.parametrize(
    ("right", "wrong", "title"),
    [*CHANGES[:DEFAULT], *(pytest.param(*each, marks=pytest.mark.soak) for each in CHANGES[DEFAULT:])],
)
def test_what_is_wrong_in_a_small_way_is_mended(right: str, wrong: str, title: str) -> None:
    head, last = TEXT.rsplit("#pragma", 1)
    assert right in last
    text = f"{head}#pragma{last.replace(right, wrong)}"
    found = searched(text)
    titles = [each.title for each in found.found]
    assert title in titles
    for each in found.found:
        made = edited({"sweep.c": text}, each.edits)["sweep.c"]
        assert answered(made, "tiled").verdict is Verdict.PROVED


def test_a_right_one_needs_no_change() -> None:
    assert answered(TEXT, "tiled").verdict is Verdict.PROVED


def test_the_clause_that_mends_a_race() -> None:
    text = """void averages(int N, double A[N + 1], double B[N]) {
  double s;
#pragma scop
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    s = A[i] + A[i + 1];
    B[i] = s / 2;
  }
#pragma endscop
}
"""
    found = searched(text, "averages", ("private(s)",))
    first = found.found[0]
    made = edited({"sweep.c": text}, first.edits)["sweep.c"]
    assert "#pragma omp parallel for private(s)\n" in made
    assert answered(made, "averages").verdict is Verdict.PROVED


OVER_SWEEPS = """#define min(a, b) ((a) < (b) ? (a) : (b))
void sweep(int T, int N, double A[N][N]) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        A[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]; // größer than what a title has room for
#pragma endscop
}

#pragma rewright transform tiled of sweep
void sweep_tiled(int T, int N, double A[N][N]) {
  for (int tt = 0; tt < T; tt += 4)
    for (int ii = 1; ii < N - 1; ii += 8)
      for (int t = tt; t < min(tt + 4, T); t++)
        for (int i = ii; i < min(ii + 8, N - 1); i++)
          for (int j = 1; j < N - 1; j++)
            A[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]; // größer than what a title has room for
}
"""


def test_loops_are_skewed_so_that_they_can_be_tiled() -> None:
    found = {each.title: each.edits for each in searched(OVER_SWEEPS).found}
    assert set(found) == {
        "Exchange the loops `int ii = 1; ii < N - 1; ii += 8` and `int t = tt; t < min(tt + 4, T); t++`",
        "Skew the loops so that they can be tiled by 4, 8",
    }
    for edits in found.values():
        made = edited({"sweep.c": OVER_SWEEPS}, edits)["sweep.c"]
        assert answered(made, "tiled").verdict is Verdict.PROVED
    assert "tt += 4)" in made and "A[i - t][" in made


TOTAL = """#pragma rewright spec total
void total(int N, double A[N], double s) {
  s = 0;
  for (int i = 0; i < N; i++) { S: s += A[i]; }
}

"""
"""The order of the terms is stated, as nothing else is said."""

DOWNWARDS = "#pragma rewright transform back of total\nvoid back(int N, double A[N], double s) "


def test_the_word_that_allows_another_order_is_added_to_the_pragma() -> None:
    text = f"{TOTAL}{DOWNWARDS}{{ s = 0; for (int i = N - 1; i >= 0; i--) {{ s += A[i]; }} }}\n"
    assert "`reduction S` allows it" in said(text, "back")
    first = searched(text, "back", ("reduction S",)).found[0]
    assert first.title == "Add `reduction S`"
    made = edited({"sweep.c": text}, first.edits)["sweep.c"]
    assert "#pragma rewright transform back of total reduction S\n" in made
    assert answered(made, "back").verdict is Verdict.PROVED


def test_what_is_expected_stays_the_last_word() -> None:
    loop = "{ s = 0; for (int i = N - 1; i >= 0; i--) { s += A[i]; } }\n"
    text = f"{TOTAL}{DOWNWARDS}{loop}".replace("of total\nvoid", "of total expect refuted\nvoid")
    (edit,) = searched(text, "back", ("reduction S",)).found[0].edits
    assert "of total reduction S expect refuted\n" in edited({"sweep.c": text}, (edit,))["sweep.c"]


def test_a_program_is_mended_too_and_checked() -> None:
    text = f"{TOTAL}{DOWNWARDS}{{ s = 0; int i = N; while (i-- > 0) {{ s += A[i]; }} }}\n"
    first = searched(text, "back", ("reduction S",)).found[0]
    assert first.title == "Add `reduction S`, checked"
    assert answered(edited({"sweep.c": text}, first.edits)["sweep.c"], "back").verdict is Verdict.CHECKED


def test_a_subscript_of_a_program_is_mended() -> None:
    text = f"{TOTAL}{DOWNWARDS}{{ s = 0; int i = 0; while (i < N) {{ s += A[i + 1]; i = i + 1; }} }}\n"
    found = {each.title: each.edits for each in searched(text, "back").found}
    edits = found["Access at `i` for `i + 1`, checked"]
    assert answered(edited({"sweep.c": text}, edits)["sweep.c"], "back").verdict is Verdict.CHECKED


def said(text: str, nest: str) -> str:
    """The message of a nest that is refuted."""
    return codes.sentence(answered(text, nest).findings[0].diagnosis)
