"""How values of the scalar types are held in NumPy: types, constants, rounding to bf16, conversions, bits.

Invariants: a value has the NumPy type of its scalar type; a bf16 is an f32 whose lower half is zero. Integers wrap;
a float outside the range of an integer type gives the nearest end of it, and not-a-number gives 0, as hardware does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rewright.kernels.execution.groups import Value
from rewright.model.simt.types import Scalar

DTYPES: dict[Scalar, np.dtype[Any]] = {
    Scalar.PRED: np.dtype(np.bool_),
    Scalar.S8: np.dtype(np.int8),
    Scalar.S16: np.dtype(np.int16),
    Scalar.S32: np.dtype(np.int32),
    Scalar.S64: np.dtype(np.int64),
    Scalar.U8: np.dtype(np.uint8),
    Scalar.U16: np.dtype(np.uint16),
    Scalar.U32: np.dtype(np.uint32),
    Scalar.U64: np.dtype(np.uint64),
    Scalar.F16: np.dtype(np.float16),
    Scalar.BF16: np.dtype(np.float32),
    Scalar.F32: np.dtype(np.float32),
    Scalar.F64: np.dtype(np.float64),
}

UNSIGNED: dict[int, np.dtype[Any]] = {width: np.dtype(f"u{width}") for width in (1, 2, 4, 8)}
"""Bits of so many bytes."""


MEMORY: dict[Scalar, np.dtype[Any]] = DTYPES | {Scalar.PRED: np.dtype(np.uint8), Scalar.BF16: np.dtype(np.uint16)}
"""The type of an element in memory."""


def width(scalar: Scalar) -> int:
    """The bytes of an element in memory."""
    return max(scalar.bits // 8, 1)


def constant(value: int | float, scalar: Scalar) -> Value:
    """A number as a value: integers wrap to their type, floats are rounded."""
    if scalar.is_float:
        typed = np.float64(value).astype(DTYPES[scalar])
        return rounded(typed) if scalar is Scalar.BF16 else typed
    if scalar is Scalar.PRED:
        return np.bool_(value != 0)
    bits = scalar.bits
    wrapped = int(value) & ((1 << bits) - 1)
    if scalar.is_signed and wrapped >> (bits - 1):
        wrapped -= 1 << bits
    return DTYPES[scalar].type(wrapped)


def rounded(value: Value) -> Value:
    """An f32 as the nearest bf16, to even if there are two."""
    bits = value.view(np.uint32)
    # half a unit of what is kept, less one, and one more where that is odd: ties go to even
    nearest = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)
    if isinstance(value, np.ndarray):
        return np.where(np.isnan(value), value, nearest.view(np.float32))
    return value if np.isnan(value) else nearest.view(np.float32)


def conversion(source: Scalar, target: Scalar) -> Callable[[Value], Value]:
    """What makes values of one type values of another."""
    dtype = DTYPES[target]
    if source is target:
        return lambda value: value
    if target is Scalar.PRED:
        return lambda value: value != 0
    if source.is_float and target.is_integer:
        return lambda value: _truncated(value, dtype)
    if target is Scalar.BF16:
        return lambda value: rounded(value.astype(dtype))
    if DTYPES[source] == dtype:
        return lambda value: value
    return lambda value: value.astype(dtype)


def _truncated(value: Value, dtype: np.dtype[Any]) -> Value:
    """Towards zero, and into the range of the type."""
    limits = np.iinfo(dtype)
    exact = np.trunc(value).astype(np.float64)
    # as a float the greatest 64-bit integer is one more than it is; what reaches that is out of range, too
    over, under = exact >= float(limits.max), exact <= float(limits.min)
    found = np.where(over | under | np.isnan(exact), 0.0, exact).astype(dtype)
    found = np.where(over, dtype.type(limits.max), np.where(under, dtype.type(limits.min), found))
    return found if isinstance(value, np.ndarray) else found[()]


def loaded(scalar: Scalar) -> Callable[[Value], Value] | None:
    """What turns an element in memory into a value, None if it is one."""
    return from_bits(scalar) if scalar in (Scalar.PRED, Scalar.BF16) else None


def stored(scalar: Scalar) -> Callable[[Value], Value] | None:
    """What turns a value into an element in memory, None if it is one."""
    return to_bits(scalar) if scalar in (Scalar.PRED, Scalar.BF16) else None


def to_bits(scalar: Scalar) -> Callable[[Value], Value]:
    """What turns a value into the unsigned integer of its bits in memory."""
    dtype = UNSIGNED[width(scalar)]
    match scalar:
        case Scalar.BF16:
            return lambda value: (value.view(np.uint32) >> np.uint32(16)).astype(dtype)
        case _:
            return lambda value: value.view(dtype)


def from_bits(scalar: Scalar) -> Callable[[Value], Value]:
    """What turns the unsigned integer of the bits in memory into the value."""
    match scalar:
        case Scalar.BF16:
            return lambda bits: (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)
        case Scalar.PRED:
            return lambda bits: bits != 0
        case _:
            dtype = DTYPES[scalar]
            return lambda bits: bits.view(dtype)


def reinterpretation(source: Scalar, target: Scalar) -> Callable[[Value], Value]:
    """What reads the bits of one type as another of the same width."""
    out, back = to_bits(source), from_bits(target)
    return lambda value: back(out(value))
