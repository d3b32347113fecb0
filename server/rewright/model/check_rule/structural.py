"""The operators that move, make or combine data: their arguments, and the shape of what they give.

Each function takes a call whose operands were checked already and gives the operator's value, or None where something
is wrong, which was reported. Must not know how operands are written.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from rewright.model.check_rule.arguments import group_attributes, in_groups, selections
from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.contraction import dot
from rewright.model.check_rule.convolution import convolution
from rewright.model.check_rule.families import alike, joined, spread_axis
from rewright.model.check_rule.operands import (
    Operands,
    common_groups,
    common_type,
    must_be_scalar,
    require,
)
from rewright.model.check_rule.reshape import reshape
from rewright.model.check_rule.structural_call import (
    StructuralCall,
    chosen_groups,
    complete_operands,
    in_order,
    initial_value,
    monoid_of,
    new_sizes,
    renamings,
    single_axis,
    site_of,
    suits,
)
from rewright.model.check_rule.window import reduce_window
from rewright.model.index import Name, Number
from rewright.model.operators import Family
from rewright.model.rule import Group
from rewright.model.tensor import (
    Broadcast,
    Concatenate,
    DynamicRange,
    DynamicSlice,
    DynamicUpdateSlice,
    Iota,
    Pad,
    Padding,
    Reduce,
    Reverse,
    Slice,
    SliceRange,
    Tensor,
    Transpose,
)
from rewright.syntax.nodes import Name as Written
from rewright.syntax.nodes import Positional
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import GroupAbsent, GroupPresent, GroupsDiffer, GroupTwice, OtherRankClass


def structural(context: RuleContext, call: StructuralCall) -> Tensor | None:
    """The value of a call of one of the operators here."""
    return _BUILDERS[call.operator.family](context, call)


def _broadcast(context: RuleContext, call: StructuralCall) -> Tensor | None:
    sizes = new_sizes(context, call, call.rest)
    operand = call.first
    if sizes is None or operand is None:
        return None
    for argument in call.rest:
        name = getattr(argument, "name", None)
        if isinstance(name, Written) and name.text in operand.groups:
            context.notes.error(GroupPresent(call.name, name.text, operand.groups), name.span)
            return None
    groups = operand.groups + tuple(group for group, _ in sizes)
    return Broadcast(operand, sizes, operand.type, groups, site_of(context, call))


def _iota(context: RuleContext, call: StructuralCall) -> Tensor | None:
    axes = [argument for argument in call.rest if isinstance(argument, Positional)]
    sizes = new_sizes(context, call, [argument for argument in call.rest if not isinstance(argument, Positional)])
    axis = single_axis(context, call, axes)
    if sizes is None or axis is None or call.type is None:
        return None
    group, span = axis
    groups = tuple(name for name, _ in sizes)
    if not in_groups(context, (group, span), groups, call.name):
        return None
    require(context, call.type, call.operator.need, (call.name, call.node.span))
    return Iota(group.name, sizes, call.type, groups, site_of(context, call))


def _slice(context: RuleContext, call: StructuralCall) -> Tensor | None:
    given = group_attributes(context, (call.node, call.operator), call.rest, call.groups)
    operand = call.first
    if given is None or operand is None:
        return None
    site = site_of(context, call)
    ranges = tuple(
        (
            group,
            SliceRange(
                values.get("start", Number(0, site)), values.get("limit"), values.get("stride", Number(1, site))
            ),
        )
        for group, values in in_order(given, operand.groups)
    )
    return Slice(operand, ranges, operand.type, operand.groups, site)


def _dynamic_slice(context: RuleContext, call: StructuralCall) -> Tensor | None:
    given = group_attributes(context, (call.node, call.operator), call.rest, call.groups)
    operand = call.first
    if given is None or operand is None:
        return None
    ranges = tuple(
        (group, DynamicRange(values["start"], values["length"])) for group, values in in_order(given, operand.groups)
    )
    return DynamicSlice(operand, ranges, operand.type, operand.groups, site_of(context, call))


def _dynamic_update_slice(context: RuleContext, call: StructuralCall) -> Tensor | None:
    given = group_attributes(context, (call.node, call.operator), call.rest, call.groups)
    pair = complete_operands(context, call)
    if given is None or pair is None:
        return None
    operand, update = pair.tensors
    if set(operand.groups) != set(update.groups):
        context.notes.error(GroupsDiffer(call.name, operand.groups, update.groups), pair.spans[1])
        return None
    if common_type(context, pair) is None:
        return None
    starts = tuple((group, values["start"]) for group, values in in_order(given, operand.groups))
    return DynamicUpdateSlice(operand, update, starts, operand.type, operand.groups, site_of(context, call))


def _pad(context: RuleContext, call: StructuralCall) -> Tensor | None:
    given = group_attributes(context, (call.node, call.operator), call.rest, call.groups)
    pair = complete_operands(context, call)
    if pair is None:
        return None
    operand, value = pair.tensors
    scalar = must_be_scalar(context, value, pair.spans[1])
    if given is None or not scalar or common_type(context, pair) is None:
        return None
    site = site_of(context, call)
    paddings = tuple(
        (group, Padding(*(values.get(part, Number(0, site)) for part in ("low", "high", "interior"))))
        for group, values in in_order(given, operand.groups)
    )
    return Pad(operand, value, paddings, operand.type, operand.groups, site)


def _concatenate(context: RuleContext, call: StructuralCall) -> Tensor | None:
    if not call.spans:
        return None
    axis = single_axis(context, call, call.rest)
    operands = complete_operands(context, call)
    if axis is None or operands is None:
        return None
    group, span = axis
    for tensor, place in zip(operands.tensors, operands.spans, strict=True):
        if not tensor.groups:
            context.notes.error(GroupAbsent(call.name, group.name, ()), place)
            return None
    parts = _with_members(context, call, (group, span), operands)
    if parts is None:
        return None
    operands = replace(operands, tensors=parts)
    groups = common_groups(context, operands)
    type_ = common_type(context, operands)
    if groups is None or type_ is None or not in_groups(context, (group, span), groups, call.name):
        return None
    if len(parts) == 1 and call.spread[0]:
        return parts[0]
    return Concatenate(parts, group.name, type_, groups, site_of(context, call))


def _with_members(
    context: RuleContext, call: StructuralCall, axis: tuple[Group, Span], operands: Operands
) -> tuple[Tensor, ...] | None:
    """The operands of a concatenation, the members of each family put together."""
    parts: list[Tensor] = []
    for tensor, place, spread in zip(operands.tensors, operands.spans, call.spread, strict=True):
        along = spread_axis(context, tensor, place) if spread else None
        if spread and (along is None or not in_groups(context, axis, tensor.groups, call.name)):
            return None
        parts.append(tensor if along is None else joined(tensor, along, axis[0].name, site_of(context, call)))
    return alike(context, parts)


def _reverse(context: RuleContext, call: StructuralCall) -> Tensor | None:
    chosen = chosen_groups(context, call, selections(context, call.rest, call.node.callee))
    operand = call.first
    if chosen is None or operand is None:
        return None
    return Reverse(operand, chosen, operand.type, operand.groups, site_of(context, call))


def _transpose(context: RuleContext, call: StructuralCall) -> Tensor | None:
    renaming = renamings(context, call)
    operand = call.first
    if renaming is None or operand is None:
        return None
    renamed: dict[Name, Name] = {}
    for source, (target, span) in renaming:
        if not in_groups(context, source, operand.groups, call.name):
            return None
        if source[0].rank_class != target.rank_class:
            context.notes.error(OtherRankClass(source[0].name, target.name), span)
            return None
        renamed[source[0].name] = target.name
    groups = tuple(renamed.get(group, group) for group in operand.groups)
    for _, (target, span) in renaming:
        if groups.count(target.name) > 1:
            context.notes.error(GroupTwice(target.name), span)
            return None
    return Transpose(operand, tuple(renamed.items()), operand.type, groups, site_of(context, call))


def _reduce(context: RuleContext, call: StructuralCall) -> Tensor | None:
    monoid = monoid_of(context, call)
    chosen = chosen_groups(context, call, selections(context, call.rest[1:], call.node.callee) if call.rest else None)
    operand = call.first
    if monoid is None or chosen is None or operand is None:
        return None
    init = initial_value(context, call, operand.type)
    if call.init is not None and init is None:
        return None
    if not suits(context, call, monoid, operand.type):
        return None
    groups = tuple(group for group in operand.groups if group not in chosen)
    return Reduce(monoid.name, operand, chosen, init, operand.type, groups, site_of(context, call), monoid.by)


_BUILDERS: dict[Family, Callable[[RuleContext, StructuralCall], Tensor | None]] = {
    Family.BROADCAST: _broadcast,
    Family.IOTA: _iota,
    Family.SLICE: _slice,
    Family.DYNAMIC_SLICE: _dynamic_slice,
    Family.DYNAMIC_UPDATE_SLICE: _dynamic_update_slice,
    Family.PAD: _pad,
    Family.CONCATENATE: _concatenate,
    Family.REVERSE: _reverse,
    Family.TRANSPOSE: _transpose,
    Family.RESHAPE: reshape,
    Family.BITCAST: reshape,
    Family.REDUCE: _reduce,
    Family.DOT: dot,
    Family.CONVOLUTION: convolution,
    Family.REDUCE_WINDOW: reduce_window,
}
