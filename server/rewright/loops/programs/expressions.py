"""Expressions and calls of a program as closures: small forms as they are, others put together of their parts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from operator import itemgetter
from typing import Any, assert_never

from rewright.loops.programs.building import Building, BuiltFunction, IntegerArray, Step
from rewright.loops.programs.integers import (
    Code,
    Frame,
    PartCode,
    binary,
    compared,
    compared_with,
    counted,
    part,
    quotient_by,
    shifted,
    shifted_part,
    unary,
    variable,
)
from rewright.loops.programs.machine import DEEPEST, DoesNotEnd, Stopped
from rewright.model.nest_program import (
    ArrayPart,
    CountedVariable,
    IntegerChoice,
    IntegerElement,
    IntegerExpression,
    IntegerNumber,
    IntegerOperation,
    IntegerVariable,
    ProgramCall,
    WholeArray,
)

Place = Callable[[Frame], tuple[IntegerArray, int]]
"""An element of an array of whole numbers: which of all in C's order."""


def integer(building: Building, expression: IntegerExpression) -> Code:
    """The value of an expression."""
    simple = _shifted_variable(building, expression)
    if simple is not None:
        return shifted(*simple)
    match expression:
        case IntegerNumber(value=value):
            return lambda frame: value
        case IntegerVariable(name=name):
            return variable(building.slot(name), building.site)
        case IntegerOperation(operands=(left, right)):
            return _binary(building, expression, left, right)
        case IntegerOperation(operator=operator, operands=operands):
            return unary(operator, integer(building, operands[0]))
        case IntegerChoice(condition=condition, then=then, otherwise=otherwise):
            return _choice(test(building, condition), integer(building, then), integer(building, otherwise))
        case CountedVariable(name=name, by=by, before=before, bits=bits, site=site):
            return counted(building.slot(name), by, bits, site, before=before)
        case IntegerElement(site=site):
            return _element(place(building, expression), site)
        case ProgramCall():
            return _valued(call(building, expression), expression.site)
        case _:
            assert_never(expression)


def test(building: Building, expression: IntegerExpression) -> Code:
    """Not 0 if the value of an expression is not 0."""
    match expression:
        case IntegerOperation(operator="&&" | "||", operands=(IntegerOperation() as first, right)) if (
            first.operator == expression.operator
        ):
            # (a && b) && c as a && (b && c), so that one closure is entered before the first test.
            inner = IntegerOperation(expression.operator, (first.operands[1], right), expression.site)
            whole = IntegerOperation(expression.operator, (first.operands[0], inner), expression.site)
            return test(building, whole)
        case IntegerOperation(operator="&&", operands=(left, right)):
            return _both(test(building, left), test(building, right))
        case IntegerOperation(operator="||", operands=(left, right)):
            return _either(test(building, left), test(building, right))
        case _:
            return integer(building, expression)


def _both(left: Code, right: Code) -> Code:
    return lambda frame: left(frame) and right(frame)


def _either(left: Code, right: Code) -> Code:
    return lambda frame: left(frame) or right(frame)


def fitting(building: Building, expression: IntegerExpression, bits: int, site: int) -> Code:
    """The value of an expression, which must have so many bits."""
    simple = _shifted_variable(building, expression)
    if simple is not None and simple[1]:
        return _fitted_variable(*simple, bits, site)
    value = integer(building, expression)
    match expression:
        case IntegerNumber(value=number) if -(1 << (bits - 1)) <= number < 1 << (bits - 1):
            return value
        case IntegerVariable(name=name) if building.bits.get(name, 64) <= bits:
            return value
        case ProgramCall(function=function) if building.functions[function].declared.returns <= bits:
            return value
        case _:
            return _fitted(value, bits, site)


def _fitted(value: Code, bits: int, site: int) -> Code:
    limit = 1 << (bits - 1)

    def fits(frame: Frame) -> int:
        found = value(frame)
        if not -limit <= found < limit:
            raise Stopped(f"a number of {bits} bits overflows", site)
        return found

    return fits


def _fitted_variable(slot: int, by: int, bits: int, site: int) -> Code:
    limit = 1 << (bits - 1)

    def fits(frame: Frame) -> int:
        found: int = frame[slot] + by
        if not -limit <= found < limit:
            raise Stopped(f"a number of {bits} bits overflows", site)
        return found

    return fits


def _shifted_variable(building: Building, expression: IntegerExpression) -> tuple[int, int] | None:
    """The slot of a variable that has a value, and the number that is added to it; None if it is something else."""
    match expression:
        case IntegerVariable(name=name) if building.has_value(name):
            return building.slot(name), 0
        case IntegerOperation(operator="+", operands=(IntegerVariable(name=name), IntegerNumber(value=by))):
            return (building.slot(name), by) if building.has_value(name) else None
        case IntegerOperation(operator="-", operands=(IntegerVariable(name=name), IntegerNumber(value=by))):
            return (building.slot(name), -by) if building.has_value(name) else None
        case _:
            return None


