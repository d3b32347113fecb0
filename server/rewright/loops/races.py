"""Whether the iterations of loops that are marked as parallel may run at once, at all sizes.

They may if no two of them access one element, one of them writing it. Of a private array each iteration has its own
copy: a read must get its value from the same iteration, and no value may leave it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl
from msgspec import Struct

from rewright.loops.dependences import conflicts
from rewright.loops.flow import flows
from rewright.loops.polyhedra import Naming, PolyhedralStatement
from rewright.model.index import Name
from rewright.model.nest import Nest, NestLoop, Relaxations


class RacingLoop(Struct, frozen=True, eq=False):
    """A loop whose iterations interfere by an array, and the parameters at which they do."""

    loop: NestLoop
    array: Name
    at: isl.Set


def racing_loops(nest: Nest, statements: Sequence[PolyhedralStatement], names: Naming) -> Iterator[RacingLoop]:
    """Each way in which iterations of a parallel loop interfere."""
    loops = {id(loop): (place, loop) for each in statements for place, loop in enumerate(each.loops)}
    for place, loop in loops.values():
        if loop.parallel is None:
            continue
        inside = [each for each in statements if place < len(each.loops) and each.loops[place] is loop]
        relaxed = _relaxed_in(nest, loop)
        for first in inside:
            for second in inside:
                apart = _iterations(first, second, (place, "<"), names)
                for array, found in conflicts(first, second, relaxed):
                    both = found.intersect(apart)
                    if not both.is_empty():
                        yield RacingLoop(loop, array, both.params())
        for array in relaxed.private:
            yield from _crossing(statements, inside, (place, loop, array), names)


def _relaxed_in(nest: Nest, loop: NestLoop) -> Relaxations:
    """What is relaxed in a loop: by the declaration, and by the loop's own mark."""
    assert loop.parallel is not None
    private = tuple(dict.fromkeys((*nest.relaxed.private, *loop.parallel.private)))
    return Relaxations(private, nest.relaxed.reductions, loop.parallel.reductions)


def _iterations(first: PolyhedralStatement, second: PolyhedralStatement, at: tuple[int, str], names: Naming) -> isl.Map:
    """From instances to those in the same outer iterations whose iterator at a place compares so."""
    place, comparison = at
    ones = [f"i{number}" for number in range(len(first.loops))]
    others = [f"j{number}" for number in range(len(second.loops))]
    held = [f"{ones[each]} = {others[each]}" for each in range(place)] + [f"{ones[place]} {comparison} {others[place]}"]
    text = f"{first.tuple_name}[{', '.join(ones)}] -> {second.tuple_name}[{', '.join(others)}] : {' and '.join(held)}"
    return isl.Map.read_from_str(first.domain.get_ctx(), f"{names.prefix}{{ {text} }}")


def _crossing(
    statements: Sequence[PolyhedralStatement],
    inside: Sequence[PolyhedralStatement],
    of: tuple[int, NestLoop, Name],
    names: Naming,
) -> Iterator[RacingLoop]:
    """Reads of a private array that get a value from another iteration, or from outside the loop, or outside of it."""
    place, loop, array = of
    within = {each.tuple_name for each in inside}
    for flow in flows(statements, array):
        pieces: list[isl.Map] = []
        flow.sources.foreach_map(pieces.append)
        if flow.reader.tuple_name in within:
            crossing = [_from_elsewhere(flow.reader, pieces, inside, (place, names))]
        else:
            crossing = [each.range() for each in pieces if each.get_tuple_name(isl.dim_type.in_) in within]
        for each in crossing:
            if not each.is_empty():
                yield RacingLoop(loop, array, each.params())


def _from_elsewhere(
    reader: PolyhedralStatement,
    sources: Sequence[isl.Map],
    inside: Sequence[PolyhedralStatement],
    at: tuple[int, Naming],
) -> isl.Set:
    """The instances of a statement whose value does not come from the same iteration of the loop at a place."""
    place, names = at
    left = reader.domain
    named = {each.tuple_name: each for each in inside}
    for each in sources:
        source = named.get(each.get_tuple_name(isl.dim_type.in_))
        if source is not None:
            left = left.subtract(each.intersect(_iterations(source, reader, (place, "="), names)).range())
    return left
