"""What a whole warp makes of a value of each of its threads: sums, extrema, who has the same.

Lowered to shuffles between all threads of the warp; for parts of a warp it is refused. Must not know thread groups.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.emit.emitter import Emitter
from rewright.emit.operators import binary, choose, convert, integer
from rewright.emit.values import Rvalue, Value
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, Lowering
from rewright.frontends.cuda.cxx.operands import constant, number
from rewright.frontends.cuda.intrinsics.operands import counted, given
from rewright.frontends.cuda.intrinsics.warps import LANES, WHOLE, ExchangeForm, shuffled
from rewright.model.simt.instructions import Operand, ShuffleKind
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.verdict import Place


def combined(emitter: Emitter, what: tuple[BinaryOperator, Rvalue], among: tuple[Operand, int], place: Place) -> Rvalue:
    """An operator over the values of all threads of a part of the warp: its mask and its size, a power of two."""
    (operator, value), (mask, size) = what, among
    distance = size // 2
    while distance:
        how = ExchangeForm(ShuffleKind.XOR, mask, integer(distance), integer(size))
        other = shuffled(emitter, how, value, place).operand
        own = convert(emitter, value.operand, other.type, place)
        value = given(binary(emitter, operator, (own, other), place))
        distance //= 2
    return value


def _whole(lowering: Lowering, call: BuiltInCall) -> None:
    """Refuses a mask that does not name all threads of the warp."""
    mask = constant(lowering, call.arguments[0])
    if mask is None or mask & 0xFFFFFFFF != 0xFFFFFFFF:
        lowering.emitter.refuse_construct(call.arguments[0], f"`{call.name}` for a part of a warp")


def _reduction(operator: BinaryOperator) -> BuiltInFunction:
    """`__reduce_add_sync(mask, value)` and its like, of `int` and `unsigned`."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        counted(emitter, call, 2)
        _whole(lowering, call)
        written = number(lowering, call.arguments[1])
        scalar = Scalar.S32 if written.type.is_signed else Scalar.U32
        value = given(convert(emitter, written, scalar, call.place))
        return combined(emitter, (operator, value), (WHOLE, LANES), call.place)

    return lower


def _same(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__match_any_sync(mask, value)`: the threads that have the same value."""
    emitter = lowering.emitter
    counted(emitter, call, 2)
    _whole(lowering, call)
    value = given(number(lowering, call.arguments[1]))
    found: Operand = integer(0, Scalar.U32)
    for lane in range(LANES):
        how = ExchangeForm(ShuffleKind.INDEX, WHOLE, integer(lane), integer(LANES))
        other = shuffled(emitter, how, value, call.place).operand
        own = convert(emitter, value.operand, other.type, call.place)
        equal = binary(emitter, BinaryOperator.EQUAL, (own, other), call.place)
        bit = choose(emitter, equal, (integer(1 << lane, Scalar.U32), integer(0, Scalar.U32)), call.place)
        found = binary(emitter, BinaryOperator.OR, (found, bit), call.place)
    return given(found)


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    "__reduce_add_sync": _reduction(BinaryOperator.ADD),
    "__reduce_min_sync": _reduction(BinaryOperator.MINIMUM),
    "__reduce_max_sync": _reduction(BinaryOperator.MAXIMUM),
    "__reduce_and_sync": _reduction(BinaryOperator.AND),
    "__reduce_or_sync": _reduction(BinaryOperator.OR),
    "__reduce_xor_sync": _reduction(BinaryOperator.XOR),
    "__match_any_sync": _same,
}
