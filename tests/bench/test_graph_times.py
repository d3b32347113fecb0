"""How long the relation of a layer of a transformer takes to be found, by the number of ranks, in this process."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from test_library_times import LIBRARY, within

from rewright.graphs.decide import decide
from rewright.graphs.decision import RelationsFound
from rewright.model.file import check_file
from rewright.model.graph import Refinement, RefinementFamily
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

LIMITS = {2: 100.0, 8: 100.0, 64: 1000.0}
"""Milliseconds by ranks. On 16 cores "Entangle" takes 10 to 245 s for a model."""
RUNS = 3


def layer(ranks: int) -> Refinement:
    """The layer of the library on so many ranks."""
    text = (LIBRARY / "graphs" / "gpt.rw").read_text().replace("at tp = 2, 4, 8", f"at tp = {ranks}")
    values = (each.value for each in check_file(parse(Text.of("gpt.rw", text)), lambda _: None).declarations)
    family = next(value for value in values if isinstance(value, RefinementFamily))
    assert family.members[0].distributed.mesh[0].size == ranks
    return family.members[0]


@pytest.mark.parametrize("ranks", LIMITS)
def test_a_layer_of_a_transformer(ranks: int, enforced: bool) -> None:
    asked = layer(ranks)
    best = min(_milliseconds(asked) for _ in range(RUNS))
    operators = len(asked.sequential.nodes) + ranks * len(asked.distributed.nodes)
    print(
        f"\na layer on {ranks} ranks: {best:.0f} ms, limit {LIMITS[ranks]:g} ms"
        f" ({operators} nodes, {1000 * best / operators:.0f} µs each)"
    )
    within(best, LIMITS[ranks], enforced)


def _milliseconds(asked: Refinement) -> float:
    start = time.process_time()
    decided = decide(replace(asked))
    assert isinstance(decided.decision, RelationsFound)
    return (time.process_time() - start) * 1000
