"""Owns what stands around an offset: ever larger stretches of text that belong together. It must not know names."""

from __future__ import annotations

from bisect import bisect_right

from rewright.syntax.parsed import Parsed
from rewright.syntax.text import Span


def enclosing(parsed: Parsed, offset: int) -> tuple[Span, ...]:
    """Returns the spans around an offset, the smallest first: its word, what that is part of, and so on to the file."""
    whole = Span(0, len(parsed.text.data))
    if not parsed.pieces:
        return (whole,)
    start, piece = parsed.pieces[bisect_right(parsed.pieces, offset, key=lambda each: each[0]) - 1]
    at = offset - start
    node = piece.tree.root_node.descendant_for_byte_range(at, at)
    spans: list[Span] = []
    while node is not None:
        span = Span(start + node.start_byte, start + node.end_byte)
        if span.contains(offset) and span.start < span.end and (not spans or span != spans[-1]):
            spans.append(span)
        node = node.parent
    return (*(span for span in spans if span != whole), whole)
