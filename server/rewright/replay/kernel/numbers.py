"""Operators on one value of a machine type: integers and truths as Python integers, floats as Python floats.

A float lies in its type: every result is rounded to it. Integer division by zero gives 0 here; that it happened is
noticed elsewhere. Must not know registers.
"""

from __future__ import annotations

import math
import operator as python
from collections.abc import Callable
from typing import Any

from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.replay.kernel.floats import quotient, remainder, rounding

Number = Any
"""An `int`, `bool` or `float`, as the type says."""

Binary = Callable[[Number, Number], Number]
Unary = Callable[[Number], Number]


def wrapping(scalar: Scalar) -> tuple[int, int]:
    """The mask `m` and the half `h` such that `((v + h) & m) - h` is an integer wrapped to the type."""
    return (1 << scalar.bits) - 1, 1 << (scalar.bits - 1) if scalar.is_signed else 0


def wrapped(value: int, scalar: Scalar) -> int:
    """The integer modulo the type's width, in its range."""
    mask, half = wrapping(scalar)
    return ((value + half) & mask) - half


def binary(operator: BinaryOperator, scalar: Scalar) -> Binary:
    """The function that a binary operator is on operands of a type."""
    if operator in _COMPARED:
        return _COMPARED[operator]
    exact = _float_binary(operator) if scalar.is_float else _integer_binary(operator, scalar)
    if scalar.is_float:
        rounded = rounding(scalar)
        return lambda left, right: rounded(exact(left, right))
    mask, half = wrapping(scalar)
    return lambda left, right: ((exact(left, right) + half) & mask) - half


def unary(operator: UnaryOperator, scalar: Scalar) -> Unary:
    """The function that a unary operator is on an operand of a type."""
    if operator is UnaryOperator.NOT:
        return python.not_
    if scalar.is_float:
        return python.neg if operator is UnaryOperator.NEGATE else math.fabs
    exact, bits = _INTEGER_UNARY[operator], scalar.bits
    mask, half = wrapping(scalar)
    return lambda value: ((exact(value, value & mask, bits) + half) & mask) - half


_COMPARED: dict[BinaryOperator, Binary] = {
    BinaryOperator.LESS: python.lt,
    BinaryOperator.LESS_EQUAL: python.le,
    BinaryOperator.GREATER: python.gt,
    BinaryOperator.GREATER_EQUAL: python.ge,
    BinaryOperator.EQUAL: python.eq,
    BinaryOperator.NOT_EQUAL: python.ne,
}

_ANY: dict[BinaryOperator, Binary] = {
    BinaryOperator.ADD: python.add,
    BinaryOperator.SUBTRACT: python.sub,
    BinaryOperator.MULTIPLY: python.mul,
}


def _integer_binary(operator: BinaryOperator, scalar: Scalar) -> Binary:
    bits = scalar.bits
    table: dict[BinaryOperator, Binary] = _ANY | {
        BinaryOperator.DIVIDE: truncated,
        BinaryOperator.REMAINDER: lambda left, right: left - right * truncated(left, right) if right else 0,
        BinaryOperator.SHIFT_LEFT: lambda left, right: left << right if 0 <= right < bits else 0,
        BinaryOperator.SHIFT_RIGHT: lambda left, right: left >> (right if 0 <= right < bits else bits),
        BinaryOperator.AND: python.and_,
        BinaryOperator.OR: python.or_,
        BinaryOperator.XOR: python.xor,
        BinaryOperator.MINIMUM: min,
        BinaryOperator.MAXIMUM: max,
        BinaryOperator.MULTIPLY_HIGH: lambda left, right: (left * right) >> bits,
    }
    return table[operator]


def truncated(left: int, right: int) -> int:
    """The quotient rounded towards zero; 0 for a divisor of 0."""
    if right == 0:
        return 0
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def _float_binary(operator: BinaryOperator) -> Binary:
    table: dict[BinaryOperator, Binary] = _ANY | {
        BinaryOperator.DIVIDE: quotient,
        BinaryOperator.REMAINDER: remainder,
        BinaryOperator.MINIMUM: lambda left, right: _extremum(python.lt, left, right),
        BinaryOperator.MAXIMUM: lambda left, right: _extremum(python.gt, left, right),
    }
    return table[operator]


def _extremum(before: Binary, left: float, right: float) -> float:
    """The operand that comes before the other; a NaN gives way to a number."""
    if math.isnan(left):
        return right
    return right if before(right, left) else left


def _clz(value: int, pattern: int, bits: int) -> int:
    return bits - pattern.bit_length()


def _reversed(value: int, pattern: int, bits: int) -> int:
    return sum(1 << (bits - 1 - place) for place in range(bits) if pattern >> place & 1)


_INTEGER_UNARY: dict[UnaryOperator, Callable[[int, int, int], int]] = {
    UnaryOperator.NEGATE: lambda value, pattern, bits: -value,
    UnaryOperator.COMPLEMENT: lambda value, pattern, bits: ~value,
    UnaryOperator.ABSOLUTE: lambda value, pattern, bits: abs(value),
    UnaryOperator.COUNT_ONES: lambda value, pattern, bits: pattern.bit_count(),
    UnaryOperator.LEADING_ZEROS: _clz,
    UnaryOperator.FIRST_ONE: lambda value, pattern, bits: (pattern & -pattern).bit_length(),
    UnaryOperator.REVERSE_BITS: _reversed,
}
