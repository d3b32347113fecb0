"""C's usual conversions, written out in the SIMT form.

Owns the step from operands of any types to operands of one type. Both front ends follow CUDA here: small integers and
truths are promoted to s32, a float beats an integer, the wider type beats the narrower, unsigned beats signed at equal
width. Must not know where the operands come from.
"""

from __future__ import annotations

from msgspec.structs import replace

from rewright.model.body import Binary, Convert, Expression, Integer, Real, Select, Unary
from rewright.model.simt.constants import limits
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.verdict import Place


def arithmetic(operator: BinaryOperator, left: Expression, right: Expression, place: Place) -> Expression:
    """A binary operator on converted operands."""
    if operator.is_shift:
        return Binary(operator, promoted(left), promoted(right), _promotion(left.type), place)
    common = common_type(left.type, right.type)
    result = Scalar.PRED if operator.is_comparison else common
    return Binary(operator, converted(left, common), converted(right, common), result, place)


def negated(operator: UnaryOperator, operand: Expression, place: Place) -> Expression:
    """A unary operator on the promoted operand (`not` on its truth)."""
    if operator is UnaryOperator.NOT:
        return Unary(operator, truth(operand), Scalar.PRED, place)
    operand = promoted(operand)
    return Unary(operator, operand, operand.type, place)


def selected(condition: Expression, on_true: Expression, on_false: Expression, place: Place) -> Expression:
    """A choice between two operands of one type."""
    same = on_true.type is on_false.type
    common = on_true.type if same else common_type(on_true.type, on_false.type)
    return Select(truth(condition), converted(on_true, common), converted(on_false, common), common, place)


def converted(expression: Expression, scalar: Scalar) -> Expression:
    """The expression as a value of the type; a literal that fits changes its type in place."""
    if expression.type is scalar:
        return expression
    match expression:
        case Integer() if scalar.is_integer and _fits(expression.value, scalar):
            return replace(expression, type=scalar)
        case Integer() if scalar.is_float:
            return Real(str(expression.value), scalar, expression.place)
        case Real() if scalar.is_float:
            return replace(expression, type=scalar)
        case _:
            return Convert(expression, scalar, expression.place)


def truth(expression: Expression) -> Expression:
    """The expression as a truth: is it not zero?"""
    return converted(expression, Scalar.PRED)


def promoted(expression: Expression) -> Expression:
    """The expression with small integers and truths as s32."""
    return converted(expression, _promotion(expression.type))


def _promotion(scalar: Scalar) -> Scalar:
    """The type after C's integer promotions."""
    return Scalar.S32 if not scalar.is_float and scalar.bits < 32 else scalar


def common_type(left: Scalar, right: Scalar) -> Scalar:
    """The type that C's usual arithmetic conversions give two operands; f16 with bf16 meet in f32."""
    left, right = _promotion(left), _promotion(right)
    if left.is_float != right.is_float:
        return left if left.is_float else right
    if left.bits != right.bits:
        return left if left.bits > right.bits else right
    if left is right:
        return left
    if left.is_float:
        return Scalar.F32
    return left if not left.is_signed else right


def _fits(value: int, scalar: Scalar) -> bool:
    low, high = limits(scalar)
    return low <= value <= high
