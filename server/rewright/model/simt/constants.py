"""The one arithmetic of constants: what operators and conversions of the SIMT form give on numbers.

For conditions of `#if`, folding, launch expressions and sizes. Integers wrap at their width, signed ones in two's
complement, `/` truncates; floats are rounded to nearest, ties to even; truths are 0 and 1. Execution and replay have
arithmetic of their own, which is tested against this one. Must not know expressions or registers.
"""

from __future__ import annotations

import math
import operator as python
import struct
from collections.abc import Callable

from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator

Number = int | float


class NoValue(ValueError):
    """An expression has no value: it divides by zero, or names something that has none."""


def limits(scalar: Scalar) -> tuple[int, int]:
    """The least and the largest value of an integer type or of truths."""
    least = -(1 << (scalar.bits - 1)) if scalar.is_signed else 0
    return least, least + (1 << scalar.bits) - 1


def wrapped(value: int, scalar: Scalar) -> int:
    """The integer modulo the width of the type, in its range; as a truth, whether it is not zero."""
    if scalar is Scalar.PRED:
        return int(value != 0)
    least = limits(scalar)[0]
    return ((value - least) & ((1 << scalar.bits) - 1)) + least


def rounded(value: float, scalar: Scalar) -> float:
    """The number nearest to it that a float type holds, infinity above the largest."""
    match scalar:
        case Scalar.F64:
            return float(value)
        case Scalar.F32:
            return _packed("<f", value)
        case Scalar.F16:
            return _packed("<e", value)
        case Scalar.BF16:
            return _shortened(_packed("<f", value))
        case _:
            raise AssertionError(scalar)


def _packed(form: str, value: float) -> float:
    try:
        return float(struct.unpack(form, struct.pack(form, float(value)))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _shortened(value: float) -> float:
    """A float of 32 bits as one of the 16 in front, rounded to nearest, ties to even."""
    if not math.isfinite(value):
        return value
    bits = int.from_bytes(struct.pack("<f", value), "little")
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return float(struct.unpack("<f", bits.to_bytes(4, "little"))[0])


def converted(value: Number, scalar: Scalar) -> Number:
    """A number as one of the type: integers wrap, floats are rounded or truncated, `pred` is the test for non-zero.

    Raises `NoValue` for an integer of a float that is not finite.
    """
    if scalar is Scalar.PRED:
        return int(value != 0)
    if scalar.is_float:
        return rounded(value, scalar)
    if isinstance(value, float) and not math.isfinite(value):
        raise NoValue("a float that is not finite has no integer value")
    return wrapped(int(value), scalar)


def unary(of: UnaryOperator, value: Number, scalar: Scalar) -> Number:
    """What a unary operator gives on a number of the type."""
    match of:
        case UnaryOperator.NEGATE:
            return converted(-value, scalar)
        case UnaryOperator.NOT:
            return int(not value)
        case UnaryOperator.ABSOLUTE:
            return converted(abs(value), scalar)
        case UnaryOperator.COMPLEMENT:
            return wrapped(~int(value), scalar)
        case _:
            return wrapped(_of_bits(of, int(value) & ((1 << scalar.bits) - 1), scalar.bits), scalar)


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


_EXACT: dict[BinaryOperator, Callable[[Number, Number], Number]] = {
    BinaryOperator.ADD: python.add,
    BinaryOperator.SUBTRACT: python.sub,
    BinaryOperator.MULTIPLY: python.mul,
    BinaryOperator.MINIMUM: min,
    BinaryOperator.MAXIMUM: max,
}
_COMPARISONS: dict[BinaryOperator, Callable[[Number, Number], bool]] = {
    BinaryOperator.LESS: python.lt,
    BinaryOperator.LESS_EQUAL: python.le,
    BinaryOperator.GREATER: python.gt,
    BinaryOperator.GREATER_EQUAL: python.ge,
    BinaryOperator.EQUAL: python.eq,
    BinaryOperator.NOT_EQUAL: python.ne,
}
_OF_BITS: dict[BinaryOperator, Callable[[int, int], int]] = {
    BinaryOperator.AND: python.and_,
    BinaryOperator.OR: python.or_,
    BinaryOperator.XOR: python.xor,
}


def binary(of: BinaryOperator, left: Number, right: Number, scalar: Scalar) -> Number:
    """What a binary operator gives on two numbers of the type (the amount of a shift may be of another).

    All bits are shifted out by an amount that is not below the width. Raises `NoValue` for a division of integers by 0.
    """
    if of in _COMPARISONS:
        return int(_COMPARISONS[of](left, right))
    if of in _EXACT:
        return converted(_EXACT[of](left, right), scalar)
    if scalar.is_float:
        return rounded(_float_quotient(of, float(left), float(right)), scalar)
    return wrapped(_of_integers(of, int(left), int(right), scalar.bits), scalar)


def _of_integers(of: BinaryOperator, left: int, right: int, bits: int) -> int:
    if of in _OF_BITS:
        return _OF_BITS[of](left, right)
    match of:
        case BinaryOperator.DIVIDE | BinaryOperator.REMAINDER:
            return _quotient(of, left, right)
        case BinaryOperator.SHIFT_LEFT:
            return left << right if 0 <= right < bits else 0
        case BinaryOperator.SHIFT_RIGHT:
            return left >> right if 0 <= right < bits else -int(left < 0)
        case BinaryOperator.MULTIPLY_HIGH:
            return left * right >> bits
        case _:
            raise AssertionError(of)


def _quotient(of: BinaryOperator, left: int, right: int) -> int:
    """Division that truncates; the remainder has the sign of the dividend."""
    if right == 0:
        raise NoValue("a division by zero has no value")
    size = abs(left) // abs(right)
    whole = size if (left < 0) is (right < 0) else -size
    return whole if of is BinaryOperator.DIVIDE else left - whole * right


def _float_quotient(of: BinaryOperator, left: float, right: float) -> float:
    match of:
        case BinaryOperator.DIVIDE if right != 0:
            return left / right
        case BinaryOperator.DIVIDE:
            return (
                math.nan if left == 0 or math.isnan(left) else math.copysign(math.inf, left) * math.copysign(1, right)
            )
        case BinaryOperator.REMAINDER:
            return math.nan if right == 0 or math.isinf(left) else math.fmod(left, right)
        case _:
            raise AssertionError(of)
