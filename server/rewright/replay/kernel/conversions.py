"""A value of one machine type as one of another, and as bytes. Must not know registers or memory."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from rewright.model.simt.types import Scalar
from rewright.replay.kernel.floats import of_integer, of_upper_half, rounding, upper_half
from rewright.replay.kernel.numbers import Number, Unary, wrapped, wrapping

Encoding = Callable[[tuple[Number, ...]], bytes]
Decoding = Callable[[bytes | bytearray, int], tuple[Number, ...]]

FORMATS = {
    Scalar.PRED: "B",
    Scalar.S8: "b",
    Scalar.S16: "h",
    Scalar.S32: "i",
    Scalar.S64: "q",
    Scalar.U8: "B",
    Scalar.U16: "H",
    Scalar.U32: "I",
    Scalar.U64: "Q",
    Scalar.F16: "e",
    Scalar.BF16: "H",
    Scalar.F32: "f",
    Scalar.F64: "d",
}
"""The codes of `struct` for values in memory; a bf16 is the upper half of an f32."""


def size(scalar: Scalar) -> int:
    """Bytes of a value in memory; a truth takes one."""
    return struct.calcsize("<" + FORMATS[scalar])


def converted(source: Scalar, target: Scalar) -> Unary:
    """The function that converts: integers wrap, floats truncate into its range, to `pred` is the test for non-zero."""
    if target is Scalar.PRED:
        return lambda value: value != 0
    if target.is_float:
        return rounding(target) if source.is_float else lambda value: of_integer(int(value), target)
    if source.is_float:
        return lambda value: _truncated(value, target)
    mask, half = wrapping(target)
    return lambda value: ((value + half) & mask) - half


def holds_all(source: Scalar, target: Scalar) -> bool:
    """Whether every integer (or truth) of one type is the same number in the other."""
    if source.is_float or target.is_float or target is Scalar.PRED:
        return source is target
    wider = target.bits > source.bits
    return target.bits >= source.bits if source.is_signed is target.is_signed else wider and not source.is_signed


def _truncated(value: float, target: Scalar) -> int:
    """Towards zero; what is out of range gives the nearest end, NaN gives 0."""
    if math.isnan(value):
        return 0
    low = -(1 << (target.bits - 1)) if target.is_signed else 0
    high = low + (1 << target.bits) - 1
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(math.trunc(value), low), high)


def typed(number: Number, scalar: Scalar) -> Number:
    """A number as a value of a type: integers wrap, floats are rounded."""
    if scalar is Scalar.PRED:
        return number != 0
    if scalar.is_float:
        return rounding(scalar)(number) if isinstance(number, float) else of_integer(number, scalar)
    return wrapped(int(number), scalar)


def reinterpreted(source: Scalar, target: Scalar) -> Unary:
    """The function that keeps the bits."""
    encode, decode = encoding(source, 1), decoding(target, 1)
    return lambda value: decode(encode((value,)), 0)[0]


def encoding(scalar: Scalar, count: int) -> Encoding:
    """The function that makes bytes of so many values."""
    pack = struct.Struct("<" + FORMATS[scalar] * count).pack
    if scalar is Scalar.BF16:
        return lambda values: pack(*(upper_half(value) for value in values))
    return lambda values: pack(*values)


def decoding(scalar: Scalar, count: int) -> Decoding:
    """The function that reads so many values from bytes at an offset."""
    unpack_from = struct.Struct("<" + FORMATS[scalar] * count).unpack_from
    if scalar is Scalar.BF16:
        return lambda data, offset: tuple(of_upper_half(bits) for bits in unpack_from(data, offset))
    if scalar is Scalar.PRED:
        return lambda data, offset: tuple(bits != 0 for bits in unpack_from(data, offset))
    return unpack_from
