"""Preconditions and assumptions left out. Must not know why they are not needed."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rewright.syntax import nodes
from rewright.syntax.nodes import Placed
from rewright.syntax.places import line_end, line_start
from rewright.syntax.text import Span, Text


def without(text: Text, placed: Placed, unneeded: Collection[Span]) -> tuple[Span, ...]:
    """The stretches of a file without which a rule has no precondition at these spans, which are of the file.

    An item of which nothing is left goes with its line.
    """
    items = placed.node.items if isinstance(placed.node, nodes.RuleDecl) else ()
    local = {span.shifted(-placed.start) for span in unneeded}
    found = (span for item in items if isinstance(item, nodes.Where | nodes.Assume) for span in _of_item(item, local))
    return tuple(_with_line(text, span) for span in (each.shifted(placed.start) for each in found))


def _of_item(item: nodes.Where | nodes.Assume, unneeded: Collection[Span]) -> Iterator[Span]:
    kept = [part for part in item.predicates if not _goes(part, unneeded)]
    if not kept:
        yield item.span
        return
    for part in kept:
        yield from _within(part, unneeded)
    parts = item.predicates
    if kept[0] is not parts[0]:
        yield Span(parts[0].span.start, kept[0].span.start)
    for at, part in enumerate(kept):
        following = parts.index(kept[at + 1]) if at + 1 < len(kept) else len(parts)
        last = parts[following - 1]
        if last is not part:
            yield Span(part.span.end, last.span.end)


def _goes(part: nodes.Expression, unneeded: Collection[Span]) -> bool:
    """Whether nothing of a precondition is left."""
    if part.span in unneeded:
        return True
    return isinstance(part, nodes.And) and _goes(part.left, unneeded) and _goes(part.right, unneeded)


def _within(part: nodes.Expression, unneeded: Collection[Span]) -> Iterator[Span]:
    if not isinstance(part, nodes.And):
        return
    if _goes(part.left, unneeded):
        yield Span(part.left.span.start, part.right.span.start)
        yield from _within(part.right, unneeded)
    elif _goes(part.right, unneeded):
        yield Span(part.left.span.end, part.right.span.end)
        yield from _within(part.left, unneeded)
    else:
        yield from _within(part.left, unneeded)
        yield from _within(part.right, unneeded)


def _with_line(text: Text, span: Span) -> Span:
    """The span with its line, if nothing else stands there and it is not part of an item that stays."""
    start, end = line_start(text.data, span.start), line_end(text.data, span.end)
    alone = not text.data[start : span.start].strip() and not text.data[span.end : end].strip()
    is_item = text.data.startswith((b"where", b"assume"), span.start)
    if not (alone and is_item):
        return span
    after = end + len(text.data[end : end + 2]) - len(text.data[end : end + 2].lstrip(b"\r\n"))
    return Span(start, min(after, len(text.data)))
