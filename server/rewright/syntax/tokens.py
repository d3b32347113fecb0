"""Owns what each word of a file is for the eye: the captures of the grammar's highlight query.

Invariant: tokens are in order, on one line each, and do not overlap. It must not know names.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import tree_sitter_rewright
from msgspec import Struct
from tree_sitter import Query, QueryCursor

from rewright.syntax.parsed import Parsed, TextPiece
from rewright.syntax.text import Span
from rewright.syntax.tree import LANGUAGE

_HIGHLIGHTS: Final = Query(LANGUAGE, tree_sitter_rewright.HIGHLIGHTS_QUERY)


class SemanticToken(Struct, frozen=True):
    """A word with the name of its capture, such as `keyword` or `variable.parameter`."""

    span: Span
    capture: str


def tokens(parsed: Parsed) -> tuple[tuple[int, tuple[SemanticToken, ...]], ...]:
    """Returns the tokens of each piece of the file, with the offset from which their spans count.

    The tokens of a piece that an edit left alone are the same object as before, so what is made of them can be kept.
    """
    return tuple((start, _of(piece)) for start, piece in parsed.pieces)


@lru_cache(maxsize=4096)
def _of(piece: TextPiece) -> tuple[SemanticToken, ...]:
    """The tokens of a piece; where patterns meet on one node, the later one wins."""
    winners: dict[Span, tuple[int, str]] = {}
    for pattern, captures in QueryCursor(_HIGHLIGHTS).matches(piece.tree.root_node):
        for capture, captured in captures.items():
            for node in captured:
                span = Span(node.start_byte, node.end_byte)
                if span.start < span.end:
                    winners[span] = max((pattern, capture), winners.get(span, (-1, "")))
    return tuple(SemanticToken(span, capture) for span, (_, capture) in sorted(winners.items()))
