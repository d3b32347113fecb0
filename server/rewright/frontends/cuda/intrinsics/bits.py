"""Functions of the bits of integers: counts, products of parts, shifts through two words.

Must not know floats.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.emit.emitter import Emitter
from rewright.emit.operators import binary, convert, integer, unary
from rewright.emit.values import Value
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, Lowering
from rewright.frontends.cuda.intrinsics.operands import given, typed
from rewright.model.simt.instructions import Operand
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.verdict import Place


def _counted(operator: UnaryOperator, kind: Scalar) -> BuiltInFunction:
    """A count of bits, which is an `int`."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        (value,) = typed(lowering, call, (kind,))
        return given(
            convert(lowering.emitter, unary(lowering.emitter, operator, value, call.place), Scalar.S32, call.place)
        )

    return lower


def _reversed(kind: Scalar) -> BuiltInFunction:
    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        (value,) = typed(lowering, call, (kind,))
        return given(unary(lowering.emitter, UnaryOperator.REVERSE_BITS, value, call.place))

    return lower


def _high(kind: Scalar) -> BuiltInFunction:
    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        left, right = typed(lowering, call, (kind, kind))
        return given(binary(lowering.emitter, BinaryOperator.MULTIPLY_HIGH, (left, right), call.place))

    return lower


def _of_24_bits(kind: Scalar) -> BuiltInFunction:
    """The product of the lower 24 bits of both."""

    def cut(emitter: Emitter, value: Operand, place: Place) -> Operand:
        up = binary(emitter, BinaryOperator.SHIFT_LEFT, (value, integer(8)), place)
        return binary(emitter, BinaryOperator.SHIFT_RIGHT, (up, integer(8)), place)

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        left, right = (cut(lowering.emitter, value, call.place) for value in typed(lowering, call, (kind, kind)))
        return given(binary(lowering.emitter, BinaryOperator.MULTIPLY, (left, right), call.place))

    return lower


def _distance(kind: Scalar) -> BuiltInFunction:
    """`__sad(x, y, z)`: the distance of x and y, plus z."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        left, right, plus = typed(lowering, call, (kind, kind, Scalar.U32))
        upper = binary(emitter, BinaryOperator.MAXIMUM, (left, right), call.place)
        under = binary(emitter, BinaryOperator.MINIMUM, (left, right), call.place)
        apart = binary(emitter, BinaryOperator.SUBTRACT, (upper, under), call.place)
        unsigned = convert(emitter, apart, Scalar.U32, call.place)
        return given(binary(emitter, BinaryOperator.ADD, (unsigned, plus), call.place))

    return lower


_MODULO = (BinaryOperator.AND, 31)
_CLAMPED = (BinaryOperator.MINIMUM, 32)


def _funnel(operator: BinaryOperator, limit: tuple[BinaryOperator, int]) -> BuiltInFunction:
    """Two words side by side, shifted: the upper word of a shift to the left, the lower one of a shift to the right."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        low, high, amount = typed(lowering, call, (Scalar.U64, Scalar.U64, Scalar.U32))
        upper = binary(emitter, BinaryOperator.SHIFT_LEFT, (high, integer(32)), call.place)
        both = binary(emitter, BinaryOperator.OR, (upper, _word(emitter, low, call.place)), call.place)
        count = binary(emitter, limit[0], (amount, integer(limit[1], Scalar.U32)), call.place)
        moved = binary(emitter, operator, (both, count), call.place)
        if operator is BinaryOperator.SHIFT_LEFT:
            moved = binary(emitter, BinaryOperator.SHIFT_RIGHT, (moved, integer(32)), call.place)
        return given(convert(emitter, moved, Scalar.U32, call.place))

    return lower


def _word(emitter: Emitter, value: Operand, place: Place) -> Operand:
    return binary(emitter, BinaryOperator.AND, (value, integer(0xFFFFFFFF, Scalar.U64)), place)


