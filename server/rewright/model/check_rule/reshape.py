"""`reshape(X, D -> [], [] -> E)`: groups of which every size is 1 are dropped, and added.

Owns which forms of `reshape` these are; one that joins or splits groups is known and leaves the rule undecided.
Invariant: no group is named twice, the dropped ones are the operand's, the added ones are not. Must not know sizes:
that they are 1 is what makes a reshape valid.
"""

from __future__ import annotations

from rewright.model.check_rule.arguments import check_names, in_groups, selection
from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.operands import report_unexpected
from rewright.model.check_rule.structural_call import Chosen, StructuralCall, named_once, site_of
from rewright.model.index import Name
from rewright.model.tensor import Reshape, Tensor
from rewright.model.written import kind_of
from rewright.syntax.nodes import Argument, ListExpr, Positional, Renaming, Selector
from rewright.verdict.diagnostics.names import CannotStandHere, GroupPresent, OperatorNeeds

_FORM = "`D -> []` or `[] -> D`"


def reshape(context: RuleContext, call: StructuralCall) -> Tensor | None:
    """The value of a call of `reshape`; None where it is wrong or not decided, which was noted."""
    arrows = [_arrow(context, call, argument) for argument in call.rest]
    if not call.rest and call.spans:
        needed = f"its axis groups, as in {_FORM}"
        context.notes.error(OperatorNeeds(call.name, needed), call.node.callee.span)
    operand = call.first
    known = [arrow for arrow in arrows if arrow is not None]
    if operand is None or not known or len(known) != len(arrows):
        return None
    dropped = [group for source, _ in known for group in source]
    added = [group for _, target in known for group in target]
    if not _groups_fit(context, call, operand.groups, (dropped, added)):
        return None
    gone, new = (tuple(group.name for group, _ in groups) for groups in (dropped, added))
    groups = tuple(group for group in operand.groups if group not in gone) + new
    return Reshape(operand, gone, new, operand.type, groups, site_of(context, call))


def _arrow(context: RuleContext, call: StructuralCall, argument: Argument) -> tuple[Chosen, Chosen] | None:
    """The groups that one argument drops and adds; None if it is wrong or has another form."""
    match argument:
        case Renaming(source=source, target=target) if _is_empty(source) and _is_empty(target):
            context.notes.error(CannotStandHere("`[] -> []`", _FORM), argument.span)
        case Renaming(source=source, target=target) if _is_empty(target) or (_is_empty(source) and _is_bare(target)):
            dropped, added = selection(context, source), selection(context, target)
            return None if dropped is None or added is None else (dropped, added)
        case Renaming():
            check_names(context, argument)
            context.notes.not_supported("a `reshape` that joins or splits axis groups", argument.span)
        case Positional(value=value):
            context.notes.error(CannotStandHere(kind_of(value), _FORM), argument.span)
        case _:
            report_unexpected(context, call.node.callee, [argument])
    return None


def _is_empty(node: Selector) -> bool:
    return isinstance(node, ListExpr) and not node.entries


def _is_bare(node: Selector) -> bool:
    """Whether groups are named without sizes."""
    return not isinstance(node, ListExpr) or all(isinstance(entry, Positional) for entry in node.entries)


def _groups_fit(
    context: RuleContext, call: StructuralCall, groups: tuple[Name, ...], chosen: tuple[Chosen, Chosen]
) -> bool:
    """Whether the dropped groups are among those of the operand and the added ones not, each named once."""
    dropped, added = chosen
    if not named_once(context, call, [*dropped, *added], groups):
        return False
    for group, span in added:
        if group.name in groups:
            context.notes.error(GroupPresent(call.name, group.name, groups), span)
            return False
    return all(in_groups(context, group, groups, call.name) for group in dropped)
