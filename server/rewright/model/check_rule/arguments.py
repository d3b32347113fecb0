"""The arguments of an operator that are no operands: attributes by group, selections of groups, renamings.

Owns which argument belongs to which attribute. Positional values are for tensors with one group, `A: (…)` names the
group. Invariant: an argument is checked even if another is wrong, and each is reported once. Must not know what an
attribute means.
"""

from __future__ import annotations

from collections.abc import Sequence

from rewright.model.check_rule.context import Reading, RuleContext
from rewright.model.check_rule.element_type import names_type
from rewright.model.check_rule.index import index
from rewright.model.check_rule.operands import report_unexpected
from rewright.model.index import Index, Name, Number
from rewright.model.operator_table import BUILT_IN_NAMES, OPERATOR_NAMES
from rewright.model.operators import Operator
from rewright.model.rule import Group
from rewright.model.written import kind_of, names_in
from rewright.syntax.nodes import (
    Argument,
    Call,
    Expression,
    Grouped,
    Keyed,
    ListExpr,
    Missing,
    Node,
    Positional,
    Renaming,
    Tuple,
)
from rewright.syntax.nodes import Name as Written
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import (
    CannotStandHere,
    GroupAbsent,
    GroupTwice,
    MixedAttributes,
    NeededByGroup,
    OperatorAttributeTwice,
    OperatorNeeds,
    SurplusAttribute,
    UnknownOperatorAttribute,
)

Values = dict[str, Index]
"""The attributes given on one group, by name; a truth is 1 or 0."""


def group_attributes(
    context: RuleContext, call: tuple[Call, Operator], rest: Sequence[Argument], groups: tuple[Name, ...] | None
) -> dict[Name, Values] | None:
    """The attributes by group. `groups` are those of the operand, None if the operand is wrong or there is none."""
    node, _ = call
    plain = [argument for argument in rest if isinstance(argument, Positional | Keyed)]
    if not plain:
        return _by_group(context, call, rest, groups)
    if len(plain) != len(rest):
        context.notes.error(MixedAttributes(node.callee.text), node.callee.span)
        return None
    if groups is not None and len(groups) != 1:
        _report_by_group(context, call, groups)
        return None
    group = _group_of(context, groups[0]) if groups else None
    values = _values(context, call, plain, group)
    return None if values is None or group is None else {group.name: values}


def selection(context: RuleContext, node: Expression) -> list[tuple[Group, Span]] | None:
    """The groups that `A` or `[A, B]` names."""
    match node:
        case Written():
            group = context.scope.group(node)
            return None if group is None else [(group, node.span)]
        case ListExpr(entries=entries):
            parts = [selection(context, entry.value) for entry in entries if isinstance(entry, Positional)]
            if len(parts) != len(entries):
                context.notes.error(CannotStandHere("a list with sizes", "a list of axis groups"), node.span)
                return None
            return _joined(parts)
        case Missing():
            return None
        case _:
            context.notes.error(CannotStandHere(kind_of(node), "an axis group"), node.span)
            return None


def selections(context: RuleContext, arguments: Sequence[Argument], callee: Written) -> list[tuple[Group, Span]] | None:
    """The groups that several arguments name together; anything else among them is reported."""
    parts = [selection(context, argument.value) for argument in arguments if isinstance(argument, Positional)]
    if len(parts) != len(arguments):
        report_unexpected(context, callee, arguments)
        return None
    if not arguments:
        context.notes.error(OperatorNeeds(callee.text, "the axis group"), callee.span)
        return None
    return _joined(parts)


def in_groups(context: RuleContext, group: tuple[Group, Span], groups: tuple[Name, ...], of: str) -> bool:
    """Whether a group is one of the operand's; reported if not."""
    named, span = group
    if named.name in groups:
        return True
    context.notes.error(GroupAbsent(of, named.name, tuple(groups)), span)
    return False


def check_names(context: RuleContext, node: Node) -> None:
    """Looks up the names in a node that is not checked further."""
    for name in names_in(node):
        if name.text not in OPERATOR_NAMES | BUILT_IN_NAMES and not names_type(context, name):
            context.scope.look_up(name, "name")


