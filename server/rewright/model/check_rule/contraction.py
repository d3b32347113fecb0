"""`dot`: which axis groups are contracted, and which both operands keep; what products of two tensors share.

Owns the roles of axis groups in products of two tensors. Invariant: a group of both operands has exactly one role.
Must not know sizes: that they agree is what makes a call valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rewright.model.check_rule.arguments import in_groups, selection
from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.families import is_of_family
from rewright.model.check_rule.operands import Operands, common_type, report_count, report_unexpected, require
from rewright.model.check_rule.structural_call import (
    Chosen,
    StructuralCall,
    complete_operands,
    named_once,
    site_of,
)
from rewright.model.index import Name
from rewright.model.tensor import Dot, ElementType, Tensor
from rewright.syntax.nodes import Argument, Expression, Keyed, Positional
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import GroupWithoutRole, OperatorAttributeTwice, UnknownOperatorAttribute


def dot(context: RuleContext, call: StructuralCall) -> Tensor | None:
    """The value of a call of `dot`."""
    pair = complete_operands(context, call)
    keys = keyed(context, call, call.rest, ("contract", "batch"))
    roles = None if keys is None else chosen_by_key(context, keys, ("contract", "batch"))
    if pair is None or roles is None:
        return None
    type_ = type_of_products(context, call, pair)
    left, right = pair.tensors
    if not _fit(context, call, pair, roles) or type_ is None:
        return None
    contracted = tuple(group.name for group, _ in roles["contract"])
    groups = tuple(group for group in left.groups if group not in contracted)
    groups += tuple(group for group in right.groups if group not in left.groups)
    ordered = tuple(group for group in left.groups if group in contracted)
    return Dot(left, right, ordered, type_, groups, site_of(context, call))


def type_of_products(context: RuleContext, call: StructuralCall, pair: Operands) -> ElementType | None:
    """The one type of both operands, whose elements are multiplied and added."""
    type_ = common_type(context, pair)
    if type_ is not None:
        require(context, type_, call.operator.need, (call.name, call.node.span))
    return type_


def keyed(
    context: RuleContext, call: StructuralCall, arguments: Sequence[Argument], accepted: Sequence[str]
) -> dict[str, Expression] | None:
    """The values of `key = value` arguments; None if one is no such argument, is not accepted or is given twice."""
    found: dict[str, Expression] = {}
    for argument in arguments:
        if not isinstance(argument, Keyed):
            if isinstance(argument, Positional):
                report_count(context, call.node, len(call.operands))
            report_unexpected(context, call.node.callee, [argument])
            return None
        name = argument.name
        if name.text not in accepted:
            listed = ", ".join(f"`{each}`" for each in accepted)
            context.notes.error(UnknownOperatorAttribute(call.name, name.text, listed), name.span)
            return None
        if name.text in found:
            context.notes.error(OperatorAttributeTwice(call.name, name.text), name.span)
            return None
        found[name.text] = argument.value
    return found


def chosen_by_key(
    context: RuleContext, keys: Mapping[str, Expression], names: Sequence[str]
) -> dict[str, Chosen] | None:
    """The groups that each of these keys names, none where it is not given."""
    found = {name: selection(context, keys[name]) if name in keys else [] for name in names}
    roles = {name: groups for name, groups in found.items() if groups is not None}
    return roles if len(roles) == len(found) else None


def _fit(context: RuleContext, call: StructuralCall, pair: Operands, roles: Mapping[str, Chosen]) -> bool:
    """Whether each group that is named is one of both operands, and each group of both is named once."""
    left, right = pair.tensors
    named = [group for chosen in roles.values() for group in chosen]
    for group in named:
        if not all(in_groups(context, group, operand.groups, call.name) for operand in (left, right)):
            return False
    if not named_once(context, call, named, left.groups):
        return False
    names = {group.name for group, _ in named}
    for name in left.groups:
        if name in right.groups and name not in names and not is_of_family(name):
            report_unnamed(context, call, (name, pair.spans[1]), f"`contract = {name}` or `batch = {name}`")
            return False
    return True


def report_unnamed(context: RuleContext, call: StructuralCall, group: tuple[Name, Span], given: str) -> None:
    """Reports a group that has no role; `given` are those that it could be given."""
    name, span = group
    context.notes.error(GroupWithoutRole(call.name, name, given), span)
