"""The few words beside a declaration: what is covered is cut where it is long, conditions are not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rewright.report.document import Progress, QuestionState, Result, Sites
from rewright.report.label import asked, inlay
from rewright.syntax.text import Span
from rewright.verdict import Answer, Condition, Coverage, Verdict

GRIDS = "13 launches: grid 1, 7, 255, 256, 257, 513, 514, 515, 516, block 256"
COVERED = {
    "grid 4, block 32; n = 100": "✓ checked: grid 4, block 32; n = 100",
    f"{GRIDS}; n = 1, 7": "✓ checked: 13 launches, …",
    "9 launches: grid 1, 2, block 256; n = 1, 7, 255, 256, 257, 258": "✓ checked: 9 launches: grid 1, 2, block 256; …",
    f"grid 1, block 1 by {'k' * 80}": "✓ checked: grid 1, …",
    "x" * 80: f"✓ checked: {'x' * 80}",
}


def result(coverage: Coverage, verdict: Verdict) -> Result:
    """A kernel of which this is known."""
    state = QuestionState("id", "", "", (verdict,), Answer(verdict, coverage), Progress.UNCHECKED)
    span = Span(0, 1)
    states, sites = (state,), Sites(0, (span,))
    return Result("/k.cu", "k", "kernel", span, span, verdict, (verdict,), True, None, states, sites, (), ())


@pytest.mark.parametrize(("covered", "shown"), COVERED.items())
def test_what_is_covered_is_cut_where_it_is_long(covered: str, shown: str) -> None:
    assert inlay(result(Coverage(covered, bounded=True), Verdict.CHECKED)) == shown


def test_a_proof_names_the_types_that_it_is_over() -> None:
    kernel = result(Coverage("all ranks and sizes", bounded=False), Verdict.PROVED)
    (state,) = kernel.questions
    for domains, shown in {
        ("any",): "any",
        ("int", "real"): "int and real",
        ("int", "int", "real", "s32"): "int, real and s32",
        ("any/any", "any/int"): "any and any/int",
    }.items():
        rule = replace(kernel, questions=tuple(replace(state, domain=each) for each in domains))
        assert inlay(rule) == f"✓ all ranks and sizes over {shown}"
    assert inlay(kernel) == "✓ all ranks and sizes"


def test_of_a_refutation_those_types_are_named_first_that_have_it() -> None:
    kernel = result(Coverage("", bounded=False), Verdict.REFUTED)
    (state,) = kernel.questions
    for questions, shown in {
        (("int", "=>", Verdict.REFUTED), ("real", "=>", Verdict.REFUTED)): "int, real",
        (("int", "=>", Verdict.PROVED), ("real", "=>", Verdict.REFUTED)): "real; proved: int",
        (("int", "=>", Verdict.UNKNOWN), ("real", "=>", Verdict.REFUTED), ("s32", "=>", Verdict.PROVED)): (
            "real; unknown: int; proved: s32"
        ),
        (("any", "=>", Verdict.PROVED), ("any", "<=", Verdict.REFUTED)): "any <=; proved: any =>",
    }.items():
        states = tuple(
            replace(state, domain=domain, direction=direction, answer=Answer(verdict, Coverage("", bounded=False)))
            for domain, direction, verdict in questions
        )
        assert asked(replace(kernel, questions=states), Verdict.REFUTED) == shown
    assert asked(kernel, Verdict.REFUTED) == ""


def test_conditions_are_shown_whole() -> None:
    conditions = tuple(Condition(each, each, "") for each in ("rows % 16 == 0", "columns % 16 == 0", "heads % 16 == 0"))
    shown = inlay(result(Coverage(GRIDS, bounded=True, conditions=conditions), Verdict.CONDITIONAL))
    listed = " and ".join(each.short for each in conditions)
    assert shown == f"≈ checked, provided that {listed}, …"
