"""C's operators on values: promotions, usual conversions, arithmetic of pointers.

Must not know how operands are read.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import advanced
from rewright.emit.operators import binary, convert, integer, unary
from rewright.emit.types import BOOL, INT, LONG, Arithmetic, Pointer, StructType, Type, size_of
from rewright.emit.values import Rvalue
from rewright.frontends.cuda.cxx.conversions import converted, described, promotion
from rewright.model.conversions import common_type
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator

_OPERATORS = {operator.value: operator for operator in BinaryOperator if operator.value not in ("min", "max", "mulhi")}
_WORDS = {"bitand": "&", "bitor": "|", "xor": "^", "not_eq": "!="}
_INTEGERS_ONLY = {"%", "<<", ">>", "&", "|", "^"}


def combined(emitter: Emitter, operator: str, values: tuple[Rvalue, Rvalue], node: Node) -> Rvalue:
    """A binary operator on two values."""
    left, right = values
    operator = _WORDS.get(operator, operator)
    match left.type, right.type:
        case (Arithmetic(), Arithmetic()) if operator in _OPERATORS:
            return arithmetic(emitter, _OPERATORS[operator], (left, right), node)
        case (Pointer(), Pointer()) if operator == "-":
            return _difference(emitter, left, right, node)
        case (Pointer(), _) | (_, Pointer()) if operator in _OPERATORS and _OPERATORS[operator].is_comparison:
            place = emitter.place(node)
            kind = left.type if isinstance(left.type, Pointer) else right.type
            a, b = (converted(emitter, side, kind, node).operand for side in (left, right))
            return Rvalue(BOOL, (binary(emitter, _OPERATORS[operator], (a, b), place),))
        case (Pointer(), Arithmetic(scalar=scalar)) if operator in ("+", "-") and not scalar.is_float:
            return _step(emitter, (operator, right.operand), left, node)
        case (Arithmetic(scalar=scalar), Pointer()) if operator == "+" and not scalar.is_float:
            return _step(emitter, (operator, left.operand), right, node)
        case StructType(), StructType() if left.type == right.type and left.type.name in PAIRS and operator in "+-*/":
            pairs = zip(left.leaves, right.leaves, strict=True)
            made = (binary(emitter, _OPERATORS[operator], (a, b), emitter.place(node)) for a, b in pairs)
            return Rvalue(left.type, tuple(made))
        case _:
            what = f"{described(left.type)} and {described(right.type)}"
            emitter.refuse(node, f"there is no operator `{operator}` for {what}")


PAIRS = ("half2", "__half2", "__nv_bfloat162", "nv_bfloat162")
"""The vectors for which CUDA's headers define arithmetic."""


def arithmetic(emitter: Emitter, operator: BinaryOperator, values: tuple[Rvalue, Rvalue], node: Node) -> Rvalue:
    """A binary operator on numbers."""
    place = emitter.place(node)
    a, b = (value.operand for value in values)
    if operator.value in _INTEGERS_ONLY and (a.type.is_float or b.type.is_float):
        emitter.refuse(node, f"there is no operator `{operator}` for floats")
    if operator.is_shift:
        a, b = convert(emitter, a, promotion(a.type), place), convert(emitter, b, promotion(b.type), place)
    else:
        shared = common_type(a.type, b.type)
        a, b = convert(emitter, a, shared, place), convert(emitter, b, shared, place)
    made = binary(emitter, operator, (a, b), place)
    return Rvalue(Arithmetic(made.type), (made,))


def _step(emitter: Emitter, by: tuple[str, Operand], pointer: Rvalue, node: Node) -> Rvalue:
    operator, index = by
    place = emitter.place(node)
    if operator == "-":
        index = unary(emitter, UnaryOperator.NEGATE, convert(emitter, index, Scalar.S64, place), place)
    return advanced(emitter, pointer, index, place)


def _difference(emitter: Emitter, left: Rvalue, right: Rvalue, node: Node) -> Rvalue:
    assert isinstance(left.type, Pointer)
    place = emitter.place(node)
    apart = binary(emitter, BinaryOperator.SUBTRACT, (left.operand, right.operand), place)
    signed = convert(emitter, apart, Scalar.S64, place)
    size = integer(max(size_of(left.type.to), 1), Scalar.S64)
    return Rvalue(LONG, (binary(emitter, BinaryOperator.DIVIDE, (signed, size), place),))


def negated(emitter: Emitter, operator: str, operand: Rvalue, node: Node) -> Rvalue:
    """A unary operator on a value: `-`, `+`, `~`, `!`."""
    place = emitter.place(node)
    if operator in ("!", "not"):
        truth = converted(emitter, operand, BOOL, node).operand
        return Rvalue(BOOL, (unary(emitter, UnaryOperator.NOT, truth, place),))
    if operator == "+" and isinstance(operand.type, Pointer):
        return operand
    if not isinstance(operand.type, Arithmetic):
        emitter.refuse(node, f"there is no operator `{operator}` for {described(operand.type)}")
    value = convert(emitter, operand.operand, promotion(operand.operand.type), place)
    match operator:
        case "+":
            made = value
        case "-":
            made = unary(emitter, UnaryOperator.NEGATE, value, place)
        case "~" | "compl" if not value.type.is_float:
            made = unary(emitter, UnaryOperator.COMPLEMENT, value, place)
        case _:
            emitter.refuse(node, f"there is no operator `{operator}` for {described(operand.type)}")
    return Rvalue(Arithmetic(made.type), (made,))


def stepped(emitter: Emitter, operator: str, value: Rvalue, node: Node) -> Rvalue:
    """The value one up or down, in its own type."""
    one = Rvalue(INT, (Constant(1, Scalar.S32),))
    return converted(emitter, combined(emitter, operator[0], (value, one), node), value.type, node)


def shared_type(emitter: Emitter, left: Rvalue, right: Rvalue, node: Node) -> Type:
    """The type of `c ? left : right`."""
    match left.type, right.type:
        case (a, b) if a == b:
            return a
        case Arithmetic(scalar=a), Arithmetic(scalar=b):
            return Arithmetic(common_type(a, b))
        case Pointer(), _:
            return left.type
        case _, Pointer():
            return right.type
        case _:
            what = f"{described(left.type)} and {described(right.type)}"
            emitter.refuse(node, f"the two sides have no type in common: {what}")
