"""Operators and built-in functions of C and CUDA on values that were read. Must not know how values are read."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from rewright.kernels.plain_cuda.reader import Reader, text
from rewright.model.body import Expression, Function, Unary
from rewright.model.conversions import arithmetic, converted, promoted
from rewright.model.simt.types import Operator, Scalar, UnaryOperator

Build = Callable[[Reader, Node, list[Expression]], Expression | None]

_ARITHMETIC = {operator.value: operator for operator in Operator}
_INTEGERS_ONLY = {"%", "<<", ">>", "&", "|", "^"}
_FLOAT_FUNCTIONS = frozenset(
    """exp exp2 exp10 expm1 log log2 log10 log1p sqrt rsqrt cbrt sin cos tan asin acos atan atan2 sinh cosh tanh
    erf erfc pow fabs fmin fmax fmod fma floor ceil round trunc rint""".split()  # noqa: SIM905
)
_INTRINSICS = frozenset({f"__{name}f" for name in ("exp", "exp10", "log", "log2", "log10", "sin", "cos", "pow")})


def combined(reader: Reader, node: Node, operator: str, operands: tuple[Expression, Expression]) -> Expression | None:
    """An arithmetic operator or comparison on two values, None if a problem was noted."""
    left, right = operands
    has_float = left.type.is_float or right.type.is_float
    if operator not in _ARITHMETIC or (has_float and operator in _INTEGERS_ONLY):
        reader.refuse_construct(node, f"the operator `{operator}` on these operands")
        return None
    return arithmetic(_ARITHMETIC[operator], left, right, reader.place(node))


def built_in(name: str, arity: int) -> Build | None:
    """How a call of a built-in function is read, None if it is not read in this version."""
    if name in ("min", "max") and arity == 2:
        return lambda reader, node, values: combined(reader, node, name, (values[0], values[1]))
    if name in ("abs", "labs", "llabs") and arity == 1:
        return _absolute
    if name in _FLOAT_FUNCTIONS:
        return lambda reader, node, values: _named(reader, node, values, _widest(values))
    if name in _INTRINSICS or name.removesuffix("f") in _FLOAT_FUNCTIONS:
        return lambda reader, node, values: _named(reader, node, values, Scalar.F32)
    return None


def _widest(values: list[Expression]) -> Scalar:
    """CUDA overloads by type: f32 only if every operand is."""
    return Scalar.F32 if all(value.type is Scalar.F32 for value in values) else Scalar.F64


def _named(reader: Reader, node: Node, values: list[Expression], scalar: Scalar) -> Expression:
    operands = tuple(converted(value, scalar) for value in values)
    name = text(node.child_by_field_name("function") or node)
    return Function(name, operands, scalar, reader.place(node))


def _absolute(reader: Reader, node: Node, values: list[Expression]) -> Expression | None:
    operand = promoted(values[0])
    if operand.type.is_float:
        return Function("fabs", (operand,), operand.type, reader.place(node))
    return Unary(UnaryOperator.ABSOLUTE, operand, operand.type, reader.place(node))
