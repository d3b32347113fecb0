"""Functions of numbers: exponentials, roots, extrema, arithmetic with a given rounding.

Roundings of single operations are not told apart, nor are the fast versions of functions. Must not know memory, but
where a result is stored through a pointer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from rewright.kernels.cuda.casts import converted, pointer
from rewright.kernels.cuda.emit import binary, convert, function, reinterpret, unary
from rewright.kernels.cuda.hooks import BuiltInFunction, Call
from rewright.kernels.cuda.intrinsics.operands import alike, counted, given, real, typed
from rewright.kernels.cuda.lowering import Lowering
from rewright.kernels.cuda.memory import pointed, stored
from rewright.kernels.cuda.values import NOTHING, Value
from rewright.model.simt.functions import ARITY
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import Operator, Scalar, UnaryOperator
from rewright.verdict import Place

Compute = Callable[[Lowering, tuple[Operand, ...], Place], Operand]


def _named(name: str) -> Compute:
    return lambda lowering, values, place: function(lowering, name, values, place)


def _operated(operator: Operator) -> Compute:
    return lambda lowering, values, place: binary(lowering, operator, (values[0], values[1]), place)


def _absolute(lowering: Lowering, values: tuple[Operand, ...], place: Place) -> Operand:
    return unary(lowering, UnaryOperator.ABSOLUTE, values[0], place)


def _of(value: float, like: Operand) -> Constant:
    return Constant(value, like.type)


def _difference(lowering: Lowering, values: tuple[Operand, ...], place: Place) -> Operand:
    """The first operand minus the second, at least zero."""
    minus = binary(lowering, Operator.SUBTRACT, (values[0], values[1]), place)
    return binary(lowering, Operator.MAXIMUM, (minus, _of(0.0, minus)), place)


def _saturated(lowering: Lowering, values: tuple[Operand, ...], place: Place) -> Operand:
    least = binary(lowering, Operator.MAXIMUM, (values[0], _of(0.0, values[0])), place)
    return binary(lowering, Operator.MINIMUM, (least, _of(1.0, least)), place)


def _remainder(lowering: Lowering, values: tuple[Operand, ...], place: Place) -> Operand:
    quotient = binary(lowering, Operator.DIVIDE, (values[0], values[1]), place)
    whole = function(lowering, "round_even", (quotient,), place)
    product = binary(lowering, Operator.MULTIPLY, (whole, values[1]), place)
    return binary(lowering, Operator.SUBTRACT, (values[0], product), place)


def _normal(lowering: Lowering, values: tuple[Operand, ...], place: Place) -> Operand:
    """The cumulative normal distribution: half of erfc at minus x over the root of two."""
    scaled = binary(lowering, Operator.MULTIPLY, (values[0], _of(-math.sqrt(0.5), values[0])), place)
    return binary(lowering, Operator.MULTIPLY, (function(lowering, "erfc", (scaled,), place), _of(0.5, scaled)), place)


def _times_pi(name: str) -> Compute:
    def compute(lowering: Lowering, values: tuple[Operand, ...], place: Place) -> Operand:
        angle = binary(lowering, Operator.MULTIPLY, (values[0], _of(math.pi, values[0])), place)
        return function(lowering, name, (angle,), place)

    return compute


def _inverse_cube_root(lowering: Lowering, values: tuple[Operand, ...], place: Place) -> Operand:
    return function(lowering, "reciprocal", (function(lowering, "cbrt", values, place),), place)


def _not_a_number(lowering: Lowering, values: tuple[Operand, ...], place: Place) -> Operand:
    return binary(lowering, Operator.NOT_EQUAL, (values[0], values[0]), place)


def _size_against_infinity(operator: Operator) -> Compute:
    def compute(lowering: Lowering, values: tuple[Operand, ...], place: Place) -> Operand:
        size = unary(lowering, UnaryOperator.ABSOLUTE, values[0], place)
        return binary(lowering, operator, (size, _of(math.inf, size)), place)

    return compute


def _is_negative(lowering: Lowering, values: tuple[Operand, ...], place: Place) -> Operand:
    wide = convert(lowering, values[0], Scalar.F32 if values[0].type.bits < 32 else values[0].type, place)
    bits = reinterpret(lowering, wide, Scalar.S64 if wide.type.bits == 64 else Scalar.S32, place)
    return binary(lowering, Operator.LESS, (bits, Constant(0, bits.type)), place)


_COMPUTED: Mapping[str, tuple[int, Compute]] = {
    **{name: (arity, _named(name)) for name, arity in ARITY.items()},
    "rint": (1, _named("round_even")),
    "nearbyint": (1, _named("round_even")),
    "round": (1, _named("round_away")),
    "fabs": (1, _absolute),
    "fmax": (2, _operated(Operator.MAXIMUM)),
    "fmin": (2, _operated(Operator.MINIMUM)),
    "fdivide": (2, _operated(Operator.DIVIDE)),
    "fdim": (2, _difference),
    "remainder": (2, _remainder),
    "normcdf": (1, _normal),
    "sinpi": (1, _times_pi("sin")),
    "cospi": (1, _times_pi("cos")),
    "rcbrt": (1, _inverse_cube_root),
}
"""Functions that C++ has for every floating-point type, and with an `f` behind for `float`."""

_TRUTHS: Mapping[str, Compute] = {
    "isnan": _not_a_number,
    "isinf": _size_against_infinity(Operator.EQUAL),
    "isfinite": _size_against_infinity(Operator.LESS),
    "signbit": _is_negative,
}

_FAST = ("exp", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "pow", "fdivide")
"""Functions with a fast version for `float`: `__expf`."""

_OPERATIONS: Mapping[str, tuple[int, Compute]] = {
    "add": (2, _operated(Operator.ADD)),
    "sub": (2, _operated(Operator.SUBTRACT)),
    "mul": (2, _operated(Operator.MULTIPLY)),
    "div": (2, _operated(Operator.DIVIDE)),
    "rcp": (1, _named("reciprocal")),
    "sqrt": (1, _named("sqrt")),
    "rsqrt": (1, _named("rsqrt")),
    "fma": (3, _named("fma")),
    "fmaf": (3, _named("fma")),
}
"""Operations with a rounding in their name: `__fadd_rn`, `__dadd_rz`."""


def _generic(arity: int, compute: Compute) -> BuiltInFunction:
    def lower(lowering: Lowering, call: Call) -> Value:
        return given(compute(lowering, real(lowering, call, arity), call.place))

    return lower


def _fixed(kind: Scalar, arity: int, compute: Compute) -> BuiltInFunction:
    def lower(lowering: Lowering, call: Call) -> Value:
        return given(compute(lowering, typed(lowering, call, (kind,) * arity), call.place))

    return lower


def _extremum(operator: Operator) -> BuiltInFunction:
    def lower(lowering: Lowering, call: Call) -> Value:
        left, right = alike(lowering, call, 2)
        return given(binary(lowering, operator, (left, right), call.place))

    return lower


def _size(lowering: Lowering, call: Call) -> Value:
    """`abs` of an integer or float, in the type of the promoted operand."""
    return given(_absolute(lowering, alike(lowering, call, 1), call.place))


def _rounded(name: str) -> BuiltInFunction:
    """A float rounded to a `long long`."""

    def lower(lowering: Lowering, call: Call) -> Value:
        whole = function(lowering, name, real(lowering, call, 1), call.place)
        return given(convert(lowering, whole, Scalar.S64, call.place))

    return lower


def _scaled(lowering: Lowering, call: Call) -> Value:
    """`ldexp`: times a power of two."""
    counted(lowering, call, 2)
    value, exponent = real(lowering, call, 2)
    power = function(lowering, "exp2", (convert(lowering, exponent, value.type, call.place),), call.place)
    return given(binary(lowering, Operator.MULTIPLY, (value, power), call.place))


def _both(kind: Scalar) -> BuiltInFunction:
    """`sincos`: the sine and the cosine go where two pointers point."""

    def lower(lowering: Lowering, call: Call) -> Value:
        counted(lowering, call, 3)
        angle = typed(lowering, _first_of(call), (kind,))
        for name, argument in zip(("sin", "cos"), call.arguments[1:], strict=True):
            target = pointed(pointer(lowering, argument))
            value = given(function(lowering, name, angle, call.place))
            stored(lowering, target, converted(lowering, value, target.type, argument), call.place)
        return NOTHING

    return lower


def _first_of(call: Call) -> Call:
    return Call(call.name, call.template, call.receiver, call.arguments[:1], call.node, call.place)


def _median(lowering: Lowering, call: Call) -> Value:
    """`clamp(x, low, high)`."""
    value, low, high = alike(lowering, call, 3)
    least = binary(lowering, Operator.MAXIMUM, (value, low), call.place)
    return given(binary(lowering, Operator.MINIMUM, (least, high), call.place))


def _chosen_truth(compute: Compute) -> BuiltInFunction:
    def lower(lowering: Lowering, call: Call) -> Value:
        return given(compute(lowering, real(lowering, call, 1), call.place))

    return lower


def _copy(name: str, letter: str, kind: Scalar) -> dict[str, BuiltInFunction]:
    arity, compute = _OPERATIONS[name]
    return {f"__{letter}{name}_r{way}": _fixed(kind, arity, compute) for way in "nzud"}


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    **{name: _generic(*computed) for name, computed in _COMPUTED.items()},
    **{f"{name}f": _fixed(Scalar.F32, *computed) for name, computed in _COMPUTED.items()},
    **{f"__{name}f": _fixed(Scalar.F32, *_COMPUTED[name]) for name in _FAST},
    **{name: entry for each in _OPERATIONS for name, entry in _copy(each, "f", Scalar.F32).items()},
    **{name: entry for each in _OPERATIONS for name, entry in _copy(each, "d", Scalar.F64).items()},
    **_copy("fmaf", "", Scalar.F32),
    **_copy("fma", "", Scalar.F64),
    **{name: _chosen_truth(compute) for name, compute in _TRUTHS.items()},
    "min": _extremum(Operator.MINIMUM),
    "max": _extremum(Operator.MAXIMUM),
    "umin": _extremum(Operator.MINIMUM),
    "umax": _extremum(Operator.MAXIMUM),
    "llmin": _extremum(Operator.MINIMUM),
    "llmax": _extremum(Operator.MAXIMUM),
    "abs": _size,
    "labs": _size,
    "llabs": _size,
    "clamp": _median,
    "__saturatef": _fixed(Scalar.F32, 1, _saturated),
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
