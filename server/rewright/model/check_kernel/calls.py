"""Functions that a kernel may call. Must not know operations of threads together."""

from __future__ import annotations

from difflib import get_close_matches

from rewright.model.body import Expression, Function, Unary
from rewright.model.check_kernel import expressions  # operands are expressions
from rewright.model.check_kernel.operations import OPERATIONS, report_count
from rewright.model.check_kernel.scope import KernelScope
from rewright.model.check_kernel.types import ACCEPTED
from rewright.model.conversions import arithmetic, converted, promoted, selected
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.syntax import nodes
from rewright.syntax.nodes import Positional
from rewright.verdict import Place
from rewright.verdict.diagnostics.names import CannotStandHere, ElementTypesDiffer, UnknownElementType, UnknownOperator

_FUNCTIONS = {
    **dict.fromkeys(("exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "erf"), 1),
    **dict.fromkeys(("floor", "ceil", "sigmoid"), 1),
    **dict.fromkeys(("pow", "power", "atan2"), 2),
}
_EXACT = {"min": 2, "max": 2, "abs": 1, "select": 3, "convert": 2}
KNOWN = (*_FUNCTIONS, *_EXACT, *OPERATIONS)
SCALARS = tuple(scalar.value for scalar in Scalar)


def call(scope: KernelScope, node: nodes.Call) -> Expression | None:
    """The value of a call, None if it has none."""
    name = node.callee.text
    if name == "convert":
        return _convert(scope, node)
    values = operands(scope, node)
    if name == "barrier":
        scope.notes.error(CannotStandHere("a barrier", "a value"), node.span)
        return None
    arity = _FUNCTIONS.get(name) or _EXACT.get(name)
    if arity is None:
        nearest = get_close_matches(name, KNOWN, n=1)
        scope.notes.undeclared(UnknownOperator(name, nearest[0] if nearest else None), node.callee)
        return None
    if values is None or len(values) != arity:
        if values is not None:
            report_count(scope, node, arity)
        return None
    if name == "select":
        return _select(scope, node, values)
    return _numeric(scope, node, values)


def operands(scope: KernelScope, node: nodes.Call) -> list[Expression] | None:
    """The values of a call's arguments; None if one has no value."""
    values: list[Expression | None] = []
    for argument in node.arguments:
        if isinstance(argument, Positional):
            values.append(expressions.expression(scope, argument.value))
        else:
            scope.notes.error(CannotStandHere("a named argument", "an operand"), argument.span)
            values.append(None)
    complete = [value for value in values if value is not None]
    return complete if len(complete) == len(values) else None


def _select(scope: KernelScope, node: nodes.Call, values: list[Expression]) -> Expression | None:
    condition, on_true, on_false = values
    if condition.type is not Scalar.PRED:
        span = node.arguments[0].span
        scope.notes.error(CannotStandHere(f"a number of type {condition.type}", "a truth"), span)
        return None
    if (on_true.type is Scalar.PRED) != (on_false.type is Scalar.PRED):
        scope.notes.error(ElementTypesDiffer("select", str(on_true.type), str(on_false.type)), node.span)
        return None
    return selected(condition, on_true, on_false, scope.place(node.span))


def _numeric(scope: KernelScope, node: nodes.Call, values: list[Expression]) -> Expression | None:
    for argument, value in zip(node.arguments, values, strict=True):
        if value.type is Scalar.PRED:
            scope.notes.error(CannotStandHere("a truth", "a number"), argument.span)
            return None
    place = scope.place(node.span)
    match node.callee.text:
        case "min":
            return arithmetic(BinaryOperator.MINIMUM, *_pair(values), place)
        case "max":
            return arithmetic(BinaryOperator.MAXIMUM, *_pair(values), place)
        case "abs":
            return _absolute(promoted(values[0]), place)
        case name:
            floats = [value.type for value in values if value.type.is_float]
            scalar = max(floats, key=lambda scalar: scalar.bits, default=Scalar.F32)
            return Function(name, tuple(converted(value, scalar) for value in values), scalar, place)


def _pair(values: list[Expression]) -> tuple[Expression, Expression]:
    return values[0], values[1]


def _absolute(operand: Expression, place: Place) -> Expression:
    if operand.type.is_float:
        return Function("abs", (operand,), operand.type, place)
    return Unary(UnaryOperator.ABSOLUTE, operand, operand.type, place)


def _convert(scope: KernelScope, node: nodes.Call) -> Expression | None:
    """`convert(e, s32)`: the second argument is a type."""
    arguments = [argument.value for argument in node.arguments if isinstance(argument, Positional)]
    if len(arguments) != 2 or len(arguments) != len(node.arguments):
        report_count(scope, node, 2)
        return None
    value, target = expressions.expression(scope, arguments[0]), arguments[1]
    if not isinstance(target, nodes.Name) or target.text not in SCALARS:
        name = target.text if isinstance(target, nodes.Name) else "this"
        scope.notes.error(UnknownElementType(name, ACCEPTED), target.span)
        return None
    return None if value is None else converted(value, Scalar(target.text))
