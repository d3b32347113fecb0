"""Calls of operators of which only the shapes are declared."""

from __future__ import annotations

from collections.abc import Callable

from rewright.model.check_graph.calls import size_at, sizes_at
from rewright.model.check_graph.scope import GraphScope, ShapedNode, TensorDimension
from rewright.model.check_graph.sizes import shape_text, size_of
from rewright.model.graph import OpaqueCall, OpaqueOperator
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere, OperandCount


def opaque_text(operator: OpaqueOperator) -> str:
    """The operator's shapes on one line: `norm([t, d], [d]) -> [t, d]`."""
    operands = ", ".join(shape_text(list(map(size_of, each))) for each in operator.operands)
    return f"{operator.name}({operands}) -> {shape_text(list(map(size_of, operator.shape)))}"


def opaque_call(
    scope: GraphScope,
    call: nodes.Call,
    operator: OpaqueOperator,
    read: Callable[[nodes.Expression], ShapedNode | None],
) -> ShapedNode | None:
    """The operator on its operands; None, noted, if their shapes do not fit."""
    given = [each.value for each in call.arguments if isinstance(each, nodes.Positional)]
    if len(given) < len(call.arguments):
        expected = f"a tensor for each operand of `{operator.name}`"
        scope.notes.error(CannotStandHere("an argument by name", expected), call.span)
        return None
    found = [read(each) for each in given]
    operands = [each for each in found if each is not None]
    if len(given) != len(operator.operands):
        scope.notes.error(OperandCount(operator.name, len(operator.operands), len(given)), call.callee.span)
        return None
    if len(operands) < len(found):
        return None
    sizes = sizes_at(scope, call, set(), list(zip(operator.operands, operands, strict=True)))
    if sizes is None:
        return None
    made = tuple(TensorDimension(size_at(size_of(each), sizes)) for each in operator.shape)
    if not scope.whole(made, call.span):
        return None
    numbers = tuple(each.number for each in operands)
    return scope.add(OpaqueCall(operator, numbers, scope.shape(made, call.span), scope.notes.site(call.span)), made)
