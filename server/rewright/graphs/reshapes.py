"""Reshapes of tensors in block normal form.

Owns when a reshape of a part is a part of a reshape, and when it leads back to what was reshaped before. Must not know
other operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rewright.graphs.blocks import BlockTensor, Box, BoxPiece, Combination, RootPart, merged, one_piece, spread
from rewright.graphs.combinations import extents, from_box, into_box, placed, pulled, scaled, squeezed, varying
from rewright.graphs.reshaping import blocks, mapped, without_ones
from rewright.graphs.roots import MatchedOperand, Root, RootOperation, Roots, only, through
from rewright.graphs.sizes import ZERO, plus_size
from rewright.terms import Term

RESHAPE = "reshape"


def reshape(roots: Roots, operand: BlockTensor, shape: Sequence[Term]) -> BlockTensor:
    """The tensor in another shape of as many elements. Raises `NotComparable`."""
    if operand.shape == tuple(shape):
        return operand
    known = _known_part(roots, operand, tuple(shape))
    if known is not None:
        return known
    kept, into = without_ones(operand.shape), without_ones(shape)
    without = BlockTensor(
        tuple(operand.shape[d] for d in kept),
        tuple(BoxPiece(tuple(each.box[d] for d in kept), squeezed(each.sum, kept)) for each in operand.pieces),
    )
    sizes = tuple(shape[d] for d in into)
    return spread(_reshaped(roots, without, sizes), into, shape)


def _known_part(roots: Roots, operand: BlockTensor, shape: tuple[Term, ...]) -> BlockTensor | None:
    """A part of a tensor that was reshaped, though of this part some dimensions have size 1."""
    if len(operand.pieces) != 1 or not only(operand):
        return None
    factor, total = pulled(only(operand))
    made = RootOperation((RESHAPE, blocks(operand.shape, shape)), (one_piece(operand.shape, total),), shape)
    part = roots.part(made, lambda root, parts: _reshaped_part(root, parts[0], operand.shape, shape))
    return None if part is None else one_piece(shape, frozenset({(part, factor)}))


def _reshaped(roots: Roots, operand: BlockTensor, shape: tuple[Term, ...]) -> BlockTensor:
    """`reshape` between shapes without ones."""
    between = blocks(operand.shape, shape)
    assert between is not None, "a reshape keeps the number of elements"
    if operand.shape == shape:
        return operand
    boxes = [mapped(each.box, operand.shape, shape, between) for each in operand.pieces]
    if any(box is None for box in boxes):
        part = roots.exactly(RootOperation(RESHAPE, (operand,), shape))
        return one_piece(shape, frozenset({(part, Fraction(1))}))
    pieces = [
        into_box(box, _reshaped_box(roots, each, box))
        for each, box in zip(operand.pieces, boxes, strict=True)
        if box is not None
    ]
    return merged(BlockTensor(shape, tuple(pieces)))


def _reshaped_box(roots: Roots, piece: BoxPiece, box: Box) -> Combination:
    """A piece in the shape of the box that it comes to lie in, both beginning at 0."""

    def apply(sums: list[Combination]) -> Combination:
        return _reshaped_piece(roots, sums[0], extents(piece.box), extents(box))

    return roots.by_parts([from_box(piece.box, piece.sum)], (0,), apply)


def _reshaped_piece(roots: Roots, total: Combination, shape: tuple[Term, ...], into: tuple[Term, ...]) -> Combination:
    """A combination in a box that begins at 0, in another shape without ones."""
    if shape == into or not varying(total):
        return total
    factor, total = pulled(total)
    undone = _undone(roots, total, shape, into)
    if undone is not None:
        return scaled(undone, factor)
    operand = one_piece(shape, total)

    def lift(root: Root, parts: Sequence[MatchedOperand]) -> RootPart | None:
        return _reshaped_part(root, parts[0], shape, into)

    part = roots.find(RootOperation((RESHAPE, blocks(shape, into)), (operand,), into), lift)
    return scaled(placed(part, range(len(into))), factor)


def _undone(roots: Roots, total: Combination, shape: tuple[Term, ...], into: tuple[Term, ...]) -> Combination | None:
    """A part of a reshaped tensor in the shape that this part had before, None if it is none."""
    ((part, factor), *rest) = total
    made = roots.all[part.root].made
    is_part = [d for d, _ in part.axes] == list(range(len(shape)))
    if rest or not is_part or part.restrictions or not isinstance(made.key, tuple) or made.key[0] != RESHAPE:
        return None
    (before,) = made.operands
    between = blocks(made.shape, before.shape)
    if between is None:
        return None
    box = tuple((low, plus_size(low, size)) for (_, low), size in zip(part.axes, shape, strict=True))
    source = mapped(box, made.shape, before.shape, between)
    if source is None or extents(source) != into:
        return None
    return scaled(from_box(source, only(before)), factor)


def _reshaped_part(
    root: Root, part: MatchedOperand, shape: tuple[Term, ...], into: tuple[Term, ...]
) -> RootPart | None:
    (before,) = root.made.operands
    between = blocks(before.shape, root.shape)
    rooms = zip(part.offsets, shape, before.shape, strict=True)
    is_placed = all(offset is not None or size is room for offset, size, room in rooms)
    restrictions = through(0, part.restrictions)
    if between is None or restrictions is None or not is_placed:
        return None
    starts = [ZERO if offset is None else offset for offset in part.offsets]
    box = tuple((low, plus_size(low, size)) for low, size in zip(starts, shape, strict=True))
    found = mapped(box, before.shape, root.shape, between)
    if found is None or extents(found) != tuple(into):
        return None
    return RootPart(root.number, tuple((d, low) for d, (low, _) in enumerate(found)), restrictions)
