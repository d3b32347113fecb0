"""Functions of elements: `fn f: (T, U) -> V`, and the calls of one.

Owns the step from the item to `rule.FunctionDeclaration` and from a call to `tensor.Apply`. Invariant: a call has as
many operands as the function has parameters, each of its parameter's type. Must not know how operands are written.
"""

from __future__ import annotations

from collections.abc import Sequence

from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.element_type import element_type
from rewright.model.check_rule.operands import Operands, common_groups, report_count
from rewright.model.rule import FunctionDeclaration
from rewright.model.tensor import Apply, ElementType, Tensor
from rewright.model.types import type_text
from rewright.syntax.nodes import Call, FnType, TypeRef

Signature = tuple[tuple[ElementType, ...], ElementType]
"""The types of the parameters and of the result."""


def signature(context: RuleContext, written: FnType | None) -> Signature | None:
    """The types of a function; None if one of them is wrong, which was reported."""
    if written is None:
        return None
    if not written.parameters:
        context.notes.error("RW118", written.span, item="fn", problem="parameters")
    parameters = [_type(context, parameter) for parameter in written.parameters]
    result = _type(context, written.result)
    known = tuple(type_ for type_ in parameters if type_ is not None)
    return None if result is None or not known or len(known) != len(parameters) else (known, result)


def signature_text(types: Signature) -> str:
    """The types of a function as they are written."""
    parameters, result = types
    return f"({', '.join(type_text(parameter) for parameter in parameters)}) -> {type_text(result)}"


def applied(
    context: RuleContext, node: Call, function: FunctionDeclaration, values: Sequence[Tensor | None]
) -> Tensor | None:
    """The call of a function; None where something is wrong with it or an operand, which was reported."""
    if len(values) != len(node.arguments) or len(values) != len(function.parameters):
        report_count(context, node, len(function.parameters))
        return None
    tensors = tuple(value for value in values if value is not None)
    if len(tensors) != len(values):
        return None
    operands = Operands(function.name, tensors, tuple(argument.span for argument in node.arguments))
    groups = common_groups(context, operands)
    if not _types_fit(context, function, operands) or groups is None:
        return None
    return Apply(function.name, tensors, function.result, groups, context.notes.site(node.span))


def _types_fit(context: RuleContext, function: FunctionDeclaration, operands: Operands) -> bool:
    """Whether every operand has its parameter's type; each that has not is reported."""
    fit = True
    given = zip(function.parameters, operands.tensors, operands.spans, strict=True)
    for number, (parameter, tensor, span) in enumerate(given, 1):
        if not context.types.join(parameter, tensor.type):
            texts = {"left": context.types.text(parameter), "right": context.types.text(tensor.type)}
            context.notes.error("RW106", span, operator=operands.operator, operand=str(number), **texts)
            fit = False
    return fit


def _type(context: RuleContext, written: TypeRef | None) -> ElementType | None:
    if written is None or written.element is None:
        return None
    if written.shape is not None:
        context.notes.error("RW118", written.span, item="fn", problem="function shape")
    return element_type(context, written.element)
