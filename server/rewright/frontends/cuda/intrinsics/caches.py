"""Reads and writes with a hint for the cache, and functions that do nothing here.

Must not know what is shared between threads.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.emit.memory import loaded, stored_in_memory
from rewright.emit.values import NOTHING, Value
from rewright.frontends.cuda.cxx.conversions import converted
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, Lowering
from rewright.frontends.cuda.cxx.operands import pointer, rvalue, truth
from rewright.frontends.cuda.intrinsics.objects import pointee
from rewright.frontends.cuda.intrinsics.operands import counted
from rewright.model.simt import instructions as simt


def _read(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__ldg(p)` and its like: a plain read."""
    counted(lowering.emitter, call, 1)
    return loaded(lowering.emitter, pointee(lowering, call.arguments[0]), call.place)


def _write(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__stcs(p, v)` and its like: a plain write."""
    emitter = lowering.emitter
    counted(emitter, call, 2)
    target, written = pointee(lowering, call.arguments[0]), call.arguments[1]
    value = converted(emitter, rvalue(lowering, written), target.type, written)
    stored_in_memory(emitter, target, value, call.place)
    return NOTHING


def _nothing(lowering: Lowering, call: BuiltInCall) -> Value:
    """A function that changes nothing; what its arguments do is done."""
    for argument in call.arguments:
        if "string" not in argument.type:
            rvalue(lowering, argument)
    return NOTHING


def _expected(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__builtin_expect(value, likely)`."""
    counted(lowering.emitter, call, 2)
    return rvalue(lowering, call.arguments[0])


def _assumed(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__builtin_assume(n % 4 == 0)`: runs where it is false are not spoken of."""
    counted(lowering.emitter, call, 1)
    lowering.emitter.emit(simt.Assume(truth(lowering, call.arguments[0]), call.place))
    return NOTHING


def _aligned(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__builtin_assume_aligned(p, 16)`: the pointer."""
    counted(lowering.emitter, call, 2, 3)
    return pointer(lowering, call.arguments[0])


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    **dict.fromkeys(("__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"), _read),
    **dict.fromkeys(("__stwb", "__stcg", "__stcs", "__stwt"), _write),
    "__nanosleep": _nothing,
    "__builtin_assume": _assumed,
    "__builtin_expect": _expected,
    "__builtin_assume_aligned": _aligned,
    "printf": _nothing,
}
