"""Violations as findings and witnesses: which diagnosis each is, where it is reported, and what shows it.

Must not know how a message is worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.kernel_coverage import index_within, sizes
from rewright.kernels.execution.log import ObjectLayout
from rewright.kernels.execution.numbers import width
from rewright.kernels.launches.results import Found
from rewright.model.index import Name
from rewright.model.scalars import Values, integer
from rewright.model.simt.program import Object, Program
from rewright.model.simt.types import Space
from rewright.model.simt.violation import (
    Access,
    CollisionScope,
    Deadlock,
    Divergence,
    DivisionByZero,
    EarlyExit,
    FailedAssertion,
    InactiveLane,
    Misaligned,
    OutOfBounds,
    Race,
    ReadOnly,
    Setting,
    Thread,
    Uninitialised,
    Unset,
    Violation,
    Wait,
)
from rewright.replay.kernel.outcome import Replayed
from rewright.replay.kernel.outcome import ReplayedAccess as Seen
from rewright.verdict import (
    Diagnosis,
    Failure,
    Finding,
    KernelWitness,
    Moment,
    Place,
    Related,
    Role,
    Severity,
    ThreadId,
)
from rewright.verdict.diagnostics.kernels import (
    Act,
    ArrayElement,
    AssertionFails,
    BarrierAfterExit,
    BarrierDivergence,
    BeforeTheStart,
    BeyondTheEnd,
    BlockScopeBetweenBlocks,
    Collision,
    DataRace,
    DeadlockOutsideMask,
    EqualWrites,
    IndexOutside,
    IntegerDividedByZero,
    MisalignedAccess,
    NoArrayElement,
    RaceBetweenBlocks,
    RaceWithinWarp,
    ReadOfUnset,
    ReadOfUnwritten,
    ShuffleFromInactiveLane,
    StoreToConstant,
    WarpDeadlock,
    Whereabouts,
    Who,
)

SHOWN_CELLS = 64
"""Elements of an input that a witness lists."""

LISTED_CELLS = 8
"""Elements of a variable that a message lists."""

_OF_AN_ELEMENT = Race | OutOfBounds | Uninitialised | Misaligned | ReadOnly


class _Side(Struct, frozen=True):
    """One of the two sides of a violation: who, where (None: it has ended nowhere in particular), by which access."""

    thread: Thread
    place: Place | None
    access: Access | None = None


def finding(found: Found, program: Program, replayed: Replayed, launch: str | None = None) -> Finding:
    """The finding of a violation that was replayed: at the side that ran first, related to the other one.

    `launch` is the launch that shows it, where it has to be named.
    """
    violation = by_fields(found.violation, program)
    first, *others = _sides(violation)
    places = [other.place for other in others if other.thread != first.thread]
    return Finding(
        _Seen(violation, found.setting, program, replayed).diagnosis(),
        severity_of(violation),
        place_of(violation),
        tuple(Related(Role.SECOND, place) for place in places if place is not None),
        tuple(_unstated(found, program)),
        launch,
    )


def _unstated(found: Found, program: Program) -> Iterator[tuple[str, str]]:
    """The variables whose contents are not stated, with what they hold: a number, or the first of several."""
    contents = dict(found.setting.contents)
    for name in found.unstated:
        yield str(name), listed(program, name, contents[name], LISTED_CELLS)


def place_of(violation: Violation) -> Place:
    """Where a violation is reported: at the side that ran first."""
    place = _sides(violation)[0].place
    assert place is not None
    return place


class _Seen(Struct, frozen=True):
    """A violation in the run that showed it and that was replayed."""

    violation: Violation
    setting: Setting
    program: Program
    replayed: Replayed

    def diagnosis(self) -> Diagnosis:
        """What is said of it."""
        match self.violation:
            case Race() as race:
                return self._race(race)
            case Deadlock() as deadlock:
                return self._deadlock(deadlock)
            case Divergence(interval=interval, second=second):
                return BarrierDivergence(self._who(0), self._who(1), _whereabouts(second), interval)
            case EarlyExit(interval=interval):
                return BarrierAfterExit(self._who(0), self._who(1), interval)
            case OutOfBounds() as outside:
                return self._out_of_bounds(outside)
            case Uninitialised(array=array, address=address, access=access):
                return ReadOfUnwritten(self._who(0), ArrayElement(str(array), address), access.interval)
            case Unset(variable=variable, interval=interval):
                return ReadOfUnset(self._who(0), str(variable), interval)
            case Misaligned(array=array, address=address, alignment=alignment, access=access):
                element = ArrayElement(str(array), address)
                return MisalignedAccess(self._act(access), element, access.width, access.offset, alignment)
            case ReadOnly(array=array, address=address, access=access):
                return StoreToConstant(self._act(access), ArrayElement(str(array), address))
            case DivisionByZero():
                return IntegerDividedByZero(self._who(0))
            case FailedAssertion():
                return AssertionFails(self._who(0))
            case InactiveLane(source=lane):
                return ShuffleFromInactiveLane(self._who(0), lane)
            case _:
                assert_never(self.violation)

    def _race(self, race: Race) -> Diagnosis:
        element, interval = ArrayElement(str(race.array), race.address), race.first.interval
        collision = Collision(element, self._act(race.first), self._act(race.second, 1))
        if race.equal:
            return EqualWrites(collision, interval)
        if _is_of_block_scope(race):
            return BlockScopeBetweenBlocks(collision)
        match race.scope:
            case CollisionScope.BLOCK:
                return DataRace(collision, interval)
            case CollisionScope.WARP:
                return RaceWithinWarp(collision, interval)
            case CollisionScope.GRID:
                return RaceBetweenBlocks(collision)
            case _:
                assert_never(race.scope)

    def _deadlock(self, deadlock: Deadlock) -> Diagnosis:
        first, second, interval = deadlock.first, deadlock.second, deadlock.interval
        if first.thread == second.thread and first.mask is not None:
            return DeadlockOutsideMask(self._who(0), first.mask, interval)
        return WarpDeadlock(self._who(0), first.mask, self._who(1), _whereabouts(second), interval)

    def _out_of_bounds(self, outside: OutOfBounds) -> Diagnosis:
        act, element = self._act(outside.access), ArrayElement(str(outside.array), outside.address)
        if not outside.array:
            return NoArrayElement(act)
        if not outside.extents:
            return BeforeTheStart(act, element)
        if all(0 <= at < extent for at, extent in zip(outside.address, outside.extents, strict=True)):
            end = prod(outside.extents) * width(self.program.objects[outside.access.object].type)
            return BeyondTheEnd(act, element, outside.access.width, outside.access.offset, end)
        bounds = _bounds(outside, self.setting) if _is_global(outside, self.program) else None
        return IndexOutside(act, element, outside.extents, bounds)

    def _act(self, access: Access, side: int = 0) -> Act:
        return Act(self._who(side), access.kind)

    def _who(self, side: int) -> Who:
        """The thread of the first or second side, in which pass of its loops."""
        thread, setting = _sides(self.violation)[side].thread, self.setting
        block = None if prod(setting.grid) == 1 else index_within(thread.block, setting.grid)
        iterations = self.replayed.iterations
        passes = tuple(each.number for each in iterations[side]) if side < len(iterations) else ()
        return Who(index_within(thread.index, setting.block), block, passes)


def _is_of_block_scope(race: Race) -> bool:
    """Whether two atomics collide, which only atomics of block scope in two blocks do."""
    return race.first.kind.is_atomic and race.second.kind.is_atomic


def urgency(violation: Violation) -> int:
    """The order in which kinds of violations are reported, else that in which they were found: unset values come last.

    It shows at the smallest sizes, where others do not yet.
    """
    return int(isinstance(violation, Uninitialised | Unset))


def severity_of(violation: Violation) -> Severity:
    """How loud a violation is: writes of equal values, and warps that leave early, leave the verdict."""
    match violation:
        case Race(equal=True) | EarlyExit():
            return Severity.WARNING
        case _:
            return Severity.ERROR


def failure_of(violation: Violation) -> Failure:
    """In which way a violation fails."""
    match violation:
        case Race(scope=CollisionScope.WARP) | InactiveLane():
            return Failure.WARP
        case Race():
            return Failure.RACE
        case Deadlock():
            return Failure.DEADLOCK
        case Divergence() | EarlyExit():
            return Failure.DIVERGENCE
        case OutOfBounds():
            return Failure.BOUNDS
        case Uninitialised() | Unset():
            return Failure.UNINITIALISED
        case Misaligned():
            return Failure.MISALIGNED
        case ReadOnly():
            return Failure.READ_ONLY
        case DivisionByZero():
            return Failure.DIVISION
        case FailedAssertion():
            return Failure.ASSERTION
        case _:
            assert_never(violation)


def witness(found: Found, program: Program, replayed: Replayed) -> KernelWitness:
    """The witness of a violation that was replayed."""
    setting, violation = found.setting, by_fields(found.violation, program)
    sides = _sides(violation)
    element = violation if isinstance(violation, _OF_AN_ELEMENT) else None
    return KernelWitness(
        fails=failure_of(violation),
        grid=sizes(setting.grid),
        block=sizes(setting.block),
        values=(*((str(name), str(value)) for name, value in setting.values), *_contents(found, program)),
        threads=tuple(_thread(side.thread, setting) for side in sides),
        array=str(element.array) if element else None,
        address=element.address if element else (),
        interval=_interval(violation),
        replayed=True,
        iterations=tuple(tuple(each.number for each in side) for side in replayed.iterations),
        opened=replayed.opened,
        moments=tuple(_moments(found, program, replayed)),
        unstated=tuple(map(str, found.unstated)),
    )


def by_fields(violation: Violation, program: Program) -> Violation:
    """The violation with its element named by the field that it is of, in an array of structs: `nodes.next[3]`."""
    if not isinstance(violation, _OF_AN_ELEMENT):
        return violation
    access = violation.first if isinstance(violation, Race) else violation.access
    if access.object < 0 or not program.objects[access.object].fields:
        return violation
    made, is_flat = program.objects[access.object], violation.address == (access.offset,)
    begin = 0 if is_flat or not isinstance(violation, OutOfBounds) else _flat(violation) * access.width
    inside = _field_at(made, access.offset - begin)
    if inside is None:
        return violation
    name, number = inside
    if isinstance(violation, OutOfBounds):
        if not is_flat:
            return replace(violation, array=name)
        extents = tuple(extent // made.fields[0].size for extent in violation.extents)
        if len(number) > 1 and extents:
            extents = (*extents, next(each.count for each in made.fields if each.name == name))
        return replace(violation, array=name, address=number, extents=extents)
    return replace(violation, array=name, address=number if is_flat else violation.address)


def _flat(outside: OutOfBounds) -> int:
    """How many elements of an array in a struct stand before the one that is named."""
    found = 0
    for index, extent in zip(outside.address, outside.extents, strict=True):
        found = found * extent + index
    return found


def _field_at(made: Object, offset: int) -> tuple[Name, tuple[int, ...]] | None:
    """The field of an array of structs that a byte lies in, and which element of it; None for other arrays."""
    for each in made.fields:
        struct, inside = divmod(offset, each.size)
        number = (inside - each.offset) // width(each.type)
        if 0 <= number < each.count:
            return each.name, (struct,) if each.count == 1 else (struct, number)
    return None


def _sides(violation: Violation) -> tuple[_Side, ...]:
    match violation:
        case Race():
            return tuple(_Side(each.thread, each.place, each) for each in (violation.first, violation.second))
        case Divergence() | EarlyExit() | Deadlock():
            return tuple(_Side(each.thread, each.place or each.left) for each in (violation.first, violation.second))
        case OutOfBounds() | Uninitialised() | Misaligned() | ReadOnly():
            return (_Side(violation.access.thread, violation.access.place, violation.access),)
        case Unset() | InactiveLane() | DivisionByZero() | FailedAssertion():
            return (_Side(violation.thread, violation.place),)
        case _:
            assert_never(violation)


def _interval(violation: Violation) -> int:
    match violation:
        case Race():
            return violation.first.interval
        case OutOfBounds() | Uninitialised() | Misaligned() | ReadOnly():
            return violation.access.interval
        case _:
            return violation.interval


def _is_global(outside: OutOfBounds, program: Program) -> bool:
    number = outside.access.object
    return number >= 0 and program.objects[number].space is Space.GLOBAL


def _bounds(outside: OutOfBounds, setting: Setting) -> tuple[str, ...]:
    """The sizes and parameters, and products of two, that come to the extent that an index leaves: `n`, `m * k`."""
    left = [extent for index, extent in zip(outside.address, outside.extents, strict=False) if index >= extent]
    values = [(str(name), value) for name, value in setting.values if isinstance(value, int)]
    single = [name for name, value in values if value in left]
    pairs = [
        f"{name} * {other}"
        for number, (name, value) in enumerate(values)
        for other, factor in values[number:]
        if value * factor in left and 1 not in (value, factor)
    ]
    return (*single, *pairs)


def _whereabouts(wait: Wait) -> Whereabouts:
    if wait.place is not None:
        return Whereabouts.WAITS_ELSEWHERE
    return Whereabouts.PASSES_BY if wait.left is None else Whereabouts.LEFT


def _thread(thread: Thread, setting: Setting) -> ThreadId:
    return ThreadId(index_within(thread.block, setting.grid), index_within(thread.index, setting.block))


def _moments(found: Found, program: Program, replayed: Replayed) -> Iterator[Moment]:
    """What the threads of a violation accessed, in the order in which it happened."""
    sides = _sides(found.violation)
    for seen in sorted(replayed.moments, key=lambda each: each.turn):
        for number, side in enumerate(sides):
            if side.thread == seen.thread:
                element = _named(found, program, seen)
                yield Moment(seen.turn, number, seen.kind, element, seen.place, _is(side.access, seen))


def _is(access: Access | None, seen: Seen) -> bool:
    if access is None:
        return False
    named = (access.kind, access.object, access.offset, access.place)
    return named == (seen.kind, seen.object, seen.offset, seen.place)


def _named(found: Found, program: Program, seen: Seen) -> str:
    """The element as messages name it."""
    if seen.object < 0:
        return "?"
    made = program.objects[seen.object]
    inside = _field_at(made, seen.offset)
    if inside is not None:
        name, number = inside
        return f"{name}[{', '.join(map(str, number))}]"
    index = _layout(made, dict(found.setting.values)).element(seen.offset)
    return f"{made.name}[{', '.join(map(str, index))}]"


def _layout(made: Object, values: Values) -> ObjectLayout:
    extents = None if made.extents is None else tuple(integer(extent, values) for extent in made.extents)
    return ObjectLayout(made.name, width(made.type), extents, made.space is Space.GLOBAL)


def _contents(found: Found, program: Program) -> Iterator[tuple[str, str]]:
    """The inputs that control or addresses depend on; what is a parameter or a size, too, has its value already."""
    values = {name for name, _ in found.setting.values}
    for name, cells in found.setting.contents:
        if (str(name) in found.depends or name in found.unstated) and name not in values:
            yield str(name), listed(program, name, cells, SHOWN_CELLS)


def listed(program: Program, name: Name, cells: tuple[int | float, ...], most: int) -> str:
    """What an array holds, as many elements as are shown; of a single cell its value."""
    if any(made.name == name and made.extents == () for made in program.objects):
        return ", ".join(map(str, cells))
    more = ", …" if len(cells) > most else ""
    return f"[{', '.join(map(str, cells[:most]))}{more}]"
