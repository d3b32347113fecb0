"""The block normal form of a tensor: boxes, in each of which it is a linear combination of parts of roots.

Owns tensors as values: what a box holds, and how tensors are cut, moved, added and merged. A root is a tensor that is
computed by an operator that is neither linear nor a view, or an input; `roots` knows them. Two tensors are equal where
their difference has no terms, whatever the boxes are. All of it is true over the reals at all sizes from 1.

A `RootPart` is a part of a root: its element at x is the root's at the index that `axes` gives, one entry for each
dimension of the root. An entry (d, o) stands for x[d] + o, (SPREAD, o) for o. So two boxes that lie side by side in one
root hold the same `RootPart`, and merging is a matter of boxes. A `Restriction` says that only some of the terms are
combined which the root combines: those low <= k < high of its contracted dimension `dimension`; with a path (p, ...)
those of the root of which its operand p is made. A root is linear in what may be restricted, so parts that differ only
in ranges that adjoin add up to the one with the joined range, which is no restriction if it is the whole range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from itertools import product as every
from typing import NamedTuple

from msgspec import Struct

from rewright.graphs.sizes import ZERO, NotWithin, at_most, less_size, ordered, plus_size
from rewright.model.graph import Monoid
from rewright.terms import Term

SPREAD = -1
Box = tuple[tuple[Term, Term], ...]


class Restriction(NamedTuple):
    """Only the terms low <= k < high of a contraction by `monoid`."""

    path: tuple[int, ...]
    dimension: int
    monoid: Monoid
    low: Term
    high: Term


class RootPart(NamedTuple):
    """A part of the root with this number. A tuple, whose hash is quick: most of what a graph makes are these."""

    root: int
    axes: tuple[tuple[int, Term], ...]
    restrictions: frozenset[Restriction] = frozenset()


Combination = frozenset[tuple[RootPart, Fraction]]
"""A linear combination: each part with a coefficient that is not 0."""


class BoxPiece(Struct, frozen=True):
    """What a tensor is in one box; `low` to `high` in each dimension."""

    box: Box
    sum: Combination


class BlockTensor(Struct, frozen=True):
    """A tensor's shape, and the pieces that it is made of, which do not overlap. If it has no elements it is one piece;
    else none is without elements at all sizes."""

    shape: tuple[Term, ...]
    pieces: tuple[BoxPiece, ...]


def whole(shape: Sequence[Term]) -> Box:
    """The box of a whole tensor."""
    return tuple((ZERO, size) for size in shape)


def one_piece(shape: Sequence[Term], total: Combination) -> BlockTensor:
    """A tensor that is one combination throughout."""
    return BlockTensor(tuple(shape), (BoxPiece(whole(shape), total),))


def without_elements(shape: Sequence[Term]) -> BlockTensor:
    """A tensor without elements, which is one combination as well as any other."""
    return one_piece(shape, frozenset())


def moved(tensor: BlockTensor, by: Mapping[int, Term], shape: Sequence[Term]) -> BlockTensor:
    """The tensor with each element at an index that is greater by `by`, in this shape."""

    def box(old: Box) -> Box:
        return tuple(
            (plus_size(low, by[d]), plus_size(high, by[d])) if d in by else (low, high)
            for d, (low, high) in enumerate(old)
        )

    def axis(d: int, offset: Term) -> tuple[int, Term]:
        return (d, less_size(offset, by[d])) if d in by else (d, offset)

    return BlockTensor(
        tuple(shape), tuple(BoxPiece(box(each.box), with_axes(each.sum, axis)) for each in tensor.pieces)
    )


def with_axes(total: Combination, change: Callable[[int, Term], tuple[int, Term]]) -> Combination:
    """The combination with every axis of its parts changed."""
    return frozenset(
        (RootPart(part.root, tuple([change(d, offset) for d, offset in part.axes]), part.restrictions), factor)
        for part, factor in total
    )


def sliced(tensor: BlockTensor, start: Sequence[Term], shape: Sequence[Term]) -> BlockTensor:
    """The part that begins at `start`. Raises `NotComparable`, and `NotWithin` if it may reach out of the tensor."""
    if all(low is ZERO for low in start) and tuple(shape) == tensor.shape:
        return tensor
    stop = [plus_size(low, size) for low, size in zip(start, shape, strict=True)]
    if not all(at_most(ZERO, a) and at_most(b, size) for a, b, size in zip(start, stop, tensor.shape, strict=True)):
        raise NotWithin
    if ZERO in shape:
        return without_elements(shape)
    if len(tensor.pieces) == 1:
        by = dict(enumerate(start))
        total = with_axes(tensor.pieces[0].sum, lambda d, low: (d, plus_size(low, by[d]) if d in by else low))
        return one_piece(shape, total)
    cut = (_meet(each, list(zip(start, stop, strict=True))) for each in tensor.pieces)
    back = {d: less_size(ZERO, low) for d, low in enumerate(start) if low is not ZERO}
    return merged(moved(BlockTensor(tensor.shape, tuple(each for each in cut if each is not None)), back, shape))


def _meet(piece: BoxPiece, box: Sequence[tuple[Term, Term]]) -> BoxPiece | None:
    """The part of a piece that lies in a box, None if there is none. Raises `NotComparable`."""
    met = []
    for (low, high), (first, last) in zip(piece.box, box, strict=True):
        start, stop = ordered((low, first))[-1], ordered((high, last))[0]
        if at_most(stop, start):
            return None
        ordered((start, stop))
        met.append((start, stop))
    return BoxPiece(tuple(met), piece.sum)


def transposed(tensor: BlockTensor, permutation: Sequence[int]) -> BlockTensor:
    """The tensor whose dimension i is dimension `permutation[i]` of the given one."""
    place = {SPREAD: SPREAD} | {old: new for new, old in enumerate(permutation)}
    return BlockTensor(
        tuple(tensor.shape[d] for d in permutation),
        tuple(
            BoxPiece(tuple(each.box[d] for d in permutation), with_axes(each.sum, lambda d, o: (place[d], o)))
            for each in tensor.pieces
        ),
    )


def spread(tensor: BlockTensor, dimensions: Sequence[int], shape: Sequence[Term]) -> BlockTensor:
    """The tensor in a larger shape: dimension i is `dimensions[i]`, spread along it where the sizes differ."""
    kept = {d: at for d, at in enumerate(dimensions) if tensor.shape[d] is shape[at]}
    origin = {at: d for d, at in kept.items()}

    def axis(d: int, offset: Term) -> tuple[int, Term]:
        return (kept.get(d, SPREAD), offset)

    return BlockTensor(
        tuple(shape),
        tuple(
            BoxPiece(
                tuple(each.box[origin[at]] if at in origin else (ZERO, size) for at, size in enumerate(shape)),
                with_axes(each.sum, axis),
            )
            for each in tensor.pieces
        ),
    )


def concatenated(tensors: Sequence[BlockTensor], dimension: int, shape: Sequence[Term]) -> BlockTensor:
    """The tensors one after the other along a dimension."""
    if ZERO in shape:
        return without_elements(shape)
    pieces: list[BoxPiece] = []
    before = ZERO
    for each in tensors:
        if each.shape[dimension] is ZERO:
            continue
        pieces += moved(each, {dimension: before}, shape).pieces if before is not ZERO else each.pieces
        before = plus_size(before, each.shape[dimension])
    return merged(BlockTensor(tuple(shape), tuple(pieces)))


def cells(tensors: Sequence[BlockTensor]) -> Iterator[tuple[Box, tuple[Combination, ...]]]:
    """Boxes of tensors of one shape in each of which all are one combination. Raises `NotComparable`."""
    if all(len(each.pieces) == 1 for each in tensors):
        yield tensors[0].pieces[0].box, tuple(each.pieces[0].sum for each in tensors)
        return
    pieces = [piece for each in tensors for piece in each.pieces]
    cuts = [ordered(point for piece in pieces for point in piece.box[d]) for d in range(len(tensors[0].shape))]
    for box in every(*(tuple(pairwise(points)) for points in cuts)):
        yield box, tuple(at(each, box) for each in tensors)


def at(tensor: BlockTensor, box: Box) -> Combination:
    """What the tensor is in a box that no piece's edge cuts."""
    for piece in tensor.pieces:
        if all(at_most(a, c) and at_most(d, b) for (a, b), (c, d) in zip(piece.box, box, strict=True)):
            return piece.sum
    raise AssertionError("pieces cover a tensor")


