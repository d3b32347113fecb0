"""Transforms in C that are run, with `private`, `reduction` and tile sizes; how pragmas and declarations say so."""

from __future__ import annotations

import textwrap

import pytest
from c_regions import source

from rewright.checks import program as programs
from rewright.checks.kernel_question import OutlinePayload, SourceText
from rewright.checks.nest_question import ProgramPayload, TransformationPayload
from rewright.checks.reading_nests import outlined_nest
from rewright.checks.table import LoopsPayload, named
from rewright.checks.transformation import answer as affine_answer
from rewright.frontends.c.reading import outline
from rewright.model.nest import Relaxations
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.verdict import Answer, LoopsWitness, Verdict
from rewright.verdict.codec import decode

TOTAL = """
#pragma rewright spec total{}
void total(int N, double A[N], double s, double t) {{
  s = 0;
  for (int i = 0; i < N; i++) {{ t = A[i]; S: s += t; }}
}}
"""
BOTH = " private t reduction S"


def asked(transform: str, of: str = TOTAL.format("")) -> LoopsPayload | list[str]:
    """What the transform `g` of a text asks, or what is said of it."""
    text = textwrap.dedent(of + transform)
    found = outlined_nest(OutlinePayload("a.c", (SourceText("a.c", text),)), "g")
    assert found is not None and found.lowered is not None
    if found.lowered.asking is None:
        return [codes.message(each) for each in found.lowered.problems]
    made: LoopsPayload = decode(LoopsPayload, named(found.lowered.asking.payload, found.lowered.asking.names))
    return made


def answer(transform: str, of: str = TOTAL.format("")) -> Answer:
    found = asked(transform, of)
    assert isinstance(found, ProgramPayload), found
    return programs.answer(found.transformation, Budget())


def downwards(said: str, inside: str = "t = A[i]; s += t;", first: str = "s = 0;") -> str:
    head = f"#pragma rewright transform g of total{said}\nvoid g(int N, double A[N], double s, double t) "
    return head + f"{{ {first} int i = N; while (i-- > 0) {{ {inside} }} }}"


def test_an_order_that_both_allow() -> None:
    found = answer(downwards(BOTH))
    assert found.verdict is Verdict.CHECKED
    assert found.coverage.assumptions[2:] == (
        "values that `t` has at the end are not used",
        "the order in which `S` combines values does not matter",
    )
    assert answer(downwards(""), TOTAL.format(BOTH)).verdict is Verdict.CHECKED
    assert answer(downwards(" reduction S"), TOTAL.format(" private t")).verdict is Verdict.CHECKED


@pytest.mark.parametrize(
    ("said", "allows"),
    [("", ""), (" private t", ""), (" reduction S", "; `private t` allows it")],
)
def test_neither_alone_does_and_what_lacks_is_named(said: str, allows: str) -> None:
    found = answer(downwards(said))
    assert found.verdict is Verdict.REFUTED
    message = codes.message(found.findings[0])
    assert message.endswith(allows) and ("allows it" in message) == bool(allows)


@pytest.mark.parametrize(
    ("transform", "fails"),
    [
        (downwards(BOTH, "s += t; t = A[i];"), "order"),
        (downwards(BOTH, "t = A[i]; if (i) s += t;"), "missing"),
        (downwards(BOTH, "t = A[i]; s += t; if (i > 2) s += t;"), "extra"),
        (downwards(BOTH, "t = A[i]; s += A[i];"), "operation"),
        (downwards(BOTH, "t = A[i]; t = A[i]; s += t;"), "extra"),
        (downwards(BOTH, "t = A[i]; s += t; if (i == 0) s = 0;", ""), "operation"),
    ],
)
def test_what_they_do_not_allow(transform: str, fails: str) -> None:
    found = answer(transform)
    assert found.verdict is Verdict.REFUTED and found.witness is not None
    assert found.witness.fails == fails


