"""Lookups and masks that torch prints, against NumPy; a table by columns, and one in two parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from graph_sources import asked

from rewright.frontends.fx.reading import read_program
from rewright.frontends.tensor_programs.graph import imported_graph
from rewright.frontends.tensor_programs.imported import ImportedGraph
from rewright.model.graph import Elementwise, Gather
from rewright.model.index import Name
from rewright.replay.arrays import Data, from_flat
from rewright.replay.graphs.evaluation import GraphValues, evaluate
from rewright.verdict import Verdict

Array = npt.NDArray[Any]
A = "torch.ops.aten."


def read(text: str) -> ImportedGraph:
    return imported_graph(read_program(text), "main", "g", lambda start, end: start)


def forward(parameters: str, *statements: str) -> str:
    head = f"class GraphModule(torch.nn.Module):\n    def forward(self, {parameters}):\n"
    return head + "".join(f"        {each}\n" for each in (*statements, "return (y,)"))


GIVEN = 'w: "f32[4, 2]", i: "i64[2, 3]", x: "f32[2, 3]"'
W, INDICES, X = np.arange(8).reshape(4, 2) - 3, np.array([[0, 3, 1], [2, 2, 3]]), np.array([[1, -2, 3], [0, 5, -6]])
OPERATORS: list[tuple[str, Callable[[Array, Array, Array], Array]]] = [
    (f"{A}embedding.default(w, i)", lambda w, i, x: w[i]),
    (f"{A}embedding.default(w, i, 0, False, False)", lambda w, i, x: w[i]),
    ("torch.nn.functional.embedding(i, w, None, None, 2.0, False, False)", lambda w, i, x: w[i]),
    (f"{A}index_select.default(w, 0, {A}select.int(i, 0, 1))", lambda w, i, x: w[i[1]]),
    (f"{A}index_select.default(x, -1, {A}select.int({A}sub.Tensor(i, 1), 0, 1))", lambda w, i, x: x[:, i[1] - 1]),
    (f"{A}where.self({A}lt.Scalar(i, 2), x, {A}neg.default(x))", lambda w, i, x: np.where(i < 2, x, -x)),
    (f"{A}where.self((i >= 1) & (i < 3), x, 0.0)", lambda w, i, x: np.where((i >= 1) & (i < 3), x, 0)),
    (f"{A}where.self((i < 1) | ~(i < 3), x, 0.0)", lambda w, i, x: np.where((i < 1) | (i >= 3), x, 0)),
    (f"x * {A}logical_and.default(i >= 1, i < 3)", lambda w, i, x: x * ((i >= 1) & (i < 3))),
    (f"{A}logical_or.default(i < 1, i == 3) * x", lambda w, i, x: x * ((i < 1) | (i == 3))),
    (
        f"{A}masked_fill.Scalar({A}embedding.default(w, i), {A}unsqueeze.default(i < 2, -1), 0.0)",
        lambda w, i, x: np.where((i < 2)[..., None], 0, w[i]),
    ),
    (
        f"m = i < 2; {A}index_put.default({A}embedding.default(w, i), [m], {A}scalar_tensor.default(7))",
        lambda w, i, x: np.where((i < 2)[..., None], 7, w[i]),
    ),
    (f"{A}clamp.default(i, 1, 2) * x", lambda w, i, x: np.clip(i, 1, 2) * x),
    (f"{A}ge.Tensor(x, {A}select.int(i, 0, 0)) * x", lambda w, i, x: (x >= i[0]) * x),
]


@pytest.mark.parametrize(("written", "meant"), OPERATORS, ids=[each[0] for each in OPERATORS])
def test_an_operator_is_what_numpy_computes(written: str, meant: Callable[[Array, Array, Array], Array]) -> None:
    *before, last = written.split("; ")
    found = read(forward(GIVEN, *before, f"y = {last}"))
    assert found.graph is not None and not found.problems
    held: Mapping[Name, Mapping[tuple[int, ...], Data]] = {
        Name(name): {(): from_flat(value.shape, [Fraction(int(each)) for each in value.ravel()])}
        for name, value in (("w", W), ("i", INDICES), ("x", X))
    }
    made = evaluate(found.graph, {}, held)
    assert isinstance(made, GraphValues)
    assert made.results[Name("result")][()].tolist() == meant(W, INDICES, X).tolist()


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (f"{A}embedding.default(w, x)", "its indices are no integers"),
        (f"{A}embedding.default(w, i < 2)", "its indices are no integers"),
        (f"{A}embedding.default({A}unsqueeze.default(w, 0), i)", "its table is no matrix"),
        ("torch.nn.functional.embedding(i, w, None, 1.0)", "it changes its table"),
        (f"{A}index_select.default(w, 0, i)", "its indices are not in a row"),
        (f"{A}index_put.default(x, [i], x)", "it puts no single number where a mask is"),
        (f"{A}index_put.default(w, [i, i], x)", "it puts at several indices"),
        (f"{A}logical_and.default(i, i < 2)", "it is on no truth values"),
        ("(i < 2) + (i < 1)", "it is on truth values"),
        ("i & i", "it is on no truth values"),
        ("i / 2", "it is on integers"),
    ],
)
def test_what_is_not_taken_is_said(written: str, why: str) -> None:
    found = read(forward(GIVEN, f"y = {written}"))
    assert found.graph is None and [each.reason.partition(": ")[2] for each in found.problems] == [why]


def test_an_index_that_the_table_lacks_has_no_value() -> None:
    """Torch ends with an error there, so nothing is clamped."""
    found = read(forward(GIVEN, f"y = {A}embedding.default(w, i - 1)"))
    assert found.graph is not None
    assert any(isinstance(each, Gather) for each in found.graph.nodes)
    assert not any(isinstance(each, Elementwise) and each.operator == "minimum" for each in found.graph.nodes)


# -------------------------------------------------------------------------------------------------------- refinements

WHOLE = forward('w: "f32[8, 4]", tokens: "i64[2, 3]"', f"y = {A}embedding.default(w, tokens)")
COLUMNS = forward(
    'w: "f32[8, 2]", tokens: "i64[2, 3]"',
    f"e = {A}embedding.default(w, tokens)",
    f"t = {A}permute.default(e, [2, 0, 1])",
    "g = torch.ops._c10d_functional.all_gather_into_tensor.default(t, 2, 'tp')",
    "a = torch.ops._c10d_functional.wait_tensor.default(g)",
    f"y = {A}permute.default(a, [1, 2, 0])",
)
PARTS = forward(
    'w0: "f32[4, 4]", w1: "f32[4, 4]", tokens: "i64[2, 3]"',
    "first = tokens < 4",
    f"low = {A}embedding.default(w0, {A}where.self(first, tokens, 0))",
    f"high = {A}embedding.default(w1, {A}where.self(first, 0, tokens - 4))",
    f"m = {A}unsqueeze.default(first, -1)",
    f"y = {A}where.self(m, low, 0.0) + {A}where.self(m, 0.0, high)",
)
PAIR = """graph whole from "whole.fx.py"::forward

