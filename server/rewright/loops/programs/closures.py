"""Statements and functions of a program as closures over a frame and a machine.

Invariant: what is executed is what the program says, or the run stops with a reason. Overflow of a
variable's type is noticed where it is set; in elements of arrays and in arguments, only beyond 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, assert_never

from rewright.loops.programs.integers import WIDEST, Code, Frame, PartCode, binary, part, unary, variable
from rewright.loops.programs.machine import DEEPEST, DoesNotEnd, ProgramMachine, Reads, Stopped
from rewright.model.index import Name
from rewright.model.nest_program import (
    ArrayPart,
    DataOperation,
    EitherBranch,
    Evaluate,
    IntegerChoice,
    IntegerElement,
    IntegerExpression,
    IntegerNumber,
    IntegerOperation,
    IntegerVariable,
    LeaveLoop,
    NestProgram,
    NewIntegers,
    PointTo,
    ProgramCall,
    ProgramFunction,
    ProgramStatement,
    Repetition,
    ReturnFrom,
    SetElement,
    SetInteger,
    WholeArray,
    first_site,
)

MOST_CELLS = 1_000_000
"""Elements of an array of whole numbers."""


class Leaving(Enum):
    """How a statement ends that does not simply end."""

    LOOP = auto()
    ITERATION = auto()
    FUNCTION = auto()


Step = Callable[[Frame], Leaving | None]
"""A statement in a frame."""


@dataclass(slots=True)
class IntegerArray:
    """An array of whole numbers, its elements in C's order; one without a value is None."""

    sizes: tuple[int, ...]
    cells: list[int | None]


@dataclass(slots=True, eq=False)
class _Function:
    """A function while its body may still be missing: recursion."""

    slots: int = 1
    body: Step | None = None


@dataclass(slots=True)
class _Building:
    """The closures of one function."""

    machine: ProgramMachine
    functions: dict[Name, _Function]
    slots: dict[Name, int] = field(default_factory=dict)

    def slot(self, name: Name) -> int:
        return self.slots.setdefault(name, len(self.slots) + 1)


def built(
    program: NestProgram, machine: ProgramMachine, values: dict[Name, int], arrays: tuple[Name, ...]
) -> Callable[[], None]:
    """What runs the program once, with these values of parameters. It raises `Stopped`."""
    functions = {each.name: _Function() for each in program.functions}
    for each in program.functions:
        _define(each, _Building(machine, functions))
    building = _Building(machine, functions)
    given: dict[int, Any] = {building.slot(name): value for name, value in values.items()}
    given |= {building.slot(name): (name,) for name in arrays}
    body = _block(building, program.body)

    def run() -> None:
        frame: Frame = [None] * (len(building.slots) + 1)
        for slot, value in given.items():
            frame[slot] = value
        try:
            body(frame)
        except TypeError:
            raise Stopped("a variable has no value yet", 0) from None
        except RecursionError:
            raise DoesNotEnd("calls are nested too deep", 0) from None

    return run


def _define(function: ProgramFunction, building: _Building) -> None:
    for name in function.parameters:
        building.slot(name)
    made = building.functions[function.name]
    made.body = _block(building, function.body)
    made.slots = len(building.slots) + 1


def _block(building: _Building, statements: tuple[ProgramStatement, ...]) -> Step:
    steps = [_statement(building, each) for each in statements]
    match steps:
        case []:
            return lambda frame: None
        case [one]:
            return one
        case [one, other]:

            def two(frame: Frame) -> Leaving | None:
                return one(frame) or other(frame)

            return two

    def several(frame: Frame) -> Leaving | None:
        for each in steps:
            leaving = each(frame)
            if leaving is not None:
                return leaving
        return None

    return several


