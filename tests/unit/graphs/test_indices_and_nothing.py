"""Tensors without elements, and indices along one dimension that are shifted by different sizes."""

from __future__ import annotations

import pytest

from rewright.graphs.decide import decide
from rewright.graphs.decision import RelationsFound, RelationsMissing
from rewright.model.file import check_file
from rewright.model.graph import Refinement
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text


def is_proved(sequential: str, distributed: str) -> bool:
    """Whether the result is held, with `x` cut along its first dimension; an `x`, `w` and an empty `z` are given."""
    inputs = "f32[{}, m], w: f32[n, k], z: f32[0, m]"
    text = f"""
graph one(x: {inputs.format("n")}) -> y {{
  i = iota(i, i: n, j: m)
  y = {sequential}
}}

graph many(x: {inputs.format("n/tp")}) -> y on mesh(tp = 2) {{
  i = iota(i, i: n/tp, j: m) + rank(tp) * n / tp
  y = {distributed}
}}

refine many of one {{
  x: shard(0, tp)
}}
"""
    declarations = check_file(parse(Text.of("none.rw", text)), lambda _: None).declarations
    assert not [each.findings for each in declarations if each.findings or each.unsupported]
    (asked,) = (each.value for each in declarations if isinstance(each.value, Refinement))
    found = decide(asked).decision
    assert isinstance(found, RelationsFound | RelationsMissing)
    return isinstance(found, RelationsFound)


@pytest.mark.parametrize(
    ("sequential", "distributed"),
    [
        ("x + (i + 3) - i", "x + 3"),
        ("x * ((i + 1) + (i + n))", "x * ((i + n) + (i + 1))"),
        ("x * (i - (i + 2) / 2)", "x * (i / 2 - 1)"),
        ("concatenate(z, x, z, 0)", "concatenate(x, z, 0)"),
        ("concatenate(slice(x, 0, 0, n), slice(x, 0, n, n), 0)", "x"),
        ("x + reduce(add, concatenate(broadcast(1, a: k), broadcast(1, b: 0), 0), 0)", "x + k"),
        ("x + reduce(add, slice(w, 1, k, k), [0, 1])", "x"),
        ("x * reduce(multiply, slice(w, 1, k, k), [0, 1])", "x"),
        ("x + reduce(add, slice(w, 1, 0, 0) @ slice(transpose(w, [1, 0]), 0, k, k), [0, 1])", "x"),
    ],
)
def test_proved(sequential: str, distributed: str) -> None:
    assert is_proved(sequential, distributed)


@pytest.mark.parametrize(
    ("sequential", "distributed"),
    [
        ("x * (i + (i + 3) + 3)", "x * (i + 3)"),
        ("x * ((i + 5) + (i + n))", "x * (i + n + 5)"),
        ("x + (i + 3) - i", "x"),
        ("concatenate(z, x, z, 0)", "concatenate(x + 1, z, 0)"),
        ("x + reduce(max, slice(w, 1, k, k), [0, 1])", "x"),
        ("x * reduce(multiply, slice(w, 1, k, k), [0, 1])", "x * 0"),
    ],
)
def test_not_proved(sequential: str, distributed: str) -> None:
    assert not is_proved(sequential, distributed)
