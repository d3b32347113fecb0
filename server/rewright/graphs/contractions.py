"""Contractions: sums of products and reductions, of which a part combines some of the terms of the whole.

Owns the laws: in the dimensions that are kept a part of the operands gives the part of the result; of a part of the
contracted ones it is the root, restricted to these terms. What an operand does not vary along is no dimension of the
root; a sum along it is a multiple. Numbers leave sums. Must not know other operators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod

from msgspec import Struct

from rewright.graphs.blocks import (
    BlockTensor,
    Box,
    Combination,
    Restriction,
    RootPart,
    combined,
    merged,
    one_piece,
    summed,
    transposed,
    with_axes,
    without_elements,
)
from rewright.graphs.combinations import (
    NOTHING,
    extents,
    into_box,
    placed,
    pulled,
    renumbered,
    scaled,
    varying,
    within,
)
from rewright.graphs.products import Products
from rewright.graphs.roots import MatchedOperand, Root, RootOperation, agreed, only, skeleton, tensor_of, through
from rewright.graphs.sizes import ZERO, ordered, plus_size
from rewright.model.graph import Monoid
from rewright.terms import Term

SUMS = 12
"""Terms of which the sums are taken one by one."""

DOTS = 2
"""Pairs of terms that are contracted one by one: a layer norm has three terms, a residual stream many."""

Pairs = Sequence[tuple[int, int]]
"""Dimensions of the left operand, each with one of the right."""

Together = Callable[[Monoid, Sequence[BlockTensor]], BlockTensor]
"""Tensors of one shape combined, element by element."""


def dot(products: Products, operands: Sequence[BlockTensor], batch: Pairs, contract: Pairs) -> BlockTensor:
    """The sum over contracted dimensions; batch, left free, right free dimensions. Raises `NotComparable`."""
    left, right = (
        transposed(each, order) for each, order in zip(operands, _orders(operands, batch, contract), strict=True)
    )
    many, over = len(batch), len(contract)
    return _contraction(products, left, right, many, over)


def _contraction(products: Products, left: BlockTensor, right: BlockTensor, batch: int, contract: int) -> BlockTensor:
    """The sum over the last dimensions of tensors with batch, free and contracted ones, in this order."""
    shape = (*left.shape[: len(left.shape) - contract], *right.shape[batch : len(right.shape) - contract])
    if ZERO in (*shape, *left.shape[len(left.shape) - contract :]):
        return one_piece(shape, NOTHING)
    if len(left.pieces) == 1 and len(right.pieces) == 1:
        return one_piece(shape, _dot(products, left, right, batch, contract))
    pieces = []
    free, other = len(left.shape) - batch - contract, len(right.shape) - batch - contract
    for box in product(*(pairwise(each) for each in _cuts(left, right, batch, contract))):
        shared, inner = box[:batch], box[len(box) - contract :]
        first = (*shared, *box[batch : batch + free], *inner)
        second = (*shared, *box[batch + free : batch + free + other], *inner)
        total = _dot(products, within(left, first), within(right, second), batch, contract)
        pieces.append((box[: len(box) - contract], total))
    by_box: dict[Box, list[BlockTensor]] = {}
    for place, total in pieces:
        by_box.setdefault(place, []).append(one_piece(extents(place), total))
    totals = []
    for place, parts in by_box.items():
        added = combined([(Fraction(1), each) for each in parts], products.roots.extent)
        totals.append(into_box(place, only(added)))
    return merged(BlockTensor(shape, tuple(totals)))


def _by_terms(
    products: Products, sums: list[Combination], limit: int, apply: Callable[[list[Combination]], Combination]
) -> Combination:
    """What is linear in all its operands, applied to each of their terms if there are few, else to those alike."""
    if prod(map(len, sums)) > limit:
        return products.roots.by_parts(sums, range(len(sums)), apply)
    chosen = product(*([frozenset({term}) for term in total] for total in sums))
    return summed([(Fraction(1), apply(list(each))) for each in chosen], products.roots.extent)


def _dot(products: Products, left: BlockTensor, right: BlockTensor, batch: int, contract: int) -> Combination:
    """`_contraction` of tensors of one piece that begins at 0."""

    def alike(sums: list[Combination]) -> Combination:
        first, second = sums
        return _dot_alike(products, one_piece(left.shape, first), one_piece(right.shape, second), batch, contract)

    def apply() -> Combination:
        return _by_terms(products, [only(left), only(right)], DOTS, alike)

    ends, over = (len(left.shape) - contract, len(right.shape) - contract), [None] * contract
    first = [*range(ends[0]), *over]
    second = [*range(batch), *range(ends[0], ends[0] + ends[1] - batch), *over]
    shape = (*left.shape[: ends[0]], *right.shape[batch : ends[1]])
    key = "dot", batch, contract, left.shape, right.shape
    return products.translations.applied(key, [(only(left), first), (only(right), second)], shape, apply)


def _dot_alike(products: Products, left: BlockTensor, right: BlockTensor, batch: int, contract: int) -> Combination:
    """`_dot` of tensors of which all terms are restricted alike."""
    total_left, total_right = only(left), only(right)
    if not total_left or not total_right:
        return NOTHING
    first, total_left = pulled(total_left)
    second, total_right = pulled(total_right)
    factor = first * second
    sides = [
        _Side(left.shape, total_left, range(batch, len(left.shape) - contract), 0),
        _Side(right.shape, total_right, range(batch, len(right.shape) - contract), len(left.shape) - contract - batch),
    ]
    parted = _dot_parted(products, sides, batch, contract)
    if parted is not None:
        return scaled(parted, factor)
    if skeleton(total_right) < skeleton(total_left):
        sides.reverse()
    shared = [d for d in range(batch) if d in varying(total_left) | varying(total_right)]
    over, counts = [], []
    for k in range(contract):
        places = [len(side.shape) - contract + k for side in sides]
        varies = any(place in varying(side.total) for place, side in zip(places, sides, strict=True))
        if varies:
            over.append(k)
        else:
            counts.append(sides[0].shape[places[0]])
    kept = [[d for d in side.free if d in varying(side.total)] for side in sides]
    operands = [
        side.cut([*shared, *free, *(len(side.shape) - contract + k for k in over)])
        for side, free in zip(sides, kept, strict=True)
    ]
    where = [*shared, *(d + sides[0].moved_by for d in kept[0]), *(d + sides[1].moved_by for d in kept[1])]
    sizes = tuple(operands[0].shape[: len(shared) + len(kept[0])]) + tuple(
        operands[1].shape[len(shared) : len(shared) + len(kept[1])]
    )
    contracted = operands[0].shape[len(shared) + len(kept[0]) :]
    ranks = (len(shared), len(kept[0]), len(kept[1]), len(over))

    def lift(root: Root, parts: Sequence[MatchedOperand]) -> RootPart | None:
        return _dot_part(root, parts, ranks, contracted)

    part = products.roots.find(RootOperation(("dot", *ranks), tuple(operands), sizes, contracted), lift)
    shape = (*left.shape[: len(left.shape) - contract], *right.shape[batch : len(right.shape) - contract])
    return _counted(products, scaled(placed(part, where), factor), counts, shape)


def _counted(products: Products, total: Combination, counts: Sequence[Term], shape: tuple[Term, ...]) -> Combination:
    """A combination in a box of this shape, as often as these sizes say."""
    if not counts:
        return total
    return products.product([total, *map(products.size, counts)], [1] * (len(counts) + 1), shape)


def _dot_parted(products: Products, sides: Sequence[_Side], batch: int, contract: int) -> Combination | None:
    """`_dot` of operands of which one has a factor that does not vary along the contracted dimensions, or is 1."""
    shape = (*sides[0].shape[: len(sides[0].shape) - contract], *(sides[1].shape[d] for d in sides[1].free))
    outer, inner = [], []
    for side in sides:
        rank = len(side.shape)
        found = products.parted(side.total, range(rank - contract, rank), side.shape)
        factor, rest = found or (products.number(Fraction(1)), side.total)
        outer.append(_in_result(factor, batch, side.moved_by))
        inner.append(one_piece(side.shape, rest))
    for side, operand in zip(sides, reversed(inner), strict=True):
        if products.constant_value(side.total) is not None:
            other = sides[1 - sides.index(side)]
            rest = _reduced(products, "add", operand, contract)
            return products.product([*outer, _in_result(rest, batch, other.moved_by)], (1, 1, 1), shape)
    if all(products.constant_value(each) is not None for each in outer):
        return None
    return products.product([*outer, _dot(products, inner[0], inner[1], batch, contract)], (1, 1, 1), shape)


def _in_result(total: Combination, batch: int, moved_by: int) -> Combination:
    """A combination in the dimensions of an operand that are kept, as one in those of the result."""
    return with_axes(total, lambda d, offset: (d + moved_by if d >= batch else d, offset))


def reduce(
    products: Products, monoid: Monoid, operand: BlockTensor, dimensions: Sequence[int], together: Together
) -> BlockTensor:
    """The tensor combined along dimensions. Raises `NotComparable`."""
    kept = [d for d in range(len(operand.shape)) if d not in dimensions]
    last = transposed(operand, [*kept, *dimensions])
    count = len(dimensions)
    shape = last.shape[: len(kept)]
    if ZERO in shape:
        return without_elements(shape)
    if ZERO in last.shape[len(kept) :]:
        return _of_no_terms(products, monoid, shape)
    cuts = [ordered(point for piece in last.pieces for point in piece.box[d]) for d in range(len(last.shape))]
    by_box: dict[Box, list[BlockTensor]] = {}
    for box in product(*(pairwise(each) for each in cuts)):
        part = _reduced(products, monoid, within(last, box), count)
        by_box.setdefault(box[: len(kept)], []).append(one_piece(extents(box[: len(kept)]), part))
    pieces = (into_box(place, only(together(monoid, parts))) for place, parts in by_box.items())
    return merged(BlockTensor(shape, tuple(pieces)))


def _of_no_terms(products: Products, monoid: Monoid, shape: Sequence[Term]) -> BlockTensor:
    """No terms combined; nothing is known of a maximum of none."""
    match monoid:
        case "add":
            return one_piece(shape, NOTHING)
        case "multiply":
            return one_piece(shape, products.number(Fraction(1)))
        case _:
            return tensor_of(products.roots.new(shape))


def _reduced(products: Products, monoid: Monoid, operand: BlockTensor, count: int) -> Combination:
    """A tensor of one piece that begins at 0, combined along its last dimensions."""

    def alike(sums: list[Combination]) -> Combination:
        return _reduced_alike(products, monoid, one_piece(operand.shape, sums[0]), count)

    def apply() -> Combination:
        return _by_terms(products, [only(operand)], SUMS, alike) if monoid == "add" else alike([only(operand)])

    kept = len(operand.shape) - count
    key, dimensions = ("reduce", monoid, count, operand.shape), [*range(kept), *[None] * count]
    return products.translations.applied(key, [(only(operand), dimensions)], operand.shape[:kept], apply)


def _reduced_alike(products: Products, monoid: Monoid, operand: BlockTensor, count: int) -> Combination:
    """`_reduced` of a tensor of which all terms are restricted alike, if it is a sum."""
    total = only(operand)
    factor = Fraction(1)
    if monoid == "add":
        if not total:
            return NOTHING
        factor, total = pulled(total)
        parted = _sum_parted(products, total, operand.shape, count)
        if parted is not None:
            return scaled(parted, factor)
    elif monoid != "multiply":
        factor, total = _positive_number(total)
    along, rank = varying(total), len(operand.shape)
    last = range(rank - count, rank)
    over = [d for d in last if d in along or monoid == "multiply"]
    counts = [operand.shape[d] for d in last if d not in over] if monoid == "add" else []
    kept = [d for d in range(rank - count) if d in along]
    if not over:
        return _counted(products, scaled(total, factor), counts, operand.shape[: rank - count])
    side = _Side(operand.shape, total, kept, 0)
    cut = side.cut([*kept, *over])
    sizes, contracted = cut.shape[: len(kept)], cut.shape[len(kept) :]

    def lift(root: Root, parts: Sequence[MatchedOperand]) -> RootPart | None:
        return _reduced_part(root, parts[0], len(kept), contracted)

    key = ("reduce", monoid, len(kept), len(over))
    part = products.roots.find(RootOperation(key, (cut,), sizes, contracted, monoid), lift)
    return _counted(products, scaled(placed(part, kept), factor), counts, operand.shape[: rank - count])


def _sum_parted(products: Products, total: Combination, shape: tuple[Term, ...], count: int) -> Combination | None:
    """The sum along the last dimensions of what has a factor that does not vary along them, None if it has none."""
    kept = len(shape) - count
    found = products.parted(total, range(kept, len(shape)), shape)
    if found is None:
        return None
    outer, inner = found
    return products.product([outer, _reduced(products, "add", one_piece(shape, inner), count)], (1, 1), shape[:kept])


def _positive_number(total: Combination) -> tuple[Fraction, Combination]:
    """A number above 0 and a combination whose product a combination is, the same for every part of a tensor."""
    factor, _ = pulled(total)
    return abs(factor), scaled(total, 1 / abs(factor))


class _Side(Struct, frozen=True):
    """An operand of a contraction: its free dimensions, and by how much each is moved in the result."""

    shape: tuple[Term, ...]
    total: Combination
    free: Sequence[int]
    moved_by: int

    def cut(self, dimensions: Sequence[int]) -> BlockTensor:
        """The operand with these dimensions, in this order; it does not vary along the others."""
        return one_piece(tuple(self.shape[d] for d in dimensions), renumbered(self.total, dimensions))


def _dot_part(
    root: Root, parts: Sequence[MatchedOperand], counts: tuple[int, int, int, int], contracted: Sequence[Term]
) -> RootPart | None:
    shared, *free, _ = counts
    left, right = (each.offsets for each in parts)
    pairs = [(left[d], right[d]) for d in range(shared)]
    pairs += [(offset, None) for offset in left[shared : shared + free[0]]]
    pairs += [(offset, None) for offset in right[shared : shared + free[1]]]
    inner = list(zip(left[shared + free[0] :], right[shared + free[1] :], strict=True))
    starts = [agreed(pair) for pair in (*pairs, *inner)]
    if not all(is_one for is_one, _ in starts):
        return None
    own = _ranges(root, [offset for _, offset in starts[len(pairs) :]], contracted)
    first, second = (through(place, each.restrictions) for place, each in enumerate(parts))
    if own is None or first is None or second is None:
        return None
    axes = tuple((d, ZERO if offset is None else offset) for d, (_, offset) in enumerate(starts[: len(pairs)]))
    return RootPart(root.number, axes, own | first | second)


def _reduced_part(root: Root, part: MatchedOperand, kept: int, contracted: Sequence[Term]) -> RootPart | None:
    axes = tuple((d, ZERO if offset is None else offset) for d, offset in enumerate(part.offsets[:kept]))
    own = _ranges(root, part.offsets[kept:], contracted)
    inner = through(0, part.restrictions)
    if own is None or inner is None or (inner and root.made.monoid != "add"):
        return None
    return RootPart(root.number, axes, own | inner)


def _ranges(root: Root, starts: Sequence[Term | None], sizes: Sequence[Term]) -> frozenset[Restriction] | None:
    """Which of the terms that a root combines lie in these ranges; nothing for a range that is whole.

    None if a range along which nothing varies is not whole: it may be longer than the root's.
    """
    made, found = root.made, []
    for k, (low, size) in enumerate(zip(starts, sizes, strict=True)):
        if size is made.contracted[k]:
            continue
        if low is None:
            return None
        found.append(Restriction((), k, made.monoid, low, plus_size(low, size)))
    return frozenset(found)


def _orders(operands: Sequence[BlockTensor], batch: Pairs, contract: Pairs) -> Iterator[list[int]]:
    """For each operand its batch, free and contracted dimensions."""
    for place, operand in enumerate(operands):
        first, last = [pair[place] for pair in batch], [pair[place] for pair in contract]
        yield [*first, *(d for d in range(len(operand.shape)) if d not in first and d not in last), *last]


def _cuts(left: BlockTensor, right: BlockTensor, batch: int, contract: int) -> Iterator[list[Term]]:
    """Where pieces begin and end along batch, left free, right free and contracted dimensions."""
    ends = len(left.shape) - contract, len(right.shape) - contract
    for d in range(batch):
        yield ordered((*_edges(left, d), *_edges(right, d)))
    for d in range(batch, ends[0]):
        yield ordered(_edges(left, d))
    for d in range(batch, ends[1]):
        yield ordered(_edges(right, d))
    for k in range(contract):
        yield ordered((*_edges(left, ends[0] + k), *_edges(right, ends[1] + k)))


def _edges(tensor: BlockTensor, d: int) -> Iterator[Term]:
    for piece in tensor.pieces:
        yield from piece.box[d]