def _statement(building: _Building, statement: ProgramStatement) -> Step:
    match statement:
        case DataOperation():
            return _operation(building, statement)
        case SetInteger(name=name, value=value, bits=bits, site=site):
            return _set(building.slot(name), _integer(building, value), bits, site)
        case Repetition():
            return _repetition(building, statement)
        case EitherBranch():
            return _either(building, statement)
        case NewIntegers():
            return _new(building, statement)
        case SetElement(element=element, value=value, site=site):
            return _set_element(_cell(building, element), _integer(building, value), site)
        case PointTo(name=name, part=of):
            return _point(building.slot(name), _part(building, of))
        case LeaveLoop(only_iteration=only_iteration):
            how = Leaving.ITERATION if only_iteration else Leaving.LOOP
            return lambda frame: how
        case ReturnFrom(value=None):
            return lambda frame: Leaving.FUNCTION
        case ReturnFrom(value=value):
            assert value is not None
            return _return(_integer(building, value))
        case Evaluate(call=call):
            return _evaluate(_call(building, call))
        case _:
            assert_never(statement)


def _set(slot: int, value: Code, bits: int, site: int) -> Step:
    limit = 1 << (bits - 1)

    def step(frame: Frame) -> None:
        found = value(frame)
        if not -limit <= found < limit:
            raise Stopped(f"a number of {bits} bits overflows", site)
        frame[slot] = found

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


def _evaluate(call: Callable[[Frame], int | None]) -> Step:
    def step(frame: Frame) -> None:
        call(frame)

    return step


def _repetition(building: _Building, loop: Repetition) -> Step:
    machine, site = building.machine, loop.site
    holds = _integer(building, loop.condition)
    body, update = _block(building, loop.body), _block(building, loop.update)
    tests_first = loop.tests_first

    def step(frame: Frame) -> Leaving | None:
        if tests_first and not holds(frame):
            return None
        while True:
            machine.left -= 1
            if machine.left < 0:
                raise DoesNotEnd("this loop does not end", site)
            leaving = body(frame)
            if leaving is not None and leaving is not Leaving.ITERATION:
                return None if leaving is Leaving.LOOP else leaving
            update(frame)
            if not holds(frame):
                return None

    return step


def _either(building: _Building, statement: EitherBranch) -> Step:
    holds = _integer(building, statement.condition)
    branches = [_marked(building, each) for each in (statement.then, statement.otherwise)]
    then, otherwise = branches

    def step(frame: Frame) -> Leaving | None:
        return then(frame) if holds(frame) else otherwise(frame)

    return step


def _marked(building: _Building, statements: tuple[ProgramStatement, ...]) -> Step:
    """A branch, which notes that it ran."""
    inside, at, ran = _block(building, statements), first_site(statements), building.machine.ran
    if at is None:
        return inside

    def step(frame: Frame) -> Leaving | None:
        ran.add(at)
        return inside(frame)

    return step


def _operation(building: _Building, statement: DataOperation) -> Step:
    machine, signature, site = building.machine, statement.signature, statement.site
    perform, ran = machine.perform, machine.ran
    write = _part(building, statement.write)
    read = _reads(tuple(_read(building, each) for each in statement.reads))

    def step(frame: Frame) -> None:
        machine.left -= 1
        if machine.left < 0:
            raise DoesNotEnd("it does not end", site)
        ran.add(site)
        perform(signature, write(frame), read(frame))

    return step


def _read(building: _Building, read: ArrayPart | IntegerExpression) -> Callable[[Frame], Any]:
    return _part(building, read) if isinstance(read, ArrayPart) else _integer(building, read)


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


def _part(building: _Building, of: ArrayPart) -> PartCode:
    return part(building.slot(of.array), tuple(_integer(building, each) for each in of.subscripts))


def _new(building: _Building, statement: NewIntegers) -> Step:
    slot, site, zeroed = building.slot(statement.name), statement.site, statement.zeroed
    sizes = [_integer(building, each) for each in statement.sizes]
    values = [_integer(building, each) for each in statement.values]

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
        frame[slot] = IntegerArray(extents, cells + [0 if zeroed else None] * (many - len(cells)))

    return step


