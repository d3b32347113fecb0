"""Transforms in Rewright's own syntax of nests that are written in C: understood once their source is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewright.checks.kernel_question import LoweredKernel, SourceText
from rewright.checks.nest_question import NestReadingPayload, TiledPayload, TransformationPayload
from rewright.checks.reading_nests import read_nest
from rewright.checks.table import LoopsPayload, named
from rewright.checks.tiled import answer as tiled_answer
from rewright.checks.transformation import answer as answer_of
from rewright.model.declared import Declared
from rewright.model.file import check_file
from rewright.model.foreign_nest import WrittenTransformation
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, InDeclaration, LoopsWitness, Site, Verdict
from rewright.verdict.codec import decode, encode

LIBRARY = Path(__file__).parents[3] / "rules" / "loops"
SOURCE = """
void sweep(int N, double A[N], double B[N]) {
#pragma scop
  for (int i = 1; i < N; i++)
    S: A[i] = A[i - 1] + B[i];
#pragma endscop
}
"""
HEAD = 'loops sweep from "a.c"\n'


def declarations(text: str) -> dict[str, Declared]:
    """The declarations of a file by name."""
    found = check_file(parse(Text.of("a.rw", text)), lambda path: None).declarations
    return {each.name: each for each in found}


def lowered(declared: Declared, path: str = "a.c", source: str = SOURCE) -> LoweredKernel:
    """What a transform comes to with a source, as a worker is asked."""
    assert isinstance(declared.value, WrittenTransformation), (declared.findings, declared.unsupported)
    asked = NestReadingPayload(declared.value, len(declared.sites), (SourceText(path, source),))
    return read_nest(decode(NestReadingPayload, encode(asked)))


def answer(found: LoweredKernel) -> Answer:
    assert found.asking is not None, [codes.message(each) for each in found.problems]
    asked: LoopsPayload = decode(LoopsPayload, named(found.asking.payload, found.asking.names))
    if isinstance(asked, TiledPayload):
        return tiled_answer(asked.transformation, Budget())
    assert isinstance(asked, TransformationPayload)
    return answer_of(asked.transformation, Budget())


def test_another_order_is_proved() -> None:
    text = (
        HEAD + "transform t of sweep {\n for ii in 1..N step 8, i in ii..min(ii + 8, N) { A[i] = A[i - 1] + B[i] }\n}\n"
    )
    found = answer(lowered(declarations(text)["t"]))
    assert (found.verdict, found.coverage.text) == (Verdict.PROVED, "all sizes, N >= 1")


def test_tile_sizes() -> None:
    inside = "{ for ii in 1..N step T, i in ii..min(ii + T, N) { A[i] = A[i - 1] + B[i] } }\n"
    found = answer(lowered(declarations(f"{HEAD}transform t(T) of sweep at T = 2, 8 {inside}")["t"]))
    assert (found.verdict, found.coverage.text) == (Verdict.PROVED, "T = 2, 8; all sizes, N >= 1")
    assert answer(lowered(declarations(f"{HEAD}transform t(T) of sweep {inside}")["t"])).verdict is Verdict.CHECKED


@pytest.mark.parametrize("before", ["", "@expect(refuted)\n", "// a comment\n@budget(3)\n/// what it is\n"])
def test_places_are_those_of_the_declaration(before: str) -> None:
    text = HEAD + before + "transform t of sweep {\n  for i in 2..N {\n    S: A[i] = A[i - 1] + B[i]\n  }\n}\n"
    declared = declarations(text)["t"]
    made = lowered(declared)
    found = answer(made)
    assert found.verdict is Verdict.REFUTED and isinstance(found.witness, LoopsWitness)
    place = found.findings[0].place
    assert isinstance(place, Site) and place.number < len(declared.sites)
    loop, statement = (text[text.index("transform") :].index(each) for each in ("for i", "S: A"))
    offset = declared.sites[0].start - len("transform ")
    assert declared.sites[place.number].start - offset - statement in (0, len("S: "))
    by_role = {type(each.place): each.place for each in found.findings[0].related}
    of_specification, of_loop = by_role[InDeclaration], by_role[Site]
    assert isinstance(of_specification, InDeclaration) and isinstance(of_loop, Site)
    assert loop <= declared.sites[of_loop.number].start - offset < statement
    assert made.asking is not None
    place_in_c = made.asking.places()[of_specification.number - len(declared.sites)]
    assert SOURCE[place_in_c.start : place_in_c.end] == "A[i] = A[i - 1] + B[i]"


@pytest.mark.parametrize(
    ("inside", "message", "at"),
    [
        ("for i in 1..M { A[i] = A[i - 1] + B[i] }", "unknown parameter or iterator `M`", "M"),
        ("for i in 1..N { X[i] = A[i - 1] + B[i] }", "unknown array `X`", "X"),
        ("for i in 1..N { A[i * N] = B[i] }", "not decided: product of `i` and `N` is not affine", "i * N"),
        ("for i in 1..N { A[i, 0] = B[i] }", "", "A[i, 0]"),
    ],
)
def test_what_the_source_does_not_have(inside: str, message: str, at: str) -> None:
    text = f"{HEAD}transform t of sweep {{ {inside} }}\n"
    declared = declarations(text)["t"]
    found = lowered(declared)
    assert found.asking is None
    assert codes.message(found.problems[0]).startswith(message)
    place = found.problems[0].place
    assert isinstance(place, Site)
    span = declared.sites[place.number]
    assert text[len(HEAD) :][span.start : span.end] == at


def test_one_of_a_transform_in_c_and_one_of_its_own() -> None:
    again = 'transform down of sweep from "a.c"::sweep\n'
    order = "{ for i in 1..N { A[i] = A[i - 1] + B[i] } }\n"
    both = declarations(f"{HEAD}{again}transform t of down {order}transform u of t {order}")
    assert answer(lowered(both["t"])).verdict is Verdict.PROVED
    assert both["u"].value is None
    assert "which is in this syntax" in both["u"].unsupported[0].reason


def test_those_of_the_library() -> None:
    text = (LIBRARY / "gemm_in_rw.rw").read_text(encoding="utf-8")
    source = (LIBRARY / "gemm.c").read_text(encoding="utf-8")
    fails = {}
    for name, declared in declarations(text).items():
        if name != "gemm":
            found = answer(lowered(declared, "gemm.c", source))
            fails[name] = found.witness.fails if isinstance(found.witness, LoopsWitness) else found.verdict
    assert fails == {
        "gemm_in_rw_of_rows": Verdict.PROVED,
        "gemm_in_rw_tiled": Verdict.PROVED,
        "gemm_in_rw_short": "missing",
        "gemm_in_rw_scaled_late": "operation",
    }
