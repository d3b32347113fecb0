"""Conversions between types of numbers by name, and the bits of one read as another.

Owns the names: `__float2int_rn`, `__uint2float_rz`, `__int_as_float`. Must not know arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.emit.operators import binary, convert, function, integer, reinterpret
from rewright.emit.values import Value
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, Lowering
from rewright.frontends.cuda.intrinsics.operands import given, typed
from rewright.model.simt.types import BinaryOperator, Scalar

_KINDS = {
    "float": Scalar.F32,
    "double": Scalar.F64,
    "half": Scalar.F16,
    "bfloat16": Scalar.BF16,
    "int": Scalar.S32,
    "uint": Scalar.U32,
    "ll": Scalar.S64,
    "ull": Scalar.U64,
    "short": Scalar.S16,
    "ushort": Scalar.U16,
    "char": Scalar.S8,
    "uchar": Scalar.U8,
}
_ROUNDINGS = {"": None, "_rn": "round_even", "_rz": "trunc", "_ru": "ceil", "_rd": "floor"}
_BITS = {
    "int": Scalar.S32,
    "uint": Scalar.U32,
    "float": Scalar.F32,
    "longlong": Scalar.S64,
    "double": Scalar.F64,
    "half": Scalar.F16,
    "bfloat16": Scalar.BF16,
    "short": Scalar.S16,
    "ushort": Scalar.U16,
}


def _conversion(source: Scalar, target: Scalar, rounding: str | None) -> BuiltInFunction:
    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        (value,) = typed(lowering, call, (source,))
        if rounding is not None and source.is_float and not target.is_float:
            value = function(lowering.emitter, rounding, (value,), call.place)
        return given(convert(lowering.emitter, value, target, call.place))

    return lower


def _bits(source: Scalar, target: Scalar) -> BuiltInFunction:
    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        (value,) = typed(lowering, call, (source,))
        return given(reinterpret(lowering.emitter, value, target, call.place))

    return lower


def _from_halves(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__hiloint2double`."""
    emitter = lowering.emitter
    upper, lower = typed(lowering, call, (Scalar.U64, Scalar.U32))
    shifted = binary(emitter, BinaryOperator.SHIFT_LEFT, (upper, integer(32)), call.place)
    whole = binary(emitter, BinaryOperator.OR, (shifted, convert(emitter, lower, Scalar.U64, call.place)), call.place)
    return given(reinterpret(emitter, whole, Scalar.F64, call.place))


def _half_of(shift: int) -> BuiltInFunction:
    """`__double2hiint`, `__double2loint`."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        (value,) = typed(lowering, call, (Scalar.F64,))
        bits = reinterpret(emitter, value, Scalar.U64, call.place)
        moved = binary(emitter, BinaryOperator.SHIFT_RIGHT, (bits, integer(shift)), call.place)
        return given(convert(emitter, moved, Scalar.S32, call.place))

    return lower


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    **{
        f"__{source}2{target}{suffix}": _conversion(_KINDS[source], _KINDS[target], rounding)
        for source in _KINDS
        for target in _KINDS
        for suffix, rounding in _ROUNDINGS.items()
        if source != target
    },
    **{
        f"__{source}_as_{target}": _bits(_BITS[source], _BITS[target])
        for source in _BITS
        for target in _BITS
        if source != target and _BITS[source].bits == _BITS[target].bits
    },
    "__bfloat162float": _conversion(Scalar.BF16, Scalar.F32, None),
    "__hiloint2double": _from_halves,
    "__double2hiint": _half_of(32),
    "__double2loint": _half_of(0),
}
