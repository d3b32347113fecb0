"""Row-major order of the axes of a rank class: the position of an index, and the index at a position.

Owns both directions. At rank r with sizes n_0 … n_(r-1) the position of i is (…(i_0·n_1 + i_1)·n_2 + …), 0 at rank 0;
on axis k the index at position p is ⌊p / (n_(k+1)···)⌋ mod n_k. Both are total. Invariant: a position, and where an
index is looked for, speak of no axis of the class. That one undoes the other is used under facts only.
"""

from __future__ import annotations

from rewright.terms.interning import intern
from rewright.terms.node import INDEX, Digit, Position, Term


def position(rank_class: str, index: Term, size: Term) -> Term:
    """The position of an index along the axes of the class, row-major."""
    return intern(Position, rank_class, index, size, INDEX)


def digit(rank_class: str, place: Term, size: Term) -> Term:
    """The index on an axis of the class at a position. Raises `ValueError` if that speaks of an axis of the class."""
    if rank_class in place.classes:
        raise ValueError(f"a position along `{rank_class}` that differs from axis to axis")
    return intern(Digit, rank_class, place, size, INDEX)