Extent = Callable[[RootPart, Restriction], Term]
"""The whole range of what a restriction of a part restricts."""


def combined(terms: Sequence[tuple[Fraction, BlockTensor]], extent: Extent) -> BlockTensor:
    """The linear combination of tensors of one shape. Raises `NotComparable`."""
    tensors = [each for _, each in terms]
    factors = [factor for factor, _ in terms]
    pieces = [BoxPiece(box, summed(zip(factors, sums, strict=True), extent)) for box, sums in cells(tensors)]
    return merged(BlockTensor(tensors[0].shape, tuple(pieces)))


def summed(terms: Iterable[tuple[Fraction, Combination]], extent: Extent) -> Combination:
    """The linear combination of combinations, adjoining ranges joined."""
    total: dict[RootPart, Fraction] = {}
    for factor, combination in terms:
        for part, value in combination:
            added = value if factor == 1 else factor * value
            total[part] = total[part] + added if part in total else added
    return frozenset(_joined({part: value for part, value in total.items() if value}, extent).items())


def _joined(total: dict[RootPart, Fraction], extent: Extent) -> dict[RootPart, Fraction]:
    """The combination with adjoining ranges of one part joined, as long as there are any."""
    while True:
        for parts, joined in _adjoining(total, extent):
            value = total[parts[0]]
            for part in parts:
                del total[part]
            rest = total.pop(joined, Fraction(0)) + value
            if rest:
                total[joined] = rest
            break
        else:
            return total


