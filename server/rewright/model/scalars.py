"""Expressions over sizes and scalar parameters, as one number.

Integers wrap at their width, signed ones in two's complement, `/` truncates; floats are rounded to their type. Truths
are 0 and 1. Must not know arrays or threads.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, assert_never

import numpy as np

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
from rewright.model.simt.types import Operator, Scalar, UnaryOperator

Number = int | float
Values = Mapping[Name, Number]


class NoValue(ValueError):
    """An expression has no value: it divides by zero, or names something that has none."""


def integer(expression: Expression, values: Values) -> int:
    """The value of an expression of integers or truths. Raises `NoValue`."""
    return int(number(expression, values))


def number(expression: Expression, values: Values) -> Number:
    """The value of an expression, given those of the names in it. Raises `NoValue`."""
    match expression:
        case Integer():
            return expression.value
        case Real():
            return fitted(float(expression.text.rstrip("fF")), expression.type)
        case Variable():
            if expression.name not in values:
                raise NoValue(f"`{expression.name}` has no value")
            return fitted(values[expression.name], expression.type)
        case Unary():
            return fitted(
                _unary(expression.operator, number(expression.operand, values), expression.type), expression.type
            )
        case Binary():
            return fitted(
                _binary(expression, number(expression.left, values), number(expression.right, values)), expression.type
            )
        case Logical():
            left = number(expression.left, values)
            decides = bool(left) is (expression.connective is Connective.OR)
            return left if decides else number(expression.right, values)
        case Select():
            chosen = expression.on_true if number(expression.condition, values) else expression.on_false
            return number(chosen, values)
        case Convert():
            return fitted(number(expression.operand, values), expression.type)
        case Load() | Position() | Function() | Atomic() | Shuffle() | Vote():
            raise NoValue("only sizes, scalar parameters and arithmetic have a value before a launch")
        case _:
            assert_never(expression)


_ROUNDED: dict[Scalar, Callable[[Number], np.floating[Any]]] = {
    Scalar.F16: np.float16,
    Scalar.BF16: np.float32,
    Scalar.F32: np.float32,
    Scalar.F64: np.float64,
}


def fitted(value: Number, scalar: Scalar) -> Number:
    """A number as one of the type: integers wrap, floats are rounded or truncated, `pred` is the test for non-zero."""
    if scalar is Scalar.PRED:
        return int(value != 0)
    if scalar.is_float:
        with np.errstate(over="ignore"):
            return float(_ROUNDED[scalar](value))
    if isinstance(value, float) and not math.isfinite(value):
        raise NoValue("a float that is not finite has no integer value")
    bits = scalar.bits
    wrapped = int(value) & ((1 << bits) - 1)
    return wrapped - (1 << bits) if scalar.is_signed and wrapped >> (bits - 1) else wrapped


def _unary(of: UnaryOperator, value: Number, scalar: Scalar) -> Number:
    match of:
        case UnaryOperator.NEGATE:
            return -value
        case UnaryOperator.NOT:
            return int(not value)
        case UnaryOperator.ABSOLUTE:
            return abs(value)
        case UnaryOperator.COMPLEMENT:
            return ~int(value)
        case _:
            return _of_bits(of, int(value) & ((1 << scalar.bits) - 1), scalar.bits)


def _of_bits(of: UnaryOperator, pattern: int, bits: int) -> int:
    match of:
        case UnaryOperator.COUNT_ONES:
            return pattern.bit_count()
        case UnaryOperator.LEADING_ZEROS:
            return bits - pattern.bit_length()
        case UnaryOperator.FIRST_ONE:
            return (pattern & -pattern).bit_length()
        case UnaryOperator.REVERSE_BITS:
            return int(f"{pattern:0{bits}b}"[::-1], 2)
        case _:
            raise AssertionError(of)


_PLAIN: dict[Operator, Callable[[Number, Number], Number]] = {
    Operator.ADD: operator.add,
    Operator.SUBTRACT: operator.sub,
    Operator.MULTIPLY: operator.mul,
    Operator.MINIMUM: min,
    Operator.MAXIMUM: max,
    Operator.LESS: operator.lt,
    Operator.LESS_EQUAL: operator.le,
    Operator.GREATER: operator.gt,
    Operator.GREATER_EQUAL: operator.ge,
    Operator.EQUAL: operator.eq,
    Operator.NOT_EQUAL: operator.ne,
}
_OF_INTEGERS: dict[Operator, Callable[[int, int], int]] = {
    Operator.AND: operator.and_,
    Operator.OR: operator.or_,
    Operator.XOR: operator.xor,
}


def _binary(expression: Binary, left: Number, right: Number) -> Number:
    of = expression.operator
    if of in _PLAIN:
        return _PLAIN[of](left, right)
    if isinstance(left, float) or isinstance(right, float):
        return _float_quotient(of, float(left), float(right))
    if of in _OF_INTEGERS:
        return _OF_INTEGERS[of](left, right)
    bits = expression.left.type.bits
    match of:
        case Operator.DIVIDE | Operator.REMAINDER:
            return _quotient(of, left, right)
        case Operator.SHIFT_LEFT:
            return left << right if 0 <= right < bits else 0
        case Operator.SHIFT_RIGHT:
            return left >> right if 0 <= right < bits else -int(left < 0)
        case Operator.MULTIPLY_HIGH:
            return (left * right) >> bits
        case _:
            raise AssertionError(of)


def _quotient(of: Operator, left: int, right: int) -> int:
    """Division that truncates; the remainder has the sign of the dividend."""
    if right == 0:
        raise NoValue("a division by zero has no value")
    size = abs(left) // abs(right)
    whole = size if (left < 0) is (right < 0) else -size
    return whole if of is Operator.DIVIDE else left - whole * right


def _float_quotient(of: Operator, left: float, right: float) -> float:
    with np.errstate(all="ignore"):
        found = np.divide(left, right) if of is Operator.DIVIDE else np.fmod(left, right)
    return float(found)
