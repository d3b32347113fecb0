"""Which of the parts that a node puts together is another one than belongs there, and the slice that took it.

Owns what is said of a concatenation that is a tensor of the sequential graph but for a part of it. A guess, for
explanations only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from rewright.graphs.blocks import BlockTensor
from rewright.graphs.departing import Departing
from rewright.graphs.differences import Difference, Move, moves, shifted
from rewright.graphs.interpretation import Rank
from rewright.graphs.roots import Root
from rewright.graphs.sizes import ZERO, less_size, plus_size
from rewright.model.graph import Concatenate, Elementwise, Slice
from rewright.terms import Term

MOST_COMPARED = 200
"""Tensors of the sequential graph that a concatenation is compared with, part by part, while somebody waits."""


class MisplacedPart(Struct, frozen=True):
    """A node that takes another part than belongs where what it is read for stands, on a rank."""

    node: int
    rank: Rank
    difference: Difference


class _Part(Struct, frozen=True):
    """An operand of a concatenation: where it begins in it, and how far from there what is held is moved."""

    node: int
    start: Term
    move: Move

    @property
    def by(self) -> Term:
        return less_size(self.move.by, self.start)


def misplaced_part(departing: Departing, roots: tuple[Root, ...], node: int) -> MisplacedPart | None:
    """The part of a concatenation that is out of place, where others are parts of the same tensor in their place.

    Raises `NotComparable`, `NotDivided` and `NotPolynomial`.
    """
    at = departing.node(node)
    if not isinstance(at, Concatenate):
        return None
    passes = departing.holdings.passes
    for rank, whole in sorted(passes.distributed[node].items()):
        held = [passes.distributed[each][rank] for each in at.operands]
        for due in _known(departing, at):
            parts = list(_parts(at, held, due, roots))
            is_whole = due.shape[at.dimension] is whole.shape[at.dimension]
            place = ZERO if is_whole else _most([each.by for each in parts])
            wrong = [each for each in parts if each.by is not place]
            if place is not None and len(parts) == len(held) and 0 < len(wrong) < len(parts):
                return MisplacedPart(*_taken(departing, at, wrong[0], (rank, place)))
    return None


def _known(departing: Departing, at: Concatenate) -> list[BlockTensor]:
    """The tensors of the sequential graph that a concatenation may be a part of, the newest first."""
    tensors = (held[()] for held in reversed(departing.holdings.passes.sequential) if held)
    return [each for each in tensors if len(each.shape) == len(at.shape)][:MOST_COMPARED]


def _most(moved: list[Term]) -> Term | None:
    """By what most are moved, None if that are no two, or no more than by another distance."""
    counts = Counter(moved).most_common(2)
    is_alone = len(counts) == 1 or (bool(counts) and counts[0][1] > counts[1][1])
    return counts[0][0] if is_alone and counts[0][1] > 1 else None


def _parts(at: Concatenate, held: list[BlockTensor], due: BlockTensor, roots: tuple[Root, ...]) -> Iterator[_Part]:
    start = ZERO
    for node, tensor in zip(at.operands, held, strict=True):
        move = moves(tensor, due, roots).get(at.dimension)
        if move is not None:
            yield _Part(node, start, move)
        start = plus_size(start, tensor.shape[at.dimension])


def _taken(departing: Departing, at: Concatenate, part: _Part, due: tuple[Rank, Term]) -> tuple[int, Rank, Difference]:
    """The slice that took a part, if only elementwise operators stand between; else the part itself."""
    (rank, place), node, d = due, part.node, at.dimension
    by = less_size(part.by, place)
    while isinstance(departing.node(node), Elementwise) and len(departing.read(node)) == 1:
        (node,) = departing.read(node)
    cut, sizes = departing.node(node), departing.holdings.passes.sizes
    if isinstance(cut, Slice) and not departing.is_of_rank(cut.start[d]):
        (whole,) = sizes.terms(departing.node(cut.operand).shape[d : d + 1])
        (taken,) = sizes.terms(cut.start[d : d + 1])
        return node, rank, shifted(whole, part.move.size, taken, less_size(taken, by))
    begin = plus_size(part.move.due, part.move.by)
    return part.node, rank, shifted(part.move.whole, part.move.size, begin, less_size(begin, by))
