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
from rewright.kernels.scalars import Values, integer
from rewright.model.simt.program import Object, Program
from rewright.model.simt.types import Space
from rewright.model.simt.violation import (
    Access,
    Deadlock,
    Divergence,
    DivisionByZero,
    FailedAssertion,
    InactiveLane,
    Misaligned,
    OutOfBounds,
    Race,
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

Arguments = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two sides of a violation: who, where (None: it has ended), by which access if by one."""

    thread: Thread
    place: Place | None
    access: Access | None = None


def finding(found: Found, program: Program, replayed: Replayed) -> Finding:
    """The finding of a violation that was replayed: at the side that ran first, related to the other one."""
    violation = found.violation
    passes = tuple(tuple(each.number for each in side) for side in replayed.iterations)
    bounds = _bounds(violation, found.setting) if _is_global(violation, program) else ()
    facts = (*_facts(violation), *bounds, *_of_sides(violation, found.setting, passes))
    _, *others = _sides(violation)
    related = tuple(Related("second", other.place, facts) for other in others if other.place is not None)
    return Finding(code_of(violation), severity_of(violation), place_of(violation), facts, related)


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
        case Race(scope=scope):
            return {Scope.BLOCK: "RW301", Scope.WARP: "RW309", Scope.GRID: "RW313"}[scope]
        case Deadlock():
            return "RW302"
        case Divergence():
            return "RW303"
        case OutOfBounds():
            return "RW304"
        case Uninitialised() | Unset():
            return "RW305"
        case Misaligned():
            return "RW306"
        case DivisionByZero():
            return "RW307"
        case FailedAssertion():
            return "RW308"
        case InactiveLane():
            return "RW314"
        case _:
            assert_never(violation)


def severity_of(violation: Violation) -> Severity:
    """How loud a violation is: writes of equal values leave the verdict."""
    return Severity.WARNING if isinstance(violation, Race) and violation.equal else Severity.ERROR


def failure_of(violation: Violation) -> Failure:
    """In which way a violation fails."""
    match violation:
        case Race(scope=Scope.WARP) | InactiveLane():
            return Failure.WARP
        case Race():
            return Failure.RACE
        case Deadlock():
            return Failure.DEADLOCK
        case Divergence():
            return Failure.DIVERGENCE
        case OutOfBounds():
            return Failure.BOUNDS
        case Uninitialised() | Unset():
            return Failure.UNINITIALISED
        case Misaligned():
            return Failure.MISALIGNED
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
    element = violation if isinstance(violation, Race | OutOfBounds | Uninitialised | Misaligned) else None
    return KernelWitness(
        fails=failure_of(violation),
        grid=sizes(setting.grid),
        block=sizes(setting.block),
        values=(*((str(name), str(value)) for name, value in setting.values), *_contents(found)),
        threads=tuple(_thread(side.thread, setting) for side in sides),
        array=str(element.array) if element else None,
        address=element.address if element else (),
        interval=_interval(violation),
        replayed=True,
        iterations=tuple(tuple(each.number for each in side) for side in replayed.iterations),
        opened=replayed.opened,
        moments=tuple(_moments(found, program, replayed)),
    )


def _sides(violation: Violation) -> tuple[_Side, ...]:
    match violation:
        case Race():
            return tuple(_Side(each.thread, each.place, each) for each in (violation.first, violation.second))
        case Divergence() | Deadlock():
            return tuple(_Side(each.thread, each.place) for each in (violation.first, violation.second))
        case OutOfBounds() | Uninitialised() | Misaligned():
            return (_Side(violation.access.thread, violation.access.place, violation.access),)
        case Unset() | InactiveLane() | DivisionByZero() | FailedAssertion():
            return (_Side(violation.thread, violation.place),)
        case _:
            assert_never(violation)


def _interval(violation: Violation) -> int:
    match violation:
        case Race():
            return violation.first.interval
        case OutOfBounds() | Uninitialised() | Misaligned():
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
            width, alignment = str(violation.access.width), str(violation.alignment)
            return (*_element(violation.array, violation.address), ("width", width), ("alignment", alignment))
        case Divergence():
            return (("second", _whereabouts(violation.second)),)
        case Deadlock():
            mask = "" if violation.first.mask is None else f"{violation.first.mask:#x}"
            return ("second", _whereabouts(violation.second)), ("mask", mask)
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


def _element(array: str, address: tuple[int, ...]) -> Arguments:
    return ("array", str(array)), ("address", ", ".join(map(str, address)))


def _whereabouts(wait: Wait) -> str:
    return "left" if wait.place is None else "waits elsewhere"


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


def _contents(found: Found) -> tuple[tuple[str, str], ...]:
    """The inputs that control or addresses depend on."""
    listed = []
    for name, cells in found.setting.contents:
        if name in found.depends:
            more = ", …" if len(cells) > SHOWN_CELLS else ""
            listed.append((str(name), f"[{', '.join(map(str, cells[:SHOWN_CELLS]))}{more}]"))
    return tuple(listed)
