"""`reshape` and `bitcast`: axes of size 1 are dropped and added, axes take the place of others.

Owns which forms of `reshape` there are: `D -> []` and `[] -> E` for groups of which every size is 1, and
`[A, b] -> [c: p, D: q]` for groups of any rank and single axes, row-major. Invariant: those that go are the operand's,
those that come are not, or go at the same arrow. Must not know sizes: that they fit is what makes a reshape valid.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.model.check_rule.arguments import check_names, in_groups, selection
from rewright.model.check_rule.context import Reading, RuleContext
from rewright.model.check_rule.index import index
from rewright.model.check_rule.operands import report_unexpected
from rewright.model.check_rule.structural_call import Chosen, StructuralCall, named_once, site_of
from rewright.model.index import Index, Name
from rewright.model.rule import Extent
from rewright.model.tensor import Bitcast, Reshape, Tensor
from rewright.model.written import kind_of
from rewright.syntax.nodes import Argument, Grouped, ListExpr, Positional, Renaming, Selector
from rewright.syntax.nodes import Name as Written
from rewright.verdict.diagnostics.names import CannotStandHere, GroupPresent, OperatorNeeds

_FORM = "`D -> []`, `[] -> D` or `[a, b] -> [c: p, d: q]`"


class _Arrow(Struct, frozen=True):
    """What one argument takes away and what it puts there; sizes are None where units are dropped or added."""

    gone: Chosen
    new: Chosen
    sizes: tuple[Index | None, ...] | None
    argument: Argument


def reshape(context: RuleContext, call: StructuralCall) -> Tensor | None:
    """The value of a call of `reshape` or `bitcast`; None where it is wrong or not decided, which was noted."""
    arrows = [_arrow(context, call, argument) for argument in call.rest]
    if not call.rest and call.spans:
        needed = f"its axis groups, as in {_FORM}"
        context.notes.error(OperatorNeeds(call.name, needed), call.node.callee.span)
    operand = call.first
    known = [arrow for arrow in arrows if arrow is not None]
    if operand is None or not known or len(known) != len(arrows):
        return None
    if not _groups_fit(context, call, operand.groups, known):
        return None
    units = [arrow for arrow in known if arrow.sizes is None]
    others = [arrow for arrow in known if arrow.sizes is not None]
    result = _of_units(operand, units, site_of(context, call)) if units else operand
    for arrow in others:
        last = arrow is others[-1]
        site = site_of(context, call) if last else context.notes.site(arrow.argument.span)
        result = _of_axes(result, arrow, site)
    return result


def _of_units(operand: Tensor, arrows: list[_Arrow], site: int) -> Tensor:
    gone = tuple(group.name for arrow in arrows for group, _ in arrow.gone)
    new = tuple(group.name for arrow in arrows for group, _ in arrow.new)
    groups = tuple(group for group in operand.groups if group not in gone) + new
    return Reshape(operand, gone, new, operand.type, groups, site)


def _of_axes(operand: Tensor, arrow: _Arrow, site: int) -> Tensor:
    """The new axes stand where the first of the old ones stood."""
    gone, new = (tuple(group.name for group, _ in groups) for groups in (arrow.gone, arrow.new))
    place = next((number for number, group in enumerate(operand.groups) if group in gone), len(operand.groups))
    before = operand.groups[:place]
    after = tuple(group for group in operand.groups[place:] if group not in gone)
    targets = tuple(zip(new, arrow.sizes or (), strict=True))
    return Bitcast(operand, gone, targets, operand.type, (*before, *new, *after), site)


def _arrow(context: RuleContext, call: StructuralCall, argument: Argument) -> _Arrow | None:
    """What one argument says; None if it is wrong or has another form."""
    match argument:
        case Renaming(source=source, target=target) if _is_empty(source) and _is_empty(target):
            context.notes.error(CannotStandHere("`[] -> []`", _FORM), argument.span)
        case Renaming(source=source, target=target) if _is_empty(target) or (_is_empty(source) and _is_bare(target)):
            gone, new = selection(context, source), selection(context, target)
            return None if gone is None or new is None else _Arrow(gone, new, None, argument)
        case Renaming():
            return _axes(context, call, argument)
        case Positional(value=value):
            context.notes.error(CannotStandHere(kind_of(value), _FORM), argument.span)
        case _:
            report_unexpected(context, call.node.callee, [argument])
    return None


def _axes(context: RuleContext, call: StructuralCall, argument: Renaming) -> _Arrow | None:
    gone, new = selection(context, argument.source), _targets(context, argument.target)
    if gone is None or new is None:
        return None
    targets, sizes = new
    if len(targets) > 1 or any(group.extent is not Extent.SINGLE for group, _ in targets):
        for (group, span), size in zip(targets, sizes, strict=True):
            if size is None:
                context.notes.error(OperatorNeeds(call.name, f"the size of `{group.name}`"), span)
                return None
    return _Arrow(gone, targets, sizes, argument)


def _targets(context: RuleContext, node: Selector) -> tuple[Chosen, tuple[Index | None, ...]] | None:
    """The groups that come, with the sizes that are written."""
    entries = node.entries if isinstance(node, ListExpr) else (Positional(node.span, node),)
    targets: Chosen = []
    sizes: list[Index | None] = []
    for entry in entries:
        match entry:
            case Positional(value=Written() as name):
                group, size, read = context.scope.group(name), None, True
            case Grouped(name=name):
                group = context.scope.group(name)
                reading = Reading() if group is None else Reading(group.rank_class, group.name)
                size = index(context, entry.value, reading)
                read = size is not None
            case _:
                check_names(context, entry)
                context.notes.error(CannotStandHere("this", "an axis with its size, as in `c: p`"), entry.span)
                return None
        if group is not None and read:
            targets.append((group, name.span))
            sizes.append(size)
    return (targets, tuple(sizes)) if len(targets) == len(entries) else None


def _is_empty(node: Selector) -> bool:
    return isinstance(node, ListExpr) and not node.entries


def _is_bare(node: Selector) -> bool:
    """Whether groups are named without sizes."""
    return not isinstance(node, ListExpr) or all(isinstance(entry, Positional) for entry in node.entries)


def _groups_fit(context: RuleContext, call: StructuralCall, groups: tuple[Name, ...], arrows: list[_Arrow]) -> bool:
    """Whether groups that go are the operand's, those that come are not or go at the same arrow, each named once."""
    gone = [chosen for arrow in arrows for chosen in arrow.gone]
    new = [chosen for arrow in arrows for chosen in arrow.new]
    if not named_once(context, call, gone, groups) or not named_once(context, call, new, groups):
        return False
    for arrow in arrows:
        replaced = {group.name for group, _ in arrow.gone}
        for group, span in arrow.new:
            if group.name in groups and group.name not in replaced:
                context.notes.error(GroupPresent(call.name, group.name, groups), span)
                return False
    return all(in_groups(context, chosen, groups, call.name) for chosen in gone)
