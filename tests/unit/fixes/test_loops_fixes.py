"""Which changes are found for wrong transforms and nests: each is made, and what it makes is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewright.checks import table
from rewright.checks.table import questions
from rewright.fixes.loops.question import LoopsSearch
from rewright.fixes.loops.search import loops_fixes
from rewright.fixes.loops.texts import chain, changed
from rewright.model.file import check_file
from rewright.rules.decision import Budget, Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, Verdict
from rewright.verdict.codec import decode

LIBRARY = Path(__file__).parents[3] / "rules" / "loops"
FIRST = {
    "copy_without_rest": ("Add the rest: `for i in N / 16 * 16..N { S: A[i] = B[i] }`", "for i in N / 16 * 16..N {"),
    "copy_overlapping": ("Let `q in 0..17` end at `16`", "q in 0..16"),
    "copy_from_elsewhere": ("Write `S: A[i] = B[i]`", "S: A[i] = B[i]"),
    "gemm_transposed": ("Write `U: C[i, j] += alpha * A[i, k] * B[k, j]`", "A[i, k]"),
    "seidel_short": ("Let `j in 1..N - 1` end at `N`", "j in 1..N {"),
    "seidel_one_sweep_more": ("Let `t in 0..T + 1` end at `T`", "t in 0..T,"),
    "seidel_backwards": ("Run upward: `1..N`", "i in 1..N,"),
    "seidel_of_nine_interchanged": ("Exchange the loops `j in 1..N - 1` and `i in 1..N - 1`", "i in 1..N - 1, j in"),
    "seidel_tiled_over_sweeps": ("Skew the loops so that they can be tiled by 8", "for tt in 0..T step 8, ii in tt.."),
    "lu_of_one_triangle": ("Let `j in k + 1..i + 1` end at `N`", "j in k + 1..N"),
}
"""The first fix of some of the library, and a part of the text that it makes."""

COPY = "loops copy(N) {\n  array A, B: f64[N]\n  for i in 0..N {\n    S: A[i] = B[i]\n  }\n}\n"
COPIES = {
    "a bound of tiles": (
        "t(T) of copy { for ii in 0..N step T, i in ii..min(ii + T, N - 1) { S: A[i] = B[i] } }",
        "Let `i in ii..min(ii + T, N - 1)` end at `N`",
    ),
    "the size of tiles": (
        "t of copy { for ii in 0..N step 8, i in ii..min(ii + 4, N) { S: A[i] = B[i] } }",
        "Let `i in ii..min(ii + 4, N)` end at `ii + 8`",
    ),
    "a least bound": (
        "t of copy { for ii in 0..N step 8, i in ii..ii + 8 { S: A[i] = B[i] } }",
        "Let `i in ii..ii + 8` end at `min(ii + 8, N)`",
    ),
    "a statement twice": (
        "t of copy { for i in 0..N { S: A[i] = B[i]; S: A[i] = B[i] } }",
        "Leave out `S: A[i] = B[i]`",
    ),
    "a guard": ("t of copy { for i in 0..N { if i < N - 1 { S: A[i] = B[i] } } }", "Compare `i <= N - 1`"),
}
NESTS = {
    "a race": (
        "loops a(N) {\n  array A, B: f64[N]\n  array s: f64\n"
        "  parallel for i in 0..N { S: s = A[i]; U: B[i] = s }\n}\n",
        "Add `private s`",
    ),
    "a subscript": (
        "loops a(N) {\n  array A, B: f64[N]\n  for i in 0..N { A[i] = B[i + 1] }\n}\n",
        "Access `B` at `i`",
    ),
}


def texts(text: str, name: str) -> tuple[str, ...]:
    """The declarations that the one of a name rests on, and itself."""
    whole = Text.of("", text)
    placed = parse(whole).file.declarations
    named = {each.node.head.name.text: each for each in placed if each.node.head.name is not None}
    return tuple(whole.slice(each.span) for each in chain(placed, named[name]))


def answer(of: tuple[str, ...]) -> Answer:
    (*_, declared) = check_file(parse(Text.of("", "\n".join(of))), lambda path: None).declarations
    assert declared.value is not None, declared.findings
    (asked,) = questions(declared.value, Mode.NORMAL_FORMS)
    found = table.answer(decode(table.Payload, asked.payload), Budget())
    assert isinstance(found, Answer)
    return found


def first_fix(of: tuple[str, ...], items: tuple[str, ...] = ()) -> tuple[str, str]:
    """The title of the first fix, and what the declaration is after it; every fix makes it right."""
    assert answer(of).verdict is Verdict.REFUTED
    found = loops_fixes(LoopsSearch(of, items, ()), Budget()).found
    assert found
    for each in found:
        assert answer(changed(of, each.edits)).verdict in (Verdict.PROVED, Verdict.CHECKED), each.title
    return found[0].title, changed(of, found[0].edits)[-1]


def in_library(name: str) -> tuple[str, ...]:
    files = (path.read_text(encoding="utf-8") for path in LIBRARY.glob("*.rw"))
    return texts(next(text for text in files if f"transform {name} " in text), name)


@pytest.mark.parametrize("name", FIRST)
def test_wrong_transforms_of_the_library_are_mended(name: str) -> None:
    title, made = first_fix(in_library(name))
    assert title == FIRST[name][0] and FIRST[name][1] in made


@pytest.mark.parametrize("case", COPIES)
def test_a_transform_that_is_wrong_in_a_small_way_is_mended(case: str) -> None:
    written, title = COPIES[case]
    assert first_fix(texts(f"{COPY}transform {written}\n", "t"))[0] == title


@pytest.mark.parametrize("case", NESTS)
def test_a_nest_that_is_wrong_in_a_small_way_is_mended(case: str) -> None:
    text, title = NESTS[case]
    items = tuple(title.split("`")[1:2]) if title.startswith("Add") else ()
    assert first_fix(texts(text, "a"), items)[0] == title


def test_an_order_that_no_change_of_a_kind_mends_has_no_fix() -> None:
    assert loops_fixes(LoopsSearch(in_library("jacobi_fused"), (), ()), Budget()).found == ()
