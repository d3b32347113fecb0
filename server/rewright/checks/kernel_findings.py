"""Violations as findings and witnesses: the facts that messages are made of.

The arguments of a finding: `interval`, and for each of one or two threads (`first`, `second`) `_thread`, `_block`
(empty where the launch has one), `_passes` (of the loops that it is in, outermost first); what an access does stands
under the role itself (read, write or atomic), its element in `array` and `address` (as in `3, 1`). Must not know how a
message is worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import assert_never

from rewright.checks.kernel_coverage import index_within, shape_at, sizes
from rewright.kernels.execution.log import Layout
from rewright.kernels.execution.numbers import width
from rewright.kernels.launches.search import Found
from rewright.model.index import Name
from rewright.model.scalars import Values, integer
from rewright.model.simt.program import Object, Program
from rewright.model.simt.types import Space
from rewright.model.simt.violation import (
    Access,
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
    Scope,
    Setting,
    Thread,
    Uninitialised,
    Unset,
    Violation,
    Wait,
)
from rewright.replay.kernel.outcome import Moment as Seen
from rewright.replay.kernel.outcome import Replayed
from rewright.verdict import (
    Failure,
    Finding,
    KernelWitness,
    Moment,
    Place,
    Related,
    Severity,
    ThreadId,
)

SHOWN_CELLS = 64
"""Elements of an input that a witness lists."""

TOLD_CELLS = 8
"""Elements of a variable that a message lists."""

_OF_AN_ELEMENT = Race | OutOfBounds | Uninitialised | Misaligned | ReadOnly

Arguments = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two sides of a violation: who, where (None: it has ended nowhere in particular), by which access."""

    thread: Thread
    place: Place | None
    access: Access | None = None


def finding(found: Found, program: Program, replayed: Replayed, launch: str = "") -> Finding:
    """The finding of a violation that was replayed: at the side that ran first, related to the other one.

    `launch` is that which shows it, where that is to be told.
    """
    violation = found.violation
    passes = tuple(tuple(each.number for each in side) for side in replayed.iterations)
    bounds = _bounds(violation, found.setting) if _is_global(violation, program) else ()
    facts = (*_facts(violation), *bounds, *_bytes(violation, program), *_of_sides(violation, found.setting, passes))
    first, *others = _sides(violation)
    places = [other.place for other in others if other.thread != first.thread]
    related = tuple(Related("second", place, facts) for place in places if place is not None)
    told = (*facts, ("launch", launch)) if launch else facts
    place = place_of(violation)
    return Finding(code_of(violation), severity_of(violation), place, told, related, tuple(_unstated(found, program)))


def _unstated(found: Found, program: Program) -> Iterator[tuple[str, str]]:
    """The variables that nobody stated, with what they hold: a number, or the first of several."""
    contents = dict(found.setting.contents)
    for name in found.unstated:
        yield str(name), _listed(program, name, contents[name], TOLD_CELLS)


def place_of(violation: Violation) -> Place:
    """Where a violation is told: at the side that ran first."""
    place = _sides(violation)[0].place
    assert place is not None
    return place


def code_of(violation: Violation) -> str:
    """The diagnostic code of a violation."""
    match violation:
        case Race(equal=True):
            return "RW311"
        case Race() if _is_of_block_scope(violation):
            return "RW317"
        case Race(scope=scope):
            return {Scope.BLOCK: "RW301", Scope.WARP: "RW309", Scope.GRID: "RW313"}[scope]
        case Deadlock():
            return "RW302"
        case Divergence():
            return "RW303"
        case EarlyExit():
            return "RW315"
        case OutOfBounds():
            return "RW304"
        case Uninitialised() | Unset():
            return "RW305"
        case Misaligned():
            return "RW306"
        case ReadOnly():
            return "RW316"
        case DivisionByZero():
            return "RW307"
        case FailedAssertion():
            return "RW308"
        case InactiveLane():
            return "RW314"
        case _:
            assert_never(violation)


def _is_of_block_scope(race: Race) -> bool:
    """Whether two atomics collide, which only atomics of block scope in two blocks do."""
    return race.first.kind.is_atomic and race.second.kind.is_atomic


