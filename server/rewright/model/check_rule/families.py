"""Families: `Xs...k`, any number of tensors of one shape, and `e...`, each member as an operand.

A family is a tensor with one more axis, along which its members lie; k is its size, at least 1. So `max(Xs...)` is a
reduction along that axis, and `concatenate(Xs..., d)` cuts this axis and d into one. Invariant: an axis of a family has
a name that no text can declare, `...k`, and families with one k have one axis. Must not know how operands are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rewright.model.check_rule.context import RuleContext
from rewright.model.index import IntegerReference, Name
from rewright.model.rule import FAMILY, Extent, Group
from rewright.model.tensor import Bitcast, Broadcast, Reduce, Tensor
from rewright.syntax.nodes import Name as Written
from rewright.syntax.nodes import TensorItem
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import CannotStandHere


def counts(item: TensorItem) -> dict[Written, Written]:
    """For each family that an item declares, the name of the number of its members."""
    return {family.name: family.count for family in item.families if family.count is not None}


def axes_of_families(context: RuleContext, items: Sequence[TensorItem]) -> list[Group]:
    """The axes along which the members of families lie, one for each number of members."""
    groups: dict[str, Group] = {}
    for family in (family for item in items for family in item.families):
        if family.count is not None and family.count.text not in groups:
            name = axis_named(family.count)
            groups[family.count.text] = Group(name, name, Extent.SINGLE, Name(family.count.text))
            context.scope.enter(name, family.span, groups[family.count.text])
    return list(groups.values())


def axis_named(count: Written) -> Name:
    """The axis along which that many members lie."""
    return Name(f"{FAMILY}{count.text}")


def is_of_family(group: Name) -> bool:
    """Whether members of a family lie along an axis."""
    return group.startswith(FAMILY)


def spread_axis(context: RuleContext, operand: Tensor, span: Span) -> Name | None:
    """The axis along which the members of `e...` lie; None, reported, if they lie along none or along several."""
    axes = [group for group in operand.groups if is_of_family(group)]
    if len(axes) != 1:
        found = "members of several families" if axes else "an operand without a family in it"
        context.notes.error(CannotStandHere(found, "the members of one family, as in `Xs...`"), span)
        return None
    return axes[0]


def alike(context: RuleContext, operands: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The operands, each one for all members of the families among them."""
    axes = dict.fromkeys(group for operand in operands for group in operand.groups if is_of_family(group))
    return tuple(
        reduce(_for_each, (axis for axis in axes if axis not in operand.groups), operand) for operand in operands
    )


def _for_each(operand: Tensor, axis: Name) -> Tensor:
    """A tensor for each member; a scalar is spread anyway."""
    if not operand.groups:
        return operand
    count = IntegerReference(Name(axis.removeprefix(FAMILY)), operand.site)
    return Broadcast(operand, ((axis, count),), operand.type, (*operand.groups, axis), operand.site)


def over_members(operand: Tensor, axis: Name, monoid: tuple[str, Name | None], site: int) -> Tensor:
    """The members combined by a monoid: its name, and the name of one that the rule declares."""
    groups = tuple(group for group in operand.groups if group != axis)
    return Reduce(monoid[0], operand, (axis,), None, operand.type, groups, site, monoid[1])


def joined(operand: Tensor, axis: Name, along: Name, site: int) -> Tensor:
    """The members one after the other along an axis of theirs."""
    groups = tuple(group for group in operand.groups if group != axis)
    return Bitcast(operand, (axis, along), ((along, None),), operand.type, groups, site)
