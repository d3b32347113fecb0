"""The operators on values: what each does for a type, as a function of values alone.

Invariants: integers wrap; `/` and `%` of integers truncate and give 0 where the divisor is zero (whoever divides has to
look first); a shift takes its amount as unsigned, and one of the width or more shifts everything out. The least and
greatest of two floats is the other one where one is not a number. A bf16 is computed in f32 and rounded.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from typing import Any

import numpy as np

from rewright.kernels.execution.groups import Value
from rewright.kernels.execution.numbers import DTYPES, rounded
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator

BinaryFunction = Callable[[Value, Value], Value]
UnaryFunction = Callable[[Value], Value]

_COMMON: dict[BinaryOperator, BinaryFunction] = {
    BinaryOperator.ADD: python.add,
    BinaryOperator.SUBTRACT: python.sub,
    BinaryOperator.MULTIPLY: python.mul,
    BinaryOperator.AND: python.and_,
    BinaryOperator.OR: python.or_,
    BinaryOperator.XOR: python.xor,
    BinaryOperator.LESS: python.lt,
    BinaryOperator.LESS_EQUAL: python.le,
    BinaryOperator.GREATER: python.gt,
    BinaryOperator.GREATER_EQUAL: python.ge,
    BinaryOperator.EQUAL: python.eq,
    BinaryOperator.NOT_EQUAL: python.ne,
}

_MAY_OVERFLOW = (BinaryOperator.ADD, BinaryOperator.SUBTRACT, BinaryOperator.MULTIPLY)


def binary(operator: BinaryOperator, scalar: Scalar) -> BinaryFunction:
    """What the operator does with two operands of a type."""
    if scalar is Scalar.BF16 and not operator.is_comparison:
        computed = binary(operator, Scalar.F32)
        return lambda left, right: rounded(computed(left, right))
    if operator in _COMMON:
        return _COMMON[operator]
    match operator:
        case BinaryOperator.MINIMUM:
            return np.fmin if scalar.is_float else np.minimum
        case BinaryOperator.MAXIMUM:
            return np.fmax if scalar.is_float else np.maximum
        case BinaryOperator.DIVIDE:
            return python.truediv if scalar.is_float else _quotient if scalar.is_signed else python.floordiv
        case BinaryOperator.REMAINDER:
            return np.fmod if scalar.is_float or scalar.is_signed else python.mod
        case BinaryOperator.SHIFT_LEFT:
            return _shifted_left
        case BinaryOperator.SHIFT_RIGHT:
            return _shifted_right
        case BinaryOperator.MULTIPLY_HIGH:
            return _high_wide if scalar.bits == 64 else _high_narrow
        case _:
            raise AssertionError(operator)


def overflows(operator: BinaryOperator, scalar: Scalar) -> Callable[[Value, Value], bool] | None:
    """Whether some result of the operator does not fit the type; None if all do, or those that do not have a meaning.

    Of 32-bit signed integers only, of which indices are made.
    """
    if scalar is not Scalar.S32 or operator not in _MAY_OVERFLOW:
        return None
    apply = _COMMON[operator]
    return lambda left, right: bool(np.any(apply(left, right) != apply(left.astype(np.int64), right.astype(np.int64))))


def by_constant(operator: BinaryOperator, scalar: Scalar, right: Value) -> UnaryFunction:
    """What the operator does with an operand of a type and this right one."""
    if operator.is_shift and 0 <= right < scalar.bits:
        amount = DTYPES[scalar].type(right)
        if operator is BinaryOperator.SHIFT_LEFT:
            return lambda left: left << amount
        return lambda left: left >> amount
    apply = binary(operator, scalar)
    return lambda left: apply(left, right)


def unary(operator: UnaryOperator, scalar: Scalar) -> UnaryFunction:
    """What the operator does with an operand of a type."""
    match operator:
        case UnaryOperator.NEGATE:
            return python.neg
        case UnaryOperator.COMPLEMENT | UnaryOperator.NOT:
            return python.invert
        case UnaryOperator.ABSOLUTE:
            return abs
        case UnaryOperator.COUNT_ONES:
            return lambda value: _ones(value).astype(DTYPES[scalar])
        case UnaryOperator.LEADING_ZEROS:
            return lambda value: (scalar.bits - _ones(_smeared(value))).astype(DTYPES[scalar])
        case UnaryOperator.FIRST_ONE:
            return lambda value: _ones(value ^ (value - value.dtype.type(1))).astype(DTYPES[scalar]) * (value != 0)
        case UnaryOperator.REVERSE_BITS:
            return _reversed


def _quotient(left: Value, right: Value) -> Value:
    """The remainder has the sign of the dividend, so the rest divides exactly."""
    return (left - np.fmod(left, right)) // right


def _within(value: Value, amount: Value) -> tuple[Value, Value, Value]:
    """Where the amount is less than the width, and there the amount, in the type of the value."""
    bits = value.dtype.itemsize * 8
    # as unsigned, so that a negative amount is one of the width or more
    within = amount.view(f"u{amount.dtype.itemsize}") < bits
    return within, (amount * within).astype(value.dtype), value.dtype.type(0)


def _shifted_left(value: Value, amount: Value) -> Value:
    within, small, _ = _within(value, amount)
    return (value << small) * within


def _shifted_right(value: Value, amount: Value) -> Value:
    within, small, zero = _within(value, amount)
    if value.dtype.kind == "u":
        return (value >> small) * within
    return (value >> small) * within - ((value < zero) & ~within).astype(value.dtype)


def _high_narrow(left: Value, right: Value) -> Value:
    """The upper half of a product that fits 64 bits."""
    wide = np.int64 if left.dtype.kind == "i" else np.uint64
    bits = wide(left.dtype.itemsize * 8)
    return ((left.astype(wide) * right.astype(wide)) >> bits).astype(left.dtype)


def _high_wide(left: Value, right: Value) -> Value:
    """The upper half of the product of 64-bit numbers, by halves (Hacker's Delight, section 8-2)."""
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a, b = left.view(np.uint64), right.view(np.uint64)
    a_low, a_high, b_low, b_high = a & low, a >> half, b & low, b >> half
    middle = a_high * b_low + ((a_low * b_low) >> half)
    other = a_low * b_high + (middle & low)
    high = a_high * b_high + (middle >> half) + (other >> half)
    if left.dtype.kind == "u":
        return high
    # read as unsigned a negative factor is 2^64 too large, so the upper half has the other factor once too often
    return high.view(np.int64) - right * (left < 0) - left * (right < 0)


def _unsigned(value: Value) -> Value:
    return value.view(f"u{value.dtype.itemsize}")


def _ones(value: Value) -> Any:
    """The number of ones, of integers in two's complement, as small integers."""
    return np.bitwise_count(_unsigned(value))


def _smeared(value: Value) -> Value:
    """All bits set below the first that is set."""
    bits = _unsigned(value)
    distance = 1
    while distance < bits.dtype.itemsize * 8:
        bits = bits | (bits >> bits.dtype.type(distance))
        distance *= 2
    return bits


_REVERSED = np.array([int(f"{byte:08b}"[::-1], 2) for byte in range(256)], np.uint8)


def _reversed(value: Value) -> Value:
    """Bits in reverse: the bytes in reverse, and the bits of each."""
    data = np.atleast_1d(value)
    flipped = _REVERSED[data.view(np.uint8)].view(data.dtype).byteswap()
    return flipped if isinstance(value, np.ndarray) else flipped[0]
