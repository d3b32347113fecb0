"""Functions of elements: `fn f: (T, U) -> V`, and the calls of one; calls of a `monoid`, and its identity.

Owns the step from the item to `rule.FunctionDeclaration` and from a call to `tensor.Apply` or `tensor.Combine`.
Invariant: a call has as many operands as the function has parameters, each of its parameter's type. Must not know how
operands are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.element_type import element_type
from rewright.model.check_rule.families import alike
from rewright.model.check_rule.operands import Operands, common_groups, report_count
from rewright.model.check_rule.scope import BrokenName
from rewright.model.rule import FunctionDeclaration, MonoidDeclaration
from rewright.model.tensor import Apply, Combine, ElementType, Tensor
from rewright.model.types import type_text
from rewright.model.written import kind_of
from rewright.syntax.nodes import Call, FnType, Name, Positional, TypeRef
from rewright.verdict.diagnostics.names import CannotStandHere, IncompleteDeclaration, OperandType, WrongPart

Signature = tuple[tuple[ElementType, ...], ElementType]
"""The types of the parameters and of the result."""


def signature(context: RuleContext, written: FnType | None) -> Signature | None:
    """The types of a function; None if one of them is wrong, which was reported."""
    if written is None:
        return None
    if not written.parameters:
        context.notes.error(IncompleteDeclaration("fn", WrongPart.PARAMETERS), written.span)
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
) -> Apply | None:
    """The call of a function; None where something is wrong with it or an operand, which was reported."""
    if len(values) != len(node.arguments) or len(values) != len(function.parameters):
        report_count(context, node, len(function.parameters))
        return None
    tensors = alike(context, [value for value in values if value is not None])
    if len(tensors) != len(values):
        return None
    operands = Operands(function.name, tensors, tuple(argument.span for argument in node.arguments))
    groups = common_groups(context, operands)
    if not _types_fit(context, function, operands) or groups is None:
        return None
    return Apply(function.name, tensors, function.result, groups, context.notes.site(node.span))


def combined(
    context: RuleContext, node: Call, monoid: MonoidDeclaration, values: Sequence[Tensor | None]
) -> Tensor | None:
    """The call of a monoid on two operands; None where something is wrong with it or them, which was reported."""
    call = applied(context, node, FunctionDeclaration(monoid.name, (monoid.type, monoid.type), monoid.type), values)
    return None if call is None else Combine(monoid.name, call.operands, call.type, call.groups, call.site)


def combined_members(context: RuleContext, node: Call, monoid: MonoidDeclaration, operands: Operands) -> Tensor | None:
    """A monoid of any number of operands; None where they do not fit, which was reported."""
    groups = common_groups(context, operands)
    signature = FunctionDeclaration(monoid.name, (monoid.type,) * len(operands.tensors), monoid.type)
    if groups is None or not _types_fit(context, signature, operands):
        return None
    site = context.notes.site(node.span)

    def both(left: Tensor, right: Tensor) -> Tensor:
        return Combine(monoid.name, (left, right), monoid.type, groups, site)

    return reduce(both, operands.tensors)


def identity(context: RuleContext, node: Call) -> Tensor | None:
    """The value of `identity(op)`; None where that is not the name of a monoid, which was reported."""
    named = [argument.value for argument in node.arguments if isinstance(argument, Positional)]
    if len(named) != 1 or len(named) != len(node.arguments):
        report_count(context, node, 1)
        return None
    (name,) = named
    if not isinstance(name, Name):
        context.notes.error(CannotStandHere(kind_of(name), "a `monoid` of the rule"), name.span)
        return None
    meaning = context.scope.look_up(name, "operator")
    if isinstance(meaning, MonoidDeclaration):
        return Combine(meaning.name, (), meaning.type, (), context.notes.site(node.span))
    if meaning is not None and not isinstance(meaning, BrokenName):
        context.scope.wrong_kind(name, meaning, "a `monoid` of the rule")
    return None


def _types_fit(context: RuleContext, function: FunctionDeclaration, operands: Operands) -> bool:
    """Whether every operand has its parameter's type; each that has not is reported."""
    fit = True
    given = zip(function.parameters, operands.tensors, operands.spans, strict=True)
    for number, (parameter, tensor, span) in enumerate(given, 1):
        if not context.types.join(parameter, tensor.type):
            texts = context.types.text(parameter), context.types.text(tensor.type)
            context.notes.error(OperandType(operands.operator, number, *texts), span)
            fit = False
    return fit


def _type(context: RuleContext, written: TypeRef | None) -> ElementType | None:
    if written is None or written.element is None:
        return None
    if written.shape is not None:
        context.notes.error(IncompleteDeclaration("fn", WrongPart.FUNCTION_SHAPE), written.span)
    return element_type(context, written.element)
