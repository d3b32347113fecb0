"""Loops of graphs: the step that a finding names, what is held in each step, and what a loop may not do."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewright.checks.refinement import answer
from rewright.graphs.decide import decide
from rewright.graphs.holdings import HeldNodes, held_tensors
from rewright.graphs.interpretation import ranks_of
from rewright.model.declared import Declared
from rewright.model.file import check_file
from rewright.model.graph import Graph, Refinement
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict
from rewright.verdict.diagnostics.graphs import TooManySteps

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs"
BUDGET = Budget(steps=2_000_000, seconds=2.0)
STEPS = {
    "gradient_of_means": "i = 0",
    "gradient_of_first_targets": "i = 1",
    "gradient_of_seven": "i = 6",
    "layers_pp_early": None,
}


def declared(text: str) -> dict[str, Declared]:
    found = check_file(parse(Text.of("test.rw", text)), lambda path: None).declarations
    return {f"{each.kind.value} {each.name}": each for each in found}


@pytest.mark.parametrize("name", STEPS)
def test_a_refutation_names_the_step_where_it_departs(name: str) -> None:
    library = declared((LIBRARY / "steps.rw").read_text(encoding="utf-8"))
    asked = next(
        each.value
        for each in library.values()
        if isinstance(each.value, Refinement) and each.value.distributed.name == name
    )
    found = answer(asked, BUDGET)
    assert found.verdict is Verdict.REFUTED
    assert found.findings[0].step == STEPS[name]
    said = codes.message(found.findings[0])
    assert said.endswith(f", in step `{STEPS[name]}`") == (STEPS[name] is not None)


GRAPH = """graph g(x: f32[4 * n]) -> s {{
  s = broadcast(0, i: n)
  for i in 0..4, j in {range} {{
    p = slice(x, 0, {start}, {start} + n)
    s += p
  }}
}}
"""


@pytest.mark.parametrize(
    ("range", "start", "steps"),
    [
        ("0..1", "i * n", ["i = 3", "j = 0"]),
        ("i..4", "j * n", ["i = 3", "j = 3"]),
        ("0..4 step 3", "j * n", ["i = 3", "j = 3"]),
    ],
)
def test_a_node_knows_the_step_that_computes_it(range: str, start: str, steps: list[str]) -> None:
    graph = declared(GRAPH.format(range=range, start=start))["graph g"].value
    assert isinstance(graph, Graph)
    assert [f"{each.name} = {each.number}" for each in graph.step(graph.results[0].node)] == steps
    assert graph.step(0) == ()


def test_only_a_later_step_is_named_by_an_error() -> None:
    (first,) = declared(GRAPH.format(range="0..1", start="4 * n"))["graph g"].findings
    assert first.step is None
    (later,) = declared(GRAPH.format(range="0..2", start="(i + j) * n"))["graph g"].findings
    assert later.step == "i = 3, j = 1"


@pytest.mark.parametrize("loop", ["for i in 0..99999999 {}", "for i in 0..9999, j in 0..i, k in 0..0 * i { s = x }"])
def test_a_loop_with_very_many_steps_is_left(loop: str) -> None:
    text = f"graph g(x: f32[n]) -> s {{\n  s = x\n  {loop}\n  for i in 0..99999999 {{}}\n}}\n"
    (found,) = declared(text)["graph g"].findings
    assert isinstance(found.diagnosis, TooManySteps)


HELD = """graph whole(x: f32[n]) -> y {
  y = 2 * x
}

graph around(x: f32[n / tp]) -> y on mesh(tp = 3) {
  z = 2 * x
  for i in 0..3 {
    same = z * 1
    z = collective_permute(z, over = tp, shift = 1)
  }
  y = z
}

refine around of whole {
  x: shard(0, tp)
}
"""


def test_what_is_held_in_a_loop_is_said_where_it_is_so_in_each_step() -> None:
    known = declared(HELD)
    asked, spans = known["refinement around of whole"].value, known["graph around"].sites
    assert isinstance(asked, Refinement)
    decided = decide(asked)
    assert decided.passes is not None
    held = held_tensors(HeldNodes(asked, decided.passes))
    assert held is not None and len(ranks_of(asked.distributed)) == 3
    start = HELD.index("graph around")
    texts = {HELD[start + span.start : start + span.end] for span in (spans[each.site] for each in held.tensors)}
    assert "2 * x" in texts and not any("shift" in each or "z * 1" in each for each in texts)
