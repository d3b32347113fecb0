"""Which operations of a nest must keep their order: those that access one element, one of them writing it.

What a user relaxes is left out: accesses to private arrays, whose values `flow` follows instead, and pairs of accesses
by which statements combine values into an element in any order.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from rewright.loops.polyhedra import PolyhedralStatement
from rewright.model.index import Name
from rewright.model.nest import NestStatement, Relaxations, combine_alike, combining_operator


def dependences(first: PolyhedralStatement, second: PolyhedralStatement, relaxed: Relaxations) -> Iterator[isl.Map]:
    """From instances of one statement to later ones of another that access the same element, a write among the two."""
    before = None
    for _, found in conflicts(first, second, relaxed):
        if before is None:
            before = first.schedule.lex_lt_map(second.schedule)
        later = found.intersect(before)
        if not later.is_empty():
            yield later


def conflicts(
    first: PolyhedralStatement, second: PolyhedralStatement, relaxed: Relaxations
) -> Iterator[tuple[Name, isl.Map]]:
    """Arrays, and from instances of one statement to those of another that access one element, one of them writing."""
    free = combine_freely(first.statement, second.statement, relaxed)
    for number, one in enumerate(first.accesses):
        for place, other in enumerate(second.accesses):
            if number and place:
                continue
            accessed = accessed_array(first.statement, number)
            if accessed is None or accessed != accessed_array(second.statement, place):
                continue
            if accessed in relaxed.private or (free and number <= 1 and place <= 1):
                continue
            yield accessed, one.apply_range(other.reverse())


def accessed_array(statement: NestStatement, number: int) -> Name | None:
    """The array of an access: what is written is number 0, then come the reads. None if that is a plain value."""
    return (statement.write, *statement.reads)[number].array


def combine_freely(one: NestStatement, other: NestStatement, relaxed: Relaxations) -> bool:
    """Whether both combine values by operators that go together, and may do so in any order.

    They do so by what they write and by their first read, which is the same element.
    """
    operator, another = combining_operator(one), combining_operator(other)
    both = all(each.label in relaxed.reductions or each.write.array in relaxed.combined for each in (one, other))
    return both and operator is not None and another is not None and combine_alike(operator, another)