def _cell(building: _Building, element: IntegerElement) -> Callable[[Frame], tuple[list[int | None], int]]:
    """The elements of the array, and at which of them it stands."""
    slot, site = building.slot(element.array), element.site
    subscripts = [_integer(building, each) for each in element.subscripts]

    def place(frame: Frame) -> tuple[list[int | None], int]:
        array: IntegerArray | None = frame[slot]
        if array is None:
            raise Stopped("an array has no elements yet", site)
        if len(array.sizes) != len(subscripts):
            raise Stopped("an array with another number of subscripts", site)
        at = 0
        for subscript, size in zip(subscripts, array.sizes, strict=True):
            number = subscript(frame)
            if not 0 <= number < size:
                raise Stopped("a subscript outside of its array", site)
            at = at * size + number
        return array.cells, at

    return place


def _set_element(place: Callable[[Frame], tuple[list[int | None], int]], value: Code, site: int) -> Step:
    def step(frame: Frame) -> None:
        found = value(frame)
        if not -WIDEST <= found < WIDEST:
            raise Stopped("a number overflows", site)
        cells, at = place(frame)
        cells[at] = found

    return step


def _integer(building: _Building, expression: IntegerExpression) -> Code:
    match expression:
        case IntegerNumber(value=value):
            return lambda frame: value
        case IntegerVariable(name=name):
            return variable(building.slot(name), 0)
        case IntegerOperation(operator=operator, operands=(left, IntegerNumber(value=by))) if operator in ("+", "-"):
            return _added(building, left, by if operator == "+" else -by)
        case IntegerOperation(operator=operator, operands=(left, right), site=site):
            return binary(operator, _integer(building, left), _integer(building, right), site)
        case IntegerOperation(operator=operator, operands=operands):
            return unary(operator, _integer(building, operands[0]))
        case IntegerChoice(condition=condition, then=then, otherwise=otherwise):
            return _choice(*(_integer(building, each) for each in (condition, then, otherwise)))
        case IntegerElement(site=site):
            return _element(_cell(building, expression), site)
        case ProgramCall():
            return _valued(_call(building, expression), expression.site)
        case _:
            assert_never(expression)


def _added(building: _Building, left: IntegerExpression, by: int) -> Code:
    if isinstance(left, IntegerVariable):
        slot = building.slot(left.name)
        return lambda frame: frame[slot] + by
    operand = _integer(building, left)
    return lambda frame: operand(frame) + by


def _choice(condition: Code, then: Code, otherwise: Code) -> Code:
    return lambda frame: then(frame) if condition(frame) else otherwise(frame)


def _element(place: Callable[[Frame], tuple[list[int | None], int]], site: int) -> Code:
    def value(frame: Frame) -> int:
        cells, at = place(frame)
        found = cells[at]
        if found is None:
            raise Stopped("an element has no value yet", site)
        return found

    return value


def _valued(call: Callable[[Frame], int | None], site: int) -> Code:
    def value(frame: Frame) -> int:
        found = call(frame)
        if found is None:
            raise Stopped("a function returns no value", site)
        return found

    return value


def _call(building: _Building, call: ProgramCall) -> Callable[[Frame], int | None]:
    machine, site, function = building.machine, call.site, building.functions[call.function]
    arguments = [_argument(building, each) for each in call.arguments]

    def value(frame: Frame) -> int | None:
        machine.left -= 1
        machine.calls += 1
        if machine.left < 0 or machine.calls > DEEPEST:
            raise DoesNotEnd("this recursion does not end", site)
        inner: Frame = [None, *[each(frame) for each in arguments]]
        inner += [None] * (function.slots - len(inner))
        assert function.body is not None
        function.body(inner)
        machine.calls -= 1
        found: int | None = inner[0]
        return found

    return value


def _argument(building: _Building, argument: IntegerExpression | ArrayPart | WholeArray) -> Callable[[Frame], Any]:
    match argument:
        case ArrayPart():
            return _part(building, argument)
        case WholeArray(array=name):
            slot = building.slot(name)
            return lambda frame: frame[slot]
        case _:
            return _integer(building, argument)
