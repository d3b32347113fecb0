"""What is offered while a graph or a refinement is written: calls that are of the language, placements, mesh axes."""

from __future__ import annotations

import pytest
from written import CURSOR, cursor_in, offered, problems

from rewright.model.check_graph.collectives import COLLECTIVES as KNOWN_COLLECTIVES
from rewright.model.check_graph.structural import OPERATIONS
from rewright.writing.graph_calls import COLLECTIVES, PLACEMENTS, STRUCTURAL
from rewright.writing.offer import plain
from rewright.writing.signature import signature

WHOLE = "graph whole(x: f32[m, k], a: f32[k, n]) -> y {\n  y = x @ a\n}\n"
PARTS = "graph parts(x: f32[m, k/tp], a: f32[k/tp, n]) -> y on mesh(tp = 4) {\n  p = x @ a\n  y = HERE\n}\n"
BOTH = WHOLE + PARTS.replace("HERE", "all_reduce(add, p, over = tp)")


def completed(text: str, label: str) -> str:
    return text.replace(CURSOR, plain(offered(text)[label].snippet))


def test_every_call_of_a_graph_is_offered_and_is_of_the_language() -> None:
    assert KNOWN_COLLECTIVES.keys() == COLLECTIVES.keys()
    assert OPERATIONS.keys() == STRUCTURAL.keys()
    for place in (PARTS.replace("HERE", CURSOR), PARTS.replace("HERE", f"exp({CURSOR})")):
        found = offered(place)
        for name in (*COLLECTIVES, *STRUCTURAL, "exp", "maximum", "p", "x"):
            wrong = problems(completed(place, name))
            assert [each for each in wrong if "NoWholeSize" not in each] == [], name
        assert not {"thread", "barrier", "let"} & found.keys()


@pytest.mark.parametrize(
    ("text", "some", "none"),
    [
        (PARTS.replace("HERE", "all_reduce(add, p, over = |"), {"tp"}, {"x", "exp"}),
        (PARTS.replace("HERE", "all_reduce(|"), {"add", "max"}, {"x", "tp"}),
        (PARTS.replace("HERE", "collective_permute(x, |"), {"over", "pairs", "shift"}, {"root"}),
        (WHOLE.replace("x @ a", "|"), {"x", "reduce"}, {"all_reduce"}),
        (PARTS.replace("  y = HERE", "  for i in 0..|"), {"tp"}, {"x", "exp", "i"}),
        (PARTS.replace("  y = HERE", "  for i in 0..4 {\n    |\n  }"), {"let", "for"}, {"x", "while"}),
        (PARTS.replace("  y = HERE", "  for i in 0..4 {\n    p += |\n  }"), {"x", "i", "tp", "exp"}, {"let"}),
        (PARTS.replace("  y = HERE", "  for i in 0..4, j in 0..|"), {"i"}, {"x"}),
        (BOTH + "refine parts of whole {\n  |\n}", {"x", "a", "expect"}, {"y", "p"}),
        (BOTH + "refine parts of whole {\n  x: |\n}", set(PLACEMENTS), {"x"}),
        (BOTH + "refine parts of whole {\n  x: shard(|\n}", {"k", "m"}, {"tp"}),
        (BOTH + "refine parts of whole {\n  x: shard(k, |\n}", {"tp"}, {"k"}),
        (BOTH + "refine parts of whole {\n  expect |\n}", {"y"}, {"x"}),
        ("refine parts of whole {\n  x: |\n}", {"replicate"}, {"shard"}),
    ],
)
def test_what_stands_around_a_place_in_a_graph_is_offered(text: str, some: set[str], none: set[str]) -> None:
    found = offered(text)
    assert some <= found.keys()
    assert not none & found.keys()


def test_a_refinement_is_written_by_offers_alone() -> None:
    text = BOTH + "refine parts of whole {\n  |\n}\n"
    for label in ("x", "shard"):
        text = text.replace(CURSOR, plain(offered(text)[label].snippet) + CURSOR)
    text = text.replace("shard(0, tp)|", "shard(1, tp)\n  a: |")
    assert problems(completed(text, "shard")) == []


def test_a_collective_has_a_signature_with_its_current_argument() -> None:
    found = signature(*cursor_in(PARTS.replace("HERE", "reduce_scatter(add, p, |")))
    assert found is not None
    assert found.label == "reduce_scatter(add, X, d, over = axis)"
    assert found.active == 2
