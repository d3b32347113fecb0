"""Operators on operands: folded where all are constants, else one instruction.

Owns the arithmetic of constants, which is that of the SIMT form. Must not know C's types, nor text.
"""

from __future__ import annotations

import math
import operator as python
from collections.abc import Callable

from rewright.frontends.cuda.lower.emitter import Emitter
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Operand, Register
from rewright.model.simt.types import Operator, Scalar, UnaryOperator
from rewright.verdict import Place

TRUE = Constant(1, Scalar.PRED)
FALSE = Constant(0, Scalar.PRED)


def integer(value: int, scalar: Scalar = Scalar.S32) -> Constant:
    """An integer constant, wrapped into its type."""
    return Constant(wrapped(value, scalar), scalar)


def wrapped(value: int, scalar: Scalar) -> int:
    """The integer modulo the width of the type, in its range."""
    if scalar is Scalar.PRED:
        return int(value != 0)
    value &= (1 << scalar.bits) - 1
    return value - (1 << scalar.bits) if scalar.is_signed and value >> (scalar.bits - 1) else value


def binary(emitter: Emitter, operator: Operator, operands: tuple[Operand, Operand], place: Place) -> Operand:
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


def folded_binary(operator: Operator, left: Constant, right: Constant) -> Constant | None:
    """What the operator gives on constants, None if it is left to the execution."""
    result = Scalar.PRED if operator.is_comparison else left.type
    folded = _folded(operator, left, right)
    return None if folded is None else Constant(wrapped(folded, result), result)


_FOLDS: dict[Operator, Callable[[int, int], int]] = {
    Operator.ADD: python.add,
    Operator.SUBTRACT: python.sub,
    Operator.MULTIPLY: python.mul,
    Operator.AND: python.and_,
    Operator.OR: python.or_,
    Operator.XOR: python.xor,
    Operator.MINIMUM: min,
    Operator.MAXIMUM: max,
    Operator.LESS: python.lt,
    Operator.LESS_EQUAL: python.le,
    Operator.GREATER: python.gt,
    Operator.GREATER_EQUAL: python.ge,
    Operator.EQUAL: python.eq,
    Operator.NOT_EQUAL: python.ne,
}


def _folded(operator: Operator, left: Constant, right: Constant) -> int | None:
    """What the operator gives on integers or truths; comparisons fold on floats too, other operators do not."""
    if left.type.is_float:
        return int(_FOLDS[operator](left.value, right.value)) if operator.is_comparison else None  # type: ignore[arg-type]
    a, b = int(left.value), int(right.value)
    match operator:
        case Operator.DIVIDE | Operator.REMAINDER:
            if b == 0:
                return None
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if operator is Operator.DIVIDE else a - quotient * b
        case Operator.SHIFT_LEFT | Operator.SHIFT_RIGHT:
            if not 0 <= b < left.type.bits:
                return None
            return a << b if operator is Operator.SHIFT_LEFT else a >> b
        case Operator.MULTIPLY_HIGH:
            return a * b >> left.type.bits
        case _:
            return int(_FOLDS[operator](a, b))


def _neutral(operator: Operator, left: Operand, right: Operand) -> Operand | None:
    """The other operand where one is neutral: nothing added, a factor one, a shift by nothing."""
    if left.type.is_float:
        return None
    match operator, left, right:
        case (Operator.ADD | Operator.SUBTRACT | Operator.SHIFT_LEFT | Operator.SHIFT_RIGHT, _, Constant(value=0)):
            return left
        case (Operator.ADD, Constant(value=0), _):
            return right
        case (Operator.MULTIPLY | Operator.DIVIDE, _, Constant(value=1)) if left.type is not Scalar.PRED:
            return left
        case (Operator.MULTIPLY, Constant(value=1), _) if left.type is not Scalar.PRED:
            return right
        case (Operator.AND, Constant(value=1), _) | (Operator.OR, Constant(value=0), _) if left.type is Scalar.PRED:
            return right
        case (Operator.AND, _, Constant(value=1)) | (Operator.OR, _, Constant(value=0)) if left.type is Scalar.PRED:
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
    match operator:
        case UnaryOperator.NOT:
            return integer(int(operand.value == 0), Scalar.PRED)
        case UnaryOperator.NEGATE if operand.type.is_float:
            return Constant(-operand.value, operand.type)
        case UnaryOperator.NEGATE:
            return integer(-int(operand.value), operand.type)
        case UnaryOperator.COMPLEMENT:
            return integer(~int(operand.value), operand.type)
        case UnaryOperator.ABSOLUTE if not operand.type.is_float:
            return integer(abs(int(operand.value)), operand.type)
        case _:
            return None


def convert(emitter: Emitter, operand: Operand, scalar: Scalar, place: Place) -> Operand:
    """The operand as a value of the type."""
    if operand.type is scalar:
        return operand
    if isinstance(operand, Constant) and (folded := folded_convert(operand, scalar)) is not None:
        return folded
    register = emitter.temporary(scalar)
    emitter.emit(simt.Convert(register, operand, place))
    return register


DIGITS = {Scalar.F16: 11, Scalar.BF16: 8, Scalar.F32: 24, Scalar.F64: 53}
"""How many binary digits of a number each float type keeps."""


def folded_convert(operand: Constant, scalar: Scalar) -> Constant | None:
    """The constant as one of the type, None if it is left to the execution."""
    value = operand.value
    match scalar.is_float, operand.type.is_float:
        case False, False:
            return integer(int(value), scalar)
        case True, False:
            return Constant(float(value), scalar) if abs(int(value)) <= 1 << DIGITS[scalar] else None
        case True, True:
            widens = scalar.bits > operand.type.bits or not math.isfinite(value) or _is_short(float(value))
            return Constant(value, scalar) if widens else None
        case _:
            inside = math.isfinite(value) and abs(value) < 1 << 30 and (value >= 0 or scalar.is_signed)
            return integer(int(value), scalar) if inside and scalar.bits >= 32 else None


def _is_short(value: float) -> bool:
    """Whether every float type holds the number."""
    return value * 4 == int(value * 4) and abs(value) < 1 << 6 if math.isfinite(value) else True


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
