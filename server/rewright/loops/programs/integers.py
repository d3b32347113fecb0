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


def variable(slot: int, site: int) -> Code:
    """The value of a variable."""

    def value(frame: Frame) -> int:
        found: int | None = frame[slot]
        if found is None:
            raise Stopped("a variable has no value yet", site)
        return found

    return value


def _plus(left: Code, right: Code) -> Code:
    return lambda frame: left(frame) + right(frame)


def _minus(left: Code, right: Code) -> Code:
    return lambda frame: left(frame) - right(frame)


def binary(operator: IntegerOperator, left: Code, right: Code, site: int) -> Code:
    """The operator of two operands."""
    match operator:
        case "+":
            return _plus(left, right)
        case "-":
            return _minus(left, right)
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
        try:
            found = calculate(left(frame), right(frame))
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
