"""Expressions over sizes, scalar parameters, bound indices and elements of inputs, for many instances at once.

An instance has no known value where it divides by zero, reads outside an array or one without contents; `None` in place
of a value says that no instance has one. Must not know requirements or launches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias, assert_never

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from rewright.kernels.execution.numbers import DTYPES
from rewright.model.body import (
    Atomic,
    Binary,
    Connective,
    Convert,
    Expression,
    Function,
    Integer,
    Load,
    Logical,
    Position,
    Real,
    Select,
    Shuffle,
    Unary,
    Variable,
    Vote,
)
from rewright.model.index import Name
from rewright.model.simt.types import BinaryOperator, UnaryOperator

InstanceValues: TypeAlias = NDArray[Any]
"""(instances,), or () where all have the same one, of the dtype of the expression's type (`numbers.DTYPES`)."""

InputElements: TypeAlias = NDArray[Any]
"""(elements,) of the dtype of the input's type (`numbers.DTYPES`), in row-major order."""

Addresses: TypeAlias = NDArray[np.int64]
"""(instances,) int64: the row-major number of the element that each instance reads, -1 where there is none."""


class Vector(NamedTuple):
    """Values of instances, and which of them are known: `known` is bool, (instances,) or ()."""

    data: InstanceValues
    known: NDArray[np.bool_]


class Input(Struct, frozen=True):
    """An array's extents, and its elements if there are any yet."""

    extents: tuple[int, ...]
    cells: InputElements | None


class Instances(Struct, frozen=True):
    """What names stand for in so many instances."""

    count: int
    variables: Mapping[Name, InstanceValues]
    inputs: Mapping[Name, Input]


_KNOWN = np.asarray(True)


def evaluate(expression: Expression, instances: Instances) -> Vector | None:
    """The value in each instance."""
    with np.errstate(all="ignore"):
        return _value(expression, instances)


def address(load: Load, instances: Instances) -> Addresses:
    """The row-major address that each instance reads, -1 where it is outside the array or not known."""
    held = instances.inputs.get(load.array)
    inside = np.full(instances.count, held is not None)
    flat = np.zeros(instances.count, np.int64)
    for written, extent in zip(load.indices, held.extents if held else (), strict=held is not None):
        index = evaluate(written, instances)
        if index is None:
            return np.full(instances.count, -1)
        numbers = index.data.astype(np.int64)
        inside = inside & index.known & (numbers >= 0) & (numbers < extent)
        flat = flat * extent + numbers
    return np.where(inside, flat, -1)


def _value(expression: Expression, instances: Instances) -> Vector | None:
    match expression:
        case Integer():
            return Vector(np.asarray(expression.value, DTYPES[expression.type]), _KNOWN)
        case Real():
            return Vector(np.asarray(float(expression.text.rstrip("fF")), DTYPES[expression.type]), _KNOWN)
        case Variable():
            held = instances.variables.get(expression.name)
            return None if held is None else Vector(held.astype(DTYPES[expression.type]), _KNOWN)
        case Load():
            return _loaded(expression, instances)
        case Unary():
            operand = _value(expression.operand, instances)
            return None if operand is None else _unary(expression.operator, operand)
        case Convert():
            operand = _value(expression.operand, instances)
            return None if operand is None else Vector(operand.data.astype(DTYPES[expression.type]), operand.known)
        case Binary():
            left, right = (_value(each, instances) for each in (expression.left, expression.right))
            return None if left is None or right is None else _binary(expression.operator, left, right)
        case Logical():
            left, right = (_value(each, instances) for each in (expression.left, expression.right))
            return _connected(expression.connective, left, right)
        case Select():
            parts = (expression.condition, expression.on_true, expression.on_false)
            return _selected(*(_value(each, instances) for each in parts))
        case Function() | Position() | Atomic() | Shuffle() | Vote():
            return None
        case _:
            assert_never(expression)


