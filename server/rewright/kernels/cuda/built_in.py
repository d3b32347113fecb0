"""The tables of built-in functions, methods and types, from the modules that each know a part of them.

Owns those that are hardly more than C: `assert`, `printf`, `__trap`, `make_float4`. Must not know the others.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.kernels.cuda import intrinsics
from rewright.kernels.cuda.casts import pointer, rvalue, truth
from rewright.kernels.cuda.copying import copied
from rewright.kernels.cuda.emit import FALSE
from rewright.kernels.cuda.hooks import BuiltInFunction, Call
from rewright.kernels.cuda.initial import initial
from rewright.kernels.cuda.lowering import Lowering
from rewright.kernels.cuda.types import vector
from rewright.kernels.cuda.values import NOTHING, Rvalue, Value
from rewright.model.simt import instructions as simt


def _assert(lowering: Lowering, call: Call) -> Value:
    if len(call.arguments) != 1:
        lowering.refuse(call.node, "`assert` takes one condition")
    condition = call.arguments[0]
    right = condition.child_by_field_name("right")
    if condition.type == "binary_expression" and right is not None and "string" in right.type:
        condition = condition.child_by_field_name("left") or condition
    lowering.builder.emit(simt.Assert(truth(lowering, condition), call.place))
    return NOTHING


def _aligned(lowering: Lowering, call: Call) -> Value:
    """`__builtin_assume_aligned(p, 16)`: the pointer."""
    return pointer(lowering, call.arguments[0])


def _print(lowering: Lowering, call: Call) -> Value:
    for argument in call.arguments:
        if "string" not in argument.type:
            rvalue(lowering, argument)
    return NOTHING


def _trap(lowering: Lowering, call: Call) -> Value:
    lowering.builder.emit(simt.Assert(FALSE, call.place))
    return NOTHING


def _make(lowering: Lowering, call: Call) -> Value:
    kind = vector(call.name.removeprefix("make_"))
    assert kind is not None
    if len(call.arguments) != len(kind.fields):
        lowering.refuse(call.node, f"`{call.name}` takes {len(kind.fields)} values")
    values = (initial(lowering, known.type, node) for known, node in zip(kind.fields, call.arguments, strict=True))
    return Rvalue(kind, tuple(leaf for value in values for leaf in value.leaves))


_BASES = (
    "char",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "long",
    "ulong",
    "longlong",
    "ulonglong",
    "float",
    "double",
)

FUNCTIONS: Mapping[str, BuiltInFunction] = {
    **intrinsics.FUNCTIONS,
    "assert": _assert,
    "printf": _print,
    "__trap": _trap,
    "__builtin_assume_aligned": _aligned,
    "memcpy": copied,
    **{f"make_{base}{count}": _make for base in _BASES for count in (1, 2, 3, 4)},
}
METHODS = intrinsics.METHODS