def _permuted(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__byte_perm(x, y, s)`: four bytes of y and x side by side, chosen by the nibbles of s."""
    emitter = lowering.emitter
    low, high, chosen = typed(lowering, call, (Scalar.U64, Scalar.U64, Scalar.U64))
    upper = binary(emitter, BinaryOperator.SHIFT_LEFT, (high, integer(32)), call.place)
    both = binary(emitter, BinaryOperator.OR, (upper, _word(emitter, low, call.place)), call.place)
    result: Operand = integer(0, Scalar.U64)
    for place in range(4):
        nibble = binary(emitter, BinaryOperator.SHIFT_RIGHT, (chosen, integer(4 * place)), call.place)
        index = binary(emitter, BinaryOperator.AND, (nibble, integer(7, Scalar.U64)), call.place)
        shift = binary(emitter, BinaryOperator.MULTIPLY, (index, integer(8, Scalar.U64)), call.place)
        byte = binary(emitter, BinaryOperator.SHIFT_RIGHT, (both, shift), call.place)
        alone = binary(emitter, BinaryOperator.AND, (byte, integer(255, Scalar.U64)), call.place)
        there = binary(emitter, BinaryOperator.SHIFT_LEFT, (alone, integer(8 * place)), call.place)
        result = binary(emitter, BinaryOperator.OR, (result, there), call.place)
    return given(convert(emitter, result, Scalar.U32, call.place))


def _dot_of_bytes(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__dp4a(a, b, c)`: the sum of the products of four bytes each, plus c; signed."""
    emitter = lowering.emitter
    left, right, total = typed(lowering, call, (Scalar.S32, Scalar.S32, Scalar.S32))
    for place in range(4):
        factors = [
            binary(
                emitter,
                BinaryOperator.SHIFT_RIGHT,
                (binary(emitter, BinaryOperator.SHIFT_LEFT, (each, integer(24 - 8 * place)), call.place), integer(24)),
                call.place,
            )
            for each in (left, right)
        ]
        product = binary(emitter, BinaryOperator.MULTIPLY, (factors[0], factors[1]), call.place)
        total = binary(emitter, BinaryOperator.ADD, (total, product), call.place)
    return given(total)


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    "__popc": _counted(UnaryOperator.COUNT_ONES, Scalar.U32),
    "__popcll": _counted(UnaryOperator.COUNT_ONES, Scalar.U64),
    "__clz": _counted(UnaryOperator.LEADING_ZEROS, Scalar.U32),
    "__clzll": _counted(UnaryOperator.LEADING_ZEROS, Scalar.U64),
    "__ffs": _counted(UnaryOperator.FIRST_ONE, Scalar.U32),
    "__ffsll": _counted(UnaryOperator.FIRST_ONE, Scalar.U64),
    "__brev": _reversed(Scalar.U32),
    "__brevll": _reversed(Scalar.U64),
    "__mulhi": _high(Scalar.S32),
    "__umulhi": _high(Scalar.U32),
    "__mul64hi": _high(Scalar.S64),
    "__umul64hi": _high(Scalar.U64),
    "mulhi": _high(Scalar.S32),
    "umulhi": _high(Scalar.U32),
    "__mul24": _of_24_bits(Scalar.S32),
    "__umul24": _of_24_bits(Scalar.U32),
    "mul24": _of_24_bits(Scalar.S32),
    "umul24": _of_24_bits(Scalar.U32),
    "__sad": _distance(Scalar.S32),
    "__usad": _distance(Scalar.U32),
    "__funnelshift_l": _funnel(BinaryOperator.SHIFT_LEFT, _MODULO),
    "__funnelshift_r": _funnel(BinaryOperator.SHIFT_RIGHT, _MODULO),
    "__funnelshift_lc": _funnel(BinaryOperator.SHIFT_LEFT, _CLAMPED),
    "__funnelshift_rc": _funnel(BinaryOperator.SHIFT_RIGHT, _CLAMPED),
    "__byte_perm": _permuted,
    "__dp4a": _dot_of_bytes,
}
