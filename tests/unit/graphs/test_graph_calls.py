"""Graphs that call graphs: decided by the calls as by the nodes that these stand for, and each callee proved once."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from rewright.graphs import decide as deciding
from rewright.graphs.decide import DecidedRefinement, decide
from rewright.graphs.decision import RelationsFound, RelationsMissing
from rewright.model.file import check_file
from rewright.model.graph import Refinement, RefinementFamily
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs"

LAYERS = """
graph layer(x: f32[m, d], a: f32[d, h], b: f32[h, d]) -> y {
  y = x + max(x @ a, 0) @ b
}

graph layer_tp(x: f32[m, d], a: f32[d, h/tp], b: f32[h/tp, d]) -> y on mesh(tp = 2) {
  y = x + REDUCED
}
"""
REDUCED = "all_reduce(add, max(x @ a, 0) @ b, over = tp)"


def refinements(text: str) -> dict[str, Refinement]:
    """Those of a text, on the first mesh of each."""
    found = {}
    for each in check_file(parse(Text.of("calls.rw", text)), lambda _: None).declarations:
        assert not each.findings and not each.unsupported, each.findings
        value = each.value.members[0] if isinstance(each.value, RefinementFamily) else each.value
        if isinstance(value, Refinement):
            found[each.name] = value
    return found


def stack(layers: int, reduced: str = REDUCED) -> Refinement:
    """So many layers, each with weights of its own."""
    numbers = range(layers)
    sides = []
    for name, half in (("", ""), ("_tp", "/tp")):
        weights = ", ".join(f"a{i}: f32[d, h{half}], b{i}: f32[h{half}, d]" for i in numbers)
        body = "\n".join(f"  x{i + 1} = layer{name}(x{i}, a{i}, b{i})" for i in numbers)
        mesh = " on mesh(tp = 2)" if name else ""
        sides.append(f"graph stack{name}(x0: f32[m, d], {weights}) -> x{layers}{mesh} {{\n{body}\n}}")
    placed = "\n".join(f"  a{i}: shard(1, tp)\n  b{i}: shard(0, tp)" for i in numbers)
    text = "\n\n".join((LAYERS.replace("REDUCED", reduced), *sides, f"refine stack_tp of stack {{\n{placed}\n}}"))
    return refinements(text)["stack_tp of stack"]


def by_nodes(asked: Refinement) -> DecidedRefinement:
    """Decided as if nothing was called."""
    graphs = (replace(asked.sequential, calls=()), replace(asked.distributed, calls=()))
    return decide(replace(asked, sequential=graphs[0], distributed=graphs[1]))


def test_calls_come_to_what_their_nodes_come_to() -> None:
    for asked in refinements((LIBRARY / "calls.rw").read_text(encoding="utf-8")).values():
        assert asked.distributed.calls and asked.sequential.calls
        found, other = decide(asked).decision, by_nodes(asked).decision
        assert type(found) is type(other)
        if isinstance(found, RelationsFound) and isinstance(other, RelationsFound):
            assert found.relations == other.relations


def test_a_layer_is_proved_once_for_all_of_its_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = stack(6)
    proofs: list[Refinement] = []
    taken_apart = deciding._by_nodes

    def counted(each: Refinement) -> DecidedRefinement:
        proofs.append(each)
        return taken_apart(each)

    monkeypatch.setattr(deciding, "_by_nodes", counted)
    found = decide(asked)
    assert isinstance(found.decision, RelationsFound)
    assert len(proofs) == 1
    # Besides the inputs nothing but one tensor for each call.
    assert len(found.roots) == 1 + 2 * 6 + 6


def test_a_wrong_layer_is_wrong_in_the_model() -> None:
    assert isinstance(decide(stack(3, "max(x @ a, 0) @ b")).decision, RelationsMissing)


def test_a_layer_that_gets_what_belongs_to_another_is_not_proved() -> None:
    asked = stack(2)
    one, other = asked.distributed.calls
    assert one.operands != other.operands
    swapped = replace(asked, inputs=tuple(each for each in reversed(asked.inputs)))
    assert isinstance(decide(swapped).decision, RelationsFound)
    nodes = list(asked.distributed.nodes)
    first, second = (at for at, each in enumerate(nodes) if getattr(each, "name", "") in ("a0", "a1"))
    nodes[first], nodes[second] = nodes[second], nodes[first]
    crossed = replace(asked, distributed=replace(asked.distributed, nodes=tuple(nodes)))
    assert isinstance(decide(crossed).decision, RelationsMissing)
