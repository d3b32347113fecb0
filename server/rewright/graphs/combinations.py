"""Linear combinations of parts of roots in a box: cut out, moved, scaled, and parted by what is restricted alike.

Must not know operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rewright.graphs.blocks import (
    SPREAD,
    BlockTensor,
    Box,
    BoxPiece,
    Combination,
    Restriction,
    RootPart,
    at,
    one_piece,
    with_axes,
)
from rewright.graphs.sizes import ZERO, less_size, plus_size
from rewright.terms import Term
from rewright.terms.polynomial import expand

NOTHING: Combination = frozenset()


def within(tensor: BlockTensor, box: Box) -> BlockTensor:
    """What a tensor is in a box that no piece's edge cuts, as a tensor."""
    return one_piece(extents(box), from_box(box, at(tensor, box)))


def from_box(box: Box, total: Combination) -> Combination:
    """A combination in a box, as one in the box of its size that begins at 0."""
    if all(low is ZERO for low, _ in box):
        return total
    return with_axes(total, lambda d, offset: (d, offset if d == SPREAD else plus_size(offset, box[d][0])))


def into_box(box: Box, total: Combination) -> BoxPiece:
    """A combination in the box of this size that begins at 0, as a piece in this box."""
    if all(low is ZERO for low, _ in box):
        return BoxPiece(box, total)
    return BoxPiece(
        box, with_axes(total, lambda d, offset: (d, offset if d == SPREAD else less_size(offset, box[d][0])))
    )


def extents(box: Box) -> tuple[Term, ...]:
    """How large a box is in each dimension."""
    return tuple(less_size(high, low) for low, high in box)


def varying(total: Combination) -> frozenset[int]:
    """The dimensions along which a combination varies."""
    return frozenset(d for part, _ in total for d, _ in part.axes if d != SPREAD)


def renumbered(total: Combination, dimensions: Sequence[int]) -> Combination:
    """A combination in the given dimensions, in this order; it does not vary along the others."""
    place = {SPREAD: SPREAD} | {d: new for new, d in enumerate(dimensions)}
    return with_axes(total, lambda d, offset: (place[d], offset))


def squeezed(total: Combination, dimensions: Sequence[int]) -> Combination:
    """A combination in the given dimensions, in this order; the others have size 1."""
    place = {d: new for new, d in enumerate(dimensions)}
    return with_axes(total, lambda d, offset: (place.get(d, SPREAD), offset))


def placed(part: RootPart, where: Sequence[int]) -> Combination:
    """A part of a root whose dimension i is dimension `where[i]`."""
    return with_axes(frozenset({(part, Fraction(1))}), lambda d, offset: (where[d] if d != SPREAD else d, offset))


def scaled(total: Combination, factor: Fraction) -> Combination:
    """The combination times a number; 0 times anything is no term."""
    if factor == 1:
        return total
    return frozenset((part, value * factor) for part, value in total) if factor else NOTHING


def pulled(total: Combination) -> tuple[Fraction, Combination]:
    """A number and a combination whose product a combination is, the same for every part of a tensor."""
    if not total:
        return Fraction(1), total
    _, factor = min(total, key=lambda term: (term[0].root, term[0].axes and [d for d, _ in term[0].axes], term[1]))
    return factor, scaled(total, 1 / factor)


def alike(total: Combination) -> list[Combination]:
    """The parts of a combination that are restricted alike; itself if there is one."""
    by_restrictions: dict[frozenset[Restriction], set[tuple[RootPart, Fraction]]] = {}
    for part, factor in total:
        by_restrictions.setdefault(part.restrictions, set()).add((part, factor))
    return [frozenset(each) for each in by_restrictions.values()] or [total]


def whole_number(size: Term) -> int | None:
    """The number that a size is, None if it has a symbol in it."""
    total = expand(size)
    return int(total.get((), 0)) if set(total) <= {()} else None