def _binary(building: Building, operation: IntegerOperation, left: IntegerExpression, right: IntegerExpression) -> Code:
    first, second = _shifted_variable(building, left), _shifted_variable(building, right)
    found: Code | None = None
    if first is not None and first[1] == 0:
        if second is not None:
            found = compared(operation.operator, first[0], *second)
        elif isinstance(right, IntegerNumber):
            found = compared_with(operation.operator, first[0], right.value)
    if found is not None:
        return found
    one = integer(building, left)
    match operation.operator, right:
        case "+" | "-" as sign, IntegerNumber(value=by):
            return _added(one, by if sign == "+" else -by)
        case "/", IntegerNumber(value=by) if by > 0:
            return quotient_by(one, by)
        case _:
            return binary(operation.operator, one, integer(building, right), operation.site)


def _added(operand: Code, by: int) -> Code:
    return lambda frame: operand(frame) + by


def _choice(condition: Code, then: Code, otherwise: Code) -> Code:
    return lambda frame: then(frame) if condition(frame) else otherwise(frame)


def array_part(building: Building, of: ArrayPart) -> PartCode:
    """A part of a data array."""
    slot = building.slot(of.array)
    if not building.has_value(of.array):
        raise AssertionError(f"{of.array} stands for no array yet")
    simple = [_shifted_variable(building, each) for each in of.subscripts]
    known = tuple([each for each in simple if each is not None])
    found = shifted_part(slot, known) if len(known) == len(simple) else None
    return found or part(slot, tuple([integer(building, each) for each in of.subscripts]))


def place(building: Building, element: IntegerElement) -> Place:
    """Where an element of an array of whole numbers stands."""
    slot, site = building.slot(element.array), element.site
    subscripts = [integer(building, each) for each in element.subscripts]

    def found(frame: Frame) -> tuple[IntegerArray, int]:
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
        return array, at

    return found


def _element(at: Place, site: int) -> Code:
    def value(frame: Frame) -> int:
        array, number = at(frame)
        found = array.cells[number]
        if found is None:
            raise Stopped("an element has no value yet", site)
        return found

    return value


def _valued(called: Callable[[Frame], int | None], site: int) -> Code:
    def value(frame: Frame) -> int:
        found = called(frame)
        if found is None:
            raise Stopped("a function returns no value", site)
        return found

    return value


Computed = list[tuple[int, Callable[[Frame], Any]]]
"""Slots of a frame with what is to stand there."""


def call(building: Building, of: ProgramCall, *, is_statement: bool = False) -> Callable[[Frame], int | None]:
    """A call of a function: what it returns, None if that is nothing or not asked for."""
    machine, site, function = building.machine, of.site, building.functions[of.function]
    copied, computed = _arguments(building, of, function)
    gather: Callable[[Frame], tuple[Any, ...]] | None = None
    body: Step | None = None

    def value(frame: Frame) -> int | None:
        nonlocal gather, body
        if gather is None or body is None:
            # Only now is it known how many slots the function has.
            locals_ = function.slots - len(copied) - 1
            slots = [*copied, *repeat(0, locals_)]
            gather, body = itemgetter(0, 0, *slots), function.body
            assert body is not None
        machine.left = left = machine.left - 1
        machine.calls = calls = machine.calls + 1
        if left < 0 or calls > DEEPEST:
            raise DoesNotEnd("this recursion does not end", site)
        # Nothing stands in slot 0 before a function returns.
        _, *inner = gather(frame)
        for slot, code in computed:
            inner[slot] = code(frame)
        body(inner)
        machine.calls -= 1
        return None if is_statement else inner[0]

    return value


def _arguments(building: Building, of: ProgramCall, function: BuiltFunction) -> tuple[list[int], Computed]:
    """For each parameter the slot that its argument stands in, 0 if it is computed; and what is computed."""
    copied: list[int] = []
    computed: Computed = []
    for at, (parameter, argument) in enumerate(zip(function.declared.parameters, of.arguments, strict=True), 1):
        match argument:
            case WholeArray(array=name):
                copied.append(building.slot(name))
                continue
            case ArrayPart(array=name, subscripts=()) if building.has_value(name):
                copied.append(building.slot(name))
                continue
            case ArrayPart():
                computed.append((at, array_part(building, argument)))
            case IntegerVariable(name=name) if (
                building.has_value(name) and building.bits.get(name, 64) <= parameter.bits
            ):
                copied.append(building.slot(name))
                continue
            case _:
                computed.append((at, fitting(building, argument, parameter.bits, of.site)))
        copied.append(0)
    return copied, computed
