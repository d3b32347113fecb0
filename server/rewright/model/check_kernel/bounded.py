"""Whether the value that an integer is given fits its type.

A value is computed exactly, as it is written, as far as it is made of numbers and of sizes and parameters before it
that have one. Must not know what is declared.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.model.body import Binary, Convert, Expression, Integer, Local, Unary, Variable
from rewright.model.check_kernel.scope import KernelScope
from rewright.model.index import Name
from rewright.model.simt.constants import limits
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere

Known = Mapping[Name, int]


def note_value(scope: KernelScope, local: Local, value: Expression, written: nodes.Expression) -> None:
    """Enters the value of a size or parameter if it is known; one that does not fit its type is an error."""
    scalar = local.type
    exact = _exact(value, scope.values) if scalar.is_integer and scalar is not Scalar.PRED else None
    if exact is None:
        return
    least, most = limits(scalar)
    if least <= exact <= most:
        scope.values[local.name] = exact
    else:
        expected = f"a value of type {scalar}, from {least} to {most}"
        scope.notes.error(CannotStandHere(str(exact), expected), written.span)


def _exact(expression: Expression, known: Known) -> int | None:
    match expression:
        case Integer():
            return expression.value
        case Variable():
            return known.get(expression.name)
        case Convert() if expression.operand.type.is_integer:
            return _exact(expression.operand, known)
        case Unary(operator=UnaryOperator.NEGATE):
            operand = _exact(expression.operand, known)
            return None if operand is None else -operand
        case Binary():
            left, right = _exact(expression.left, known), _exact(expression.right, known)
            return None if left is None or right is None else _combined(expression.operator, left, right)
        case _:
            return None


def _combined(operator: BinaryOperator, left: int, right: int) -> int | None:
    match operator:
        case BinaryOperator.ADD:
            return left + right
        case BinaryOperator.SUBTRACT:
            return left - right
        case BinaryOperator.MULTIPLY:
            return left * right
        case BinaryOperator.DIVIDE if right > 0 <= left:
            return left // right
        case BinaryOperator.SHIFT_LEFT if 0 <= right < 64:
            return left << right
        case _:
            return None
