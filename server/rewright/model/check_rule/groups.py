"""The axis groups and single axes of a rule, and their rank classes.

Owns the step from `axes` and `axis` to groups. Invariant: a group is in one rank class, and a class has groups of any
rank or single axes. Must not know what groups are used for.
"""

from __future__ import annotations

from collections.abc import Sequence

from rewright.model.check_rule.context import RuleContext
from rewright.model.declared import SymbolKind
from rewright.model.index import Name
from rewright.model.rule import Extent, Group
from rewright.syntax.nodes import Axes, AxisItem, GroupDecl, RuleItem
from rewright.syntax.nodes import Name as Written
from rewright.verdict.diagnostics.names import IncompleteDeclaration, MixedRankClass, RankClassTwice, WrongPart


def declare_groups(context: RuleContext, items: Sequence[RuleItem]) -> list[Group]:
    """Declares `axes A+ ~ B, C` and `axis d, m ~ k`."""
    groups: list[Group] = []
    linked: set[str] = set()
    for item in items:
        if isinstance(item, Axes | AxisItem):
            single = isinstance(item, AxisItem)
            for written in item.classes:
                if len(written.groups) > 1:
                    linked.update(group.name.text for group in written.groups)
                free = [
                    group
                    for group in written.groups
                    if group.name.text not in linked or not _in_a_class(context, group.name, single)
                ]
                groups += _single_axes(context, free) if single else _rank_class(context, free)
    return groups


def _in_a_class(context: RuleContext, name: Written, single: bool) -> bool:
    """Whether a name is that of a group already, which is reported; `single` says that an axis is declared."""
    entry = context.scope.entry(name.text)
    if entry is None or not isinstance(entry.meaning, Group):
        return False
    if (entry.meaning.extent is Extent.SINGLE) is single:
        context.notes.error(RankClassTwice(name.text), name.span, first=entry.definition)
    else:
        context.notes.error(MixedRankClass(name.text, not single), name.span, first=entry.definition)
    return True


def _single_axes(context: RuleContext, linked: Sequence[GroupDecl]) -> list[Group]:
    for written in linked:
        if written.plus:
            context.notes.error(IncompleteDeclaration(written.name.text, WrongPart.PLUS), written.span)
    text = "axis " + " ~ ".join(each.name.text for each in linked)
    return _declared_class(context, linked, Extent.SINGLE, (SymbolKind.AXIS, text))


def _rank_class(context: RuleContext, linked: Sequence[GroupDecl]) -> list[Group]:
    extent = Extent.NONEMPTY if any(group.plus for group in linked) else Extent.ANY
    text = "axes " + " ~ ".join(group.name.text + "+" * group.plus for group in linked)
    return _declared_class(context, linked, extent, (SymbolKind.GROUP, text))


def _declared_class(
    context: RuleContext, linked: Sequence[GroupDecl], extent: Extent, shown: tuple[SymbolKind, str]
) -> list[Group]:
    groups: list[Group] = []
    for written in linked:
        name = Name(written.name.text)
        group = Group(name, groups[0].rank_class if groups else name, extent)
        if context.declare(written.name, group, shown):
            groups.append(group)
    return groups
