"""How two tensors in block normal form differ: the one that ranks hold, and the one that they should be a part of.

Owns the names of differences. They explain what replay shows and decide nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

from rewright.graphs.blocks import SPREAD, BlockTensor, Combination, Restriction, RootPart
from rewright.graphs.roots import Root, RootOperation, skeleton
from rewright.graphs.sizes import ZERO, less_size, plus_size
from rewright.terms import Term, multiply, number
from rewright.verdict import RefinementCauseKind

Extent = tuple[Term, Term]
"""From where to before where."""


class Difference(Struct, frozen=True):
    """How a tensor differs from what it should be.

    `range` is the part of a contraction of size `whole` that is there alone, `factor` by how much the tensor is off. Of
    a shift, `taken` is what is there of a dimension of size `whole`, and `due` what belongs there.
    """

    kind: RefinementCauseKind
    range: Restriction | None = None
    whole: Term | None = None
    factor: Fraction | None = None
    taken: Extent | None = None
    due: Extent | None = None


OTHERWISE = Difference(RefinementCauseKind.OTHER)
"""A difference that has no name."""


class Differences(Struct, frozen=True):
    """The comparison of tensors that are made of these roots."""

    roots: Sequence[Root]

    def between(self, held: BlockTensor, due: BlockTensor) -> Difference:
        """How a tensor differs from another, as far as one piece of each tells; otherwise, too, if it does not."""
        if len(held.pieces) != 1 or len(due.pieces) != 1 or held.pieces[0].sum == due.pieces[0].sum:
            return OTHERWISE
        return self._of_sums(held.pieces[0].sum, due.pieces[0].sum)

    def _of_sums(self, held: Combination, due: Combination) -> Difference:
        extra = [(part, each) for part, _ in held for each in part.restrictions if not _has(due, part.root, each)]
        if extra and _roots_of(held) == _roots_of(due):
            counted = {value / each for part, value in held for other, each in due if other.root == part.root}
            if min(counted) == 1 < max(counted) and max(counted).denominator == 1:
                return Difference(RefinementCauseKind.DOUBLED, factor=max(counted))
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
            # Of another factor it cannot be said in a few words of which term it is.
            return Difference(RefinementCauseKind.DOUBLED, factor=odd) if odd.denominator == 1 < odd else OTHERWISE
        if skeleton(held) == skeleton(due):
            return Difference(RefinementCauseKind.SHIFTED)
        return OTHERWISE

    def _extent(self, number: int, own: Restriction) -> Term:
        root = self.roots[number]
        for step in own.path:
            ((part, _), *_) = root.made.operands[step].pieces[0].sum
            root = self.roots[part.root]
        return root.made.contracted[own.dimension]


def shifted(whole: Term, size: Term, taken: Term, due: Term) -> Difference:
    """That something of a size begins elsewhere along a dimension than is due."""
    ends = ((each, plus_size(each, size)) for each in (taken, due))
    return Difference(RefinementCauseKind.SHIFTED, None, whole, None, *ends)


class Move(NamedTuple):
    """How far a part of a root, of this size along a dimension of a `whole`, begins from where it should, at `due`."""

    by: Term
    due: Term
    size: Term
    whole: Term


def moves(held: BlockTensor, due: BlockTensor, roots: Sequence[Root]) -> dict[int, Move]:
    """How far a tensor is moved along each dimension that it varies along, where all its parts are moved alike.

    Nothing where one is not made of the other's parts.
    """
    if len(held.pieces) != 1 or len(due.pieces) != 1 or skeleton(held.pieces[0].sum) != skeleton(due.pieces[0].sum):
        return {}
    found: dict[int, dict[Term, Move]] = {}
    for (one, _), (other, _) in zip(_ordered(held.pieces[0].sum), _ordered(due.pieces[0].sum), strict=True):
        for (d, low), (_, start), whole in zip(one.axes, other.axes, roots[one.root].shape, strict=True):
            if d != SPREAD:
                by = less_size(low, start)
                found.setdefault(d, {}).setdefault(by, Move(by, start, held.shape[d], whole))
    return {d: next(iter(by.values())) for d, by in found.items() if len(by) == 1}


def _ordered(total: Combination) -> list[tuple[RootPart, Fraction]]:
    return sorted(total, key=lambda term: (term[0].root, [d for d, _ in term[0].axes], term[1]))


def apart(pair: tuple[Root, Root], roots: Sequence[Root], coordinates: Collection[int]) -> Difference | None:
    """That two operands of a root are moved along one dimension by different distances, as those of another root are
    not; of a rank with these coordinates, the one that is moved by its share is right. None if none are."""
    root, other = pair
    moved: dict[object, list[Move]] = {}
    for held, due, names in zip(root.made.operands, other.made.operands, _labels(root.made), strict=False):
        for d, move in moves(held, due, roots).items():
            moved.setdefault(names[d], []).append(move)
    for found in moved.values():
        if len({each.by for each in found}) > 1:
            shares = {multiply(number(each), found[0].size) for each in coordinates if each}
            right = next((each.by for each in found if each.by in shares), None)
            right = next((each.by for each in found if each.by is ZERO), found[-1].by) if right is None else right
            wrong = next(each for each in found if each.by is not right)
            return shifted(wrong.whole, wrong.size, plus_size(wrong.due, wrong.by), plus_size(wrong.due, right))
    return None


def _labels(made: RootOperation) -> list[list[object]]:
    """What each operand's dimensions are called, those alike that an operation walks along together, if it is known."""
    match made.key:
        case ("dot", int() as shared, int() as left, int() as right, int() as over):
            common, inner = [("batch", d) for d in range(shared)], [("over", d) for d in range(over)]
            free = ([(side, d) for d in range(count)] for side, count in (("left", left), ("right", right)))
            return [[*common, *each, *inner] for each in free]
        case str() | ("product" | "comparison", *_) if not made.contracted:
            return [list(range(len(each.shape))) for each in made.operands]
        case _:
            return []


