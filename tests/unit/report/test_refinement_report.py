"""What is shown of a refinement: the relation, and the counterexample, in the hover, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from rewright.model.source_kind import SourceKind
from rewright.report import codes, json_view
from rewright.report.document import FileReport, Progress, QuestionState, Report, Result, Sites
from rewright.report.json_view import to_json
from rewright.report.markdown import hover
from rewright.report.text_view import lines
from rewright.syntax.text import Span, Text
from rewright.verdict import (
    Answer,
    Coverage,
    Failure,
    HeldElement,
    RangeOfDimension,
    RefinementCause,
    RefinementCauseKind,
    RefinementWitness,
    TensorValue,
    Verdict,
)
from rewright.verdict.codec import decode, encode
from rewright.verdict.diagnostics.graphs import HeldOtherwise, NoCleanExpression, NoInputSatisfies, SidesDiffer

SCHEMA = json.loads((Path(json_view.__file__).parent / "report.schema.json").read_text())
COVERAGE = Coverage("sizes as written", bounded=False)
WITNESS = RefinementWitness(
    Failure.RELATION,
    (("h", 4),),
    (("X", TensorValue((2,), ("1", "2"))),),
    (("X", (TensorValue((1,), ("1",)), TensorValue((1,), ("2",)))),),
    "Y",
    (1,),
    "5",
    (HeldElement(0, "2"), HeldElement(1, "3")),
    RefinementCause(RefinementCauseKind.UNREDUCED, "Y", 0, (RangeOfDimension("k", "0", "h/4"),), None),
    replayed=True,
)
REFUTED = Answer(Verdict.REFUTED, COVERAGE, witness=WITNESS)
PROVED = Answer(Verdict.PROVED, COVERAGE, relation=(("Y", "sum of Y over tp"),))


def shown(answer: Answer) -> tuple[str, str, dict[str, object]]:
    """The hover, the text and the result's JSON, which fits the schema."""
    text = Text.of("m.rw", "refine a of b")
    state = QuestionState("0", "", "", (Verdict.PROVED,), answer, Progress.UNCHECKED)
    name = Span(7, 8)
    result = Result(
        path="m.rw",
        name="a of b",
        kind="refinement",
        span=Span(0, 13),
        name_span=name,
        verdict=answer.verdict,
        expected=(Verdict.PROVED,),
        as_expected=answer.verdict is Verdict.PROVED,
        reason=None,
        questions=(state,),
        sites=Sites(0, (name,)),
        static=(),
        found=(),
    )
    file = FileReport("m.rw", SourceKind.DECLARATIONS, text, (result,), ())
    report = Report((file,), {"m.rw": text})
    as_json = to_json(report, 1.0, ".")
    jsonschema.validate(as_json, SCHEMA)
    terminal = "\n".join("".join(piece for piece, _ in line) for line in lines(report, 1.0, "."))
    return hover(result, file, report.texts), terminal, as_json["results"][0]


def test_a_counterexample_says_what_each_rank_holds() -> None:
    assert decode(Answer, encode(REFUTED)) == REFUTED
    markdown, terminal, found = shown(REFUTED)
    assert "| `Y[1]` | expected | `5` |" in markdown
    assert "| `Y[1]` | rank 1 | `3` |" in markdown
    assert "Cause: unreduced: Y on rank 0, k in 0..h/4" in markdown
    assert "h = 4; X = [1, 2]; Y[1] = 5 (held: rank 0: 2, rank 1: 3); unreduced: Y on rank 0" in terminal
    assert found["counterexample"]["distributed"] == {  # type: ignore[index]
        "X": [{"shape": [1], "data": ["1"]}, {"shape": [1], "data": ["2"]}]
    }
    assert found["relation"] == []


def test_a_relation_that_was_found_is_shown() -> None:
    markdown, terminal, found = shown(PROVED)
    assert "| `Y` | `sum of Y over tp` |" in markdown
    assert "      Y = sum of Y over tp\n" in terminal
    assert found["relation"] == [{"output": "Y", "expression": "sum of Y over tp"}]


UNREDUCED = RefinementCause(RefinementCauseKind.UNREDUCED, "Y", 0, (RangeOfDimension("h", "0", "h/4"),), None)


def test_what_is_found_is_said_in_words() -> None:
    found = (
        NoCleanExpression("Y", UNREDUCED, is_never_summed=False),
        HeldOtherwise("Y", "shard(0, dp)", None, is_never_summed=False),
        SidesDiffer("Y", "Y / 2", None, is_never_summed=False),
        NoInputSatisfies("`t` is odd"),
    )
    assert [(each.code, codes.sentence(each)) for each in found] == [
        ("RW401", "the ranks do not hold `Y`: here rank 0 has the terms 0 .. h/4 alone of those over h"),
        ("RW402", "`Y` is not held as `shard(0, dp)`"),
        ("RW402", "`Y = Y / 2` does not hold"),
        ("RW403", "no input satisfies this: `t` is odd"),
    ]