def _by_group(
    context: RuleContext, call: tuple[Call, Operator], rest: Sequence[Argument], groups: tuple[Name, ...] | None
) -> dict[Name, Values] | None:
    node, _ = call
    found: dict[Name, Values] = {}
    complete = True
    for argument in rest:
        if not isinstance(argument, Grouped):
            report_unexpected(context, node.callee, [argument])
            complete = False
            continue
        group = context.scope.group(argument.name)
        entries = argument.value.entries if isinstance(argument.value, Tuple) else (_positional(argument.value),)
        values = _values(context, call, entries, group)
        if group is None or values is None:
            complete = False
        elif group.name in found:
            context.notes.error(GroupTwice(group.name), argument.name.span)
            complete = False
        elif groups is not None and not in_groups(context, (group, argument.name.span), groups, node.callee.text):
            complete = False
        else:
            found[group.name] = values
    return found if complete else None


def _values(
    context: RuleContext, call: tuple[Call, Operator], entries: Sequence[Argument], group: Group | None
) -> Values | None:
    node, operator = call
    names = [attribute.name for attribute in operator.attributes]
    values: Values = {}
    complete = True
    unnamed = iter(names)
    for entry in entries:
        name = _attribute_name(context, call, entry, next(unnamed, None) if isinstance(entry, Positional) else None)
        reading = Reading(group.rank_class, group.name) if group is not None else Reading()
        truth = name is not None and any(each.name == name and each.is_truth for each in operator.attributes)
        read = _truth if truth else index
        value = read(context, entry.value, reading) if isinstance(entry, Positional | Keyed) else None
        if name is None or value is None:
            complete = False
        elif name in values:
            context.notes.error(OperatorAttributeTwice(node.callee.text, name), entry.span)
            complete = False
        else:
            values[name] = value
    if not complete:
        return None
    for attribute in operator.attributes:
        if attribute.default is None and attribute.name not in values:
            place = entries[0].span if entries else node.callee.span
            context.notes.error(OperatorNeeds(node.callee.text, f"`{attribute.name}`"), place)
            return None
    return values


def _truth(context: RuleContext, node: Expression, reading: Reading) -> Index | None:
    """A truth that is written down, as a number."""
    if isinstance(node, Written) and node.text in ("true", "false"):
        return Number(int(node.text == "true"), context.notes.site(node.span))
    if not isinstance(node, Missing):
        context.notes.error(CannotStandHere(kind_of(node), "`true` or `false`"), node.span)
    return None


def _attribute_name(
    context: RuleContext, call: tuple[Call, Operator], entry: Argument, positional: str | None
) -> str | None:
    node, operator = call
    names = [attribute.name for attribute in operator.attributes]
    match entry:
        case Positional() if positional is not None:
            return positional
        case Positional():
            accepted = ", ".join(f"`{name}`" for name in names)
            context.notes.error(SurplusAttribute(node.callee.text, accepted), entry.span)
        case Keyed(name=name) if name.text in names:
            return name.text
        case Keyed(name=name) | Grouped(name=name):
            accepted = ", ".join(f"`{each}`" for each in names)
            context.notes.error(UnknownOperatorAttribute(node.callee.text, name.text, accepted), name.span)
        case Renaming():
            report_unexpected(context, node.callee, [entry])
    return None


def _positional(value: Expression) -> Argument:
    return Positional(value.span, value)


def _group_of(context: RuleContext, name: Name) -> Group | None:
    entry = context.scope.entry(name)
    return entry.meaning if entry is not None and isinstance(entry.meaning, Group) else None


def _report_by_group(context: RuleContext, call: tuple[Call, Operator], groups: tuple[Name, ...]) -> None:
    node, operator = call
    values = ", ".join(attribute.name for attribute in operator.attributes)
    form = f"{groups[0] if groups else 'A'}: ({values})" if len(operator.attributes) > 1 else f"A: {values}"
    context.notes.error(NeededByGroup(node.callee.text, form, tuple(groups)), node.callee.span)


def _joined(parts: Sequence[list[tuple[Group, Span]] | None]) -> list[tuple[Group, Span]] | None:
    if any(part is None for part in parts):
        return None
    return [group for part in parts for group in part or ()]
