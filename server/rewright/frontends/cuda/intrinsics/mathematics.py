"""Functions of numbers: exponentials, roots, extrema, arithmetic with a given rounding.

Roundings of single operations are not distinguished, nor are the fast versions of functions. Must not know memory, but
where a result is stored through a pointer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from rewright.emit.emitter import Emitter
from rewright.emit.memory import dereferenced, stored
from rewright.emit.operators import binary, convert, function, reinterpret, unary
from rewright.emit.values import NOTHING, Value
from rewright.frontends.cuda.cxx.conversions import converted
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, Lowering
from rewright.frontends.cuda.cxx.operands import pointer, scalar
from rewright.frontends.cuda.intrinsics.computations import (
    Compute,
    named,
    not_a_number,
    of_alike,
    of_real,
    of_type,
    operated,
    signed,
)
from rewright.frontends.cuda.intrinsics.operands import counted, given, real
from rewright.model.simt.functions import ARITY
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.verdict import Place


def _of(value: float, like: Operand) -> Constant:
    return Constant(value, like.type)


def _difference(emitter: Emitter, values: tuple[Operand, ...], place: Place) -> Operand:
    """The first operand minus the second, at least zero."""
    minus = binary(emitter, BinaryOperator.SUBTRACT, (values[0], values[1]), place)
    return binary(emitter, BinaryOperator.MAXIMUM, (minus, _of(0.0, minus)), place)


def _saturated(emitter: Emitter, values: tuple[Operand, ...], place: Place) -> Operand:
    least = binary(emitter, BinaryOperator.MAXIMUM, (values[0], _of(0.0, values[0])), place)
    return binary(emitter, BinaryOperator.MINIMUM, (least, _of(1.0, least)), place)


def _remainder(emitter: Emitter, values: tuple[Operand, ...], place: Place) -> Operand:
    quotient = binary(emitter, BinaryOperator.DIVIDE, (values[0], values[1]), place)
    whole = function(emitter, "round_even", (quotient,), place)
    product = binary(emitter, BinaryOperator.MULTIPLY, (whole, values[1]), place)
    return binary(emitter, BinaryOperator.SUBTRACT, (values[0], product), place)


def _normal(emitter: Emitter, values: tuple[Operand, ...], place: Place) -> Operand:
    """The cumulative normal distribution: half of erfc at minus x over the root of two."""
    scaled = binary(emitter, BinaryOperator.MULTIPLY, (values[0], _of(-math.sqrt(0.5), values[0])), place)
    return binary(
        emitter, BinaryOperator.MULTIPLY, (function(emitter, "erfc", (scaled,), place), _of(0.5, scaled)), place
    )


def _times_pi(name: str) -> Compute:
    def compute(emitter: Emitter, values: tuple[Operand, ...], place: Place) -> Operand:
        angle = binary(emitter, BinaryOperator.MULTIPLY, (values[0], _of(math.pi, values[0])), place)
        return function(emitter, name, (angle,), place)

    return compute


def _inverse_cube_root(emitter: Emitter, values: tuple[Operand, ...], place: Place) -> Operand:
    return function(emitter, "reciprocal", (function(emitter, "cbrt", values, place),), place)


def _size_against_infinity(operator: BinaryOperator) -> Compute:
    def compute(emitter: Emitter, values: tuple[Operand, ...], place: Place) -> Operand:
        size = unary(emitter, UnaryOperator.ABSOLUTE, values[0], place)
        return binary(emitter, operator, (size, _of(math.inf, size)), place)

    return compute


def _between(emitter: Emitter, values: tuple[Operand, ...], place: Place) -> Operand:
    """The first operand, but at least the second and at most the third."""
    least = binary(emitter, BinaryOperator.MAXIMUM, (values[0], values[1]), place)
    return binary(emitter, BinaryOperator.MINIMUM, (least, values[2]), place)


def _is_negative(emitter: Emitter, values: tuple[Operand, ...], place: Place) -> Operand:
    wide = convert(emitter, values[0], Scalar.F32 if values[0].type.bits < 32 else values[0].type, place)
    bits = reinterpret(emitter, wide, Scalar.S64 if wide.type.bits == 64 else Scalar.S32, place)
    return binary(emitter, BinaryOperator.LESS, (bits, Constant(0, bits.type)), place)


_COMPUTED: Mapping[str, tuple[int, Compute]] = {
    **{name: (arity, named(name)) for name, arity in ARITY.items()},
    "rint": (1, named("round_even")),
    "nearbyint": (1, named("round_even")),
    "round": (1, named("round_away")),
    "fabs": (1, signed(UnaryOperator.ABSOLUTE)),
    "fmax": (2, operated(BinaryOperator.MAXIMUM)),
    "fmin": (2, operated(BinaryOperator.MINIMUM)),
    "fdivide": (2, operated(BinaryOperator.DIVIDE)),
    "fdim": (2, _difference),
    "remainder": (2, _remainder),
    "normcdf": (1, _normal),
    "sinpi": (1, _times_pi("sin")),
    "cospi": (1, _times_pi("cos")),
    "rcbrt": (1, _inverse_cube_root),
}
"""Functions that C++ has for every floating-point type, and with an `f` at the end for `float`."""

_TRUTHS: Mapping[str, Compute] = {
    "isnan": not_a_number,
    "isinf": _size_against_infinity(BinaryOperator.EQUAL),
    "isfinite": _size_against_infinity(BinaryOperator.LESS),
    "signbit": _is_negative,
}

_FAST = ("exp", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "pow", "fdivide")
"""Functions with a fast version for `float`: `__expf`."""

_OPERATIONS: Mapping[str, tuple[int, Compute]] = {
    "add": (2, operated(BinaryOperator.ADD)),
    "sub": (2, operated(BinaryOperator.SUBTRACT)),
    "mul": (2, operated(BinaryOperator.MULTIPLY)),
    "div": (2, operated(BinaryOperator.DIVIDE)),
    "rcp": (1, named("reciprocal")),
    "sqrt": (1, named("sqrt")),
    "rsqrt": (1, named("rsqrt")),
    "fma": (3, named("fma")),
    "fmaf": (3, named("fma")),
}
"""Operations with a rounding in their name: `__fadd_rn`, `__dadd_rz`."""


def _rounded(name: str) -> BuiltInFunction:
    """A float rounded to a `long long`."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        whole = function(lowering.emitter, name, real(lowering, call, 1), call.place)
        return given(convert(lowering.emitter, whole, Scalar.S64, call.place))

    return lower


