"""Which tensor of the sequential graph the ranks hold at each node of the distributed one, and how.

Owns the search for it, which decides nothing: a node that nothing is found for may be held all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

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
from rewright.model.graph import Constant, MeshAxis, Partial, Refinement, Shard
from rewright.terms import Term, add, multiply, number, subtract
from rewright.verdict import HeldTensor, HeldTensors

MOST_HELD = 2000
"""Nodes times ranks of a graph that is looked at: a layer of a transformer on 16 ranks."""

MOST_SHOWN = 16
"""Ranks whose parts are said."""


@dataclass(frozen=True, slots=True)
class HeldNode:
    """A node of the distributed graph, the node `of` the sequential one that the ranks hold, and the placements."""

    node: int
    of: int
    placements: Placements
    tensor: BlockTensor


def held_tensors(asked: Refinement, passes: Passes) -> HeldTensors | None:
    """What the ranks hold at the sites of the distributed graph, as far as it is found; None of a large graph."""
    if len(asked.distributed.nodes) * len(ranks_of(asked.distributed)) > MOST_HELD:
        return None
    try:
        found = {each.site: each for each in map(partial(_shown, asked, passes.sizes), held_nodes(asked, passes))}
    except (NotComparable, NotDivided, NotPolynomial, NotWithin):
        return None
    mesh = tuple((str(axis.name), axis.size) for axis in asked.distributed.mesh)
    return HeldTensors(mesh, tuple(found.values()))


def held_nodes(asked: Refinement, passes: Passes) -> Iterator[HeldNode]:
    """The nodes for which something is found, constants left out, in their order.

    Raises `NotComparable`, `NotWithin`, `NotDivided` and `NotPolynomial`.
    """
    known: dict[BlockTensor, int] = {}
    for of, held in enumerate(passes.sequential):
        if held and not isinstance(asked.sequential.nodes[of], Constant):
            known.setdefault(held[()], of)
    recovery = Recovery(asked.distributed, passes.operations, monoids_over_ranks(asked))
    for node, held in enumerate(passes.distributed):
        is_constant = isinstance(asked.distributed.nodes[node], Constant)
        made = None if is_constant or not held else _held(recovery, held, known)
        if made is not None:
            tensor, placements = made
            yield HeldNode(node, known[tensor], placements, tensor)


def _shown(asked: Refinement, sizes: SizeTerms, found: HeldNode) -> HeldTensor:
    site, of = asked.distributed.nodes[found.node].site, asked.sequential.nodes[found.of].site
    parts = tuple(_parts(asked, sizes, found.tensor, found.placements))
    return HeldTensor(site, of, placement_text(found.placements), parts)


def _held(recovery: Recovery, held: Held, known: Mapping[BlockTensor, int]) -> tuple[BlockTensor, Placements] | None:
    """The tensor that the ranks hold, and by which placements, the simplest first; None if none is found."""
    local = next(iter(held.values())).shape
    for shape in dict.fromkeys(each.shape for each in known):
        for placements in fitting(recovery.graph, shape, local, recovery.monoids):
            whole = recovery.tensor(held, placements)
            if whole is not None and whole in known:
                return whole, placements
    return None


def _parts(asked: Refinement, sizes: SizeTerms, tensor: BlockTensor, placements: Placements) -> Iterator[str]:
    """What each rank holds: `0..h/4` of the dimensions that are cut, `:` of others, and which term of a sum."""
    for rank in ranks_of(asked.distributed)[:MOST_SHOWN]:
        box = _box(tensor.shape, placements, asked.distributed.mesh, rank)
        said = [
            ":"
            if (low, high) == (ZERO, size)
            else f"{size_text(low, sizes.multiples)}..{size_text(high, sizes.multiples)}"
            for (low, high), size in zip(box, tensor.shape, strict=True)
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
