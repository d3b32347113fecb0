"""Whether an order of a nest keeps its dependences, and what each loop of an order does with them.

A dependence is a map from operations to later ones; of a level it is asked whether it runs forward there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl
from msgspec import Struct

from rewright.loops.decision import Sizes
from rewright.loops.dependences import conflicts
from rewright.loops.generation.timing import Timing, numbered
from rewright.loops.polyhedra import Naming, PolyhedralStatement, context_set, depth_of, naming, polyhedral
from rewright.loops.smallest import smallest_sizes
from rewright.loops.texts import isl_expression
from rewright.model.index import Name
from rewright.model.nest import AffineExpression, Nest


class OrderedPair(Struct, frozen=True, eq=False):
    """Operations of two statements, by their numbers, that access one element, a write among them, in that order.

    `kind` is that of the dependence: `flow`, `anti` or `output`.
    """

    first: int
    second: int
    array: Name
    kind: str
    pairs: isl.Map


class NestSets(Struct, frozen=True, eq=False):
    """A nest as sets: its statements, what its names are called, what is known of parameters, what must keep order."""

    nest: Nest
    statements: tuple[PolyhedralStatement, ...]
    names: Naming
    holds: isl.Set
    ordered: tuple[OrderedPair, ...]


def sets_of(nest: Nest, context: isl.Context) -> NestSets:
    """The nest as sets, in a context that counts operations."""
    names = naming(nest, "S")
    holds = context_set(context, nest, names)
    statements = polyhedral(nest, names, holds, depth_of(nest.body))
    return NestSets(nest, statements, names, holds, tuple(_ordered(nest, statements)))


def _ordered(nest: Nest, statements: Sequence[PolyhedralStatement]) -> Iterator[OrderedPair]:
    for number, first in enumerate(statements):
        for place, second in enumerate(statements):
            before = None
            for array, found in conflicts(first, second, nest.relaxed):
                if before is None:
                    before = first.schedule.lex_lt_map(second.schedule)
                later = found.intersect(before)
                if not later.is_empty():
                    yield OrderedPair(number, place, array, _kind(first, second, array, later), later)


def _kind(first: PolyhedralStatement, second: PolyhedralStatement, array: Name, pairs: isl.Map) -> str:
    """What kind of dependence pairs are: by which accesses they meet."""
    ones, others = _accesses(first, array), _accesses(second, array)
    for kind, after in (("output", True), ("flow", False)):
        meeting = [(one, other) for writes, one in ones if writes for also, other in others if also is after]
        if any(not pairs.intersect(one.apply_range(other.reverse())).is_empty() for one, other in meeting):
            return kind
    return "anti"


def _accesses(of: PolyhedralStatement, array: Name) -> list[tuple[bool, isl.Map]]:
    """The accesses of a statement to an array, and whether each is the one that writes."""
    accessed = (of.statement.write, *of.statement.reads)
    pairs = enumerate(zip(accessed, of.accesses, strict=True))
    return [(number == 0, found) for number, (access, found) in pairs if access.array == array]


class Forbidding(Struct, frozen=True):
    """A dependence that an order does not keep: the operation that must be first, the other one, where they meet.

    `sizes` are the smallest at which it is not kept.
    """

    first: str
    first_at: tuple[tuple[Name, int], ...]
    second: str
    second_at: tuple[tuple[Name, int], ...]
    kind: str
    array: Name
    sizes: Sizes


def forbidding(sets: NestSets, timing: Timing) -> Forbidding | None:
    """The dependence that forbids an order, with its smallest instance; None if all are kept."""
    times = _times(sets, timing)
    late = []
    for each in sets.ordered:
        found = each.pairs.intersect(times[each.first].lex_ge_map(times[each.second]))
        if not found.is_empty():
            late.append((each, found))
    if not late:
        return None
    at = late[0][1].params()
    for _, found in late[1:]:
        at = at.union(found.params())
    sizes = smallest_sizes(sets.nest, at)
    return next(made for each, found in late if (made := _instance(sets, timing, (each, found), sizes)) is not None)


def _times(sets: NestSets, timing: Timing) -> list[isl.Map]:
    """When each statement runs, all with as many components."""
    parts = numbered(timing)
    longest = max(map(len, parts))
    padded = [(*each, *(0,) * (longest - len(each))) for each in parts]
    return [_time(sets, each, found) for each, found in zip(sets.statements, padded, strict=True)]


def time_maps(sets: NestSets, timing: Timing) -> isl.UnionMap:
    """When the operations of a nest run, as one map."""
    made = isl.UnionMap.read_from_str(sets.holds.get_ctx(), f"{sets.names.prefix}{{ }}")
    for each in _times(sets, timing):
        made = made.union(isl.UnionMap.from_map(each))
    return made


def _time(sets: NestSets, statement: PolyhedralStatement, parts: Sequence[int | AffineExpression]) -> isl.Map:
    numbered_iterators = {name: f"i{number}" for number, name in enumerate(statement.iterators)}
    known = sets.names.parameters | numbered_iterators
    target = ", ".join(str(each) if isinstance(each, int) else isl_expression(each, known) for each in parts)
    text = f"{statement.tuple_name}[{', '.join(numbered_iterators.values())}] -> [{target}]"
    made = isl.Map.read_from_str(sets.holds.get_ctx(), f"{sets.names.prefix}{{ {text} }}")
    return made.intersect_domain(statement.domain)


def _instance(sets: NestSets, timing: Timing, late: tuple[OrderedPair, isl.Map], sizes: Sizes) -> Forbidding | None:
    """The first pair at these sizes that an order turns around."""
    pair, found = late
    for number, (_, value) in enumerate(sizes):
        found = found.fix_val(isl.dim_type.param, number, isl.Val.int_from_si(found.get_ctx(), value))
    if found.is_empty():
        return None
    point = found.wrap().lexmin().sample_point()
    one, other = sets.statements[pair.first], sets.statements[pair.second]
    count = len(one.iterators) + len(other.iterators)
    values = [point.get_coordinate_val(isl.dim_type.set, each).to_python() for each in range(count)]
    numbers = [int(each) for each in values]
    return Forbidding(
        timing[pair.first].name,
        tuple(zip(one.iterators, numbers[: len(one.iterators)], strict=True)),
        timing[pair.second].name,
        tuple(zip(other.iterators, numbers[len(one.iterators) :], strict=True)),
        pair.kind,
        pair.array,
        sizes,
    )


# ------------------------------------------------------------------------------------------------ levels


def restricted(sets: NestSets, timing: Timing, pair: OrderedPair, comparisons: Sequence[tuple[int, str]]) -> isl.Map:
    """The operations of a pair whose levels compare so: the first one's value at a level with the second one's."""
    one, other = _level_texts(sets, timing, pair.first, "i"), _level_texts(sets, timing, pair.second, "j")
    held = [f"{one[at]} {comparison} {other[at]}" for at, comparison in comparisons]
    ones = [f"i{number}" for number in range(len(sets.statements[pair.first].iterators))]
    others = [f"j{number}" for number in range(len(sets.statements[pair.second].iterators))]
    named = sets.statements[pair.first].tuple_name, sets.statements[pair.second].tuple_name
    text = f"{named[0]}[{', '.join(ones)}] -> {named[1]}[{', '.join(others)}] : {' and '.join(held) or '0 = 0'}"
    return pair.pairs.intersect(isl.Map.read_from_str(sets.holds.get_ctx(), f"{sets.names.prefix}{{ {text} }}"))


def _level_texts(sets: NestSets, timing: Timing, number: int, letter: str) -> list[str]:
    """What the levels of a statement run over, in isl's notation, its iterators with this letter."""
    iterators = {name: f"{letter}{at}" for at, name in enumerate(sets.statements[number].iterators)}
    return [isl_expression(level.over, sets.names.parameters | iterators) for level in timing[number].levels]


