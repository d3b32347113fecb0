"""What is wrong with a result that is not related: where the distributed graph first departs, and how.

Owns the comparison of what ranks hold with what they should hold. It explains what replay shows and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rewright.graphs.blocks import BlockTensor, Combination, Restriction
from rewright.graphs.decide import DecidedRefinement
from rewright.graphs.decision import NotRelated
from rewright.graphs.interpretation import GraphPlace, Rank
from rewright.graphs.relation import Placements, fitting, held_by
from rewright.graphs.roots import Root, skeleton
from rewright.graphs.sizes import ZERO, NotComparable, NotDivided, NotPolynomial, NotWithin
from rewright.model.graph import Graph
from rewright.terms import Term
from rewright.verdict import RefinementCauseKind


@dataclass(frozen=True, slots=True)
class Difference:
    """How a tensor differs from what it should be.

    `range` is the part of a contraction of size `whole` that is there alone, `factor` by how much the tensor is off.
    """

    kind: RefinementCauseKind
    range: Restriction | None = None
    whole: Term | None = None
    factor: Fraction | None = None


OTHERWISE = Difference(RefinementCauseKind.OTHER)
"""A difference that has no name."""


@dataclass(frozen=True, slots=True)
class Departure:
    """What is wrong at a node of the distributed graph, on a rank.

    `beside` is the node of the sequential graph that it should be like, None if there is none.
    """

    difference: Difference
    node: int
    rank: Rank
    beside: int | None = None


@dataclass(frozen=True, slots=True)
class Departures:
    """The search in what was found out about a refinement with this distributed graph."""

    decided: DecidedRefinement
    graph: Graph

    def of(self, found: NotRelated, result_node: int) -> Departure:
        """Why the ranks do not hold a result as expected, or as its shape says; `result_node` is what they hold."""
        placements = found.expected
        if placements is None:
            local = next(iter(found.held.values())).shape
            placements = next(fitting(self.graph, found.sequential.shape, local), ())
        for rank in sorted(found.held):
            departure = self._on(rank, found, (result_node, placements))
            if departure is not None:
                return departure
        return Departure(OTHERWISE, result_node, min(found.held))

    def _on(self, rank: Rank, found: NotRelated, claim: tuple[int, Placements]) -> Departure | None:
        """Why a rank does not hold its part, None if it does."""
        result_node, placements = claim
        root = self._first_departure(found.held[rank], set())
        if root is not None and isinstance(root.place, GraphPlace):
            beside, difference = self._beside(root)
            at = beside.place.node if beside is not None and isinstance(beside.place, GraphPlace) else None
            return Departure(difference, root.place.node, root.place.rank, at)
        try:
            due = held_by(found.sequential, placements, self.graph.mesh, rank)
        except (NotDivided, NotPolynomial, NotComparable, NotWithin):
            return None
        if found.held[rank] == due:
            return None
        return Departure(self._difference(found.held[rank], due), result_node, rank)

    def _first_departure(self, tensor: BlockTensor, seen: set[int]) -> Root | None:
        """The first root below a tensor that the distributed graph made, of operands that it did not make."""
        for number in sorted({part.root for piece in tensor.pieces for part, _ in piece.sum}):
            root = self.decided.roots[number]
            if number in seen or not isinstance(root.place, GraphPlace) or root.place.graph != self.graph.name:
                continue
            seen.add(number)
            if not root.made.operands:
                continue
            below = (self._first_departure(each, seen) for each in root.made.operands)
            return next((each for each in below if each is not None), root)
        return None

    def _beside(self, root: Root) -> tuple[Root | None, Difference]:
        """The sequential root that is made most alike, and the first difference of its operands."""
        for other in self.decided.roots:
            if other.made.key == root.made.key and other is not root and self._is_sequential(other):
                pairs = list(zip(root.made.operands, other.made.operands, strict=True))
                if all(_roots(held) == _roots(due) for held, due in pairs):
                    found = [self._difference(held, due) for held, due in pairs]
                    return other, next((each for each in found if each is not OTHERWISE), found[0])
        return None, OTHERWISE

    def _is_sequential(self, root: Root) -> bool:
        return isinstance(root.place, GraphPlace) and root.place.graph != self.graph.name

    def _difference(self, held: BlockTensor, due: BlockTensor) -> Difference:
        """How a tensor differs from another, as far as one piece of each tells."""
        if len(held.pieces) != 1 or len(due.pieces) != 1:
            return OTHERWISE
        return self._between(held.pieces[0].sum, due.pieces[0].sum)

    def _between(self, held: Combination, due: Combination) -> Difference:
        extra = [(part, each) for part, _ in held for each in part.restrictions if not _has(due, part.root, each)]
        if extra and _roots_of(held) == _roots_of(due):
            part, own = min(extra, key=_place)
            return Difference(RefinementCauseKind.UNREDUCED, own, self._extent(part.root, own))
        factors = _ratios(held, due)
        if len(factors) == 1 and factors != {Fraction(1)}:
            (factor,) = factors
            return Difference(RefinementCauseKind.SCALED, factor=factor)
        if _roots_of(held) < _roots_of(due):
            return Difference(RefinementCauseKind.MISSING)
        if len(factors) > 1 and _roots_of(held) == _roots_of(due):
            odd = max(factors, key=lambda each: (abs(each - 1), each))
            is_count = odd.denominator == 1 and odd > 1
            return Difference(RefinementCauseKind.DOUBLED if is_count else RefinementCauseKind.SCALED, factor=odd)
        if skeleton(held) == skeleton(due):
            return Difference(RefinementCauseKind.SHIFTED)
        return OTHERWISE

    def _extent(self, number: int, own: Restriction) -> Term:
        root = self.decided.roots[number]
        for step in own.path:
            ((part, _), *_) = root.made.operands[step].pieces[0].sum
            root = self.decided.roots[part.root]
        return root.made.contracted[own.dimension]


def _place(term: tuple[object, Restriction]) -> tuple[object, ...]:
    _, own = term
    return len(own.path), own.path, own.dimension, own.low is not ZERO, own.low.digest


def _roots(tensor: BlockTensor) -> frozenset[int]:
    return frozenset(part.root for piece in tensor.pieces for part, _ in piece.sum)


def _roots_of(total: Combination) -> frozenset[int]:
    return frozenset(part.root for part, _ in total)


def _has(total: Combination, root: int, own: Restriction) -> bool:
    return any(part.root == root and own in part.restrictions for part, _ in total)


def _ratios(held: Combination, due: Combination) -> set[Fraction]:
    """The factors between the coefficients of roots that stand once in each."""
    by_root = {part.root: value for part, value in due}
    if len(by_root) != len(due) or len(held) != len(due):
        return set()
    return {value / by_root[part.root] for part, value in held if part.root in by_root}