def _loaded(load: Load, instances: Instances) -> Vector | None:
    held = instances.inputs.get(load.array)
    if held is None or held.cells is None or not len(held.cells):
        return None
    flat = address(load, instances)
    return Vector(held.cells[np.maximum(flat, 0)].astype(DTYPES[load.type]), flat >= 0)


_UNARY: dict[UnaryOperator, np.ufunc] = {
    UnaryOperator.NEGATE: np.negative,
    UnaryOperator.COMPLEMENT: np.invert,
    UnaryOperator.NOT: np.logical_not,
    UnaryOperator.ABSOLUTE: np.absolute,
}
_BINARY: dict[BinaryOperator, np.ufunc] = {
    BinaryOperator.ADD: np.add,
    BinaryOperator.SUBTRACT: np.subtract,
    BinaryOperator.MULTIPLY: np.multiply,
    BinaryOperator.AND: np.bitwise_and,
    BinaryOperator.OR: np.bitwise_or,
    BinaryOperator.XOR: np.bitwise_xor,
    BinaryOperator.MINIMUM: np.minimum,
    BinaryOperator.MAXIMUM: np.maximum,
    BinaryOperator.LESS: np.less,
    BinaryOperator.LESS_EQUAL: np.less_equal,
    BinaryOperator.GREATER: np.greater,
    BinaryOperator.GREATER_EQUAL: np.greater_equal,
    BinaryOperator.EQUAL: np.equal,
    BinaryOperator.NOT_EQUAL: np.not_equal,
}


def _unary(operator: UnaryOperator, operand: Vector) -> Vector | None:
    """None for the operators that look at bits, which no precondition is written with."""
    known = _UNARY.get(operator)
    return None if known is None else Vector(np.asarray(known(operand.data)), operand.known)


def _binary(operator: BinaryOperator, left: Vector, right: Vector) -> Vector | None:
    known = left.known & right.known
    match operator:
        case BinaryOperator.DIVIDE | BinaryOperator.REMAINDER if left.data.dtype.kind != "f":
            nonzero = right.data != 0
            divisor = np.where(nonzero, right.data, 1).astype(right.data.dtype)
            rest = np.fmod(left.data, divisor)
            data = rest if operator is BinaryOperator.REMAINDER else (left.data - rest) // divisor
            return Vector(np.asarray(data), known & nonzero)
        case BinaryOperator.DIVIDE:
            return Vector(np.asarray(left.data / right.data), known)
        case BinaryOperator.REMAINDER:
            return Vector(np.asarray(np.fmod(left.data, right.data)), known)
        case BinaryOperator.SHIFT_LEFT | BinaryOperator.SHIFT_RIGHT:
            return _shifted(operator, left, right)
        case _:
            of = _BINARY.get(operator)
            return None if of is None else Vector(np.asarray(of(left.data, right.data)), known)


def _shifted(operator: BinaryOperator, left: Vector, right: Vector) -> Vector:
    """A shift; by a negative amount, or by the width or more, it has no known value."""
    within = (right.data >= 0) & (right.data < left.data.dtype.itemsize * 8)
    amount = np.where(within, right.data, 0).astype(left.data.dtype)
    data = left.data << amount if operator is BinaryOperator.SHIFT_LEFT else left.data >> amount
    return Vector(np.asarray(data), left.known & right.known & within)


def _connected(connective: Connective, left: Vector | None, right: Vector | None) -> Vector | None:
    """Known where both operands are, or where the left one decides; the right one counts only where it is evaluated."""
    if left is None:
        return None
    decides = left.data if connective is Connective.OR else ~left.data
    if right is None:
        return Vector(left.data, left.known & decides)
    data = left.data | right.data if connective is Connective.OR else left.data & right.data
    return Vector(np.asarray(data), left.known & (decides | right.known))


def _selected(condition: Vector | None, on_true: Vector | None, on_false: Vector | None) -> Vector | None:
    if condition is None or on_true is None or on_false is None:
        return None
    data = np.where(condition.data, on_true.data, on_false.data)
    return Vector(data, condition.known & np.where(condition.data, on_true.known, on_false.known))
