"""Statements and functions of a program as closures over a frame and a machine.

Invariant: what is executed is what the program says, or the run stops with a reason. Overflow of a type is noticed
where a value is stored, handed on or returned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never, cast

from rewright.loops.programs.building import Building, BuiltFunction, IntegerArray, Leaving, Step, frame_of
from rewright.loops.programs.expressions import Place, array_part, call, fitting, integer, place, test
from rewright.loops.programs.integers import Code, Frame, PartCode
from rewright.loops.programs.machine import DoesNotEnd, ProgramMachine, Reads, Stopped, with_room
from rewright.model.index import Name
from rewright.model.nest_program import (
    ArrayPart,
    DataOperation,
    EitherBranch,
    Evaluate,
    IntegerExpression,
    LeaveLoop,
    NestProgram,
    NewIntegers,
    PointTo,
    ProgramFunction,
    ProgramStatement,
    Repetition,
    ReturnFrom,
    SetElement,
    SetInteger,
    first_site,
)

MOST_CELLS = 1_000_000
"""Elements of an array of whole numbers."""

WIDE = 64
"""The bits of parameters of a nest, which do not overflow."""


def built(
    program: NestProgram, machine: ProgramMachine, values: dict[Name, int], arrays: tuple[Name, ...]
) -> Callable[[], None]:
    """What runs the program once, with these values of parameters. It raises `Stopped`."""
    functions = {each.name: BuiltFunction(each) for each in program.functions}
    for each in program.functions:
        _define(each, Building(machine, functions, each.returns))
    building = Building(machine, functions, WIDE)
    given: dict[int, Any] = {building.gives(name, WIDE): value for name, value in values.items()}
    given |= {building.gives(name, 0): (name,) for name in arrays}
    body = _block(building, program.body)

    def run() -> None:
        frame = frame_of(building)
        for slot, value in given.items():
            frame[slot] = value
        try:
            with_room(lambda: body(frame))
        except RecursionError:
            raise DoesNotEnd("calls are nested too deep", 0) from None

    return run


def _define(function: ProgramFunction, building: Building) -> None:
    for each in function.parameters:
        building.gives(each.name, each.bits)
    made = building.functions[function.name]
    made.body = _block(building, function.body)
    made.slots = len(building.slots) + 1


def _block(building: Building, statements: tuple[ProgramStatement, ...]) -> Step:
    steps = [_statement(building, each) for each in statements]
    match steps:
        case []:
            return lambda frame: None
        case [one]:
            return one
        case [one, other]:
            return lambda frame: one(frame) or other(frame)
        case [one, other, third]:
            return lambda frame: one(frame) or other(frame) or third(frame)

    def several(frame: Frame) -> Leaving | None:
        for each in steps:
            leaving = each(frame)
            if leaving is not None:
                return leaving
        return None

    return several


def _statement(building: Building, statement: ProgramStatement) -> Step:
    building.site = first_site((statement,)) or building.site
    match statement:
        case DataOperation():
            return _operation(building, statement)
        case SetInteger(name=name, value=None):
            building.valued.discard(name)
            return _unset(building.slot(name))
        case SetInteger(name=name, value=value, bits=bits, site=site):
            assert value is not None
            found = fitting(building, value, bits, site)
            return _set(building.gives(name, bits), found)
        case Repetition():
            return _repetition(building, statement)
        case EitherBranch():
            return _either(building, statement)
        case NewIntegers():
            return _new(building, statement)
        case SetElement(element=element, value=value, site=site):
            return _set_element(place(building, element), integer(building, value), site)
        case PointTo(name=name, part=of):
            part = array_part(building, of)
            return _point(building.gives(name, 0), part)
        case LeaveLoop(only_iteration=only_iteration):
            how = Leaving.ITERATION if only_iteration else Leaving.LOOP
            return lambda frame: how
        case ReturnFrom(value=None):
            return lambda frame: Leaving.FUNCTION
        case ReturnFrom(value=value):
            assert value is not None
            return _return(fitting(building, value, building.returns, building.site))
        case Evaluate(call=of):
            # It returns None, as a statement does that simply ends.
            return cast("Step", call(building, of, is_statement=True))
        case _:
            assert_never(statement)


def _unset(slot: int) -> Step:
    def step(frame: Frame) -> None:
        frame[slot] = None

    return step


def _set(slot: int, value: Code) -> Step:
    def step(frame: Frame) -> None:
        frame[slot] = value(frame)

    return step


def _point(slot: int, of: PartCode) -> Step:
    def step(frame: Frame) -> None:
        frame[slot] = of(frame)

    return step


def _return(value: Code) -> Step:
    def step(frame: Frame) -> Leaving:
        frame[0] = value(frame)
        return Leaving.FUNCTION

    return step


def _repetition(building: Building, loop: Repetition) -> Step:
    machine, site = building.machine, loop.site
    # What the body sets may be left out by `continue`, or not be there yet.
    holds = test(building, loop.condition)
    with building.apart():
        update = _block(building, loop.update)
    with building.apart():
        body = _block(building, loop.body)
    tests_first = loop.tests_first

    def step(frame: Frame) -> Leaving | None:
        if tests_first and not holds(frame):
            return None
        while True:
            machine.left = left = machine.left - 1
            if left < 0:
                raise DoesNotEnd("this loop does not end", site)
            leaving = body(frame)
            if leaving is not None and leaving is not Leaving.ITERATION:
                return None if leaving is Leaving.LOOP else leaving
            update(frame)
            if not holds(frame):
                return None

    return step


def _either(building: Building, statement: EitherBranch) -> Step:
    condition, ran = statement.condition, building.machine.ran
    holds = test(building, condition)
    with building.apart():
        then, mark = _block(building, statement.then), _mark(statement.then)
    with building.apart():
        otherwise, other_mark = _block(building, statement.otherwise), _mark(statement.otherwise)

    def both(frame: Frame) -> Leaving | None:
        if holds(frame):
            if mark is not None:
                ran.add(mark)
            return then(frame)
        if other_mark is not None:
            ran.add(other_mark)
        return otherwise(frame)

    def one(frame: Frame) -> Leaving | None:
        if holds(frame):
            if mark is not None:
                ran.add(mark)
            return then(frame)
        return None

    return both if statement.otherwise else one


def _mark(branch: tuple[ProgramStatement, ...]) -> int | None:
    """The site that says that a branch ran, None if there is none or its first operation says it."""
    return None if branch and isinstance(branch[0], DataOperation) else first_site(branch)


def _operation(building: Building, statement: DataOperation) -> Step:
    machine, signature, site = building.machine, statement.signature, statement.site
    perform, ran = machine.perform, machine.ran
    write = array_part(building, statement.write)
    read = _reads(tuple([_read(building, each) for each in statement.reads]))

    def step(frame: Frame) -> None:
        machine.left = left = machine.left - 1
        if left < 0:
            raise DoesNotEnd("it does not end", site)
        ran.add(site)
        perform(signature, write(frame), read(frame))

    return step


def _read(building: Building, read: ArrayPart | IntegerExpression) -> Callable[[Frame], Any]:
    return array_part(building, read) if isinstance(read, ArrayPart) else integer(building, read)


def _reads(reads: tuple[Callable[[Frame], Any], ...]) -> Callable[[Frame], Reads]:
    match reads:
        case ():
            return lambda frame: ()
        case (one,):
            return lambda frame: (one(frame),)
        case (one, other):
            return lambda frame: (one(frame), other(frame))
        case (one, other, third):
            return lambda frame: (one(frame), other(frame), third(frame))
    return lambda frame: tuple([each(frame) for each in reads])


def _new(building: Building, statement: NewIntegers) -> Step:
    site, zeroed, bits = statement.site, statement.zeroed, statement.bits
    sizes = [integer(building, each) for each in statement.sizes]
    values = [fitting(building, each, bits, site) for each in statement.values]
    slot = building.slot(statement.name)

    def step(frame: Frame) -> None:
        extents = tuple([each(frame) for each in sizes])
        many = 1
        for extent in extents:
            many *= extent
        if min(extents) < 1 or many > MOST_CELLS:
            raise Stopped("an array of such a size", site)
        if len(values) > many:
            raise Stopped("more first values than elements", site)
        cells: list[int | None] = [each(frame) for each in values]
        frame[slot] = IntegerArray(extents, cells + [0 if zeroed else None] * (many - len(cells)), bits)

    return step


def _set_element(at: Place, value: Code, site: int) -> Step:
    def step(frame: Frame) -> None:
        found = value(frame)
        array, number = at(frame)
        limit = 1 << (array.bits - 1)
        if not -limit <= found < limit:
            raise Stopped(f"a number of {array.bits} bits overflows", site)
        array.cells[number] = found

    return step
