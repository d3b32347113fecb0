"""Bounds, subscripts and conditions as they are written: affine expressions, or what makes them not affine.

Source: PolyCheck, section 2. `/` and `%` are floor and its remainder, by a number.
"""

from __future__ import annotations

import operator as operators
from collections.abc import Callable
from functools import reduce
from typing import Final, assert_never

from rewright.model.check_loops.scope import NestScope
from rewright.model.nest import (
    AffineComparison,
    AffineExpression,
    AffineNumber,
    AffineOperation,
    ArithmeticOperator,
    BothHold,
    ComparisonOperator,
    Condition,
    DoesNotHold,
    EitherHolds,
)
from rewright.model.nest_text import expression_text
from rewright.model.written import integer_of, kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere

LARGEST = 1 << 31
"""Numbers from here on are not taken: no bound or subscript of 32 bits has them."""


def affine(scope: NestScope, written: nodes.Expression) -> AffineExpression | None:
    """The expression; None, noted, if it is none."""
    match written:
        case nodes.Number(text=text):
            value = integer_of(text)
            if value is None or value >= LARGEST:
                scope.notes.error(CannotStandHere(f"`{text}`", "a whole number below 2^31"), written.span)
                return None
            return AffineNumber(value)
        case nodes.Name(text=text) if text in scope.integers:
            scope.used(written)
            return scope.integers[text]
        case nodes.Name(text=text) if text in scope.arrays:
            scope.used(written)
            _not_affine(scope, f"`{text}` is data", written)
            return None
        case nodes.Name():
            scope.unknown("parameter or iterator", written)
            return None
        case nodes.Index(base=nodes.Name(text=text)) if text in scope.arrays:
            _not_affine(scope, f"`{text}[…]` is data", written)
            return None
        case nodes.Unary(operator="+", operand=operand):
            return affine(scope, operand)
        case nodes.Unary(operator="-", operand=operand):
            value_of = affine(scope, operand)
            return arithmetic("-", AffineNumber(0), value_of) if value_of is not None else None
        case nodes.Binary(left=left, operator="+" | "-" | "*" | "/" | "%" as operator, right=right):
            return _binary(scope, (left, operator, right), written)
        case nodes.Call(callee=nodes.Name(text="min" | "max" as which), arguments=arguments) if arguments:
            operands = [affine(scope, each.value) for each in arguments if isinstance(each, nodes.Positional)]
            if len(operands) < len(arguments) or None in operands:
                return None
            return reduce(lambda one, other: arithmetic(which, one, other), [each for each in operands if each])
        case nodes.Missing():
            return None
        case _:
            scope.notes.error(CannotStandHere(kind_of(written), "an affine expression"), written.span)
            return None


def _binary(
    scope: NestScope, parts: tuple[nodes.Expression, str, nodes.Expression], written: nodes.Expression
) -> AffineExpression | None:
    left, right = affine(scope, parts[0]), affine(scope, parts[2])
    if left is None or right is None:
        return None
    match parts[1]:
        case "*" if not isinstance(left, AffineNumber) and not isinstance(right, AffineNumber):
            said = f"product of `{expression_text(left)}` and `{expression_text(right)}`"
            _not_affine(scope, said, written)
            return None
        case "/" | "%" as operator if not isinstance(right, AffineNumber):
            what = "quotient" if operator == "/" else "remainder"
            _not_affine(scope, f"{what} of `{expression_text(left)}` by `{expression_text(right)}`", written)
            return None
        case "/" | "%" if isinstance(right, AffineNumber) and right.value <= 0:
            scope.notes.error(CannotStandHere(f"`{right.value}`", "a positive number"), parts[2].span)
            return None
        case "/":
            return arithmetic("//", left, right)
        case operator:
            return arithmetic(_OPERATORS[operator], left, right)


_OPERATORS: Final[dict[str, ArithmeticOperator]] = {"+": "+", "-": "-", "*": "*", "%": "%"}
_FOLDED: Final[dict[ArithmeticOperator, Callable[[int, int], int]]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "//": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    "min": min,
    "max": max,
}


def arithmetic(operator: ArithmeticOperator, left: AffineExpression, right: AffineExpression) -> AffineExpression:
    """The operation, of two numbers its value."""
    if isinstance(left, AffineNumber) and isinstance(right, AffineNumber):
        return AffineNumber(_FOLDED[operator](left.value, right.value))
    return AffineOperation(operator, left, right)


def _not_affine(scope: NestScope, said: str, written: nodes.Expression) -> None:
    scope.notes.unknown(f"{said}, which is not affine" if "is data" in said else f"{said} is not affine", written.span)


def condition(scope: NestScope, written: nodes.Expression) -> Condition | None:
    """The condition; None, noted, if it is none."""
    match written:
        case nodes.Compare(left=left, operator=operator, right=right):
            one, other = affine(scope, left), affine(scope, right)
            return AffineComparison(operator, one, other) if one is not None and other is not None else None
        case nodes.And(left=left, right=right):
            first, second = condition(scope, left), condition(scope, right)
            return BothHold(first, second) if first is not None and second is not None else None
        case nodes.Or(left=left, right=right):
            first, second = condition(scope, left), condition(scope, right)
            return EitherHolds(first, second) if first is not None and second is not None else None
        case nodes.Not(operand=operand):
            inner = condition(scope, operand)
            return DoesNotHold(inner) if inner is not None else None
        case nodes.Missing():
            return None
        case _:
            scope.notes.error(CannotStandHere(kind_of(written), "a condition"), written.span)
            return None


def truth(condition: Condition) -> bool | None:
    """Whether a condition holds, None if that depends on a variable."""
    match condition:
        case AffineComparison(operator=operator, left=AffineNumber(value=left), right=AffineNumber(value=right)):
            return _COMPARED[operator](left, right)
        case AffineComparison():
            return None
        case DoesNotHold(operand=operand):
            inner = truth(operand)
            return None if inner is None else not inner
        case BothHold(left=left, right=right):
            both = truth(left), truth(right)
            return False if False in both else None if None in both else True
        case EitherHolds(left=left, right=right):
            either = truth(left), truth(right)
            return True if True in either else None if None in either else False
        case _:
            assert_never(condition)


_COMPARED: Final[dict[ComparisonOperator, Callable[[int, int], bool]]] = {
    "==": operators.eq,
    "!=": operators.ne,
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
}
