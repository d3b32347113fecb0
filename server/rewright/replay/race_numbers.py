"""Machine integers one at a time, as Python integers. A value that is not known is None, and so is what it leads to.

Must not know expressions.
"""

from __future__ import annotations

from rewright.model.simt.types import Operator, Scalar, UnaryOperator

Number = int | None


def wrapped(value: int, scalar: Scalar) -> int:
    """The value modulo the type's width, in its range."""
    value %= 1 << scalar.bits
    if scalar.is_signed and value >= 1 << (scalar.bits - 1):
        value -= 1 << scalar.bits
    return value


def converted(value: int, scalar: Scalar) -> int:
    """The value in another type; a truth is 1 for anything but zero."""
    return int(value != 0) if scalar is Scalar.PRED else wrapped(value, scalar)


def unary(operator: UnaryOperator, value: int, scalar: Scalar) -> int:
    """The result, wrapped."""
    match operator:
        case UnaryOperator.NEGATE:
            return wrapped(-value, scalar)
        case UnaryOperator.COMPLEMENT:
            return wrapped(~value, scalar)
        case UnaryOperator.NOT:
            return 1 - value
        case UnaryOperator.ABSOLUTE:
            return wrapped(abs(value), scalar)
        case _:
            raise ValueError(operator)


def binary(operator: Operator, left: int, right: int, scalar: Scalar) -> int:
    """The result, wrapped to `scalar` (the operands' type). Raises `ZeroDivisionError`."""
    match operator:
        case Operator.ADD:
            return wrapped(left + right, scalar)
        case Operator.SUBTRACT:
            return wrapped(left - right, scalar)
        case Operator.MULTIPLY:
            return wrapped(left * right, scalar)
        case Operator.DIVIDE:
            return wrapped(_truncated(left, right), scalar)
        case Operator.REMAINDER:
            return wrapped(left - right * _truncated(left, right), scalar)
        case Operator.SHIFT_LEFT:
            return wrapped(left << right, scalar) if 0 <= right < scalar.bits else 0
        case Operator.SHIFT_RIGHT:
            return left >> (right if 0 <= right < scalar.bits else scalar.bits)
        case Operator.AND:
            return left & right
        case Operator.OR:
            return left | right
        case Operator.XOR:
            return left ^ right
        case Operator.MINIMUM:
            return min(left, right)
        case Operator.MAXIMUM:
            return max(left, right)
        case _:
            return int(_compared(operator, left, right))


def _truncated(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _compared(operator: Operator, left: int, right: int) -> bool:
    outcomes = {
        Operator.LESS: left < right,
        Operator.LESS_EQUAL: left <= right,
        Operator.GREATER: left > right,
        Operator.GREATER_EQUAL: left >= right,
        Operator.EQUAL: left == right,
        Operator.NOT_EQUAL: left != right,
    }
    return outcomes[operator]
