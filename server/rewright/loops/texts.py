"""Expressions and conditions in isl's notation. Names are numbered, so none of a program can mean anything to isl."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rewright.model.index import Name
from rewright.model.nest import (
    AffineComparison,
    AffineExpression,
    AffineNumber,
    AffineOperation,
    AffineVariable,
    BothHold,
    Condition,
    DoesNotHold,
    EitherHolds,
    NestLoop,
)

Numbered = Mapping[Name, str]


def isl_expression(expression: AffineExpression, names: Numbered) -> str:
    """The expression; `names` has a name for each variable."""
    match expression:
        case AffineNumber(value=value):
            return str(value) if value >= 0 else f"({value})"
        case AffineVariable(name=name):
            return names[name]
        case AffineOperation(operator=operator, left=left, right=right):
            one, other = isl_expression(left, names), isl_expression(right, names)
            match operator:
                case "//":
                    return f"floor(({one})/{other})"
                case "%":
                    return f"(({one}) mod {other})"
                case "min" | "max":
                    return f"{operator}({one}, {other})"
                case "*":
                    # isl takes no sign and no parentheses around a factor that is a number.
                    one, other = (one, other) if isinstance(left, AffineNumber) else (other, one)
                    return f"(-({one[2:-1]} * {other}))" if one.startswith("(-") else f"({one} * {other})"
                case "+" | "-":
                    return f"({one} {operator} {other})"
                case _:
                    assert_never(operator)
        case _:
            assert_never(expression)


def isl_condition(condition: Condition, names: Numbered) -> str:
    """The condition, in parentheses."""
    match condition:
        case AffineComparison(operator=operator, left=left, right=right):
            written = "=" if operator == "==" else operator
            return f"({isl_expression(left, names)} {written} {isl_expression(right, names)})"
        case BothHold(left=one, right=other):
            return f"({isl_condition(one, names)} and {isl_condition(other, names)})"
        case EitherHolds(left=one, right=other):
            return f"({isl_condition(one, names)} or {isl_condition(other, names)})"
        case DoesNotHold(operand=operand):
            return f"(not {isl_condition(operand, names)})"
        case _:
            assert_never(condition)


def isl_range(loop: NestLoop, names: Numbered) -> str:
    """That the iterator of a loop is in its range; `names` has its name.

    A bound by the least or greatest of several is a conjunction: `min` and `max` in isl's notation are a hundred times
    slower.
    """
    iterator = names[loop.iterator]
    low, high = loop.low, loop.high
    up = loop.step > 0
    parts = [f"{each} {'<=' if up else '>='} {iterator}" for each in _bounds(low, "max" if up else "min", names)]
    parts += [f"{iterator} {'<' if up else '>'} {each}" for each in _bounds(high, "min" if up else "max", names)]
    if abs(loop.step) != 1:
        parts.append(f"({iterator} - {isl_expression(low, names)}) mod {abs(loop.step)} = 0")
    return " and ".join(parts)


def _bounds(expression: AffineExpression, which: str, names: Numbered) -> list[str]:
    match expression:
        case AffineOperation(operator=operator, left=left, right=right) if operator == which:
            return _bounds(left, which, names) + _bounds(right, which, names)
        case _:
            return [isl_expression(expression, names)]
