"""Refinements of graphs in sources with expressions: inputs in another form, equations, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph_sources import asked, imported

from rewright.report import codes
from rewright.verdict import Site, Verdict

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs" / "jax"
SOURCES = {
    name: (LIBRARY / name).read_text(encoding="utf-8") for name in ("step.mlir", "two_steps.mlir", "step_dp.mlir")
}
GRAPHS = """graph step from "step.mlir"::main
graph two_steps from "two_steps.mlir"::main
graph step_dp from "step_dp.mlir"::main
graph padded(p: f32[10, 16], w: f32[16, 4], y: f32[8, 4]) -> l, g {
  x = slice(p, 0, 1, 9)
  d = x @ w - y
  l = reduce(add, d * d, [0, 1]) / 32
  g = transpose(x, [1, 0]) @ d / 16
}
graph summed(w: f32[16, 4], u: f32[8, 16], v: f32[8, 16], y: f32[8, 4]) -> l, g {
  d = u @ w + v @ w - y
  l = reduce(add, d * d, [0, 1]) / 32
  g = transpose(u + v, [1, 0]) @ d / 16
}
graph gathered(w: f32[16, 4], a: f32[2, 16], b: f32[2, 16], y: f32[8, 4]) -> l, g on mesh(dp = 2) {
  x = concatenate(all_gather(a, 0, over = dp), all_gather(b, 0, over = dp), 0)
  d = x @ w - y
  l = reduce(add, d * d, [0, 1]) / 32
  g = transpose(x, [1, 0]) @ d / 16
}
graph sharded(w: f32[16, 4], a: f32[2, 16], b: f32[2, 16], y: f32[8, 4]) -> l, g on mesh(dp = 2) {
  x = all_gather(concatenate(a, b, 0), 0, over = dp)
  d = x @ w - y
  l = reduce(add, d * d, [0, 1]) / 32
  g = transpose(x, [1, 0]) @ d / 16
}
"""
TWICE = "w = transpose(transpose(w, [1, 0]), [1, 0])"
NORM = "reduce(add, result_1 * result_1, [0, 1])"


def refinement(name: str, *items: str) -> str:
    body = "".join(f"  {each}\n" for each in items)
    return f"{GRAPHS}refine {name} of step {{\n{body}}}\n"


@pytest.mark.parametrize(
    ("name", "items", "verdict"),
    [
        ("step_dp", (f"expect {NORM} = {NORM}",), Verdict.PROVED),
        ("step_dp", (f"expect {NORM} = all_reduce(add, {NORM}, over = tp)",), Verdict.REFUTED),
        ("step_dp", ("expect 2 * result_0 = result_0 + result_0",), Verdict.PROVED),
        ("step_dp", ("x = slice(x, 0, 0, 8)",), Verdict.PROVED),
        ("padded", ("x = slice(p, 0, 1, 9)",), Verdict.PROVED),
        ("padded", ("x = slice(p, 0, 2, 10)",), Verdict.REFUTED),
        ("summed", ("x = u + v",), Verdict.PROVED),
        ("summed", ("x = concatenate(slice(u, 0, 0, 4), slice(v, 0, 0, 4), 0)",), Verdict.REFUTED),
        (
            "two_steps",
            (TWICE, "x = concatenate(x0, x1, 0)", "y = concatenate(y0, y1, 0)"),
            Verdict.PROVED,
        ),
        ("two_steps", ("w = w", "x = concatenate(x1, x0, 0)", "y = concatenate(y0, y1, 0)"), Verdict.REFUTED),
    ],
)
def test_expressions_of_graphs_in_sources_are_decided(name: str, items: tuple[str, ...], verdict: Verdict) -> None:
    found = asked(refinement(name, *items), SOURCES, name)
    assert found.verdict is verdict


def test_parts_of_an_input_that_ranks_hold_in_parts_are_related() -> None:
    """The rows of `a` on both ranks, then those of `b`: gathered in another order, this is not `x`."""
    related = ("x = concatenate(a, b, 0)", "a: shard(0, dp)", "b: shard(0, dp)")
    assert asked(refinement("gathered", *related), SOURCES, "gathered").verdict is Verdict.PROVED
    assert asked(refinement("sharded", *related), SOURCES, "sharded").verdict is Verdict.REFUTED
    replicated = ("x = concatenate(a, b, 0)",)
    _, found = imported(refinement("gathered", *replicated), SOURCES, "gathered")
    assert found.asking is None and found.problems


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (("x = transpose(q, [1, 0])",), "unknown tensor `q`"),
        (("q = transpose(p, [1, 0])",), "unknown input `q`"),
        (("x = slice(p, 0, 1, 9) * 2",), "expected `concatenate`"),
        (("x = transpose(p, [1, 0])",), "sizes of `=` do not fit"),
        (("x = slice(p, 0, 1, 9)", "expect result_0 = k"), "unknown tensor `k`"),
        (
            (
                "x = slice(p, 0, 1, 9)",
                "expect result_1 = reduce(add, result_1, 0)",
            ),
            "sizes of `expect` do not fit",
        ),
        (("x = slice(p, 0, 1, 9)", "p: partial(add, tp)"), "unknown mesh axis `tp`"),
    ],
)
def test_what_is_wrong_with_an_expression_is_said_where_it_stands(items: tuple[str, ...], said: str) -> None:
    text = refinement("padded", *items)
    declared, found = imported(text, SOURCES, "padded")
    assert found.asking is None
    messages = {codes.message(each): each.place for each in found.problems}
    message = next(each for each in messages if said in each)
    place = messages[message]
    assert isinstance(place, Site)
    span = declared.sites[place.number]
    start = text.encode().index(b"refine padded")
    assert text.encode()[start + span.start : start + span.end].decode() in " ".join(items)
