"""Relations between what a sequential graph computes and what the ranks of a distributed one hold.

Owns placements: the parts of a tensor that the ranks hold by one, and the tensor that what they hold comes to by one.
Clean is what a placement says: parts put together, and parts combined over ranks; no factor, no added constant
(Entangle, section 3.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice, permutations, product

from msgspec import Struct

from rewright.graphs.blocks import BlockTensor, BoxPiece, Restriction, concatenated, is_zero, sliced
from rewright.graphs.interpretation import Held, Rank
from rewright.graphs.operations import Operations
from rewright.graphs.sizes import ZERO, plus_size, quotient
from rewright.model.graph import Elementwise, Graph, MeshAxis, Monoid, Partial, Refinement, Shard
from rewright.terms import Term, multiply, number

MONOIDS: tuple[Monoid, ...] = ("add", "maximum", "minimum", "multiply")
Placements = tuple[Shard | Partial, ...]


@lru_cache(1 << 12)
def held_by(tensor: BlockTensor, placements: Placements, mesh: tuple[MeshAxis, ...], rank: Rank) -> BlockTensor:
    """What a rank holds of a tensor. A part of a sum is one of the terms that its root is made of, in the order of
    `partial_axes`. Raises `NotDivided`, `NotPolynomial`, `NotComparable` and `NotWithin`."""
    if not placements:
        return tensor
    partial = [each.axis for each in placements if isinstance(each, Partial)]
    coordinates = {axis.name: at for axis, at in zip(mesh, rank, strict=True)}
    counts = {axis.name: axis.size for axis in mesh}
    for each in placements:
        at = coordinates[each.axis]
        match each:
            case Shard(dimension=dimension, axis=axis):
                shape, start = list(tensor.shape), [ZERO] * len(tensor.shape)
                start[dimension], shape[dimension] = share(shape[dimension], counts[axis], at)
                tensor = sliced(tensor, start, shape)
            case Partial(monoid=monoid, axis=axis):
                own = Restriction((), partial.index(axis), monoid, number(at), number(at + 1))
                tensor = _restricted(tensor, own)
    return tensor


@lru_cache(1 << 12)
def share(size: Term, count: int, at: int) -> tuple[Term, Term]:
    """Where the part with number `at` begins of a size that is cut into `count` equal ones, and how large it is.

    Raises `NotDivided` and `NotPolynomial`.
    """
    part = quotient(size, number(count))
    return multiply(number(at), part), part


def _restricted(tensor: BlockTensor, own: Restriction) -> BlockTensor:
    return BlockTensor(
        tensor.shape,
        tuple(
            BoxPiece(each.box, frozenset((a._replace(restrictions=a.restrictions | {own}), f) for a, f in each.sum))
            for each in tensor.pieces
        ),
    )


def partial_axes(placements: Placements, mesh: Sequence[MeshAxis]) -> tuple[Term, ...]:
    """For each axis over which a placed tensor is to be combined how many ranks there are along it."""
    counts = {axis.name: axis.size for axis in mesh}
    return tuple(number(counts[each.axis]) for each in placements if isinstance(each, Partial))


class Recovery(Struct, frozen=True):
    """How tensors are put together from what ranks hold; `monoids` are those by which they are combined."""

    graph: Graph
    operations: Operations
    monoids: Sequence[Monoid] = MONOIDS

    def tensor(self, held: Held, placements: Placements) -> BlockTensor | None:
        """The tensor that is held by these placements; None if ranks that must hold the same do not.

        Raises `NotComparable`.
        """
        for placement in reversed(placements):
            held = {
                rank: self._together(parts, placement) for rank, parts in self._along(held, placement.axis, placements)
            }
        (first, *rest) = held.values()
        return first if all(self.equal(first, each) for each in rest) else None

    def _along(self, held: Held, axis: str, placements: Placements) -> Iterator[tuple[Rank, list[BlockTensor]]]:
        """Ranks with the coordinate on an axis left out as 0, each with what those along the axis hold."""
        place = [each.name for each in self.graph.mesh].index(axis)  # type: ignore[arg-type]
        groups: dict[Rank, list[BlockTensor]] = {}
        for rank in sorted(held):
            groups.setdefault((*rank[:place], 0, *rank[place + 1 :]), []).append(held[rank])
        yield from groups.items()

    def _together(self, parts: Sequence[BlockTensor], placement: Shard | Partial) -> BlockTensor:
        match placement:
            case Partial(monoid=monoid):
                return self.operations.together(monoid, parts)
            case Shard(dimension=dimension):
                shape = list(parts[0].shape)
                shape[dimension] = parts[0].shape[dimension]
                for each in parts[1:]:
                    shape[dimension] = plus_size(shape[dimension], each.shape[dimension])
                return concatenated(parts, dimension, shape)

    def equal(self, left: BlockTensor, right: BlockTensor) -> bool:
        """Whether two tensors are the same. Raises `NotComparable`."""
        if left is right:
            return True
        if left.shape != right.shape:
            return False
        difference = self.operations.added(((Fraction(1), left), (Fraction(-1), right)))
        return is_zero(self.operations.opaques.resolved(difference))


def monoids_over_ranks(asked: Refinement) -> tuple[Monoid, ...]:
    """The operators by which results of ranks are combined when a relation is looked for.

    A product over ranks is of an exponential of a sum, or of a product that is taken apart; to look for one of anything
    else is dear: there are as many factors as ranks, in each power of them.
    """
    graphs = (asked.sequential, asked.distributed)
    multiplied = any(
        isinstance(node, Elementwise) and node.operator in ("exponential", "power") for node in asked.sequential.nodes
    ) or any(getattr(node, "monoid", None) == "multiply" for graph in graphs for node in graph.nodes)
    placed = any(isinstance(p, Partial) and p.monoid == "multiply" for each in asked.inputs for p in each.placements)
    return MONOIDS if multiplied or placed else tuple(each for each in MONOIDS if each != "multiply")


def fitting(
    graph: Graph, shape: Sequence[Term], local: Sequence[Term], monoids: Sequence[Monoid] = MONOIDS
) -> Iterator[Placements]:
    """The placements by which tensors of the shape `local` on each rank come to one of `shape`, the simplest first."""
    choices: list[list[Shard | Partial | None]] = [
        [None, *(Shard(d, axis.name) for d in range(len(shape))), *(Partial(each, axis.name) for each in monoids)]
        for axis in graph.mesh
    ]
    for chosen in product(*choices):
        placed = [each for each in chosen if each is not None]
        if len(local) == len(shape) and _fits(graph, shape, local, placed):
            yield from _orders(placed)


def _orders(placed: Sequence[Shard | Partial]) -> Iterator[Placements]:
    """The placements in every order that matters: where several cut one dimension."""
    cut = [each.dimension for each in placed if isinstance(each, Shard)]
    yield tuple(placed)
    if len(set(cut)) < len(cut):
        yield from islice(permutations(placed), 1, None)


def _fits(graph: Graph, shape: Sequence[Term], local: Sequence[Term], placements: Sequence[Shard | Partial]) -> bool:
    sizes = list(local)
    counts = {axis.name: axis.size for axis in graph.mesh}
    for each in placements:
        if isinstance(each, Shard):
            sizes[each.dimension] = multiply(sizes[each.dimension], number(counts[each.axis]))
    return tuple(sizes) == tuple(shape)
