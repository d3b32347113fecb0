"""The picture of a barrier interval: who accessed what when, time downwards, one column per thread."""

from __future__ import annotations

from rewright.report.document import Located, Result, Sites
from rewright.report.kernel_markdown import MOST_ROWS, kernel_witness
from rewright.syntax.text import Span, Text
from rewright.verdict import AccessKind, Failure, KernelWitness, Moment, Site, ThreadId, Verdict

SOURCE = Text.of("a.cu", "first\nsecond\nthird\n")
LINES = [Located("a.cu", Span(start, start + 1)) for start in (0, 6, 13)]


def witness(moments: tuple[Moment, ...]) -> KernelWitness:
    threads = (ThreadId((0,), (3, 0)), ThreadId((0,), (4, 1)))
    return KernelWitness(
        Failure.RACE,
        (2,),
        (8, 2),
        (("n", "5"),),
        threads,
        "s",
        (4,),
        1,
        replayed=True,
        iterations=((2,), (3, 1)),
        opened=Site(1),
        moments=moments,
    )


def shown(moments: tuple[Moment, ...], places: tuple[Located, ...]) -> str:
    name = Span(0, 1)
    result = Result(
        path="k.rw",
        name="k",
        kind="kernel",
        span=name,
        name_span=name,
        verdict=Verdict.REFUTED,
        expected=(),
        as_expected=False,
        reason=None,
        questions=(),
        sites=Sites(0, ()),
        static=(),
        found=(),
        moments=places,
        opened=LINES[0],
    )
    return "\n\n".join(kernel_witness(witness(moments), result, {"a.cu": SOURCE}))


def test_what_happens_together_stands_in_one_row() -> None:
    moments = (
        Moment(5, 0, AccessKind.WRITE, "s[3]", Site(2), collides=False),
        Moment(5, 1, AccessKind.WRITE, "s[4]", Site(2), collides=True),
        Moment(7, 0, AccessKind.READ, "s[4]", Site(3), collides=True),
    )
    lines = shown(moments, (LINES[1], LINES[1], LINES[2])).splitlines()
    assert lines[0] == "**Counterexample** (race), replayed by running its threads' schedule"
    assert "| address | `s[4]` |" in lines
    head = "**Barrier interval 1**, which begins at the barrier in line 1; earlier events stand above"
    assert lines[lines.index(head) + 2 :] == [
        "|  | thread (3, 0) of block 0 (pass 2) | thread (4, 1) of block 0 (passes 3, 1) |",
        "|---|---|---|",
        "| line 2 | writes `s[3]` | **→ writes `s[4]`** |",
        "| line 3 | **→ reads `s[4]`** |  |",
    ]


def test_of_many_moments_the_last_ones_are_shown() -> None:
    moments = tuple(Moment(turn, 0, AccessKind.READ, f"s[{turn}]", Site(2), collides=False) for turn in range(20))
    text = shown(moments, (LINES[1],) * 20)
    assert text.count("reads `") == MOST_ROWS
    assert "| … |  |  |" in text and "`s[19]`" in text and "`s[11]`" not in text


def test_without_moments_there_is_no_picture() -> None:
    assert "Barrier interval" not in shown((), ())
