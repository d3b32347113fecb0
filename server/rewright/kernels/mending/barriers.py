"""Where a barrier may go that orders two accesses: the latest place first.

Between the two in the text these are the places before the second access and outwards, then back towards the first; for
accesses in different passes of a loop, the end of its body first. At last two barriers, one of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from rewright.kernels.mending.tree import (
    LOOPS,
    Source,
    after,
    at_end,
    before,
    body_of,
    siblings,
    statements_around,
)
from rewright.syntax.text import Span
from rewright.verdict import Edit

MOST = 12
"""Places that are tried."""

_MOST_OF_PAIRS = 2


def insertions(source: Source, first: Span, second: Span, barrier: str) -> list[tuple[Edit, ...]]:
    """The edits that put a barrier between the access that ran first and the other one, those to prefer first."""
    from_first, from_second = statements_around(source, first), statements_around(source, second)
    if not from_first or not from_second:
        return []
    between = list(_between(source, from_first, from_second, barrier))
    looping = list(_looping(source, from_first, from_second, barrier))
    ordered = between + looping if first.start < second.start else looping + between
    both = [one + other for one in between[:_MOST_OF_PAIRS] for other in looping[:_MOST_OF_PAIRS] if one != other]
    return [*list(dict.fromkeys(ordered))[:MOST], *both]


def _between(
    source: Source, from_first: list[Node], from_second: list[Node], barrier: str
) -> Iterator[tuple[Edit, ...]]:
    """From the second access outwards, then back among its siblings to the first one."""
    for statement in from_second:
        if statement in from_first:
            return
        yield before(source, statement, barrier)
        beside = siblings(source, statement)
        reached = [at for at, sibling in enumerate(beside) if sibling in from_first]
        if reached:
            here = beside.index(statement)
            for sibling in reversed(beside[reached[0] + 1 : here]):
                yield before(source, sibling, barrier)
            yield after(source, beside[reached[0]], barrier)
            return


def _looping(
    source: Source, from_first: list[Node], from_second: list[Node], barrier: str
) -> Iterator[tuple[Edit, ...]]:
    """For each loop around both, inner ones first: the end of its body, behind the first access, before the second."""
    for loop in (statement for statement in from_second if statement in from_first and statement.type in LOOPS):
        body = body_of(loop)
        if body is None:
            continue
        yield at_end(source, body, barrier)
        for statement in _inside(from_first, loop):
            yield after(source, statement, barrier)
        for statement in _inside(from_second, loop):
            yield before(source, statement, barrier)


def _inside(statements: list[Node], loop: Node) -> Iterator[Node]:
    """The statements inside a loop, the outer ones first."""
    return (statement for statement in reversed(statements[: statements.index(loop)]))
