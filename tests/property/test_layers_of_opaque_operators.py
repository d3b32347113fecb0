"""Layers with opaque operators as calls of a graph on one device, and as a loop on ranks, against NumPy.

What is proved holds with functions that satisfy the lemmas, at sizes of 1 and above; what is right by construction is
never refuted.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from graph_oracle import oracle_says
from opaque_refinements import DECLARED, LEMMAS
from spread import spread
from test_opaque_operators import ARITHMETIC, BUDGET

from rewright.checks.refinement import answer
from rewright.model.file import check_file
from rewright.model.graph import Refinement
from rewright.model.index import Name
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

FEW, MANY = 8, 120
COMPUTED = ("norm(h, w)", "tanh(norm(h, w) @ v)", "sym(h, norm(h, w))", "fused(h, h * 2)", "norm(h, w) + sym(h, h)")
LAYERS = ("{}", "h + {}", "h * 2 - {}")
ENDS = {
    "h": "h",
    "reduce(max, h, 1)": "reduce(max, h, 1)",
    "reduce(add, h, 0)": "all_reduce(add, reduce(add, h, 0), over = tp)",
    "gather(h, i, 0)": "gather(all_gather(h, 0, over = tp), i, 0)",
}
"""What is computed of the last layer, on one device and on ranks that have rows each."""


def drawn(rng: random.Random, *, faulty: bool) -> tuple[str, int]:
    """A refinement as text, with how many ranks it has; a fault is a step, a weight, a sum or where rows are."""
    ranks, layers = rng.choice([1, 2, 4]), rng.randint(1, 3)
    layer = rng.choice(LAYERS).format(rng.choice(COMPUTED))
    end, of_ranks = rng.choice(list(ENDS.items()))
    held, steps, step = "shard(0, tp)" if end == of_ranks else "replicate", layers, layer
    match rng.choice(("step", "weight", "sum", "rows")) if faulty else None:
        case "step":
            steps += 1
        case "weight":
            step = step.replace("w)", "2 * w)")
        case "sum":
            of_ranks = of_ranks.replace("all_reduce(add", "all_reduce(max")
        case "rows":
            step = f"collective_permute({step}, over = tp, shift = 1)"
        case _:
            pass
    calls = "\n".join(f"  h{at + 1} = layer(h{at}, w, v)" for at in range(layers))
    last = end.replace("h,", f"h{layers},") if "," in end else f"h{layers}"
    text = f"""{DECLARED}
graph layer(h: f32[t, d], w: f32[d], v: f32[d, d]) -> o {{ o = {layer} }}
graph whole(x: f32[t, d], w: f32[d], v: f32[d, d], i: s32[k]) -> y {{
  h0 = x
{calls}
  y = {last}
}}
graph parts(x: f32[t/tp, d], w: f32[d], v: f32[d, d], i: s32[k]) -> y on mesh(tp = {ranks}) {{
  h = x
  for l in 0..{steps} {{ h = {step} }}
  y = {of_ranks}
}}
refine parts of whole {{ x: shard(0, tp); using {LEMMAS}; expect y: {held} }}
"""
    return text, ranks


def tried(seed: int) -> Counter[tuple[bool, str]]:
    """The verdicts on a right refinement and on one with a fault, each held against NumPy."""
    rng, counts = random.Random(f"layers {seed}"), Counter[tuple[bool, str]]()
    for faulty in (False, True):
        text, ranks = drawn(rng, faulty=faulty)
        *_, declared = check_file(parse(Text.of("test.rw", text)), lambda _: None).declarations
        assert isinstance(declared.value, Refinement), (declared.findings, text)
        found = answer(declared.value, BUDGET)
        sizes = {"t": rng.choice([1, 2]) * ranks, "d": rng.choice([1, 2]), "k": rng.choice([1, 3])}
        with np.errstate(all="ignore"):
            says = oracle_says(declared.value, {Name(name): size for name, size in sizes.items()}, seed, ARITHMETIC)
        holds = says.recoverable and says.as_expected
        assert holds or (faulty and found.verdict is not Verdict.PROVED), text
        assert faulty or found.verdict is not Verdict.REFUTED, text
        counts[faulty, found.verdict.value] += 1
    return counts


def enough_decided(counts: Counter[tuple[bool, str]]) -> None:
    print(dict(counts))
    right = sum(count for (faulty, _), count in counts.items() if not faulty)
    assert counts[False, "proved"] >= 0.75 * right > 0
    assert counts[True, "refuted"] >= 0.4 * right


def test_layers_as_calls_and_as_a_loop() -> None:
    enough_decided(sum(map(tried, range(FEW)), Counter()))


@pytest.mark.soak
def test_many_layers_as_calls_and_as_a_loop() -> None:
    enough_decided(sum(spread(tried, range(FEW, MANY)), Counter()))
