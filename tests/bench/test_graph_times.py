"""How long the relation of a layer of a transformer takes to be found, by the number of ranks, in this process.

Beside it the same at fixed sizes, a pair of texts that JAX printed, and the library from the command line.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from test_library_times import LIBRARY, check, within

from rewright.checks.importing import import_refinement
from rewright.checks.kernel_question import SourceText
from rewright.checks.refinement import answer_all
from rewright.checks.refinement_question import ImportPayload, RefinementPayload
from rewright.graphs.decide import decide
from rewright.graphs.decision import RelationsFound
from rewright.model.file import check_file
from rewright.model.foreign_graph import ForeignRefinement
from rewright.model.graph import Graph, Refinement, RefinementFamily, Slice
from rewright.model.index import Index, IndexOperation, IntegerReference, Number
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict
from rewright.verdict.codec import decode

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


def stack(layers: int, ranks: int, file: str = "gpt.rw", name: str = "layer", before: str = "") -> Refinement:
    """So many calls of a layer of the library, each with weights of its own; they are shared out as its are. What
    stands before the layer, up to `before`, is taken along."""
    text = (LIBRARY / "graphs" / file).read_text()
    start, end = text.index(f"graph {name}("), text.index(f"refine {name}_tp of")
    graphs = [text[: text.index(before)], text[start:end]]
    for graph, mesh in ((name, ""), (f"{name}_tp", " on mesh(tp)")):
        found = re.search(rf"graph {graph}\(\s*(.*?)\n\) ->", text, re.DOTALL)
        assert found is not None
        x, *weights = re.split(r",\s*(?=\w+: f32)", " ".join(found[1].split()))
        taken = [x, *(each.replace(":", f"{at}:", 1) for at in range(layers) for each in weights)]
        names = [each.split(":")[0] for each in weights]
        operands = [[f"x{at}" if at else "x", *(f"{each}{at}" for each in names)] for at in range(layers)]
        calls = [f"  x{at + 1} = {graph}({', '.join(each)})" for at, each in enumerate(operands)]
        head = f"graph {graph.replace(name, 'stack')}({', '.join(taken)}) -> x{layers}{mesh}"
        graphs.append("\n".join((f"{head} {{", *calls, "}")))
    refine = text[end : text.index("}", end)]
    placed = re.findall(r"^  (\w+): (shard\(\w+, tp\))$", refine, re.MULTILINE)
    stated = [f"  {each}{at}: {shard}" for at in range(layers) for each, shard in placed if each != "x"]
    stated = [f"  {each}: {shard}" for each, shard in placed if each == "x"] + stated
    stated += re.findall(r"^  using .*$", refine, re.MULTILINE)
    whole = Text.of("stack.rw", "\n\n".join((*graphs, f"refine stack_tp of stack at tp = {ranks} {{", *stated, "}")))
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


KERNELS_LIMIT = 1500.0
"""Milliseconds for 8 layers of fused kernels on 8 ranks: each kernel of a rank is found by a lemma."""


def test_layers_of_fused_kernels(enforced: bool) -> None:
    best = {layers: min(_milliseconds(written_out(_of_kernels(layers))) for _ in range(RUNS)) for layers in (8, 16)}
    print(
        f"\nfused layers on 8 ranks, written out: {', '.join(f'{at}: {each:.0f} ms' for at, each in best.items())},"
        f" limit of 8: {KERNELS_LIMIT:g} ms"
    )
    within(best[8], KERNELS_LIMIT, enforced)


def _of_kernels(layers: int) -> Refinement:
    return stack(layers, 8, "fused_kernels.rw", "fused_layer", "// Columns of a matrix")


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


SYMBOLIC_LIMIT = 5.0
"""How many times as long a layer may take at all sizes as at fixed ones."""
SIZES = {"s": 32, "d": 16, "a": 8, "e": 4, "f": 64}


def fixed(asked: Refinement) -> Refinement:
    """The refinement at `SIZES`."""

    def here(index: Index) -> Index:
        match index:
            case IntegerReference(name=name, site=site) if name in SIZES:
                return Number(SIZES[name], site)
            case IndexOperation(left=left, right=right):
                return replace(index, left=here(left), right=here(right))
            case _:
                return index

    def at(graph: Graph) -> Graph:
        made = [replace(node, shape=tuple(map(here, node.shape))) for node in graph.nodes]
        return replace(graph, nodes=tuple(made))

    assert not any(isinstance(node, Slice) for graph in (asked.sequential, asked.distributed) for node in graph.nodes)
    return replace(asked, sequential=at(asked.sequential), distributed=at(asked.distributed))


def test_all_sizes_beside_fixed_ones(enforced: bool) -> None:
    asked = layer(8)
    symbolic, numbers = (min(_milliseconds(each) for _ in range(RUNS)) for each in (asked, fixed(asked)))
    ratio = symbolic / numbers
    print(
        f"\na layer on 8 ranks at all sizes: {symbolic:.0f} ms, {ratio:.2f} of the {numbers:.0f} ms at fixed ones,"
        f" limit {SYMBOLIC_LIMIT:g}"
    )
    within(ratio, SYMBOLIC_LIMIT, enforced)


PAIR_LIMIT = 300.0
"""Milliseconds for two texts, from reading them to the answer with its replay."""


def test_a_pair_that_jax_printed(enforced: bool) -> None:
    folder = LIBRARY / "graphs" / "jax"
    text = (folder / "attention.rw").read_text()
    declared = check_file(parse(Text.of("attention.rw", text)), lambda _: None).declarations
    refinement = next(each for each in declared if isinstance(each.value, ForeignRefinement))
    assert isinstance(refinement.value, ForeignRefinement)
    sources = tuple(SourceText(each, (folder / each).read_text()) for each in ("attention.mlir", "attention_sp.mlir"))
    payload = ImportPayload(refinement.value, len(refinement.sites), sources)
    best = min(_answered(payload) for _ in range(RUNS))
    print(f"\nattention of JAX, from two texts to the answer: {best:.0f} ms, limit {PAIR_LIMIT:g} ms")
    within(best, PAIR_LIMIT, enforced)


def _answered(payload: ImportPayload) -> float:
    start = time.process_time()
    read = import_refinement(payload)
    assert read.asking is not None
    asked: RefinementPayload = decode(RefinementPayload, read.asking.payload)
    found = answer_all(asked.members, Budget(steps=2_000_000, seconds=60.0))
    elapsed = 1e3 * (time.process_time() - start)
    assert found.verdict is Verdict.PROVED
    return elapsed


COLD_LIMIT = 30.0
"""Seconds."""


def test_the_library_of_graphs_cold(tmp_path: Path, enforced: bool) -> None:
    run = check([LIBRARY / "graphs"], "--cache", str(tmp_path))
    refinements = [each for each in run.results if each["kind"] == "refinement"]
    assert all(each["as_expected"] for each in refinements)
    print(
        f"\n{len(refinements)} refinements of rules/graphs, cold: {run.seconds:.1f} s, limit {COLD_LIMIT:g} s"
        f" ({run.processor:.1f} s of processor time)"
    )
    within(run.seconds, COLD_LIMIT, enforced)
