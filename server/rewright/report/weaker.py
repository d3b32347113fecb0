"""Weaker preconditions that do not do, in words: for a hover and for a panel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rewright.model.rule import FAMILY
from rewright.report.panel.shown import PanelPrecondition, PanelWeaker
from rewright.report.tables import code, table
from rewright.verdict import Fix, Instance


def panels(fixes: Iterable[Fix]) -> tuple[PanelPrecondition, ...]:
    """The preconditions among some fixes of which weaker ones are known."""
    return tuple(
        PanelPrecondition(fix.title, tuple(PanelWeaker(each.precondition, inputs(each.fails)) for each in fix.weaker))
        for fix in fixes
        if fix.weaker
    )


def tables(fixes: Iterable[Fix]) -> Iterator[str]:
    """For each precondition of which weaker ones are known a table of these, as Markdown."""
    for fix in fixes:
        rows = [(code(each.precondition), code(inputs(each.fails))) for each in fix.weaker]
        if rows:
            yield f"**{fix.title}**\n\n{table(('weaker', 'fails at'), rows)}"


def inputs(instance: Instance) -> str:
    """An input without contents in one line: `rank of A: 1, n = [2], k = 3`."""
    ranks = [f"rank of {group}: {rank}" for group, rank in instance.ranks if not group.startswith(FAMILY)]
    maps = [f"{name} = {list(axis)}" for name, axis in instance.maps]
    return ", ".join([*ranks, *maps, *(f"{name} = {value}" for name, value in (*instance.integers, *instance.scalars))])
