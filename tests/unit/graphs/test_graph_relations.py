"""Inputs that are related by expressions: what the ranks are given of them, and what is wrong with a relation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from rewright.checks.refinement import answer
from rewright.model.file import check_file
from rewright.model.graph import Refinement
from rewright.model.index import Name
from rewright.replay.graphs.drawing import DRAWS, drawn_inputs
from rewright.replay.graphs.evaluation import GraphValues, evaluate
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, Verdict

BUDGET = Budget(steps=2_000_000, seconds=2.0)
SIZES = {Name("m"): 4, Name("n"): 6, Name("k"): 2}
Floats = npt.NDArray[np.float64]


def read(text: str) -> tuple[Refinement | None, list[str]]:
    """The refinement, and what is wrong with it."""
    *_, declared = check_file(parse(Text.of("test.rw", text)), lambda _: None).declarations
    assert declared.value is None or isinstance(declared.value, Refinement)
    said = [codes.sentence(each.diagnosis) for each in declared.findings]
    return declared.value, [*said, *(each.reason for each in declared.unsupported)]


def related(whole: str, parts: dict[str, str], relation: str) -> str:
    """Graphs that give their inputs back, those of the ranks gathered if they are cut along their first dimension."""
    inputs = ", ".join(f"{name}: f32[{shape}]" for name, shape in parts.items())
    given = "; ".join(
        f"r{name} = all_gather({name}, 0, over = tp)" if "/ tp" in shape else f"r{name} = {name} + 0"
        for name, shape in parts.items()
    )
    results = ", ".join(f"r{name}" for name in parts)
    shards = "; ".join(f"{name}: shard(0, tp)" for name, shape in parts.items() if "/ tp" in shape)
    return f"""graph one(x: f32[{whole}]) -> y {{ y = x + 0 }}
graph many({inputs}) -> {results} on mesh(tp = 2) {{ {given} }}
refine many of one {{ {relation}; {shards} }}
"""


def _sum(u: Floats, v: Floats, w: Floats) -> Floats:
    return u + v.T + w


def _turned(u: Floats, v: Floats) -> Floats:
    return np.vstack((u, v)).T


@pytest.mark.parametrize(
    ("whole", "parts", "relation", "meaning"),
    [
        ("m + n, k", {"u": "m, k", "v": "n, k"}, "x = concatenate(u, v, 0)", lambda u, v: np.concatenate((u, v))),
        ("m + n, k", {"u": "m / tp, k", "v": "n, k"}, "x = concatenate(u, v, 0)", lambda u, v: np.concatenate((u, v))),
        ("m, 3 * k", {"u": "m, k", "v": "m, 2 * k"}, "x = concatenate(u, v, 1)", lambda u, v: np.hstack((u, v))),
        ("k, m", {"u": "m / tp, k"}, "x = transpose(u, [1, 0])", lambda u: u.T),
        ("m * k", {"u": "m, k"}, "x = reshape(u, [m * k])", lambda u: u.reshape(-1)),
        ("m, k", {"u": "m + 3, k + 1"}, "x = slice(slice(u, 0, 2, m + 2), 1, 1, k + 1)", lambda u: u[2:6, 1:3]),
        ("m, k", {"u": "m / tp, k", "v": "m, k"}, "x = u + v", lambda u, v: u + v),
        ("m, k", {"u": "m, k", "v": "k, m", "w": "m, k"}, "x = u + transpose(v, [1, 0]) + w", _sum),
        ("k, m + n", {"u": "m, k", "v": "n, k"}, "x = transpose(concatenate(u, v, 0), [1, 0])", _turned),
        ("m, k", {"u": "m, k", "v": "m, k"}, "x = u; x = v", lambda u, v: u if np.array_equal(u, v) else None),
    ],
)
def test_what_the_ranks_are_given_makes_the_input(
    whole: str, parts: dict[str, str], relation: str, meaning: Callable[..., Floats]
) -> None:
    """The relation is computed by NumPy, from what the graph gives back when it is replayed."""
    asked, wrong = read(related(whole, parts, relation))
    assert asked is not None, wrong
    for draw in DRAWS[:3]:
        inputs = drawn_inputs(asked, SIZES, draw)
        assert inputs is not None
        values = evaluate(asked.distributed, SIZES, inputs.distributed)
        assert isinstance(values, GraphValues)
        for rank in ((0,), (1,)):
            given = {name: values.results[Name(f"r{name}")][rank].astype(float) for name in parts}
            x = inputs.sequential[Name("x")][()].astype(float)
            assert np.array_equal(meaning(**given), x)


TEXT = """graph one(x: f32[m + n, k], w: f32[k]) -> y { y = exp(reduce(add, x @ w, 0)) }
graph many(u: f32[m, k], v: f32[n, k], w: f32[k]) -> y on mesh(tp = 2) { y = BODY }
refine many of one { RELATION }
"""


def verdict(body: str, relation: str) -> Answer:
    asked, wrong = read(TEXT.replace("BODY", body).replace("RELATION", relation))
    assert asked is not None, wrong
    return answer(asked, BUDGET)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("exp(reduce(add, u @ w, 0) + reduce(add, v @ w, 0))", Verdict.PROVED),
        ("exp(reduce(add, u @ w, 0)) * exp(reduce(add, v @ w, 0))", Verdict.PROVED),
        ("exp(reduce(add, concatenate(u, v, 0) @ w, 0))", Verdict.PROVED),
        ("exp(reduce(add, concatenate(v, u, 0) @ w, 0))", Verdict.PROVED),
        ("exp(reduce(add, u @ w, 0))", Verdict.REFUTED),
        ("exp(reduce(add, u @ w, 0) - reduce(add, v @ w, 0))", Verdict.REFUTED),
    ],
)
def test_a_refinement_of_related_inputs(body: str, expected: Verdict) -> None:
    found = verdict(body, "x = concatenate(u, v, 0)")
    assert found.verdict is expected
    assert found.verdict is Verdict.REFUTED or found.replays


def test_a_result_in_several_is_given_by_an_equation_that_is_clean() -> None:
    text = """graph one(x: f32[m + n, k], w: f32[k, h]) -> y { y = x @ w }
