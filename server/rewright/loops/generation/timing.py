"""When the statements of a nest run: the levels of loops around each, which the steps of a schedule change.

A level is a loop: its place among its siblings, what it runs over as a function of the statement's iterators, and which
loop it is, so that it is known what shares it. Source: Kelly and Pugh, A framework for unifying reordering
transformations. Must not know isl, nor whether an order is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from rewright.loops.generation.steps import (
    Distribute,
    Fuse,
    Interchange,
    Reverse,
    ScheduleError,
    Skew,
    TileLoops,
)
from rewright.loops.linear import difference, total
from rewright.model.nest import (
    AffineExpression,
    AffineNumber,
    AffineOperation,
    AffineVariable,
    Nest,
    NestGuard,
    NestItem,
    NestLoop,
    NestStatement,
)
from rewright.model.nest_text import statement_name

Places = tuple[int, ...]
"""A place among siblings; of several numbers where parts were split, compared in order."""


class LoopLevel(Struct, frozen=True):
    """A loop around a statement, which runs over `over`; `loop` tells which one it is.

    `low` is its first value, None if that is no number.
    """

    loop: object
    name: str
    place: Places
    over: AffineExpression
    low: int | None = None


class TimedStatement(Struct, frozen=True):
    """A statement with its levels, outermost first, and its place in the innermost one."""

    statement: NestStatement
    levels: tuple[LoopLevel, ...]
    place: Places

    @property
    def name(self) -> str:
        """What it is called."""
        return statement_name(self.statement)

    def level_of(self, loop: str) -> int | None:
        """Which level is the loop of a name."""
        return next((at for at, each in enumerate(self.levels) if each.name == loop), None)


Timing = tuple[TimedStatement, ...]


def timed(nest: Nest) -> Timing:
    """The order of a nest as it is written."""
    return tuple(_timed(nest.body, (), [0]))


def _timed(body: tuple[NestItem, ...], levels: tuple[LoopLevel, ...], place: list[int]) -> Iterator[TimedStatement]:
    for item in body:
        match item:
            case NestStatement():
                yield TimedStatement(item, levels, (place[0],))
                place[0] += 1
            case NestLoop(iterator=iterator, low=low, step=step):
                over: AffineExpression = AffineVariable(iterator)
                start = low.value if isinstance(low, AffineNumber) else None
                if step < 0:
                    over, start = _negated(over), None
                level = LoopLevel(id(item), str(iterator), (place[0],), over, start)
                yield from _timed(item.body, (*levels, level), [0])
                place[0] += 1
            case NestGuard(then=then, otherwise=otherwise):
                yield from _timed(then, levels, place)
                yield from _timed(otherwise, levels, place)
            case _:
                assert_never(item)


def changed(timing: Timing, step: Interchange | Reverse | Skew | TileLoops | Fuse | Distribute) -> Timing:
    """The order after a step. Raises `ScheduleError` where the step does not fit the nest."""
    match step:
        case Interchange(one=one, other=other):
            return _interchanged(timing, one, other)
        case Reverse(loop=loop):
            return _in_loop(timing, loop, lambda level, _: replace(level, over=_negated(level.over), low=None))
        case Skew():
            return _skewed(timing, step)
        case TileLoops(loops=loops, sizes=sizes):
            return tiled(timing, band_of(timing, loops or len(sizes)), sizes)
        case Fuse(loop=loop):
            return _fused(timing, loop)
        case Distribute(loop=loop):
            return _distributed(timing, loop)
        case _:
            assert_never(step)


def _negated(over: AffineExpression) -> AffineExpression:
    return difference(AffineNumber(0), over)


def _in_loop(timing: Timing, loop: str, change: Callable[[LoopLevel, TimedStatement], LoopLevel]) -> Timing:
    """The order with the level of a loop changed wherever there is one."""
    _known(timing, loop)
    made = []
    for each in timing:
        at = each.level_of(loop)
        if at is not None:
            each = _with_level(each, at, change(each.levels[at], each))
        made.append(each)
    return tuple(made)


def _with_level(statement: TimedStatement, at: int, level: LoopLevel) -> TimedStatement:
    return replace(statement, levels=(*statement.levels[:at], level, *statement.levels[at + 1 :]))


def _known(timing: Timing, loop: str) -> None:
    names = dict.fromkeys(level.name for each in timing for level in each.levels)
    if loop not in names:
        known = ", ".join(f"`{name}`" for name in names) or "none"
        raise ScheduleError(f"there is no loop `{loop}`; loops are {known}")


def _interchanged(timing: Timing, one: str, other: str) -> Timing:
    _known(timing, one)
    _known(timing, other)
    made, done = [], False
    for each in timing:
        at, to = sorted_levels(each, one, other)
        if at is None or to is None:
            made.append(each)
            continue
        require_perfect(timing, each, at, to)
        first, second = each.levels[at], each.levels[to]
        each = _with_level(each, at, replace(second, place=first.place))
        made.append(_with_level(each, to, replace(first, place=second.place)))
        done = True
    if not done:
        raise ScheduleError(f"no statement is in both `{one}` and `{other}`")
    return tuple(made)


def sorted_levels(statement: TimedStatement, one: str, other: str) -> tuple[int | None, int | None]:
    """The levels of two loops, the outer one first."""
    at, to = statement.level_of(one), statement.level_of(other)
    return (to, at) if at is not None and to is not None and to < at else (at, to)


def require_perfect(timing: Timing, statement: TimedStatement, at: int, to: int) -> None:
    """Raises `ScheduleError` unless everything in the loop at a level is in the one at an inner level, too."""
    outer, inner = statement.levels[at], statement.levels[to]
    for each in timing:
        is_in = len(each.levels) > at and each.levels[at].loop == outer.loop
        if is_in and (len(each.levels) <= to or each.levels[to].loop != inner.loop):
            said = f"`{each.name}` is in loop `{outer.name}`, but not in loop `{inner.name}`"
            raise ScheduleError(f"{said}: `distribute({outer.name})` would take them apart")


def _skewed(timing: Timing, step: Skew) -> Timing:
    _known(timing, step.loop)
    _known(timing, step.by)

    def change(level: LoopLevel, statement: TimedStatement) -> LoopLevel:
        by, at = statement.level_of(step.by), statement.level_of(step.loop)
        if by is None or at is None:
            raise ScheduleError(f"`{statement.name}` is in loop `{step.loop}`, but not in loop `{step.by}`")
        if by > at:
            raise ScheduleError(
                f"loop `{step.by}` is inside of loop `{step.loop}`: skew the inner one by the outer one"
            )
        return skewed_level(level, statement.levels[by], step.factor)

    return _in_loop(timing, step.loop, change)


def skewed_level(level: LoopLevel, by: LoopLevel, factor: int) -> LoopLevel:
    """A level that runs over its own value and so many times that of another."""
    added = AffineOperation("*", AffineNumber(factor), by.over) if factor != 1 else by.over
    return replace(level, over=total(level.over, _expanded(added)), low=None)


def _expanded(over: AffineExpression) -> AffineExpression:
    return total(over, AffineNumber(0))


# --------------------------------------------------------------------------------------------------------------- tiles


Bands = dict[object, tuple[int, int]]
"""For each outermost loop of a band its level, and the level after the innermost one."""


def band_of(timing: Timing, loops: tuple[str, ...] | int) -> Bands:
    """The loops of these names that stand directly in one another; or so many of the outermost ones.

    Raises `ScheduleError`.
    """
    found: Bands = {}
    for name in loops if isinstance(loops, tuple) else ():
        _known(timing, name)
    for each in timing:
        at = each.level_of(loops[0]) if isinstance(loops, tuple) else 0
        count = len(loops) if isinstance(loops, tuple) else loops
        if at is None or not each.levels:
            continue
        names = tuple(level.name for level in each.levels[at : at + count])
        if isinstance(loops, tuple) and names != loops:
            listed = ", ".join(f"`{name}`" for name in loops)
            raise ScheduleError(f"around `{each.name}` the loops {listed} do not stand directly in one another so")
        if len(names) < count:
            raise ScheduleError(f"`{each.name}` is in {len(each.levels)} loops, fewer than the {count} that are tiled")
        require_perfect(timing, each, at, at + count - 1)
        found[each.levels[at].loop] = (at, at + count)
    if not found:
        raise ScheduleError("there is no loop to tile")
    return found


def tiled(timing: Timing, bands: Bands, sizes: Sequence[int]) -> Timing:
    """The order with loops over tiles around the loops of each band."""
    made = []
    for each in timing:
        band = next((bands[level.loop] for level in each.levels if level.loop in bands), None)
        if band is None:
            made.append(each)
            continue
        start, end = band
        inner = each.levels[start:end]
        outer = tuple(_over_tiles(level, size) for level, size in zip(inner, sizes, strict=True))
        kept = (replace(inner[0], place=(0,)), *inner[1:])
        made.append(replace(each, levels=(*each.levels[:start], *outer, *kept, *each.levels[end:])))
    return tuple(made)


def _over_tiles(level: LoopLevel, size: int) -> LoopLevel:
    low = level.low or 0
    whole = AffineOperation("//", difference(level.over, AffineNumber(low)), AffineNumber(size))
    over: AffineExpression = AffineOperation("*", AffineNumber(size), whole)
    over = AffineOperation("+", over, AffineNumber(low)) if low else over
    return LoopLevel(("tile", level.loop), tile_name(level.name), level.place, over, level.low)


def tile_name(name: str) -> str:
    """The name of the loop over tiles of a loop: `ii` for `i`."""
    return name * 2 if len(name) == 1 else f"{name}_tile"


# ------------------------------------------------------------------------------------------------ fused, taken apart


def _fused(timing: Timing, loop: str | None) -> Timing:
    """The order in which the first loop, or that of a name, takes what is in the next one into its body."""
    for first in timing:
        at = 0 if loop is None and first.levels else first.level_of(loop) if loop is not None else None
        if at is None:
            continue
        second = _next(timing, first, at)
        if second is not None:
            return _joined(timing, (first, second), at)
    if loop is not None:
        _known(timing, loop)
    said = f"no loop follows directly on a loop `{loop}`" if loop is not None else "no loop follows directly on another"
    raise ScheduleError(said)


def _next(timing: Timing, first: TimedStatement, at: int) -> TimedStatement | None:
    """A statement in the loop that follows on the loop of another statement at a level, None if none does."""
    after = [
        each
        for each in timing
        if _place(each, at) > first.levels[at].place
        and [level.loop for level in each.levels[:at]] == [level.loop for level in first.levels[:at]]
    ]
    found = min(after, key=lambda each: _place(each, at), default=None)
    return found if found is not None and len(found.levels) > at else None


def _place(statement: TimedStatement, at: int) -> Places:
    """The place of what a statement is in, or is, at a level."""
    if len(statement.levels) > at:
        return statement.levels[at].place
    return statement.place if len(statement.levels) == at else ()


def _joined(timing: Timing, pair: tuple[TimedStatement, TimedStatement], at: int) -> Timing:
    first, second = (each.levels[at] for each in pair)
    made = []
    for each in timing:
        here = each.levels[at].loop if len(each.levels) > at else None
        if here == second.loop:
            each = _after(_with_level(each, at, replace(first, over=each.levels[at].over)), at, 1)
        elif here == first.loop:
            each = _after(each, at, 0)
        made.append(each)
    return tuple(made)


def _after(statement: TimedStatement, at: int, part: int) -> TimedStatement:
    """The statement in one of two parts of the body of its loop at a level."""
    if len(statement.levels) > at + 1:
        inner = statement.levels[at + 1]
        return _with_level(statement, at + 1, replace(inner, place=(part, *inner.place)))
    return replace(statement, place=(part, *statement.place))


def _distributed(timing: Timing, loop: str | None) -> Timing:
    if loop is not None:
        _known(timing, loop)
        return _apart(timing, loop)
    made = []
    for number, each in enumerate(timing):
        levels = tuple(
            replace(level, loop=(level.loop, number), place=(number,) if not at else (0,))
            for at, level in enumerate(each.levels)
        )
        made.append(replace(each, levels=levels, place=(0,) if levels else (number,)))
    return tuple(made)


def _apart(timing: Timing, loop: str) -> Timing:
    parts: dict[object, set[Places]] = {}
    for each in timing:
        at = each.level_of(loop)
        if at is not None:
            parts.setdefault(each.levels[at].loop, set()).add(_place(each, at + 1))
    if all(len(each) == 1 for each in parts.values()):
        raise ScheduleError(f"the body of loop `{loop}` has one part only")
    made = []
    for each in timing:
        at = each.level_of(loop)
        if at is None:
            made.append(each)
            continue
        part = _place(each, at + 1)
        level = each.levels[at]
        each = _with_level(each, at, replace(level, loop=(level.loop, part), place=(*level.place, *part)))
        made.append(each)
    return tuple(made)


def numbered(timing: Timing) -> tuple[tuple[int | AffineExpression, ...], ...]:
    """For each statement its places, as numbers, and what its levels run over, in turn."""
    places: dict[tuple[object, ...], set[Places]] = {}
    for each in timing:
        for at in range(len(each.levels) + 1):
            places.setdefault(_around(each, at), set()).add(_place(each, at))
    ranks = {around: {place: rank for rank, place in enumerate(sorted(found))} for around, found in places.items()}
    made = []
    for each in timing:
        parts: list[int | AffineExpression] = []
        for at, level in enumerate(each.levels):
            parts += [ranks[_around(each, at)][level.place], level.over]
        made.append((*parts, ranks[_around(each, len(each.levels))][each.place]))
    return tuple(made)


def _around(statement: TimedStatement, at: int) -> tuple[object, ...]:
    return tuple(level.loop for level in statement.levels[:at])