def shared_levels(timing: Timing, pair: OrderedPair) -> int:
    """How many loops two statements share."""
    count = 0
    for one, other in zip(timing[pair.first].levels, timing[pair.second].levels, strict=False):
        if one.loop != other.loop:
            break
        count += 1
    return count


def is_permutable(sets: NestSets, timing: Timing, start: int, end: int, loop: object) -> bool:
    """Whether no dependence runs backward on any of the levels of a band, which begins with a loop.

    What a loop around the band carries does not matter.
    """
    for pair in sets.ordered:
        shared = shared_levels(timing, pair)
        if shared <= start or timing[pair.first].levels[start].loop != loop:
            continue
        within = restricted(sets, timing, pair, [(at, "=") for at in range(start)])
        if within.is_empty():
            continue
        for at in range(start, min(end, shared)):
            backward = restricted(sets, timing, pair, [*((each, "=") for each in range(start)), (at, ">")])
            if not backward.is_empty():
                return False
    return True


def is_carried(sets: NestSets, timing: Timing, pair: OrderedPair, at: int) -> bool:
    """Whether a loop carries a dependence: it is between different iterations of it, in the same of all around."""
    if shared_levels(timing, pair) <= at:
        return False
    comparisons = [*((each, "=") for each in range(at)), (at, "!=")]
    return not restricted(sets, timing, pair, comparisons).is_empty()