def test_statements_that_cannot_be_told_apart() -> None:
    of = TOTAL.format("").replace("s += t; }", "s += t; U: s += t; }")
    assert answer(downwards(BOTH, "t = A[i]; s += t; s += t;"), of).reason == (
        "a statement is like one that `reduction` names, and is not named: `U`"
    )
    both = " private t reduction S, U"
    assert answer(downwards(both, "t = A[i]; s += t; s += t;"), of).verdict is Verdict.CHECKED


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (" reduction X", "unknown statement `X`"),
        (" private x", "unknown array `x`"),
        (" reduction Z", "`Z` is not allowed here"),
    ],
)
def test_what_cannot_be_relaxed(said: str, message: str) -> None:
    of = TOTAL.format("").replace("s = 0;", "Z: s = 0;")
    for found in (asked(downwards(said), of), asked(downwards(""), of.replace("spec total", "spec total" + said))):
        assert isinstance(found, list) and len(found) == 1
        assert found[0].startswith(message)


def test_an_affine_transform_has_them_too() -> None:
    loop = "#pragma rewright transform g of total{}\nvoid g(int N, double A[N], double s, double t) {{ s = 0; {} }}"
    downward = "for (int i = N - 1; i >= 0; i--) { t = A[i]; s += t; }"
    for said, of, verdict in ((BOTH, "", Verdict.PROVED), ("", BOTH, Verdict.PROVED), ("", "", Verdict.REFUTED)):
        found = asked(loop.format(said, downward), TOTAL.format(of))
        assert isinstance(found, TransformationPayload)
        assert affine_answer(found.transformation, Budget()).verdict is verdict


def test_how_pragmas_say_it() -> None:
    text = "#pragma rewright transform g(T) of f at T = 2, 4 private s, t reduction S expect refuted\nvoid g() {}"
    (found,) = outline(source(text)).nests
    assert found.relaxed == Relaxations(private=("s", "t"), reductions=("S",))  # type: ignore[arg-type]
    assert (found.tiles, found.at, found.expected) == (("T",), (("T", (2, 4)),), ("refuted",))


SWEEP = """
#pragma rewright spec sweep
void sweep(int N, double A[N]) {
  for (int i = 1; i < N; i++) A[i] = A[i] + A[i - 1];
}
"""
IN_TILES = """
#pragma rewright transform g(T) of sweep{}
void g(int N, int T, double A[N]) {{
  int ii = 1;
  while ({}) {{ for (int i = ii; i < ii + T && i < N; i++) A[i] = A[i] + A[i - 1]; ii += T; }}
}}
"""


def test_tile_sizes_of_a_program_that_is_run() -> None:
    found = answer(IN_TILES.format(" at T = 2, 4", "ii < N"), SWEEP)
    assert found.verdict is Verdict.CHECKED
    assert found.coverage.text == "T = 2, 4; N up to 8; N = 11; N = 19; N = 37"
    found = answer(IN_TILES.format("", "ii < N"), SWEEP)
    assert found.verdict is Verdict.CHECKED
    assert found.coverage.text == "T = 1, 2, 3, 4, 8, 32; N up to 8; N = 11; N = 19; N = 37"
    found = answer(IN_TILES.format(" at T = 2, N = 9, 20", "ii < N"), SWEEP)
    assert found.coverage.text == "T = 2; N = 9; N = 20"


def test_a_tile_size_at_which_a_program_is_wrong() -> None:
    found = answer(IN_TILES.format(" at T = 1, 4", "ii + T <= N"), SWEEP)
    assert found.verdict is Verdict.REFUTED and isinstance(found.witness, LoopsWitness)
    assert dict(found.witness.sizes) == {"T": 4, "N": 2}


@pytest.mark.parametrize("kind", ["unsigned", "char"])
def test_a_tile_size_that_wraps_around(kind: str) -> None:
    found = asked(IN_TILES.format(" at T = 2, 300", "ii < N").replace("int T", f"{kind} T"), SWEEP)
    assert found == [f"not decided: `{kind} T` is not taken: only `int` and `long` are"]


def test_what_never_ran_with_any_tile_size() -> None:
    seldom = IN_TILES.format(" at T = 2, 4", "ii < N").replace("int ii = 1;", "int ii = 1; if (T == 4) ii = 1;")
    assert len(answer(seldom, SWEEP).findings) == 1
    never = IN_TILES.format(" at T = 2, 4", "ii < N").replace("int ii = 1;", "int ii = 1; if (T == 8) ii = 1;")
    found = answer(never, SWEEP)
    assert len(found.findings) == 2 and found.coverage.text.endswith("; 1 statement never ran")
