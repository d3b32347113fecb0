"""Expressions, conditions and statements of loop nests as text, as they are written in a declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from rewright.model.infix import ATOM, LOOSE, InfixText, joined
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
    ElementAccess,
    Nest,
    NestStatement,
)

_CALLED = {"min": "min", "max": "max"}

FunctionName = Callable[[str], str | None]
"""By an operator, the name of the function by which it is written; None if it is infix."""


def expression_text(expression: AffineExpression, called: FunctionName = _CALLED.get) -> str:
    """The expression as it is written where operators are `called` so."""
    return expression_infix(expression, called).text


def expression_infix(expression: AffineExpression, called: FunctionName = _CALLED.get) -> InfixText:
    """The expression, as an operand."""
    match expression:
        case AffineNumber(value=value):
            return InfixText(str(value), ATOM if value >= 0 else LOOSE)
        case AffineVariable(name=name):
            return InfixText(name)
        case AffineOperation(operator=operator, left=left, right=right):
            function = called(operator)
            one, other = expression_infix(left, called), expression_infix(right, called)
            if function is not None:
                return InfixText(f"{function}({one.text}, {other.text})")
            return joined(one, "/" if operator == "//" else operator, other)
        case _:
            assert_never(expression)


def condition_text(condition: Condition) -> str:
    """The condition."""
    match condition:
        case AffineComparison(operator=operator, left=left, right=right):
            return f"{expression_text(left)} {operator} {expression_text(right)}"
        case BothHold(left=one, right=other):
            return f"({condition_text(one)}) and ({condition_text(other)})"
        case EitherHolds(left=one, right=other):
            return f"({condition_text(one)}) or ({condition_text(other)})"
        case DoesNotHold(operand=operand):
            return f"not ({condition_text(operand)})"
        case _:
            assert_never(condition)


def context_text(nest: Nest) -> str:
    """What holds of the parameters: `T, N >= 1`, or with requirements `T >= 1, N >= 4`; empty without parameters."""
    stated = [condition_text(condition) for condition in nest.requires]
    return ", ".join(([f"{', '.join(nest.at_least_one)} >= 1"] if nest.at_least_one else []) + stated)


def cell_text(array: str, index: Iterable[int]) -> str:
    """`A[2, 1]`, of a scalar its name alone."""
    numbers = ", ".join(map(str, index))
    return f"{array}[{numbers}]" if numbers else array


def access_text(access: ElementAccess) -> str:
    """`A[i - 1, j]`, of a scalar its name alone."""
    subscripts = ", ".join(expression_text(each) for each in access.subscripts)
    if access.array is None:
        return subscripts
    return f"{access.array}[{subscripts}]" if subscripts else access.array


def statement_name(statement: NestStatement) -> str:
    """What a statement is called: its label or its macro, without one the element that it writes."""
    return statement.label or statement.macro or access_text(statement.write)


def values_text(values: Iterable[tuple[str, int]]) -> str:
    """`t = 0, i = 4`."""
    return ", ".join(f"{name} = {value}" for name, value in values)
