"""How long the relation of a layer of a transformer takes to be found, by the number of ranks, in this process."""

from __future__ import annotations

import re
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


STACKED = 32
STACK_LIMITS = {"written out": 3000.0, "as calls": 300.0}
"""Milliseconds for 32 layers on 8 ranks."""


def stack(layers: int, ranks: int) -> Refinement:
    """So many calls of the layer of the library, each with weights of its own; they are shared out as its are."""
    text = (LIBRARY / "graphs" / "gpt.rw").read_text()
    start, end = text.index("graph layer("), text.index("refine layer_tp of")
    graphs = [text[start:end]]
    for name, mesh in (("layer", ""), ("layer_tp", " on mesh(tp)")):
        found = re.search(rf"graph {name}\(\s*(.*?)\n\) ->", text, re.DOTALL)
        assert found is not None
        x, *weights = re.split(r",\s*(?=\w+: f32)", " ".join(found[1].split()))
        taken = [x, *(each.replace(":", f"{at}:", 1) for at in range(layers) for each in weights)]
        names = [each.split(":")[0] for each in weights]
        operands = [[f"x{at}" if at else "x", *(f"{each}{at}" for each in names)] for at in range(layers)]
        calls = [f"  x{at + 1} = {name}({', '.join(each)})" for at, each in enumerate(operands)]
        head = f"graph {name.replace('layer', 'stack')}({', '.join(taken)}) -> x{layers}{mesh}"
        graphs.append("\n".join((f"{head} {{", *calls, "}")))
    placed = re.findall(r"^  (\w): (shard\(\d, tp\))$", text[end : text.index("}", end)], re.MULTILINE)
    stated = [f"  {each}{at}: {shard}" for at in range(layers) for each, shard in placed if each != "x"]
    refine = f"refine stack_tp of stack at tp = {ranks} {{\n  x: shard(0, tp)\n" + "\n".join(stated) + "\n}"
    whole = Text.of("stack.rw", "\n\n".join((*graphs, refine)))
    values = (each.value for each in check_file(parse(whole), lambda _: None).declarations)
    return next(value for value in values if isinstance(value, RefinementFamily)).members[0]


def written_out(asked: Refinement) -> Refinement:
    """The refinement of the same nodes, as if nothing was called."""
    sequential, distributed = (replace(each, calls=()) for each in (asked.sequential, asked.distributed))
    return replace(asked, sequential=sequential, distributed=distributed)


@pytest.mark.parametrize("way", STACK_LIMITS)
def test_many_layers(way: str, enforced: bool) -> None:
    called = stack(STACKED, 8)
    asked = called if way == "as calls" else written_out(called)
    best = min(_milliseconds(asked) for _ in range(RUNS))
    print(f"\n{STACKED} layers on 8 ranks {way}: {best:.0f} ms, limit {STACK_LIMITS[way]:g} ms")
    within(best, STACK_LIMITS[way], enforced)


def test_a_table_of_layers_and_ranks() -> None:
    print("\nms by layers, written out and as calls, on 2, 8, 32 ranks")
    for layers in (1, 2, 4, 8, 16):
        row = []
        for ranks in (2, 8, 32):
            called = stack(layers, ranks)
            row += [_milliseconds(written_out(called)), _milliseconds(called)]
        print(f"{layers:3}" + "".join(f"{each:8.0f}" for each in row))


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
