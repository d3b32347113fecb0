"""What a nest's loops and statements do: instances, direct dependences with their distances, what can be tiled.

Direct dependences are those between which no other write of the element lies; whether a loop is parallel, and what can
be tiled, is decided of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

from rewright.loops.counting import count_text
from rewright.loops.flow import union
from rewright.loops.generation.orders import NestSets, OrderedPair, is_carried, is_permutable, restricted, sets_of
from rewright.loops.generation.steps import ScheduleError
from rewright.loops.generation.timing import Timing, require_perfect, timed
from rewright.loops.picturing import Values, pictures
from rewright.loops.reasons import reason_of
from rewright.model.index import Name
from rewright.model.nest import DoesNotHold, Nest, NestGuard, NestItem, NestLoop, NestStatement
from rewright.model.nest_facts import DirectDependence, IterationPicture, LoopFacts, NestFacts, StatementFacts
from rewright.model.nest_text import access_text, condition_text, expression_text, statement_name

MOST = 24
"""Statements of a nest of which dependences are looked for: with more there are too many pairs."""


def nest_facts(nest: Nest, wrong: tuple[Values, Values], operations: int) -> NestFacts:
    """What is known of a nest, in so many operations of isl.

    `wrong` are the sizes at which it fails, and the iteration that does; both are empty if it does not.
    """
    context = isl.Context()
    context.set_max_operations(operations)
    try:
        sets = sets_of(nest, context)
        if len(sets.statements) > MOST:
            return NestFacts((), (), f"it has more than {MOST} statements")
        timing = timed(nest)
        drawn = pictures(nest, *wrong)
        return NestFacts(tuple(_statements(sets, timing, drawn)), tuple(_loops(sets, timing)))
    except isl.Error as error:
        return NestFacts((), (), reason_of(error, operations))


def _statements(sets: NestSets, timing: Timing, drawn: Sequence[IterationPicture | None]) -> Iterator[StatementFacts]:
    guards = list(_guards(sets.nest.body, ()))
    direct = list(_direct(sets))
    for number, each in enumerate(sets.statements):
        around = [_range_text(loop) for loop in each.loops]
        domain = ", ".join((*around, *guards[number])) or "once"
        count = count_text(each, sets.names, sets.holds, guarded=bool(guards[number]))
        found = dict.fromkeys(
            _dependence(sets, timing, pair, access) for pair, access in direct if pair.second == number
        )
        name, site = statement_name(each.statement), each.statement.site
        yield StatementFacts(site, name, domain, count, drawn[number], tuple(found))


def _range_text(loop: NestLoop) -> str:
    low, high = expression_text(loop.low), expression_text(loop.high)
    step = f" by {loop.step}" if abs(loop.step) != 1 else ""
    return f"{low} <= {loop.iterator} < {high}{step}" if loop.step > 0 else f"{low} >= {loop.iterator} > {high}{step}"


def _guards(body: tuple[NestItem, ...], around: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The conditions around each statement, in the order of the text."""
    for item in body:
        match item:
            case NestStatement():
                yield around
            case NestLoop(body=inner):
                yield from _guards(inner, around)
            case NestGuard(condition=condition, then=then, otherwise=otherwise):
                yield from _guards(then, (*around, condition_text(condition)))
                yield from _guards(otherwise, (*around, condition_text(DoesNotHold(condition))))


# ------------------------------------------------------------------------------------------------------- dependences


def _direct(sets: NestSets) -> Iterator[tuple[OrderedPair, str]]:
    """Direct dependences, one for each access by which there is one, with the text of that access."""
    order = union([each.schedule for each in sets.statements])
    for array in dict.fromkeys(each.statement.write.array for each in sets.statements):
        assert array is not None
        writes = union([each.write for each in sets.statements if each.statement.write.array == array])
        for each in sets.statements:
            written = each.statement
            for number, access in enumerate((written.write, *written.reads)):
                if access.array != array:
                    continue
                sink = isl.UnionMap.from_map(each.accesses[number])
                asked = isl.UnionAccessInfo.from_sink(sink).set_must_source(writes).set_schedule_map(order)
                found = asked.compute_flow().get_must_dependence()
                yield from _pairs(sets, found, ("flow" if number else "output", array, access_text(access)))
                if number:
                    killing = isl.UnionAccessInfo.from_sink(writes).set_may_source(sink).set_kill(writes)
                    anti = killing.set_schedule_map(order).compute_flow().get_may_dependence()
                    yield from _pairs(sets, anti, ("anti", array, access_text(access)))


