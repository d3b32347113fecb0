"""Which tensor of the sequential graph the ranks hold at each node of the distributed one, and how.

Owns the search for it, which decides nothing: a node that nothing is found for may be held all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from rewright.graphs.blocks import BlockTensor
from rewright.graphs.decide import Passes
from rewright.graphs.interpretation import Held, Rank, ranks_of
from rewright.graphs.relation import Placements, Recovery, fitting, monoids_over_ranks
from rewright.graphs.sizes import (
    ZERO,
    NotComparable,
    NotDivided,
    NotPolynomial,
    NotWithin,
    SizeTerms,
    quotient,
)
from rewright.graphs.text import placement_text, size_text
from rewright.model.graph import Constant, MeshAxis, Partial, Refinement, Shard, StepNumber
from rewright.terms import Term, add, multiply, number, subtract
from rewright.verdict import HeldTensor, HeldTensors

MOST_HELD = 2000
"""Nodes times ranks of a graph that is looked at: a layer of a transformer on 16 ranks."""

MOST_SHOWN = 16
"""Ranks whose parts are said."""


class HeldNode(Struct, frozen=True):
    """A node of the distributed graph, the node `of` the sequential one that the ranks hold, and the placements."""

    node: int
    of: int
    placements: Placements
    tensor: BlockTensor


class HeldNodes:
    """What is held at nodes of the distributed graph of a refinement, each looked for once."""

    def __init__(self, asked: Refinement, passes: Passes) -> None:
        self.asked, self.passes = asked, passes
        self._recovery = Recovery(asked.distributed, passes.operations, monoids_over_ranks(asked))
        self._known: dict[BlockTensor, int] = {}
        self._found: dict[int, HeldNode | None] = {}
        self._fits: dict[tuple[tuple[Term, ...], tuple[Term, ...]], Sequence[Placements]] = {}
        for of, held in enumerate(passes.sequential):
            if held and not isinstance(asked.sequential.nodes[of], Constant):
                self._known.setdefault(held[()], of)

    def at(self, node: int) -> HeldNode | None:
        """What the ranks hold at a node, None if nothing is found, or if it is a constant.

        Raises `NotComparable`, `NotWithin`, `NotDivided` and `NotPolynomial`.
        """
        if node not in self._found:
            held = self.passes.distributed[node]
            is_constant = isinstance(self.asked.distributed.nodes[node], Constant)
            self._found[node] = None if is_constant or not held else self._held(node, held)
        return self._found[node]

    def as_of(self, node: int, of: int) -> HeldNode | None:
        """As `at`, where the tensor is known that it may be, though it be written as another combination."""
        found = self.at(node)
        held, due = self.passes.distributed[node], self.passes.sequential[of]
        if found is not None or not held or not due:
            return found
        local, tensor = next(iter(held.values())).shape, due[()]
        for placements in fitting(self.asked.distributed, tensor.shape, local, self._recovery.monoids):
            whole = self._recovery.tensor(held, placements)
            if whole is not None and self._recovery.equal(whole, tensor):
                self._found[node] = HeldNode(node, of, placements, tensor)
                return self._found[node]
        return None

    def knows(self, tensor: BlockTensor) -> bool:
        """Whether the sequential graph computes this tensor."""
        return tensor in self._known

    def first_of(self, node: int) -> int:
        """The first node of the sequential graph that is equal to this one of it."""
        held = self.passes.sequential[node]
        return self._known.get(held[()], node) if held else node

    def _fitting(self, shape: tuple[Term, ...], local: tuple[Term, ...]) -> Sequence[Placements]:
        if (shape, local) not in self._fits:
            found = fitting(self.asked.distributed, shape, local, self._recovery.monoids)
            self._fits[shape, local] = tuple(found)
        return self._fits[shape, local]

    def _held(self, node: int, held: Held) -> HeldNode | None:
        """The tensor that the ranks hold, and by which placements, the simplest first; None if none is found."""
        local = next(iter(held.values())).shape
        for shape in dict.fromkeys(each.shape for each in self._known):
            for placements in self._fitting(shape, local):
                whole = self._recovery.tensor(held, placements)
                if whole is not None and whole in self._known:
                    return HeldNode(node, self._known[whole], placements, whole)
        return None


def is_large(asked: Refinement) -> bool:
    """Whether it takes long to look at all nodes on all ranks."""
    return len(asked.distributed.nodes) * len(ranks_of(asked.distributed)) > MOST_HELD


def held_tensors(holdings: HeldNodes) -> HeldTensors | None:
    """What the ranks hold at the sites of the distributed graph, as far as it is found; None of a large graph."""
    asked = holdings.asked
    if is_large(asked):
        return None
    try:
        parts = cache(lambda shape, placements: tuple(_parts(asked, holdings.passes.sizes, shape, placements)))
        shown = [(each.node, _shown(asked, each, parts)) for each in held_nodes(holdings)]
        found = {each.site: each for _, each in shown}
        for site in _differing(asked, shown):
            del found[site]
    except (NotComparable, NotDivided, NotPolynomial, NotWithin):
        return None
    mesh = tuple((str(axis.name), axis.size) for axis in asked.distributed.mesh)
    return HeldTensors(mesh, tuple(found.values()))


def _differing(asked: Refinement, shown: Sequence[tuple[int, HeldTensor]]) -> set[int]:
    """The sites in loops at which the ranks hold something by other placements in some steps, or nothing is found."""
    steps: dict[int, set[tuple[StepNumber, ...]]] = {}
    held: dict[int, dict[tuple[StepNumber, ...], str]] = {}
    for at, node in enumerate(asked.distributed.nodes):
        step = asked.distributed.step(at)
        if step:
            steps.setdefault(node.site, set()).add(step)
    for at, each in shown:
        held.setdefault(each.site, {})[asked.distributed.step(at)] = each.placements
    return {site for site in held.keys() & steps.keys() if len({held[site].get(step) for step in steps[site]}) > 1}


def held_nodes(holdings: HeldNodes) -> Iterator[HeldNode]:
    """The nodes for which something is found, constants left out, in their order. Raises as `HeldNodes.at`."""
    for node in range(holdings.asked.distributed.own):
        found = holdings.at(node)
        if found is not None and found.of < holdings.asked.sequential.own:
            yield found


Parts = Callable[[tuple[Term, ...], Placements], tuple[str, ...]]
"""What the ranks hold of a tensor of a shape by its placements: there are fewer of these than nodes."""


def _shown(asked: Refinement, found: HeldNode, parts: Parts) -> HeldTensor:
    site, of = asked.distributed.nodes[found.node].site, asked.sequential.nodes[found.of].site
    return HeldTensor(site, of, placement_text(found.placements), parts(found.tensor.shape, found.placements))


def _parts(asked: Refinement, sizes: SizeTerms, shape: Sequence[Term], placements: Placements) -> Iterator[str]:
    """What each rank holds: `0..h/4` of the dimensions that are cut, `:` of others, and which term of a sum."""
    for rank in ranks_of(asked.distributed)[:MOST_SHOWN]:
        box = _box(shape, placements, asked.distributed.mesh, rank)
        said = [
            ":"
            if (low, high) == (ZERO, size)
            else f"{size_text(low, sizes.multiples)}..{size_text(high, sizes.multiples)}"
            for (low, high), size in zip(box, shape, strict=True)
        ]
        in_part = any(isinstance(each, Partial) for each in placements)
        yield f"[{', '.join(said)}]{' in part' if in_part else ''}"


def _box(
    shape: Sequence[Term], placements: Placements, mesh: Sequence[MeshAxis], rank: Rank
) -> list[tuple[Term, Term]]:
    """The part of a tensor that a rank holds: where it starts and ends in each dimension. Raises as `quotient`."""
    places = {axis.name: place for place, axis in enumerate(mesh)}
    box = [(ZERO, size) for size in shape]
    for each in placements:
        if isinstance(each, Shard):
            place = places[each.axis]
            low, high = box[each.dimension]
            size = quotient(subtract(high, low), number(mesh[place].size))
            start = add(low, multiply(number(rank[place]), size))
            box[each.dimension] = start, add(start, size)
    return box