def urgency(violation: Violation) -> int:
    """The order in which kinds of violations are told, else that in which they were found: what was not set comes last.

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
        case Race(scope=Scope.WARP) | InactiveLane():
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
    setting, violation = found.setting, found.violation
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


def _of_sides(violation: Violation, setting: Setting, passes: tuple[tuple[int, ...], ...]) -> Iterator[tuple[str, str]]:
    """Who does what, in which pass of its loops."""
    yield "interval", str(_interval(violation))
    for number, (role, side) in enumerate(zip(("first", "second"), _sides(violation), strict=False)):
        iterations = passes[number] if number < len(passes) else ()
        yield f"{role}_thread", shape_at(side.thread.index, setting.block)
        yield f"{role}_block", "" if prod(setting.grid) == 1 else shape_at(side.thread.block, setting.grid)
        yield f"{role}_passes", ", ".join(map(str, iterations))
        if side.access is not None:
            yield role, side.access.kind.value


def _facts(violation: Violation) -> Arguments:
    """What is said of a violation besides its threads."""
    match violation:
        case Race():
            return _element(violation.array, violation.address)
        case OutOfBounds():
            extents = ", ".join(map(str, violation.extents))
            return (*_element(violation.array, violation.address), ("extents", extents))
        case Uninitialised():
            return (*_element(violation.array, violation.address), ("variable", ""))
        case Unset():
            return (("variable", violation.variable),)
        case Misaligned():
            access, alignment = violation.access, ("alignment", str(violation.alignment))
            at = ("width", str(access.width)), ("offset", str(access.offset)), alignment
            return (*_element(violation.array, violation.address), *at)
        case ReadOnly():
            return _element(violation.array, violation.address)
        case Divergence() | EarlyExit():
            return (("second", _whereabouts(violation.second)),)
        case Deadlock():
            mask = "" if violation.first.mask is None else f"{violation.first.mask:#x}"
            itself = violation.first.thread == violation.second.thread
            return ("second", "outside" if itself else _whereabouts(violation.second)), ("mask", mask)
        case InactiveLane():
            return (("source", str(violation.source)),)
        case DivisionByZero() | FailedAssertion():
            return ()
        case _:
            assert_never(violation)


def _is_global(violation: Violation, program: Program) -> bool:
    number = violation.access.object if isinstance(violation, OutOfBounds) else -1
    return number >= 0 and program.objects[number].space is Space.GLOBAL


def _bounds(violation: Violation, setting: Setting) -> Arguments:
    """The sizes and parameters, and products of two, that come to the extent that an index leaves: `n; m * k`."""
    if not isinstance(violation, OutOfBounds):
        return ()
    left = [extent for index, extent in zip(violation.address, violation.extents, strict=False) if index >= extent]
    values = [(str(name), value) for name, value in setting.values if isinstance(value, int)]
    single = [name for name, value in values if value in left]
    pairs = [
        f"{name} * {other}"
        for number, (name, value) in enumerate(values)
        for other, factor in values[number:]
        if value * factor in left and 1 not in (value, factor)
    ]
    return (("bounds", "; ".join([*single, *pairs])),)


def _bytes(violation: Violation, program: Program) -> Arguments:
    """The bytes of an access that begins inside its array and ends behind it, where it begins, where the array ends."""
    if not isinstance(violation, OutOfBounds) or not violation.extents:
        return ()
    if any(not 0 <= at < extent for at, extent in zip(violation.address, violation.extents, strict=True)):
        return ()
    access = violation.access
    end = prod(violation.extents) * width(program.objects[access.object].type)
    return ("width", str(access.width)), ("offset", str(access.offset)), ("end", str(end))


def _element(array: str, address: tuple[int, ...]) -> Arguments:
    return ("array", str(array)), ("address", ", ".join(map(str, address)))


def _whereabouts(wait: Wait) -> str:
    if wait.place is not None:
        return "waits elsewhere"
    return "passes by" if wait.left is None else "left"


def _thread(thread: Thread, setting: Setting) -> ThreadId:
    return ThreadId(index_within(thread.block, setting.grid), index_within(thread.index, setting.block))


def _moments(found: Found, program: Program, replayed: Replayed) -> Iterator[Moment]:
    """What the threads of a violation accessed, in the order in which it happened."""
    sides = _sides(found.violation)
    for seen in sorted(replayed.moments, key=lambda each: each.turn):
        for number, side in enumerate(sides):
            if side.thread == seen.thread:
                element = _named(found, program, seen)
                yield Moment(seen.turn, number, seen.kind.value, element, seen.place, _is(side.access, seen))


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
    index = _layout(made, dict(found.setting.values)).element(seen.offset)
    return f"{made.name}[{', '.join(map(str, index))}]"


def _layout(made: Object, values: Values) -> Layout:
    extents = None if made.extents is None else tuple(integer(extent, values) for extent in made.extents)
    return Layout(made.name, width(made.type), extents, made.space is Space.GLOBAL)


def _contents(found: Found, program: Program) -> Iterator[tuple[str, str]]:
    """The inputs that control or addresses depend on; what is a parameter or a size, too, has its value already."""
    values = {name for name, _ in found.setting.values}
    for name, cells in found.setting.contents:
        if (str(name) in found.depends or name in found.unstated) and name not in values:
            yield str(name), _listed(program, name, cells, SHOWN_CELLS)


def _listed(program: Program, name: Name, cells: tuple[int | float, ...], most: int) -> str:
    """What an array holds, as many elements as are shown; of a single cell its value."""
    if any(made.name == name and made.extents == () for made in program.objects):
        return ", ".join(map(str, cells))
    more = ", …" if len(cells) > most else ""
    return f"[{', '.join(map(str, cells[:most]))}{more}]"