def _pairs(sets: NestSets, found: isl.UnionMap, said: tuple[str, Name, str]) -> Iterator[tuple[OrderedPair, str]]:
    numbers = {each.tuple_name: number for number, each in enumerate(sets.statements)}
    pieces: list[isl.Map] = []
    found.foreach_map(pieces.append)
    kind, array, access = said
    for each in pieces:
        if not each.is_empty():
            first, second = (numbers[each.get_tuple_name(end)] for end in (isl.dim_type.in_, isl.dim_type.out))
            yield OrderedPair(first, second, array, kind, each), access


def _dependence(sets: NestSets, timing: Timing, pair: OrderedPair, access: str) -> DirectDependence:
    shared = _shared(timing, pair)
    distance = tuple(_distance(sets, timing, pair, at) for at in range(shared))
    carrier = next((timing[pair.first].levels[at].name for at, each in enumerate(distance) if each != "0"), None)
    on = timing[pair.first].name
    return DirectDependence(pair.kind, on, access, distance, Name(carrier) if carrier is not None else None)


def _shared(timing: Timing, pair: OrderedPair) -> int:
    pairs = zip(timing[pair.first].levels, timing[pair.second].levels, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one.loop != other.loop), _least(timing, pair))


def _least(timing: Timing, pair: OrderedPair) -> int:
    return min(len(timing[pair.first].levels), len(timing[pair.second].levels))


def _distance(sets: NestSets, timing: Timing, pair: OrderedPair, at: int) -> str:
    """How far the second operation is from the first in a loop: a number, or the sign where it differs."""
    point = pair.pairs.wrap().sample_point()
    first = len(sets.statements[pair.first].iterators)
    # The levels of the text are its loops, so a level's value is that of an iterator, or its negative.
    ends = [int(point.get_coordinate_val(isl.dim_type.set, place).to_python()) for place in (at, first + at)]
    known = ends[1] - ends[0]
    if _is_always(sets, pair, at, known):
        return str(known)
    signs = [sign for sign in "<=>" if not restricted(sets, timing, pair, [(at, sign)]).is_empty()]
    is_down = sets.statements[pair.first].loops[at].step < 0
    said = {("<",): "+", (">",): "-", ("<", "="): "0+", ("=", ">"): "0-"}.get(tuple(signs), "*")
    return said.translate(str.maketrans("+-", "-+")) if is_down else said


def _is_always(sets: NestSets, pair: OrderedPair, at: int, distance: int) -> bool:
    one, other = sets.statements[pair.first], sets.statements[pair.second]
    ones = [f"i{number}" for number in range(len(one.iterators))]
    others = [f"j{number}" for number in range(len(other.iterators))]
    text = f"{one.tuple_name}[{', '.join(ones)}] -> {other.tuple_name}[{', '.join(others)}]"
    away = f"{sets.names.prefix}{{ {text} : {others[at]} - {ones[at]} != {distance} }}"
    return bool(pair.pairs.intersect(isl.Map.read_from_str(sets.holds.get_ctx(), away)).is_empty())


# ------------------------------------------------------------------------------------------------------------- loops


def _loops(sets: NestSets, timing: Timing) -> Iterator[LoopFacts]:
    seen: set[int] = set()
    for number, statement in enumerate(sets.statements):
        for at, loop in enumerate(statement.loops):
            if id(loop) in seen:
                continue
            seen.add(id(loop))
            level = timing[number].levels[at].loop
            carried = [
                f"{pair.kind} of `{timing[pair.second].name}` on `{timing[pair.first].name}` by `{pair.array}`"
                for pair in sets.ordered
                if _is_in(timing, pair.first, at, level)
                and _is_in(timing, pair.second, at, level)
                and is_carried(sets, timing, pair, at)
            ]
            tileable = tuple(Name(each) for each in _tileable(sets, timing, number, at))
            yield LoopFacts(loop.site, loop.iterator, tuple(dict.fromkeys(carried)), tileable)


def _is_in(timing: Timing, number: int, at: int, loop: object) -> bool:
    levels = timing[number].levels
    return len(levels) > at and levels[at].loop == loop


def _tileable(sets: NestSets, timing: Timing, number: int, at: int) -> Sequence[str]:
    """The most loops that stand directly in one another, the one at a level among them, that can be tiled together."""
    levels = timing[number].levels
    for length in range(len(levels), 1, -1):
        for start in range(max(0, at - length + 1), min(at, len(levels) - length) + 1):
            try:
                require_perfect(timing, timing[number], start, start + length - 1)
            except ScheduleError:
                continue
            if is_permutable(sets, timing, start, start + length, levels[start].loop):
                return [each.name for each in levels[start : start + length]]
    return [levels[at].name]
