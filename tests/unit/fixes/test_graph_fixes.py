"""Which changes are found for wrong refinements: each is made, and what it makes is proved by another way in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rewright.checks.refinement import answer_all
from rewright.fixes.graphs.placed import called_by, graphs_of
from rewright.fixes.graphs.question import GraphFix, GraphSearch
from rewright.fixes.graphs.search import graph_fixes
from rewright.fixes.graphs.texts import changed, members_of
from rewright.model.file import check_file
from rewright.report.codes import sentence
from rewright.rules.decision import Budget
from rewright.syntax.nodes import RefineDecl
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs"
BUDGET = Budget(steps=2_000_000, seconds=2.0)
FIRST = {
    "mlp_without_all_reduce": ("Insert `all_reduce(add, …, over = tp)`", "y = all_reduce(add, z @ b, over = tp)"),
    "mlp_without_all_gather": ("Insert `all_gather(…, 0, over = tp)`", "all_gather(x, 0, over = tp)"),
    "mlp_over_the_wrong_axis": ("Exchange over `tp`", "y = all_reduce(add, z @ b, over = tp)"),
    "linear_bias_on_each_rank": ("Divide by `tp`", "/ tp"),
    "summed_twice": ("Leave out `all_reduce`", ""),
    "row_maximum_added": ("Combine by `max`", "all_reduce(max, "),
    "two_stages_backwards": ("Send 1 rank on", "pairs = [(0, 1)]"),
    "gathered_along_columns": ("Along dimension 1", ", 1, over"),
    "gradient_of_first_targets": ("Take the part at `i * n` along dimension 0", "slice(y, 0, i * n, (i + 1) * n)"),
    "gradient_dp_in_loop": ("Divide by `dp`", "all_reduce(add, (g / dp) + "),
    "scaled_rows_cut_short": ("Take the part at `rank(sp) * n` along dimension 0", "rank(sp) * n"),
    "rotary_from_zero": (
        "Take the part at `rank(sp) * s / sp` along dimension 0, in all 2",
        "rank(sp) * s / sp, (rank(sp) + 1) * s / sp",
    ),
}
"""The first fix of some of the library, and a part of the text that it makes."""


def texts(text: str, name: str) -> tuple[str, str, str]:
    """The declarations of the refinement whose distributed graph has this name."""
    whole = Text.of("", text)
    placed = parse(whole).file.declarations
    for each in placed:
        match each.node:
            case RefineDecl(head=head, target=target) if head.name is not None and target is not None:
                graphs = graphs_of(placed, (name, target.text)) if head.name.text == name else None
                if graphs is not None:
                    return whole.slice(graphs[0].span), whole.slice(graphs[1].span), whole.slice(each.span)
            case _:
                pass
    raise KeyError(name)


def in_library(name: str) -> tuple[str, str, str]:
    for path in sorted(LIBRARY.glob("*.rw")):
        text = path.read_text(encoding="utf-8")
        if re.search(rf"^refine {name} ", text, re.MULTILINE):
            return texts(text, name)
    raise KeyError(name)


def made(given: tuple[str, str, str], fix: GraphFix) -> str:
    """The text with the fix, once it is proved."""
    text = "\n".join(changed((given, ()), fix.edits)[0])
    members = members_of(check_file(parse(Text.of("", text)), lambda path: None).declarations[2])
    assert answer_all(members, BUDGET).verdict is Verdict.PROVED
    return text


@pytest.mark.parametrize("name", FIRST)
def test_the_first_fix_of_a_wrong_refinement_is_the_one_that_was_undone(name: str) -> None:
    given = in_library(name)
    found = graph_fixes(GraphSearch(given), BUDGET).found
    title, text = FIRST[name]
    assert [each.title for each in found][:1] == [title]
    assert all(made(given, each) for each in found) and text in made(given, found[0])


def test_an_expectation_is_mended_last() -> None:
    given = in_library("mlp_without_all_reduce")
    found = graph_fixes(GraphSearch(given), BUDGET).found
    assert found[-1].title == "Expect `y: partial(add, tp)`, as it is held"
    assert "expect y: partial(add, tp)" in made(given, found[-1])


def test_what_is_proved_on_one_mesh_only_is_no_fix() -> None:
    text = """graph whole(x: f32[m]) -> y {
  y = x
}
graph parts(x: f32[m / tp]) -> y on mesh(tp) {
  y = x * tp / 2
}
refine parts of whole at tp = 2, 4 {
  x: shard(m, tp)
  expect y: shard(m, tp)
}
"""
    given = texts(text, "parts")
    found = graph_fixes(GraphSearch(given), BUDGET).found
    assert all(made(given, each) for each in found)
    assert not any("Divide by 2" in each.title for each in found)


def test_texts_with_errors_have_no_fixes() -> None:
    given = in_library("mlp_without_all_reduce")
    assert graph_fixes(GraphSearch((given[0], given[1].replace("z @ b", "z @ q"), given[2])), BUDGET).found == ()


def test_another_placement_is_called_one() -> None:
    text = """graph whole(x: f32[m], w: f32[m]) -> y { y = x * w }
