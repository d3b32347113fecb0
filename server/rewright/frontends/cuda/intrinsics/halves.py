"""Arithmetic of half and bfloat16 numbers, one by one and in pairs, by the names of `cuda_fp16.h` and `cuda_bf16.h`.

Must not know memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.emit.operators import binary, convert, integer
from rewright.emit.types import StructType, leaves_of, vector
from rewright.emit.values import Rvalue, Value
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, Lowering
from rewright.frontends.cuda.cxx.operands import rvalue
from rewright.frontends.cuda.intrinsics.computations import Compute, named, not_a_number, of_alike, operated, signed
from rewright.frontends.cuda.intrinsics.operands import alike, counted, given, typed
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator

_OPERATIONS: Mapping[str, tuple[int, Compute]] = {
    "add": (2, operated(BinaryOperator.ADD)),
    "sub": (2, operated(BinaryOperator.SUBTRACT)),
    "mul": (2, operated(BinaryOperator.MULTIPLY)),
    "max": (2, operated(BinaryOperator.MAXIMUM)),
    "min": (2, operated(BinaryOperator.MINIMUM)),
    "neg": (1, signed(UnaryOperator.NEGATE)),
    "abs": (1, signed(UnaryOperator.ABSOLUTE)),
    "fma": (3, named("fma")),
}
_COMPARISONS: Mapping[str, Compute] = {
    "eq": operated(BinaryOperator.EQUAL),
    "ne": operated(BinaryOperator.NOT_EQUAL),
    "lt": operated(BinaryOperator.LESS),
    "le": operated(BinaryOperator.LESS_EQUAL),
    "gt": operated(BinaryOperator.GREATER),
    "ge": operated(BinaryOperator.GREATER_EQUAL),
}
_MATHEMATICS = {
    **{name: name for name in ("exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "sqrt", "rsqrt")},
    **{"rcp": "reciprocal", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "round_even"},
}


def _average_or_sum(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__hadd`: of integers the average, rounded down, of halves the sum."""
    emitter = lowering.emitter
    values = alike(lowering, call, 2)
    total = operated(BinaryOperator.ADD)
    if values[0].type.is_float:
        return given(total(emitter, values, call.place))
    wide = tuple(convert(emitter, value, Scalar.S64, call.place) for value in values)
    halved = binary(emitter, BinaryOperator.SHIFT_RIGHT, (total(emitter, wide, call.place), integer(1)), call.place)
    return given(convert(emitter, halved, values[0].type, call.place))


def _pairs(lowering: Lowering, call: BuiltInCall, count: int) -> list[Rvalue]:
    counted(lowering.emitter, call, count)
    values = [rvalue(lowering, argument) for argument in call.arguments]
    for value, argument in zip(values, call.arguments, strict=True):
        if not isinstance(value.type, StructType) or len(leaves_of(value.type)) != 2:
            lowering.emitter.refuse(argument, f"`{call.name}` takes pairs such as `half2`")
    return values


def _paired(arity: int, compute: Compute) -> BuiltInFunction:
    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        pairs = _pairs(lowering, call, arity)
        columns = zip(*(pair.leaves for pair in pairs), strict=True)
        return Rvalue(pairs[0].type, tuple(compute(lowering.emitter, column, call.place) for column in columns))

    return lower


def _part(number: int, target: Scalar | None) -> BuiltInFunction:
    """One half of a pair, as it is or as a float."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        leaf = _pairs(lowering, call, 1)[0].leaves[number]
        return given(convert(lowering.emitter, leaf, target or leaf.type, call.place))

    return lower


def _joined(name: str, source: Scalar) -> BuiltInFunction:
    """A pair from two numbers."""
    kind, target = _pair(name)

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        values = typed(lowering, call, (source, source))
        return Rvalue(kind, tuple(convert(lowering.emitter, value, target, call.place) for value in values))

    return lower


def _doubled(name: str, source: Scalar) -> BuiltInFunction:
    """A pair from one number twice."""
    kind, target = _pair(name)

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        (value,) = typed(lowering, call, (source,))
        return Rvalue(kind, (convert(lowering.emitter, value, target, call.place),) * 2)

    return lower


def _pair(name: str) -> tuple[StructType, Scalar]:
    """A type of pairs by its name, and what it is a pair of."""
    kind = vector(name)
    assert kind is not None
    return kind, leaves_of(kind)[0].scalar


def _recast(name: str) -> BuiltInFunction:
    """A pair from a pair of other numbers."""
    kind, target = _pair(name)

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        leaves = _pairs(lowering, call, 1)[0].leaves
        return Rvalue(kind, tuple(convert(lowering.emitter, leaf, target, call.place) for leaf in leaves))

    return lower


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    **{f"__h{name}": of_alike(*operation) for name, operation in _OPERATIONS.items()},
    **{f"__h{name}2": _paired(*operation) for name, operation in _OPERATIONS.items()},
    **{f"__h{name}_rn": of_alike(*_OPERATIONS[name]) for name in ("add", "sub", "mul")},
    **{f"__h{name}": of_alike(2, compute) for name, compute in _COMPARISONS.items()},
    **{f"h{name}": of_alike(1, named(meant)) for name, meant in _MATHEMATICS.items()},
    **{f"h2{name}": _paired(1, named(meant)) for name, meant in _MATHEMATICS.items()},
    "__hadd": _average_or_sum,
    "__hdiv": of_alike(2, operated(BinaryOperator.DIVIDE)),
    "__h2div": _paired(2, operated(BinaryOperator.DIVIDE)),
    "__hisnan": of_alike(1, not_a_number),
    "__low2half": _part(0, None),
    "__high2half": _part(1, None),
    "__low2float": _part(0, Scalar.F32),
    "__high2float": _part(1, Scalar.F32),
    "__low2bfloat16": _part(0, None),
    "__high2bfloat16": _part(1, None),
    "__half22float2": _recast("float2"),
    "__bfloat1622float2": _recast("float2"),
    "__float22half2_rn": _recast("half2"),
    "__float22bfloat162_rn": _recast("__nv_bfloat162"),
    "__half2half2": _doubled("half2", Scalar.F16),
    "__halves2half2": _joined("half2", Scalar.F16),
    "make_half2": _joined("half2", Scalar.F16),
    "__float2half2_rn": _doubled("half2", Scalar.F32),
    "__floats2half2_rn": _joined("half2", Scalar.F32),
    "__bfloat162bfloat162": _doubled("__nv_bfloat162", Scalar.BF16),
    "__halves2bfloat162": _joined("__nv_bfloat162", Scalar.BF16),
    "__float2bfloat162_rn": _doubled("__nv_bfloat162", Scalar.F32),
    "__floats2bfloat162_rn": _joined("__nv_bfloat162", Scalar.F32),
}
