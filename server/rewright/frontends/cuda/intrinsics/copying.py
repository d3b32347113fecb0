"""`memcpy` and `memset`: accesses as wide as the pointers are aligned, in a loop unless the length is known and small.

Must not know other built-ins.
"""

from __future__ import annotations

from collections.abc import Callable

from rewright.emit.builder import Label
from rewright.emit.emitter import Emitter
from rewright.emit.memory import offset_by
from rewright.emit.operators import binary, convert, integer, move
from rewright.emit.types import Pointer, alignment_of
from rewright.emit.values import Rvalue, Value
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, Lowering
from rewright.frontends.cuda.cxx.operands import constant, pointer, scalar
from rewright.frontends.cuda.intrinsics.operands import counted
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Operand, Register
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.verdict import Place

_WORDS = {16: (Scalar.U32, 4), 8: (Scalar.U64, 1), 4: (Scalar.U32, 1), 2: (Scalar.U16, 1), 1: (Scalar.U8, 1)}

MOST_BYTES = 4096
"""Bytes of a call that is written out, up to 16 an instruction; more are moved in a loop."""

Moved = Callable[[Operand, int], None]
"""Moves so many bytes at an offset."""


def copied_bytes(lowering: Lowering, call: BuiltInCall) -> Value:
    """`memcpy(to, from, bytes)`: gives `to`."""
    emitter = lowering.emitter
    counted(emitter, call, 3)
    to, source = (pointer(lowering, argument) for argument in call.arguments[:2])
    places = [emitter.place(argument) for argument in call.arguments[:2]]

    def move_bytes(offset: Operand, width: int) -> None:
        words = tuple(emitter.temporary(_WORDS[width][0]) for _ in range(_WORDS[width][1]))
        emitter.emit(simt.Load(words, _further(emitter, source, offset, places[1]), (), places[1]))
        emitter.emit(simt.Store(words, _further(emitter, to, offset, places[0]), (), places[0]))

    _repeated(lowering, call, min(_alignment(to), _alignment(source)), move_bytes)
    return to


def filled_bytes(lowering: Lowering, call: BuiltInCall) -> Value:
    """`memset(to, byte, bytes)`: gives `to`."""
    emitter = lowering.emitter
    counted(emitter, call, 3)
    to, byte = pointer(lowering, call.arguments[0]), scalar(lowering, call.arguments[1], Scalar.U8)
    place = emitter.place(call.arguments[0])

    def fill_bytes(offset: Operand, width: int) -> None:
        kind, count = _WORDS[width]
        every = integer(int.from_bytes(b"\1" * kind.bytes, "little"), kind)
        word = binary(emitter, BinaryOperator.MULTIPLY, (convert(emitter, byte, kind, place), every), place)
        emitter.emit(simt.Store((word,) * count, _further(emitter, to, offset, place), (), place))

    _repeated(lowering, call, _alignment(to), fill_bytes)
    return to


def _repeated(lowering: Lowering, call: BuiltInCall, alignment: int, moved: Moved) -> None:
    """Moves the bytes of a call's third argument, in words as wide as they may be."""
    emitter = lowering.emitter
    size = constant(lowering, call.arguments[2])
    if size is not None and 0 <= size <= MOST_BYTES:
        width = max(word for word in _WORDS if word <= alignment and size % word == 0)
        for offset in range(0, size, width):
            moved(integer(offset, Scalar.U64), width)
        return
    count = scalar(lowering, call.arguments[2], Scalar.U64)
    at = emitter.temporary(Scalar.U64)
    move(emitter, at, integer(0, Scalar.U64), call.place)
    width = max(word for word in _WORDS if word <= min(alignment, 8))
    if width > 1:
        last = binary(emitter, BinaryOperator.SUBTRACT, (count, _rest(emitter, count, width, call.place)), call.place)
        _loop(emitter, (at, last, width), moved, call.place)
    _loop(emitter, (at, count, 1), moved, call.place)


def _rest(emitter: Emitter, count: Operand, width: int, place: Place) -> Operand:
    return binary(emitter, BinaryOperator.REMAINDER, (count, integer(width, Scalar.U64)), place)


def _loop(emitter: Emitter, over: tuple[Register, Operand, int], moved: Moved, place: Place) -> None:
    """Moves words from an offset on, up to another one."""
    at, end, width = over
    head, after = Label(), Label()
    with emitter.builder.loop(place):
        emitter.land(head)
        emitter.builder.branch(binary(emitter, BinaryOperator.LESS, (at, end), place), after, place)
        moved(at, width)
        move(emitter, at, offset_by(emitter, at, width, place), place)
        emitter.builder.jump(head, place)
    emitter.land(after)


def _further(emitter: Emitter, to: Rvalue, offset: Operand, place: Place) -> Operand:
    return binary(emitter, BinaryOperator.ADD, (to.operand, offset), place)


def _alignment(value: Rvalue) -> int:
    assert isinstance(value.type, Pointer)
    return alignment_of(value.type.to)