graph parts(x: f32[m/tp], w: f32[m/tp]) -> y on mesh(tp = 2, dp = 2) { y = x * w }
refine parts of whole {
  x: shard(0, tp)
  w: shard(0, dp)
}
"""
    found = graph_fixes(GraphSearch(texts(text, "parts")), BUDGET)
    assert [each.title for each in found.found if "lace" in each.title] in (
        ["Place `x` by `shard(0, dp)`"],
        ["Place `w` by `shard(0, tp)`"],
    )


@pytest.mark.parametrize("bounds", ["0, 4", "3, 7"])
def test_a_part_that_the_sequential_graph_takes_is_a_fix(bounds: str) -> None:
    text = f"""graph whole(x: f32[m, 8], w: f32[m, 8]) -> y {{
  z = concatenate(-slice(x, 1, 4, 8), slice(x, 1, 0, 4), 1)
  y = x * w + z
}}
graph parts(x: f32[m / tp, 8], w: f32[m / tp, 8]) -> y on mesh(tp = 2) {{
  z = concatenate(-slice(x, 1, {bounds}), slice(x, 1, 0, 4), 1)
  y = x * w + z
}}
refine parts of whole {{
  x: shard(0, tp)
  w: shard(0, tp)
  expect y: shard(0, tp)
}}
"""
    given = texts(text, "parts")
    first, *_ = graph_fixes(GraphSearch(given), BUDGET).found
    assert first.title == "Take the part at `4` along dimension 1"
    assert "-slice(x, 1, 4, 8)" in made(given, first)


HALVES = """graph whole(x: f32[t, d], w: f32[d, h]) -> y {
  y = exp(x) @ w
}
graph parts(x: f32[t, d], w: f32[d, h / tp]) -> y on mesh(tp = 2) {
  first = exp(slice(x, 0, FIRST))
  second = exp(slice(x, 0, SECOND))
  y = concatenate(first, second, 0) @ w
}
refine parts of whole {
  w: shard(1, tp)
  expect y: shard(1, tp)
}
"""


@pytest.mark.parametrize(
    ("twice", "wrong", "said", "fix"),
    [
        ("0, t / 2", 1, "here rank 0 has 0 .. t/2 of t, where t/2 .. t belongs", "t/2, t"),
        ("t / 2, t", 0, "here rank 0 has t/2 .. t of t, where 0 .. t/2 belongs", "0, t/2"),
    ],
)
def test_the_same_half_twice(twice: str, wrong: int, said: str, fix: str) -> None:
    text = HALVES.replace("FIRST", twice).replace("SECOND", twice)
    asked = members_of(check_file(parse(Text.of("", text)), lambda path: None).declarations[2])
    (finding,) = answer_all(asked, BUDGET).findings
    assert said in sentence(finding.diagnosis)
    given = texts(text, "parts")
    first, *_ = graph_fixes(GraphSearch(given), BUDGET).found
    halves = [twice.replace(" / ", "/")] * 2
    halves[wrong] = fix
    assert re.findall(r"slice\(x, 0, (.*?)\)\)", made(given, first).replace(" / ", "/")) == halves


LAYER = """graph layer_tp(x: f32[m, d], a: f32[d, h / tp], b: f32[h / tp, d]) -> y on mesh(tp) {
  y = x + all_reduce(add, max(x @ a, 0) @ b, over = tp)
}
"""
SEQUENTIAL = """graph layer(x: f32[m, d], a: f32[d, h], b: f32[h, d]) -> y {
  y = x + max(x @ a, 0) @ b
}
"""
MODEL = "graph model(x: f32[m, d], a: f32[d, h], b: f32[h, d]) -> y {\n  y = layer(layer(x, a, b), a, b)\n}"
MODEL_TP = """graph model_tp(x: f32[m, d], a: f32[d, h / tp], b: f32[h / tp, d]) -> y on mesh(tp) {
  y = layer_tp(layer_tp(x, a, b), a, b)
}"""
REFINE = "refine model_tp of model at tp = 2, 4 {\n  a: shard(1, tp)\n  b: shard(0, tp)\n  expect y: replicate\n}"


@pytest.mark.parametrize(
    ("wrong", "title", "mended"),
    [
        (
            "max(x @ a, 0) @ b\n",
            "Insert `all_reduce(add, …, over = tp)`, in `layer_tp`",
            "all_reduce(add, max(x @ a, 0) @ b, over = tp)",
        ),
        ("all_reduce(max, max(x @ a, 0) @ b, over = tp)\n", "Combine by `add`, in `layer_tp`", "all_reduce(add, "),
    ],
)
def test_a_graph_that_is_called_is_mended_for_all_its_calls(wrong: str, title: str, mended: str) -> None:
    right = "all_reduce(add, max(x @ a, 0) @ b, over = tp)\n"
    called = (("layer", SEQUENTIAL), ("layer_tp", LAYER.replace(right, wrong)))
    given = (MODEL, MODEL_TP, REFINE)
    found = graph_fixes(GraphSearch(given, called), BUDGET).found
    fix = next(each for each in found if each.title == title)
    parts, callees = changed((given, called), fix.edits)
    assert parts == given and mended in dict(callees)["layer_tp"]
    after = check_file(parse(Text.of("", "\n".join((*dict(callees).values(), *parts)))), lambda path: None)
    assert answer_all(members_of(after.declarations[-1]), BUDGET).verdict is Verdict.PROVED


def test_a_graph_that_calls_others_is_mended_itself() -> None:
    wrong = MODEL_TP.replace(
        "layer_tp(layer_tp(x, a, b), a, b)", "layer_tp(all_reduce(add, layer_tp(x, a, b), over = tp), a, b)"
    )
    found = graph_fixes(GraphSearch((MODEL, wrong, REFINE), (("layer", SEQUENTIAL), ("layer_tp", LAYER))), BUDGET).found
    assert "Leave out `all_reduce`" in [each.title for each in found]


def test_what_graphs_call_is_found_in_their_file() -> None:
    text = "\n".join((SEQUENTIAL, LAYER, MODEL, MODEL_TP, REFINE, LAYER.replace("layer_tp", "another")))
    placed = parse(Text.of("", text)).file.declarations
    graphs = graphs_of(placed, ("model_tp", "model"))
    assert graphs is not None
    assert [name for name, _ in called_by(placed, graphs)] == ["layer", "layer_tp"]
