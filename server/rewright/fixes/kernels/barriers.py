"""Where a barrier may go that orders two accesses: the latest place first, in no loop that is not around both.

Between the two in the text these are the places among the statements that both stand in, backwards from the second
access; then those inside the branches around it. For accesses in different passes of a loop the end of its body comes
first. At last two barriers, one of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from rewright.fixes.kernels.tree import (
    LOOPS,
    ParsedText,
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


def insertions(source: ParsedText, first: Span, second: Span, barrier: str) -> list[tuple[Edit, ...]]:
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
    source: ParsedText, from_first: list[Node], from_second: list[Node], barrier: str
) -> Iterator[tuple[Edit, ...]]:
    """Backwards from the second access to the first one where they are siblings, then closer to the second.

    A second access that stands further up is one of another call, or of another pass.
    """
    inner = [statement for statement in from_second if statement not in from_first]
    if not inner:
        return
    beside = siblings(source, inner[-1])
    reached = [at for at, sibling in enumerate(beside) if sibling in from_first]
    here = beside.index(inner[-1])
    if reached and reached[0] > here:
        yield before(source, beside[here], barrier)
    elif reached:
        for sibling in reversed(beside[reached[0] + 1 : here + 1]):
            yield before(source, sibling, barrier)
        yield after(source, beside[reached[0]], barrier)
    for statement in _outside_loops(inner[:-1] if reached else inner, inner):
        yield before(source, statement, barrier)


def _looping(
    source: ParsedText, from_first: list[Node], from_second: list[Node], barrier: str
) -> Iterator[tuple[Edit, ...]]:
    """For each loop around both, inner ones first: the end of its body, after the first access, before the second."""
    for loop in (statement for statement in from_second if statement in from_first and statement.type in LOOPS):
        body = body_of(loop)
        if body is None:
            continue
        yield at_end(source, body, barrier)
        for chain, put in ((from_first, after), (from_second, before)):
            inside = chain[: chain.index(loop)]
            for statement in reversed(list(_outside_loops(inside, inside))):
                yield put(source, statement, barrier)


def _outside_loops(statements: list[Node], chain: list[Node]) -> Iterator[Node]:
    """Those of the statements that are in no loop of the chain, which goes outwards."""
    for statement in statements:
        around = chain[chain.index(statement) + 1 :]
        if not any(each.type in LOOPS for each in around):
            yield statement