def _adjoining(total: Mapping[RootPart, Fraction], extent: Extent) -> Iterator[tuple[tuple[RootPart, ...], RootPart]]:
    """Parts of one coefficient whose ranges follow on each other, with the part that they add up to."""
    by_rest: dict[object, dict[Term, tuple[RootPart, Restriction]]] = {}
    for part, value in total.items():
        for each in part.restrictions:
            if each.monoid == "add":
                rest = (part.root, part.axes, part.restrictions - {each}, each.path, each.dimension, value)
                by_rest.setdefault(rest, {})[each.low] = part, each
    for starts in by_rest.values():
        yield from joining(starts, extent)


def joining(
    starts: Mapping[Term, tuple[RootPart, Restriction]], extent: Extent
) -> Iterator[tuple[tuple[RootPart, ...], RootPart]]:
    """Maximal chains of ranges, by where they start, each with the part that it comes to."""
    stops = {each.high for _, each in starts.values()}
    for first in starts:
        if first in stops and len(starts) > 1:
            continue
        chain, at = [starts[first]], starts[first][1].high
        while at in starts and len(chain) < len(starts):
            chain.append(starts[at])
            at = chain[-1][1].high
        part, restriction = chain[0]
        is_whole = first is ZERO and at is extent(part, restriction)
        if is_whole or len(chain) > 1:
            rest = part.restrictions - {restriction}
            kept = rest if is_whole else rest | {restriction._replace(high=at)}
            yield tuple(each for each, _ in chain), part._replace(restrictions=kept)


def merged(tensor: BlockTensor) -> BlockTensor:
    """The tensor with adjacent boxes that hold the same joined to one."""
    pieces = tensor.pieces
    before = 0
    while len(pieces) != before and len(pieces) > 1:
        before = len(pieces)
        for d in range(len(tensor.shape)):
            pieces = _merged_along(pieces, d)
    return BlockTensor(tensor.shape, pieces)


def _merged_along(pieces: tuple[BoxPiece, ...], d: int) -> tuple[BoxPiece, ...]:
    by_rest: dict[object, dict[Term, BoxPiece]] = {}
    for each in pieces:
        by_rest.setdefault((each.box[:d], each.box[d + 1 :], each.sum), {})[each.box[d][0]] = each
    found: list[BoxPiece] = []
    for starts in by_rest.values():
        stops = {each.box[d][1] for each in starts.values()}
        for low, each in starts.items():
            if low in stops:
                continue
            high = each.box[d][1]
            while high in starts:
                high = starts[high].box[d][1]
            found.append(BoxPiece((*each.box[:d], (low, high), *each.box[d + 1 :]), each.sum))
    return tuple(found)


def is_zero(tensor: BlockTensor) -> bool:
    """Whether every element is 0."""
    return not any(piece.sum for piece in tensor.pieces)
