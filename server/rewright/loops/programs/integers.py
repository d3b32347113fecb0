"""Whole numbers of a program as closures over a frame: C's operators, without overflow of the interpreter's own.

Frequent small forms (a variable and a number) have closures of their own, which halves the time of a run. Must not know
statements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewright.loops.programs.machine import Cell, Stopped
from rewright.model.nest_program import IntegerOperator

Frame = list[Any]
"""The variables of a call by their slots; slot 0 is what it returns."""

Code = Callable[[Frame], int]
"""A whole number in a frame."""

PartCode = Callable[[Frame], Cell]
"""A part of an array in a frame."""

WIDEST = 1 << 63
"""No value reaches it, in whatever type of C."""


def shifted(slot: int, by: int) -> Code:
    """The value of a variable that has one, and a number."""
    return (lambda frame: frame[slot] + by) if by else (lambda frame: frame[slot])


def variable(slot: int, site: int) -> Code:
    """The value of a variable that may have none."""

    def value(frame: Frame) -> int:
        found: int | None = frame[slot]
        if found is None:
            raise Stopped("a variable has no value yet", site)
        return found

    return value


def counted(slot: int, by: int, bits: int, site: int, *, before: bool) -> Code:
    """The value of a variable before or after it is changed by a number."""
    limit = 1 << (bits - 1)

    def value(frame: Frame) -> int:
        old: int | None = frame[slot]
        if old is None:
            raise Stopped("a variable has no value yet", site)
        found = frame[slot] = old + by
        if not -limit <= found < limit:
            raise Stopped(f"a number of {bits} bits overflows", site)
        return found if before else old

    return value


def compared(operator: IntegerOperator, left: int, right: int, by: int) -> Code | None:
    """A comparison of two variables that have values, a number added to the right one; None if it is none."""
    found = _OF_SHIFTED.get(operator) if by else _OF_VARIABLES.get(operator)
    return found(left, right, by) if found is not None else None


def compared_with(operator: IntegerOperator, left: int, number: int) -> Code | None:
    """A comparison of a variable that has a value with a number; None if it is none."""
    found = _OF_NUMBER.get(operator)
    return found(left, number) if found is not None else None


_OF_VARIABLES: dict[IntegerOperator, Callable[[int, int, int], Code]] = {
    "<": lambda one, other, _: lambda frame: frame[one] < frame[other],
    "<=": lambda one, other, _: lambda frame: frame[one] <= frame[other],
    ">": lambda one, other, _: lambda frame: frame[one] > frame[other],
    ">=": lambda one, other, _: lambda frame: frame[one] >= frame[other],
    "==": lambda one, other, _: lambda frame: frame[one] == frame[other],
    "!=": lambda one, other, _: lambda frame: frame[one] != frame[other],
}
_OF_SHIFTED: dict[IntegerOperator, Callable[[int, int, int], Code]] = {
    "<": lambda one, other, by: lambda frame: frame[one] < frame[other] + by,
    "<=": lambda one, other, by: lambda frame: frame[one] <= frame[other] + by,
    ">": lambda one, other, by: lambda frame: frame[one] > frame[other] + by,
    ">=": lambda one, other, by: lambda frame: frame[one] >= frame[other] + by,
    "==": lambda one, other, by: lambda frame: frame[one] == frame[other] + by,
    "!=": lambda one, other, by: lambda frame: frame[one] != frame[other] + by,
}
_OF_NUMBER: dict[IntegerOperator, Callable[[int, int], Code]] = {
    "<": lambda one, number: lambda frame: frame[one] < number,
    "<=": lambda one, number: lambda frame: frame[one] <= number,
    ">": lambda one, number: lambda frame: frame[one] > number,
    ">=": lambda one, number: lambda frame: frame[one] >= number,
    "==": lambda one, number: lambda frame: frame[one] == number,
    "!=": lambda one, number: lambda frame: frame[one] != number,
}


def binary(operator: IntegerOperator, left: Code, right: Code, site: int) -> Code:
    """The operator of two operands."""
    match operator:
        case "+":
            return lambda frame: left(frame) + right(frame)
        case "-":
            return lambda frame: left(frame) - right(frame)
        case "<":
            return lambda frame: left(frame) < right(frame)
        case "<=":
            return lambda frame: left(frame) <= right(frame)
        case ">":
            return lambda frame: left(frame) > right(frame)
        case ">=":
            return lambda frame: left(frame) >= right(frame)
        case "==":
            return lambda frame: left(frame) == right(frame)
        case "!=":
            return lambda frame: left(frame) != right(frame)
        case "&&":
            return lambda frame: 1 if left(frame) and right(frame) else 0
        case "||":
            return lambda frame: 1 if left(frame) or right(frame) else 0
        case "min":
            return lambda frame: min(left(frame), right(frame))
        case "max":
            return lambda frame: max(left(frame), right(frame))
        case "&":
            return lambda frame: left(frame) & right(frame)
        case "|":
            return lambda frame: left(frame) | right(frame)
        case "^":
            return lambda frame: left(frame) ^ right(frame)
    return _guarded(_CALCULATED[operator], left, right, site)


def quotient_by(left: Code, by: int) -> Code:
    """A quotient by a number greater than 0, rounded towards 0."""

    def value(frame: Frame) -> int:
        found = left(frame)
        return found // by if found >= 0 else -(-found // by)

    return value


def unary(operator: IntegerOperator, operand: Code) -> Code:
    """The operator of one operand."""
    match operator:
        case "-":
            return lambda frame: -operand(frame)
        case "!":
            return lambda frame: 0 if operand(frame) else 1
        case "~":
            return lambda frame: ~operand(frame)
    return lambda frame: abs(operand(frame))


def _guarded(calculate: Callable[[int, int], int], left: Code, right: Code, site: int) -> Code:
    def value(frame: Frame) -> int:
        one, other = left(frame), right(frame)
        try:
            found = calculate(one, other)
        except ZeroDivisionError:
            raise Stopped("division by 0", site) from None
        except ValueError:
            raise Stopped("a shift by so many bits", site) from None
        if not -WIDEST <= found < WIDEST:
            raise Stopped("a number overflows", site)
        return found

    return value


def _quotient(left: int, right: int) -> int:
    down = left // right
    return down + 1 if down < 0 and down * right != left else down


def _remainder(left: int, right: int) -> int:
    return left - right * _quotient(left, right)


def _shifted(left: int, right: int) -> int:
    if not 0 <= right < 64 or left < 0:
        raise ValueError
    return left << right


def _shifted_back(left: int, right: int) -> int:
    if not 0 <= right < 64:
        raise ValueError
    return left >> right


_CALCULATED: dict[IntegerOperator, Callable[[int, int], int]] = {
    "*": lambda left, right: left * right,
    "/": _quotient,
    "%": _remainder,
    "<<": _shifted,
    ">>": _shifted_back,
    "floord": lambda left, right: left // right,
    "ceild": lambda left, right: -(-left // right),
}


def part(slot: int, subscripts: tuple[Code, ...]) -> PartCode:
    """A part of an array: what the variable stands for, with further subscripts."""
    match subscripts:
        case ():
            return lambda frame: frame[slot]
        case (one,):
            return lambda frame: frame[slot] + (one(frame),)
        case (one, other):
            return lambda frame: frame[slot] + (one(frame), other(frame))
    return lambda frame: frame[slot] + tuple([each(frame) for each in subscripts])


def shifted_part(slot: int, subscripts: tuple[tuple[int, int], ...]) -> PartCode | None:
    """A part whose one, two or three subscripts are variables that have values, each with a number added."""
    match subscripts:
        case ((one, by),):
            return lambda frame: frame[slot] + (frame[one] + by,)
        case ((one, by), (other, also)):
            return lambda frame: frame[slot] + (frame[one] + by, frame[other] + also)
        case ((one, by), (other, also), (third, too)):
            return lambda frame: frame[slot] + (frame[one] + by, frame[other] + also, frame[third] + too)
    return None
