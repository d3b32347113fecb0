"""What the operands of an operator must agree on: their number, their axis groups and their element types.

Invariant: what is returned agrees; None was reported. Must not know particular operators.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from rewright.model.check_rule.context import RuleContext
from rewright.model.index import Name
from rewright.model.tensor import ElementType, Tensor
from rewright.model.types import Need, Requirement
from rewright.syntax.nodes import Argument, Call, Grouped, Keyed, Positional, Renaming
from rewright.syntax.nodes import Name as Written
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import (
    CannotStandHere,
    ElementTypesDiffer,
    GroupsDiffer,
    NotAScalar,
    OperandCount,
    UnknownOperatorAttribute,
)


class Operands(Struct, frozen=True):
    """Checked operands with their places, and the operator as it is written."""

    operator: str
    tensors: tuple[Tensor, ...]
    spans: tuple[Span, ...]


def common_groups(context: RuleContext, operands: Operands) -> tuple[Name, ...] | None:
    """The groups of the operands that have any, which must be the same in any order; a scalar is spread."""
    if context.per_element:
        return ()
    common: tuple[Name, ...] = ()
    for tensor, span in zip(operands.tensors, operands.spans, strict=True):
        if not tensor.groups:
            continue
        common = common or tensor.groups
        if set(common) != set(tensor.groups):
            context.notes.error(GroupsDiffer(operands.operator, common, tensor.groups), span)
            return None
    return common


def common_type(context: RuleContext, operands: Operands) -> ElementType | None:
    """The one element type of all operands."""
    first = operands.tensors[0].type
    for tensor, span in zip(operands.tensors[1:], operands.spans[1:], strict=True):
        if not same_type(context, operands.operator, (first, tensor.type), span):
            return None
    return first


def same_type(context: RuleContext, operator: str, types: tuple[ElementType, ElementType], span: Span) -> bool:
    """Joins two element types; reports it at `span` if they differ."""
    left, right = types
    if context.types.join(left, right):
        return True
    context.notes.error(ElementTypesDiffer(operator, context.types.text(left), context.types.text(right)), span)
    return False


def require(context: RuleContext, type_: ElementType, need: Need | None, by: tuple[str, Span]) -> None:
    """Notes what an operator asks of its element type."""
    if need is not None:
        operator, span = by
        context.types.require(Requirement(type_, need, operator, context.notes.site(span)))


def must_be_scalar(context: RuleContext, tensor: Tensor, span: Span) -> bool:
    """Whether an operand has no axis groups; reported if it has."""
    if not tensor.groups:
        return True
    context.notes.error(NotAScalar(tensor.groups, "a scalar"), span)
    return False


def report_count(context: RuleContext, node: Call, expected: int) -> None:
    """Reports a call with too many or too few operands, or else its first argument that is none."""
    given = sum(isinstance(argument, Positional) for argument in node.arguments)
    if given == expected:
        report_unexpected(context, node.callee, node.arguments)
        return
    context.notes.error(OperandCount(node.callee.text, expected, given), node.callee.span)


def report_unexpected(context: RuleContext, callee: Written, arguments: Sequence[Argument]) -> None:
    """Reports the first argument of a form that the operator does not take."""
    for argument in arguments:
        match argument:
            case Keyed(name=name) | Grouped(name=name):
                context.notes.error(UnknownOperatorAttribute(callee.text, name.text, ""), name.span)
                return
            case Renaming():
                context.notes.error(CannotStandHere("`->`", "an operand or an axis group"), argument.span)
                return
            case Positional():
                continue