graph many(u: f32[m, k], v: f32[n, k], w: f32[k, h / tp]) -> a, b on mesh(tp = 2) { a = u @ w; b = v @ w }
refine many of one { x = concatenate(u, v, 0); w: shard(1, tp); EXPECT }
"""
    right = "expect y = all_gather(concatenate(a, b, 0), 1, over = tp)"
    for expected, due in (
        (right, Verdict.PROVED),
        (right.replace("a, b", "b, slice(a, 0, 0, m)"), None),
        ("expect 2 * y = 2 * all_gather(concatenate(a, b, 0), 1, over = tp)", Verdict.UNKNOWN),
        ("", Verdict.UNKNOWN),
    ):
        asked, wrong = read(text.replace("EXPECT", expected))
        assert (asked is None) == (due is None and "sizes" in " ".join(wrong))
        if asked is not None:
            assert answer(asked, BUDGET).verdict is (due or Verdict.REFUTED)


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        ("x = concatenate(u, u, 0)", "sizes of `=` do not fit: `[m + n, k]` and `[2*m, k]`"),
        ("x = 2 * concatenate(u, v, 0)", "what is not clean is not allowed here"),
        ("x = concatenate(u, exp(v), 0)", "what is not clean is not allowed here"),
        ("x = concatenate(u, v, 0); x = concatenate(u, v, 0)", "`u` "),
        ("x = concatenate(u, 1, 0)", ""),
        ("x = u", "sizes of `=` do not fit"),
        ("x = concatenate(u, q, 0)", "unknown tensor `q`"),
        ("z = concatenate(u, v, 0)", "unknown input `z`"),
        ("x += concatenate(u, v, 0)", ""),
        ("x = all_gather(u, 0, over = tp)", "unknown mesh axis `tp`"),
        ("x = concatenate(u, v, 0); u: partial(add, tp)", "a part of a sum of an input that is related"),
    ],
)
def test_what_is_wrong_with_a_relation_is_said(relation: str, said: str) -> None:
    asked, wrong = read(TEXT.replace("BODY", "reduce(max, u @ w, 0)").replace("RELATION", relation))
    assert asked is None and wrong[0].startswith(said), wrong


def test_an_input_that_no_relation_reads_is_missing() -> None:
    text = TEXT.replace("v: f32[n, k], w", "v: f32[n, k], w: f32[k], q").replace("BODY", "reduce(max, u @ w, 0)")
    asked, wrong = read(text.replace("RELATION", "x = concatenate(u, v, 0)"))
    assert asked is None and "`q`" in wrong[0]
