"""Built-in functions that are hardly more than C: `assert`, `__trap`, `make_float4`, `memcpy`.

Must not know the others.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.emit.memory import copied
from rewright.emit.operators import FALSE, binary, convert, integer, move
from rewright.emit.types import VECTOR_BASES, vector
from rewright.emit.values import NOTHING, Rvalue, Value
from rewright.frontends.cuda.cxx.initial import initial
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, Lowering
from rewright.frontends.cuda.cxx.operands import truth
from rewright.frontends.cuda.intrinsics.copying import copied_bytes, filled_bytes
from rewright.frontends.cuda.intrinsics.operands import counted, given
from rewright.frontends.cuda.intrinsics.unknown_inputs import unknown_input
from rewright.model.simt import instructions as simt
from rewright.model.simt.types import BinaryOperator, Scalar


def _assert(lowering: Lowering, call: BuiltInCall) -> Value:
    counted(lowering.emitter, call, 1)
    condition = call.arguments[0]
    right = condition.child_by_field_name("right")
    if condition.type == "binary_expression" and right is not None and "string" in right.type:
        condition = condition.child_by_field_name("left") or condition
    lowering.emitter.emit(simt.Assert(truth(lowering, condition), call.place))
    return NOTHING


def _trap(lowering: Lowering, call: BuiltInCall) -> Value:
    lowering.emitter.emit(simt.Assert(FALSE, call.place))
    return NOTHING


def _make(lowering: Lowering, call: BuiltInCall) -> Value:
    kind = vector(call.name.removeprefix("make_"))
    assert kind is not None
    counted(lowering.emitter, call, len(kind.fields))
    values = (initial(lowering, known.type, node) for known, node in zip(kind.fields, call.arguments, strict=True))
    return Rvalue(kind, tuple(leaf for value in values for leaf in value.leaves))


def _clock(kind: Scalar) -> BuiltInFunction:
    """What a clock shows: any number at first, a greater one at each further look of the thread."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        counted(lowering.emitter, call, 0)
        emitter = lowering.emitter
        if ("clock",) not in emitter.once:
            first = unknown_input(emitter, "clock", Scalar.U32, call.place)
            emitter.once["clock",] = register = emitter.temporary(Scalar.S64)
            emitter.prologue.append(simt.Convert(register, first, call.place))
        register = emitter.once["clock",]
        later = binary(emitter, BinaryOperator.ADD, (register, integer(_TICKS, Scalar.S64)), call.place)
        move(emitter, register, later, call.place)
        return given(convert(emitter, copied(emitter, register, call.place), kind, call.place))

    return lower


_TICKS = 100
"""Between two looks at a clock."""


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    "assert": _assert,
    "__trap": _trap,
    "memcpy": copied_bytes,
    "memset": filled_bytes,
    "clock": _clock(Scalar.S64),
    "clock64": _clock(Scalar.S64),
    **{f"make_{base}{count}": _make for base in VECTOR_BASES for count in (1, 2, 3, 4)},
}
