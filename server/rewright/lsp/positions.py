"""Byte spans to the editor's ranges and back: the only place where the protocol meets a text's bytes.

Invariant: every range that leaves the server and every position that enters it passes here, in the encoding agreed with
the client at its start.
"""

from __future__ import annotations

from lsprotocol import types

from rewright.syntax.text import Position, PositionEncoding, Span, Text


def range_of(text: Text, span: Span, encoding: PositionEncoding) -> types.Range:
    """The editor's range of a span."""
    return types.Range(position_of(text, span.start, encoding), position_of(text, span.end, encoding))


def position_of(text: Text, offset: int, encoding: PositionEncoding) -> types.Position:
    """The editor's position of a byte offset."""
    at = text.position(offset, encoding)
    return types.Position(at.line, at.character)


def offset_of(text: Text, position: types.Position, encoding: PositionEncoding) -> int:
    """The byte offset of an editor's position; a position past the end of its line or of the text means that end."""
    return text.offset(Position(position.line, position.character), encoding)


def span_of(text: Text, range: types.Range, encoding: PositionEncoding) -> Span:
    """The span of an editor's range, whichever end it gives first."""
    start, end = offset_of(text, range.start, encoding), offset_of(text, range.end, encoding)
    return Span(min(start, end), max(start, end))


def line_end(text: Text, offset: int, encoding: PositionEncoding) -> types.Position:
    """The position after the last character of the line that holds the offset."""
    line = text.position(offset, encoding).line
    return position_of(text, offset_of(text, types.Position(line, 2**31 - 1), encoding), encoding)
