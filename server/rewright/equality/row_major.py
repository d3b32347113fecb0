"""Row-major order under facts: a position and the index at it undo each other, and reductions run over either.

Owns these laws. Each is used only where it is shown that the index is in range on every axis, or the position is one of
the product of sizes that are not negative; then positions and indices correspond one to one, at every rank: at rank 0,
one position, 0, and one index.
"""

from __future__ import annotations

from rewright.equality.facts import Facts
from rewright.terms.axis_product import axis_product
from rewright.terms.binding import OpenReduce, substitute
from rewright.terms.interning import intern, subterms
from rewright.terms.node import INDEX, Digit, Opened, Position, Range, Term
from rewright.terms.polynomial import negate, plus, subtract
from rewright.terms.row_major import digit, position


def at_position(rank_class: str, index: Term, size: Term, facts: Facts) -> Term:
    """The position of an index; of the index at a position, that position."""
    if isinstance(index, Digit) and index.rank_class == rank_class and index.size is size:
        last = plus(subtract(axis_product(rank_class, size), index.place), -1)
        in_range = facts.non_negative(index.place) and facts.non_negative(last)
        if in_range and facts.on_axis(rank_class).non_negative(size):
            return index.place
    return position(rank_class, index, size)


def index_at(rank_class: str, place: Term, size: Term, facts: Facts) -> Term:
    """The index at a position; at the position of an index, that index."""
    if isinstance(place, Position) and place.rank_class == rank_class and place.size is size:
        inside = facts.on_axis(rank_class)
        if inside.non_negative(place.index) and inside.non_negative(plus(subtract(size, place.index), -1)):
            return place.index
    return digit(rank_class, place, size)


def by_axes(part: OpenReduce, facts: Facts) -> OpenReduce | None:
    """The reduction over positions as one over indices, where its body has the index at the position; else None."""
    for index, item in zip(part.indices, part.ranges, strict=True):
        if item.rank_class is not None:
            continue
        for term in subterms(part.body):
            if isinstance(term, Digit) and term.place is index and not term.size.opened:
                whole = _are_equal(axis_product(term.rank_class, term.size), item.size, facts)
                if whole and facts.on_axis(term.rank_class).non_negative(term.size):
                    new = _fresh(part, index, term.rank_class)
                    body = substitute(part.body, {index: position(term.rank_class, new, term.size)})
                    return _replaced(part, index, (new, Range(term.rank_class, term.size)), body)
    return None


def joined_axes(part: OpenReduce, facts: Facts) -> OpenReduce | None:
    """The reduction over indices as one over positions, where its body knows only the position; else None."""
    for index, item in zip(part.indices, part.ranges, strict=True):
        if item.rank_class is None or not facts.on_axis(item.rank_class).non_negative(item.size):
            continue
        at = position(item.rank_class, index, item.size)
        if at in subterms(part.body):
            new = _fresh(part, index, None)
            body = substitute(part.body, {at: new})
            if index not in subterms(body):
                return _replaced(part, index, (new, Range(None, axis_product(item.rank_class, item.size))), body)
    return None


def _are_equal(left: Term, right: Term, facts: Facts) -> bool:
    difference = subtract(left, right)
    return left is right or (facts.non_negative(difference) and facts.non_negative(negate(difference)))


def _fresh(part: OpenReduce, like: Opened, rank_class: str | None) -> Opened:
    return intern(Opened, like.number, 1 + max(each.position for each in part.indices), rank_class, INDEX)


def _replaced(part: OpenReduce, old: Opened, new: tuple[Opened, Range], body: Term) -> OpenReduce:
    kept = [pair for pair in zip(part.indices, part.ranges, strict=True) if pair[0] is not old]
    indices, ranges = zip(*kept, new, strict=True)
    return OpenReduce(part.monoid, indices, ranges, body)
