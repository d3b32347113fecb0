"""Expressions over sizes and scalar parameters, as one number. Must not know arrays or threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rewright.model.body import (
    Atomic,
    Binary,
    Connective,
    Convert,
    Expression,
    Function,
    Integer,
    Load,
    Logical,
    Position,
    Real,
    Select,
    Shuffle,
    Unary,
    Variable,
    Vote,
)
from rewright.model.index import Name
from rewright.model.simt.constants import NoValue, Number, binary, converted, unary

Values = Mapping[Name, Number]


def integer(expression: Expression, values: Values) -> int:
    """The value of an expression of integers or truths. Raises `NoValue`."""
    return int(number(expression, values))


def number(expression: Expression, values: Values) -> Number:
    """The value of an expression, given those of the names in it. Raises `NoValue`."""
    match expression:
        case Integer():
            return expression.value
        case Real():
            return converted(float(expression.text.rstrip("fF")), expression.type)
        case Variable():
            if expression.name not in values:
                raise NoValue(f"`{expression.name}` has no value")
            return converted(values[expression.name], expression.type)
        case Unary():
            return unary(expression.operator, number(expression.operand, values), expression.type)
        case Binary():
            left, right = number(expression.left, values), number(expression.right, values)
            return binary(expression.operator, left, right, expression.left.type)
        case Logical():
            left = number(expression.left, values)
            decides = bool(left) is (expression.connective is Connective.OR)
            return left if decides else number(expression.right, values)
        case Select():
            chosen = expression.on_true if number(expression.condition, values) else expression.on_false
            return number(chosen, values)
        case Convert():
            return converted(number(expression.operand, values), expression.type)
        case Load() | Position() | Function() | Atomic() | Shuffle() | Vote():
            raise NoValue("only sizes, scalar parameters and arithmetic have a value before a launch")
        case _:
            assert_never(expression)
