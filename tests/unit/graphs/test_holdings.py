"""What ranks hold in between, against the replay: each holding is true of random inputs; a wrong graph says no more."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from rewright.graphs.decide import decide
from rewright.graphs.holdings import HeldNodes, held_nodes, held_tensors
from rewright.graphs.interpretation import ranks_of
from rewright.model.file import check_file
from rewright.model.graph import GraphResult, Placed, Refinement, RefinementFamily
from rewright.model.index import Name
from rewright.replay.graphs.expectation import failing_expectation
from rewright.replay.graphs.sizes import sizes_to_try
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs"


def refinements(file: str) -> dict[str, Refinement]:
    """Those of a file of the library, on the first mesh of each."""
    text = Text.of(file, (LIBRARY / file).read_text(encoding="utf-8"))
    found = {}
    for each in check_file(parse(text), lambda _: None).declarations:
        value = each.value.members[0] if isinstance(each.value, RefinementFamily) else each.value
        if isinstance(value, Refinement):
            found[each.name] = value
    return found


def holdings_of(asked: Refinement) -> HeldNodes:
    """What deciding it found of its nodes."""
    passes = decide(asked).passes
    assert passes is not None
    return HeldNodes(asked, passes)


@pytest.mark.parametrize("file", ["mlp.rw", "silent-bugs.rw"])
def test_what_is_said_to_be_held_is_held_when_both_graphs_are_run(file: str) -> None:
    checked = 0
    for asked in refinements(file).values():
        sizes = next(iter(sizes_to_try(asked)))
        for found in held_nodes(holdings_of(asked)):
            name = Name("held")
            claim = replace(
                asked,
                sequential=replace(asked.sequential, results=(GraphResult(name, found.of),)),
                distributed=replace(asked.distributed, results=(GraphResult(name, found.node),)),
                expected=(Placed(name, found.placements, 0),),
            )
            assert failing_expectation(claim, sizes) is None, found
            checked += 1
    assert checked > 50


def test_every_tensor_of_a_right_layer_is_held() -> None:
    asked = refinements("mlp.rw")["mlp_dp_tp of mlp"]
    found = held_tensors(holdings_of(asked))
    assert found is not None and found.mesh == (("dp", 2), ("tp", 4))
    placements = {each.site: each.placements for each in found.tensors}
    made = [placements[each.site] for each in asked.distributed.nodes if each.site in placements]
    assert made == [
        "shard(0, dp)",
        "shard(1, tp)",
        "shard(0, tp)",
        "shard(0, dp), shard(1, tp)",
        "shard(0, dp), shard(1, tp)",
        "shard(0, dp), shard(1, tp)",
        "shard(0, dp), partial(add, tp)",
        "shard(0, dp)",
    ]
    parts = found.tensors[3].parts
    assert len(parts) == len(ranks_of(asked.distributed))
    assert parts[0] == "[0..m/2, 0..h/4]" and parts[-1] == "[m/2..m, 3*h/4..h]"


def test_what_follows_a_fault_is_not_said_to_be_held() -> None:
    asked = refinements("silent-bugs.rw")["head_gradient_not_summed of head_gradient"]
    found = held_tensors(holdings_of(asked))
    assert found is not None
    held = {each.site for each in found.tensors}
    assert asked.distributed.nodes[asked.distributed.results[0].node].site not in held
