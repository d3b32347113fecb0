"""Operators on operands: folded where all are constants, else one instruction.

Owns which operators are folded; their arithmetic is in `model.simt.constants`. Must not know C's types, nor text.
"""

from __future__ import annotations

import math

from rewright.emit.emitter import Emitter
from rewright.model.simt import constants
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Operand, Register
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.verdict import Place

TRUE = Constant(1, Scalar.PRED)
FALSE = Constant(0, Scalar.PRED)


def integer(value: int, scalar: Scalar = Scalar.S32) -> Constant:
    """An integer constant, wrapped into its type."""
    return Constant(constants.wrapped(value, scalar), scalar)


def binary(emitter: Emitter, operator: BinaryOperator, operands: tuple[Operand, Operand], place: Place) -> Operand:
    """A binary operator on two operands of one type (the amount of a shift may differ)."""
    left, right = operands
    result = Scalar.PRED if operator.is_comparison else left.type
    if isinstance(left, Constant) and isinstance(right, Constant):
        folded = folded_binary(operator, left, right)
        if folded is not None:
            return folded
    if (same := _neutral(operator, left, right)) is not None:
        return same
    register = emitter.temporary(result)
    emitter.emit(simt.Binary(operator, register, left, right, place))
    return register


def folded_binary(operator: BinaryOperator, left: Constant, right: Constant) -> Constant | None:
    """What the operator gives on constants, None if it is left to the execution: floats, and what is no value in C."""
    result = Scalar.PRED if operator.is_comparison else left.type
    if left.type.is_float and not operator.is_comparison:
        return None
    if operator.is_shift and not 0 <= right.value < left.type.bits:
        return None
    try:
        return Constant(constants.binary(operator, left.value, right.value, left.type), result)
    except constants.NoValue:
        return None


def _neutral(operator: BinaryOperator, left: Operand, right: Operand) -> Operand | None:
    """The other operand where one is neutral: nothing added, a factor one, a shift by nothing."""
    if left.type.is_float:
        return None
    match operator, left, right:
        case (
            BinaryOperator.ADD | BinaryOperator.SUBTRACT | BinaryOperator.SHIFT_LEFT | BinaryOperator.SHIFT_RIGHT,
            _,
            Constant(value=0),
        ):
            return left
        case (BinaryOperator.ADD, Constant(value=0), _):
            return right
        case (BinaryOperator.MULTIPLY | BinaryOperator.DIVIDE, _, Constant(value=1)) if left.type is not Scalar.PRED:
            return left
        case (BinaryOperator.MULTIPLY, Constant(value=1), _) if left.type is not Scalar.PRED:
            return right
        case (BinaryOperator.AND, Constant(value=1), _) | (BinaryOperator.OR, Constant(value=0), _) if (
            left.type is Scalar.PRED
        ):
            return right
        case (BinaryOperator.AND, _, Constant(value=1)) | (BinaryOperator.OR, _, Constant(value=0)) if (
            left.type is Scalar.PRED
        ):
            return left
        case _:
            return None


def unary(emitter: Emitter, operator: UnaryOperator, operand: Operand, place: Place) -> Operand:
    """A unary operator."""
    folded = folded_unary(operator, operand) if isinstance(operand, Constant) else None
    if folded is not None:
        return folded
    register = emitter.temporary(operand.type)
    emitter.emit(simt.Unary(operator, register, operand, place))
    return register


def folded_unary(operator: UnaryOperator, operand: Constant) -> Constant | None:
    """What the operator gives on a constant, None if it is left to the execution."""
    is_folded = operator in _FOLDED_UNARY or (operator is UnaryOperator.ABSOLUTE and not operand.type.is_float)
    result = Scalar.PRED if operator is UnaryOperator.NOT else operand.type
    return Constant(constants.unary(operator, operand.value, operand.type), result) if is_folded else None


_FOLDED_UNARY = (UnaryOperator.NOT, UnaryOperator.NEGATE, UnaryOperator.COMPLEMENT)


def convert(emitter: Emitter, operand: Operand, scalar: Scalar, place: Place) -> Operand:
    """The operand as a value of the type."""
    if operand.type is scalar:
        return operand
    if isinstance(operand, Constant) and (folded := folded_convert(operand, scalar)) is not None:
        return folded
    register = emitter.temporary(scalar)
    emitter.emit(simt.Convert(register, operand, place))
    return register


def folded_convert(operand: Constant, scalar: Scalar) -> Constant | None:
    """The constant as one of the type, None if it is left to the execution: what an integer type may not hold."""
    value = operand.value
    if scalar.is_float or not operand.type.is_float:
        return Constant(constants.converted(value, scalar), scalar)
    is_inside = math.isfinite(value) and abs(value) < 1 << 30 and (value >= 0 or scalar.is_signed)
    return Constant(constants.converted(value, scalar), scalar) if is_inside and scalar.bits >= 32 else None


def reinterpret(emitter: Emitter, operand: Operand, scalar: Scalar, place: Place) -> Operand:
    """The bits of the operand as a value of another type of the same width."""
    if operand.type is scalar:
        return operand
    if isinstance(operand, Constant) and not operand.type.is_float and not scalar.is_float:
        return integer(int(operand.value), scalar)
    register = emitter.temporary(scalar)
    emitter.emit(simt.Reinterpret(register, operand, place))
    return register


def choose(emitter: Emitter, condition: Operand, values: tuple[Operand, Operand], place: Place) -> Operand:
    """The first of two values of one type where the condition holds, else the second."""
    if isinstance(condition, Constant):
        return values[0] if condition.value else values[1]
    register = emitter.temporary(values[0].type)
    emitter.emit(simt.Choose(register, condition, *values, place))
    return register


def function(emitter: Emitter, name: str, operands: tuple[Operand, ...], place: Place) -> Operand:
    """A mathematical function of operands of one type."""
    register = emitter.temporary(operands[0].type)
    emitter.emit(simt.Function(name, register, operands, place))
    return register


def move(emitter: Emitter, target: Register, operand: Operand, place: Place) -> None:
    """Copies an operand of the same type into a register."""
    emitter.emit(simt.Move(target, operand, place))