def _scaled(lowering: Lowering, call: BuiltInCall) -> Value:
    """`ldexp`: times a power of two."""
    emitter = lowering.emitter
    value, exponent = real(lowering, call, 2)
    power = function(emitter, "exp2", (convert(emitter, exponent, value.type, call.place),), call.place)
    return given(binary(emitter, BinaryOperator.MULTIPLY, (value, power), call.place))


def _both(kind: Scalar) -> BuiltInFunction:
    """`sincos`: the sine and the cosine go where two pointers point."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        counted(emitter, call, 3)
        angle = (scalar(lowering, call.arguments[0], kind),)
        for name, argument in zip(("sin", "cos"), call.arguments[1:], strict=True):
            target = dereferenced(pointer(lowering, argument))
            value = given(function(emitter, name, angle, call.place))
            stored(emitter, lowering.registers, target, converted(emitter, value, target.type, argument), call.place)
        return NOTHING

    return lower


def _roundings(name: str, letter: str, kind: Scalar) -> dict[str, BuiltInFunction]:
    arity, compute = _OPERATIONS[name]
    return {f"__{letter}{name}_r{way}": of_type(kind, arity, compute) for way in "nzud"}


_LEAST, _GREATEST = (of_alike(2, operated(operator)) for operator in (BinaryOperator.MINIMUM, BinaryOperator.MAXIMUM))
_SIZE = of_alike(1, signed(UnaryOperator.ABSOLUTE))

FUNCTIONS: Mapping[str, BuiltInFunction] = {
    **{name: of_real(*computed) for name, computed in _COMPUTED.items()},
    **{f"{name}f": of_type(Scalar.F32, *computed) for name, computed in _COMPUTED.items()},
    **{f"__{name}f": of_type(Scalar.F32, *_COMPUTED[name]) for name in _FAST},
    **{name: entry for each in _OPERATIONS for name, entry in _roundings(each, "f", Scalar.F32).items()},
    **{name: entry for each in _OPERATIONS for name, entry in _roundings(each, "d", Scalar.F64).items()},
    **_roundings("fmaf", "", Scalar.F32),
    **_roundings("fma", "", Scalar.F64),
    **{name: of_real(1, compute) for name, compute in _TRUTHS.items()},
    "min": _LEAST,
    "max": _GREATEST,
    "umin": _LEAST,
    "umax": _GREATEST,
    "llmin": _LEAST,
    "llmax": _GREATEST,
    "abs": _SIZE,
    "labs": _SIZE,
    "llabs": _SIZE,
    "clamp": of_alike(3, _between),
    "__saturatef": of_type(Scalar.F32, 1, _saturated),
    "lrint": _rounded("round_even"),
    "llrint": _rounded("round_even"),
    "lround": _rounded("round_away"),
    "llround": _rounded("round_away"),
    "lrintf": _rounded("round_even"),
    "llrintf": _rounded("round_even"),
    "lroundf": _rounded("round_away"),
    "llroundf": _rounded("round_away"),
    "ldexp": _scaled,
    "ldexpf": _scaled,
    "scalbn": _scaled,
    "scalbnf": _scaled,
    "sincos": _both(Scalar.F64),
    "sincosf": _both(Scalar.F32),
    "__sincosf": _both(Scalar.F32),
}
