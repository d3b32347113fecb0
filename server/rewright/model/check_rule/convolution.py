"""`convolution`: the roles of axis groups, the windows on spatial ones, and grouped features and batches.

Owns which group is what: batch groups are the operand's alone, output features the kernel's alone, features and spatial
groups both have. Invariant: every group has exactly one role, and the axes that are cut into parts are single ones.
Must not know sizes.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.model.check_rule.arguments import Values, group_attributes, in_groups
from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.contraction import chosen_by_key, keyed, report_unnamed, type_of_products
from rewright.model.check_rule.index import integer
from rewright.model.check_rule.operands import Operands
from rewright.model.check_rule.structural_call import (
    Chosen,
    StructuralCall,
    complete_operands,
    named_once,
    only_axis,
    site_of,
)
from rewright.model.check_rule.window import window_of
from rewright.model.index import Index, Name, Number
from rewright.model.tensor import Convolution, Tensor
from rewright.syntax.nodes import Expression, Keyed
from rewright.verdict.diagnostics.names import GroupOfBoth

ROLES = ("batch", "feature", "output")
PARTS = ("feature_groups", "batch_groups")
CUT = {"feature_groups": ("feature", "output"), "batch_groups": ("batch", "output")}
"""The axes that are cut into so many parts."""


def convolution(context: RuleContext, call: StructuralCall) -> Tensor | None:
    """The value of a call of `convolution`."""
    pair = complete_operands(context, call)
    named = [each for each in call.rest if isinstance(each, Keyed) and each.name.text in (*ROLES, *PARTS)]
    keys = keyed(context, call, named, (*ROLES, *PARTS))
    roles = None if keys is None else chosen_by_key(context, keys, ROLES)
    parts = None if keys is None or roles is None else _parts(context, call, keys, roles)
    if pair is None or roles is None or parts is None or not _fit(context, call, pair, roles):
        return None
    type_ = type_of_products(context, call, pair)
    operand, kernel = pair.tensors
    feature = _in(operand.groups, roles["feature"])
    spatial = tuple(group for group in operand.groups if group in kernel.groups and group not in feature)
    rest = [argument for argument in call.rest if argument not in named]
    given = group_attributes(context, (call.node, call.operator), rest, spatial)
    if given is None or type_ is None:
        return None
    site = site_of(context, call)
    windows = tuple((group, window_of(given.get(group, {}), site)) for group in spatial)
    turned = tuple(group for group in spatial if _is_true(given.get(group, {})))
    output = _in(kernel.groups, roles["output"])
    groups = tuple(group for group in operand.groups if group not in feature) + output
    return Convolution(operand, kernel, feature, windows, turned, parts[0], parts[1], type_, groups, site)


def _in(groups: tuple[Name, ...], chosen: Chosen) -> tuple[Name, ...]:
    names = {group.name for group, _ in chosen}
    return tuple(group for group in groups if group in names)


def _is_true(values: Values) -> bool:
    reversal = values.get("reversal")
    return isinstance(reversal, Number) and reversal.value == 1


def _fit(context: RuleContext, call: StructuralCall, pair: Operands, roles: Mapping[str, Chosen]) -> bool:
    """Whether the groups named are where their roles have them, and all that need a name have one."""
    operand, kernel = pair.tensors
    if not named_once(context, call, [group for role in ROLES for group in roles[role]], operand.groups):
        return False
    own = {"batch": (operand, kernel), "output": (kernel, operand)}
    for role, chosen in roles.items():
        for group, span in chosen:
            here, other = own.get(role, (operand, kernel))
            if not in_groups(context, (group, span), here.groups, call.name):
                return False
            if role == "feature" and not in_groups(context, (group, span), other.groups, call.name):
                return False
            if role != "feature" and group.name in other.groups:
                context.notes.error(GroupOfBoth(call.name, group.name, role), span)
                return False
    for position, (role, (here, other)) in enumerate(own.items()):
        named = {group.name for group, _ in roles[role]}
        for name in here.groups:
            if name not in other.groups and name not in named:
                report_unnamed(context, call, (name, pair.spans[position]), f"`{role} = {name}`")
                return False
    return True


def _parts(
    context: RuleContext, call: StructuralCall, keys: Mapping[str, Expression], roles: Mapping[str, Chosen]
) -> tuple[Index, Index] | None:
    """Into how many parts the features are cut, and the batch; None if one is wrong."""
    numbers = [_number(context, call, keys.get(key)) for key in PARTS]
    feature, batch = numbers
    if feature is None or batch is None:
        return None
    for key, number in zip(PARTS, (feature, batch), strict=True):
        if isinstance(number, Number) and number.value == 1:
            continue
        if not all(only_axis(context, call, roles[role], f"`{role} = d`") for role in CUT[key]):
            return None
    return feature, batch


def _number(context: RuleContext, call: StructuralCall, node: Expression | None) -> Index | None:
    return Number(1, site_of(context, call)) if node is None else integer(context, node)
