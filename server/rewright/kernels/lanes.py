"""Values of all lanes of a block at once, and the arithmetic of machine integers on them.

Invariants: an array of lanes is never changed in place, so a value may be kept or shared; a value that is the same in
every lane has no dimension. A lane whose value is not known (a float, or something never written) is false in `known`;
`None` in place of a value says that no lane is known, which holds for every float. Must not know memory or control.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rewright.model.simt.types import Operator, Scalar, UnaryOperator

Array: TypeAlias = NDArray[Any]
Group: TypeAlias = NDArray[np.intp] | None
"""Lane numbers in ascending order; None is every lane of the block."""

NOWHERE: frozenset[str] = frozenset()


class Lanes(NamedTuple):
    """Known values: `data` has one element per lane of the group at hand, or no dimension.

    `known` is None where every lane is known. `sources` are the inputs that the value was computed from.
    """

    data: Array
    known: Array | None = None
    sources: frozenset[str] = NOWHERE


Value: TypeAlias = Lanes | None

DTYPES: dict[Scalar, np.dtype[Any]] = {
    Scalar.PRED: np.dtype(np.bool_),
    Scalar.S8: np.dtype(np.int8),
    Scalar.S16: np.dtype(np.int16),
    Scalar.S32: np.dtype(np.int32),
    Scalar.S64: np.dtype(np.int64),
    Scalar.U8: np.dtype(np.uint8),
    Scalar.U16: np.dtype(np.uint16),
    Scalar.U32: np.dtype(np.uint32),
    Scalar.U64: np.dtype(np.uint64),
}

_ARITHMETIC: dict[Operator, np.ufunc] = {
    Operator.ADD: np.add,
    Operator.SUBTRACT: np.subtract,
    Operator.MULTIPLY: np.multiply,
    Operator.AND: np.bitwise_and,
    Operator.OR: np.bitwise_or,
    Operator.XOR: np.bitwise_xor,
    Operator.MINIMUM: np.minimum,
    Operator.MAXIMUM: np.maximum,
    Operator.REMAINDER: np.fmod,
    Operator.LESS: np.less,
    Operator.LESS_EQUAL: np.less_equal,
    Operator.GREATER: np.greater,
    Operator.GREATER_EQUAL: np.greater_equal,
    Operator.EQUAL: np.equal,
    Operator.NOT_EQUAL: np.not_equal,
}
_UNARY: dict[UnaryOperator, np.ufunc] = {
    UnaryOperator.NEGATE: np.negative,
    UnaryOperator.COMPLEMENT: np.invert,
    UnaryOperator.NOT: np.logical_not,
    UnaryOperator.ABSOLUTE: np.absolute,
}


def constant(value: int, scalar: Scalar) -> Lanes:
    """An integer in every lane, wrapped to its type."""
    bits = scalar.bits
    wrapped = value & ((1 << bits) - 1)
    if scalar.is_signed and wrapped >> (bits - 1):
        wrapped -= 1 << bits
    return Lanes(np.asarray(wrapped, DTYPES[scalar]))


def binary(operator: Operator, left: Lanes, right: Lanes) -> Lanes:
    """The result in each lane; a divisor must not be zero."""
    match operator:
        case Operator.DIVIDE:
            data = _quotient(left.data, right.data)
        case Operator.SHIFT_LEFT | Operator.SHIFT_RIGHT:
            data = _shift(operator, left.data, right.data)
        case _:
            data = _ARITHMETIC[operator](left.data, right.data)
    return Lanes(data, _both(left.known, right.known), union(left.sources, right.sources))


def unary(operator: UnaryOperator, operand: Lanes) -> Lanes:
    """The result in each lane."""
    return Lanes(np.asarray(_UNARY[operator](operand.data)), operand.known, operand.sources)


def convert(operand: Lanes, scalar: Scalar) -> Lanes:
    """An integer or truth as another integer type (wrapped) or as a truth (not zero)."""
    return Lanes(operand.data.astype(DTYPES[scalar]), operand.known, operand.sources)


def part(value: Lanes, chosen: Array) -> Lanes:
    """The lanes of the group that `chosen` selects."""
    data = value.data[chosen] if value.data.ndim else value.data
    known = value.known if value.known is None or not value.known.ndim else value.known[chosen]
    return Lanes(data, _partial(known), value.sources)


def merge(old: Value, group: Group, new: Value, lanes: int) -> Value:
    """`old`, a value of the whole block, with the lanes of `group` replaced by those of `new`."""
    if group is None:
        return new
    if old is None and new is None:
        return None
    data = np.empty(lanes, (new or old).data.dtype)  # type: ignore[union-attr]
    data[...] = 0 if old is None else old.data
    known = np.empty(lanes, np.bool_)
    known[...] = old is not None and (True if old.known is None else old.known)
    if new is None:
        known[group] = False
    else:
        data[group] = new.data
        known[group] = True if new.known is None else new.known
    sources = union(old.sources if old else NOWHERE, new.sources if new else NOWHERE)
    return Lanes(data, _partial(known), sources)


def choose(condition: Lanes, on_true: Value, on_false: Value, count: int) -> Value:
    """The value of `on_true` where the condition holds, else of `on_false`, not known where the chosen one is not."""
    if on_true is None and on_false is None:
        return None
    typed = on_true or on_false
    assert typed is not None
    zero = Lanes(np.zeros_like(typed.data), np.zeros(count, np.bool_))
    yes, no = on_true or zero, on_false or zero
    data = np.where(condition.data, yes.data, no.data)
    sources = union(condition.sources, union(yes.sources, no.sources))
    if condition.known is None and yes.known is None and no.known is None:
        return Lanes(data, None, sources)
    known = np.where(condition.data, _knowledge(yes), _knowledge(no)) & _knowledge(condition)
    return Lanes(spread(data, count), _partial(spread(known, count)), sources)


def _partial(known: Array | None) -> Array | None:
    """None if every lane is known."""
    return None if known is None or known.all() else known


def _knowledge(value: Lanes) -> Array:
    return np.asarray(True) if value.known is None else value.known


def union(left: frozenset[str], right: frozenset[str]) -> frozenset[str]:
    """Both sets of inputs."""
    return left | right if right else left


def spread(data: Array, count: int) -> Array:
    """One element for each of `count` lanes."""
    return data if data.ndim else np.broadcast_to(data, count)


def _both(left: Array | None, right: Array | None) -> Array | None:
    if left is None:
        return right
    return left if right is None else left & right


def _quotient(left: Array, right: Array) -> Array:
    """Truncated division: the remainder has the sign of the dividend, so the rest divides exactly."""
    return np.asarray((left - np.fmod(left, right)) // right)


def _shift(operator: Operator, value: Array, amount: Array) -> Array:
    """A shift by an amount taken as unsigned; one of the width or more shifts everything out."""
    bits = value.dtype.itemsize * 8
    within = amount.astype(np.uint64) < bits
    small = np.where(within, amount, 0).astype(value.dtype)
    if operator is Operator.SHIFT_LEFT:
        return np.where(within, value << small, 0).astype(value.dtype)
    everything = np.where(value < 0, -1, 0) if value.dtype.kind == "i" else 0
    return np.where(within, value >> small, everything).astype(value.dtype)
