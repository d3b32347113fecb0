"""What each kind of violation by a single thread looks like just before it happens. Must not know schedules."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from rewright.model.simt.instructions import (
    Assert,
    Binary,
    Shuffle,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator
from rewright.model.simt.violation import (
    Access,
    DivisionByZero,
    FailedAssertion,
    InactiveLane,
    Misaligned,
    OutOfBounds,
    ReadOnly,
    Setting,
    Uninitialised,
)
from rewright.replay.kernel.conversions import size
from rewright.replay.kernel.frame import NUMBER, OBJECTS
from rewright.replay.kernel.start import extents
from rewright.replay.kernel.watchpoint import Event
from rewright.verdict import AccessKind

Test = Callable[[Event], bool]

OfAccess = OutOfBounds | Uninitialised | Misaligned | ReadOnly
OfThread = InactiveLane | DivisionByZero | FailedAssertion


def does(access: Access, event: Event) -> bool:
    """Whether the event is this access; thread, interval and place are known to agree."""
    of = event.reach if event.at in event.reaches else None
    if of is None or of.kind is not access.kind or of.width != access.width:
        return False
    return of.target(event.row) == (access.object, access.offset)


def access_test(program: Program, setting: Setting, violation: OfAccess) -> Test:
    """Whether an event is the access of a violation, and goes wrong as that says."""
    match violation:
        case OutOfBounds():
            return lambda event: does(violation.access, event) and _outside(program, setting, violation, event)
        case Misaligned():
            return lambda event: does(violation.access, event) and _misaligned(violation, event)
        case Uninitialised():
            return lambda event: does(violation.access, event) and _unknown(program, setting, violation, event)
        case ReadOnly():
            return lambda event: does(violation.access, event) and _forbidden(program, setting, violation, event)


def _outside(program: Program, setting: Setting, violation: OutOfBounds, event: Event) -> bool:
    of, row = event.reach, event.row
    if of.inside(row):
        return False
    number = violation.access.object
    if number < 0:
        return violation.array == "" and violation.extents == ()
    made = program.objects[number]
    subscripts = tuple((row[index], row[extent]) for index, extent in of.subscripts)
    by_text = any(not 0 <= index < extent for index, extent in subscripts)
    if violation.array != made.name:
        return False
    if by_text:
        return (violation.address, violation.extents) == tuple(zip(*subscripts, strict=True))
    known = extents(made, setting)
    whole = () if known is None else (prod(known),)
    return (violation.address, violation.extents) == ((violation.access.offset // size(made.type),), whole)


def _misaligned(violation: Misaligned, event: Event) -> bool:
    of = event.reach
    return violation.alignment == of.width and violation.access.offset % of.width != 0


def _unknown(program: Program, setting: Setting, violation: Uninitialised, event: Event) -> bool:
    of, access = event.reach, violation.access
    if access.kind is AccessKind.WRITE or not of.inside(event.row):
        return False
    cells = event.row[OBJECTS][access.object + 1]
    if cells.is_known(cells.at(access.offset), access.width):
        return False
    indices = tuple(event.row[index] for index, _ in of.subscripts)
    return violation.address == (indices or element(program, setting, access.object, access.offset))


def _forbidden(program: Program, setting: Setting, violation: ReadOnly, event: Event) -> bool:
    of, access = event.reach, violation.access
    if access.kind is AccessKind.READ or not of.inside(event.row) or access.offset % of.width:
        return False
    variable = program.objects[access.object].variable
    indices = tuple(event.row[index] for index, _ in of.subscripts)
    named = violation.address == (indices or element(program, setting, access.object, access.offset))
    return variable is not None and variable.memory.is_read_only and named


def element(program: Program, setting: Setting, number: int, offset: int) -> tuple[int, ...]:
    """The element of an object that a byte belongs to: one index per dimension, where the extents are known."""
    made = program.objects[number]
    at = offset // size(made.type)
    known = extents(made, setting)
    if known is None or at >= prod(known):
        return (at,)
    address: tuple[int, ...] = ()
    for extent in reversed(known):
        at, index = divmod(at, extent)
        address = (index, *address)
    return address


def thread_test(violation: OfThread) -> Test:
    """Whether in an event there goes wrong what a violation says."""
    match violation:
        case DivisionByZero():
            return _divides_by_zero
        case FailedAssertion():
            return _fails
        case InactiveLane():
            return lambda event: _is_inactive(violation, event)


def _divides_by_zero(event: Event) -> bool:
    match event.instruction:
        case Binary(operator=BinaryOperator.DIVIDE | BinaryOperator.REMAINDER, right=right) if not right.type.is_float:
            return bool(event.row[event.block.code.frame.place(right)] == 0)
        case _:
            return False


def _fails(event: Event) -> bool:
    match event.instruction:
        case Assert(condition=condition):
            return not event.row[event.block.code.frame.place(condition)]
        case _:
            return False


def _is_inactive(violation: InactiveLane, event: Event) -> bool:
    if not isinstance(event.instruction, Shuffle):
        return False
    lane = event.row[NUMBER] % event.block.warp
    asked = event.block.asked(event.instruction, lane, event.row)
    return asked == violation.source and asked not in event.block.passing
