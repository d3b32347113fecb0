"""`memcpy` of a known number of bytes: accesses as wide as both sides are aligned. Must not know other built-ins."""

from __future__ import annotations

from rewright.frontends.cuda.cxx.lowering import BuiltInCall, Lowering
from rewright.frontends.cuda.cxx.operands import constant, pointer
from rewright.frontends.cuda.emit.memory import offset_by
from rewright.frontends.cuda.emit.types import Pointer, alignment_of
from rewright.frontends.cuda.emit.values import Rvalue, Value
from rewright.frontends.cuda.intrinsics.operands import counted
from rewright.model.simt import instructions as simt
from rewright.model.simt.types import Scalar

_WORDS = {16: (Scalar.U32, 4), 8: (Scalar.U64, 1), 4: (Scalar.U32, 1), 2: (Scalar.U16, 1), 1: (Scalar.U8, 1)}

MOST_BYTES = 4096
"""Bytes that one call may copy, which are loaded and stored by up to 16 an instruction."""


def copied_bytes(lowering: Lowering, call: BuiltInCall) -> Value:
    """`memcpy(to, from, bytes)`: gives `to`."""
    emitter = lowering.emitter
    counted(emitter, call, 3)
    to, source = (pointer(lowering, argument) for argument in call.arguments[:2])
    size = constant(lowering, call.arguments[2])
    if size is None or not 0 <= size <= MOST_BYTES:
        emitter.refuse(call.arguments[2], f"expected a known number of bytes up to {MOST_BYTES}")
    width = min(_alignment(to), _alignment(source))
    width = max(word for word in _WORDS if word <= width and size % word == 0)
    scalar, count = _WORDS[width]
    for offset in range(0, size, width):
        words = tuple(emitter.temporary(scalar) for _ in range(count))
        place = emitter.place(call.arguments[1])
        emitter.emit(simt.Load(words, offset_by(emitter, source.operand, offset, place), (), place))
        place = emitter.place(call.arguments[0])
        emitter.emit(simt.Store(words, offset_by(emitter, to.operand, offset, place), (), place))
    return to


def _alignment(value: Rvalue) -> int:
    assert isinstance(value.type, Pointer)
    return alignment_of(value.type.to)