graph columns on mesh(tp = 2) from "columns.fx.py"::forward

refine columns of whole {
  w: shard(1, tp)
  expect result: replicate
}

graph parts from "parts.fx.py"::forward

refine parts of whole {
  w = concatenate(w0, w1, 0)
  expect result: replicate
}
"""


@pytest.mark.parametrize(
    ("name", "change", "verdict"),
    [
        ("columns", ("", ""), Verdict.PROVED),
        ("columns", ("e, [2, 0, 1]", "e - 1, [2, 0, 1]"), Verdict.REFUTED),
        ("parts", ("", ""), Verdict.PROVED),
        ("parts", ("tokens - 4", "tokens - 5"), Verdict.REFUTED),
        ("parts", ("where.self(m, low, 0.0)", "where.self(m, low, high)"), Verdict.REFUTED),
    ],
)
def test_pairs_are_decided(name: str, change: tuple[str, str], verdict: Verdict) -> None:
    sources = {"whole.fx.py": WHOLE, "columns.fx.py": COLUMNS, "parts.fx.py": PARTS}
    if change[0]:
        assert change[0] in sources[f"{name}.fx.py"]
        sources[f"{name}.fx.py"] = sources[f"{name}.fx.py"].replace(*change)
    found = asked(PAIR, sources, name)
    assert found.verdict is verdict
