"""Floating-point numbers of the machine as Python floats: rounding, division, and the functions that programs name.

The basic operations computed on doubles and rounded once more give the nearest number of a narrower type; functions are
near. A bf16 is computed in f32 and rounded to its upper half. Must not know registers.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from ctypes import c_float
from fractions import Fraction

from rewright.model.simt.types import Scalar

Rounding = Callable[[float], float]
_INF = math.inf


def rounding(scalar: Scalar) -> Rounding:
    """The function that rounds a double to the nearest number of a type."""
    match scalar:
        case Scalar.F64:
            return float
        case Scalar.F16:
            return _half
        case Scalar.BF16:
            return lambda value: of_upper_half(upper_half(_single(value)))
        case _:
            return _single


def _single(value: float) -> float:
    return c_float(value).value


def _half(value: float) -> float:
    try:
        return float(struct.unpack("<e", struct.pack("<e", value))[0])
    except OverflowError:
        return math.copysign(_INF, value)


def upper_half(value: float) -> int:
    """The bits of the bf16 that is nearest to a number of f32, to even if there are two."""
    bits = int(struct.unpack("<I", struct.pack("<f", value))[0])
    if math.isnan(value):
        return bits >> 16 | 0x40
    # half a unit of what is kept, less one, and one more where that is odd: ties go to even
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def of_upper_half(bits: int) -> float:
    """The number with the bits of a bf16."""
    return float(struct.unpack("<f", struct.pack("<I", bits << 16))[0])


def of_integer(value: int, scalar: Scalar) -> float:
    """The nearest number of a type, rounded once."""
    exact = float(value)
    if scalar is not Scalar.F64 and abs(value) >> 53:
        drop = abs(value).bit_length() - 30
        # rounded to odd, to 31 bits: what rounds that to fewer bits then gives what one rounding of the whole would
        sticky = int(abs(value) & ((1 << drop) - 1) != 0)
        exact = math.copysign(math.ldexp((abs(value) >> drop << 1) | sticky, drop - 1), value)
    return rounding(scalar)(exact)


def quotient(left: float, right: float) -> float:
    """IEEE division."""
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(_INF, left) * math.copysign(1.0, right)


def remainder(left: float, right: float) -> float:
    """What C's `fmod` gives."""
    if math.isinf(left) or right == 0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.fmod(left, right)


def function(name: str, scalar: Scalar) -> Callable[..., float]:
    """A function by its name in `model.simt.functions`; outside its domain it gives NaN or an infinity."""
    exact, rounded = _FUNCTIONS[name], rounding(scalar)

    def call(*operands: float) -> float:
        try:
            return rounded(exact(*operands))
        except OverflowError:
            return _overflow(name, operands)
        except (ValueError, ZeroDivisionError):
            return _pole(name, operands)

    return call


def _overflow(name: str, operands: tuple[float, ...]) -> float:
    """The infinity that a finite operand leads to."""
    odd_power = name == "pow" and operands[0] < 0 and operands[1] % 2 == 1
    return -_INF if odd_power or (name in ("sinh", "expm1") and operands[0] < 0) else _INF


def _pole(name: str, operands: tuple[float, ...]) -> float:
    """The value where Python has none: an infinity at a pole, else NaN."""
    first = operands[0]
    if (name in ("log", "log2", "log10") and first == 0) or (name == "log1p" and first == -1):
        return -_INF
    if name == "atanh" and abs(first) == 1:
        return math.copysign(_INF, first)
    if name == "pow" and first == 0 and operands[1] < 0:
        return math.copysign(_INF, first) if operands[1] % 2 == 1 else _INF
    return math.nan


def _fma(left: float, right: float, addend: float) -> float:
    if not (math.isfinite(left) and math.isfinite(right) and math.isfinite(addend)):
        return left * right + addend
    exact = Fraction(left) * Fraction(right) + Fraction(addend)
    # a fraction that is 0 has no sign; of two zeros or opposite terms the sum has the right one
    return float(exact) if exact else left * right + addend


def _whole(rounded: Callable[[float], float]) -> Callable[[float], float]:
    """A rounding to whole numbers that keeps infinities, NaN and the sign of zero."""
    return lambda value: math.copysign(float(rounded(value)), value) if math.isfinite(value) else value


def _away(value: float) -> float:
    down = math.floor(abs(value))
    return down + 1 if abs(value) - down >= 0.5 else down


def _trigonometric(exact: Callable[[float], float]) -> Callable[[float], float]:
    return lambda value: exact(value) if math.isfinite(value) else math.nan


_FUNCTIONS: dict[str, Callable[..., float]] = {
    "exp": math.exp,
    "exp2": math.exp2,
    "exp10": lambda value: math.pow(10.0, value),
    "expm1": math.expm1,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "log1p": math.log1p,
    "sqrt": math.sqrt,
    "rsqrt": lambda value: quotient(1.0, math.sqrt(value)),
    "cbrt": math.cbrt,
    "reciprocal": lambda value: quotient(1.0, value),
    "erf": math.erf,
    "erfc": math.erfc,
    "sin": _trigonometric(math.sin),
    "cos": _trigonometric(math.cos),
    "tan": _trigonometric(math.tan),
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "asinh": math.asinh,
    "acosh": math.acosh,
    "atanh": math.atanh,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "round_even": _whole(round),
    "round_away": _whole(_away),
    "trunc": _whole(math.trunc),
    "pow": math.pow,
    "atan2": math.atan2,
    "fmod": remainder,
    "hypot": math.hypot,
    "copysign": math.copysign,
    "fma": _fma,
}
