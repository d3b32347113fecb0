"""Expressions over sizes and scalar parameters, as one number. Must not know arrays or threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rewright.model import body
from rewright.model.body import Connective, Expression
from rewright.model.index import Name
from rewright.model.simt.types import BinaryOperator
from rewright.replay.kernel.conversions import converted
from rewright.replay.kernel.floats import rounding
from rewright.replay.kernel.numbers import Number, binary, unary


class NoSize(Exception):
    """An expression has no value before the launch."""


def value(expression: Expression, values: Mapping[Name, Number]) -> Number:
    """The value of an expression, given those of the names in it. Raises `NoSize`."""
    match expression:
        case body.Integer():
            return expression.value
        case body.Real():
            return rounding(expression.type)(float(expression.text.rstrip("fF")))
        case body.Variable():
            if expression.name not in values:
                raise NoSize(expression.name)
            return values[expression.name]
        case body.Unary():
            return unary(expression.operator, expression.type)(value(expression.operand, values))
        case body.Binary():
            return _binary(expression, values)
        case body.Logical():
            left = value(expression.left, values)
            decides = bool(left) == (expression.connective is Connective.OR)
            return left if decides else value(expression.right, values)
        case body.Select():
            chosen = expression.on_true if value(expression.condition, values) else expression.on_false
            return value(chosen, values)
        case body.Convert():
            return converted(expression.operand.type, expression.type)(value(expression.operand, values))
        case body.Load() | body.Position() | body.Function() | body.Atomic() | body.Shuffle() | body.Vote():
            raise NoSize(type(expression).__name__)
        case _:
            assert_never(expression)


def _binary(expression: body.Binary, values: Mapping[Name, Number]) -> Number:
    left, right = value(expression.left, values), value(expression.right, values)
    divides = expression.operator in (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)
    if divides and right == 0 and not expression.type.is_float:
        raise NoSize("a division by zero")
    return binary(expression.operator, expression.left.type)(left, right)