def roots_in(tensor: BlockTensor) -> frozenset[int]:
    """The roots that a tensor is made of, by number."""
    return frozenset(part.root for piece in tensor.pieces for part, _ in piece.sum)


def is_beginning(held: BlockTensor, due: BlockTensor) -> bool:
    """Whether a tensor is the beginning of a larger one, both of one piece."""
    return (
        held.shape != due.shape and len(held.pieces) == len(due.pieces) == 1 and held.pieces[0].sum == due.pieces[0].sum
    )


def is_part(held: BlockTensor, due: BlockTensor) -> bool:
    """Whether a tensor is a part of another of as many dimensions, or of some of its terms; both of one piece."""
    if len(held.shape) != len(due.shape) or len(held.pieces) != 1 or len(due.pieces) != 1:
        return False
    one, other = held.pieces[0].sum, due.pieces[0].sum
    whole = {(part.root, tuple(d for d, _ in part.axes), value): part for part, value in other}
    by: dict[int, Term] = {}
    for part, value in one:
        of = whole.get((part.root, tuple(d for d, _ in part.axes), value))
        if of is None or len(one) != len(whole) or not of.restrictions <= part.restrictions:
            return False
        for (d, low), (_, start) in zip(part.axes, of.axes, strict=True):
            if by.setdefault(d, less_size(low, start)) is not less_size(low, start):
                return False
    return True


def _place(term: tuple[object, Restriction]) -> tuple[object, ...]:
    _, own = term
    return len(own.path), own.path, own.dimension, own.low is not ZERO, own.low.digest


def _roots_of(total: Combination) -> frozenset[int]:
    return frozenset(part.root for part, _ in total)


def _has(total: Combination, root: int, own: Restriction) -> bool:
    return any(part.root == root and own in part.restrictions for part, _ in total)


def times(held: BlockTensor, due: BlockTensor) -> Fraction | None:
    """How many times another tensor one is, as far as one piece of each tells; None if it is no multiple."""
    if len(held.pieces) != 1 or len(due.pieces) != 1:
        return None
    factors = _ratios(held.pieces[0].sum, due.pieces[0].sum)
    return factors.pop() if len(factors) == 1 else None


def _ratios(held: Combination, due: Combination) -> set[Fraction]:
    """The factors between the coefficients of roots, if each stands once in both."""
    by_root = {part.root: value for part, value in due}
    if len(by_root) != len(due) or len(held) != len(due) or _roots_of(held) != by_root.keys():
        return set()
    return {value / by_root[part.root] for part, value in held}
