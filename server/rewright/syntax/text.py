"""Owns the text of a source, byte ranges in it, and their conversion to and from an editor's positions.

Invariant: a span counts bytes of the UTF-8 form, a position counts lines and code units, and only this module
converts one to the other. Lines end at `\\n`, `\\r\\n` or `\\r`, as the Language Server Protocol has it.
It must not know what the text means, nor where it came from.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from enum import Enum
from itertools import accumulate

from msgspec import Struct

_LINE_END = re.compile(rb"\n|\r(?!\n)")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Span(Struct, frozen=True, order=True):
    """A half-open range of bytes."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """Returns the span moved by a number of bytes."""
        return Span(self.start + by, self.end + by)

    def contains(self, offset: int) -> bool:
        """Returns whether a cursor at the offset touches the span, its end included."""
        return self.start <= offset <= self.end


class PositionEncoding(Enum):
    """The code units in which an editor counts columns; the protocol's default is UTF-16."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Position(Struct, frozen=True, order=True):
    """A line and a column, both from 0; the column counts code units of the client's encoding."""

    line: int
    character: int


class Text(Struct, frozen=True):
    """One version of a source: where it belongs, what it says, and where its lines start."""

    uri: str
    text: str
    data: bytes
    digest: str
    line_starts: tuple[int, ...]

    @staticmethod
    def of(uri: str, text: str) -> Text:
        """Returns the text with its UTF-8 form; a lone surrogate, which has none, becomes U+FFFD."""
        try:
            encoded = text.encode()
        except UnicodeEncodeError:
            text = _LONE_SURROGATE.sub("\ufffd", text)
            encoded = text.encode()
        starts = (0, *(match.end() for match in _LINE_END.finditer(encoded)))
        return Text(uri, text, encoded, hashlib.sha256(encoded).hexdigest(), starts)

    def edited(self, span: Span, inserted: str) -> Text:
        """Returns the text with other text in place of a span, which begins and ends between characters."""
        data = _LONE_SURROGATE.sub("\ufffd", inserted).encode()
        encoded = self.data[: span.start] + data + self.data[span.end :]
        starts = _starts_after(self.line_starts, span, encoded, len(data))
        return Text(self.uri, encoded.decode(), encoded, hashlib.sha256(encoded).hexdigest(), starts)

    @staticmethod
    def of_bytes(uri: str, raw: bytes) -> Text:
        """Returns the text of a file's bytes; what is not UTF-8 becomes U+FFFD, a byte order mark is no text."""
        return Text.of(uri, raw.decode("utf-8-sig", errors="replace"))

    def slice(self, span: Span) -> str:
        """Returns the text in the span, as much of it as there is."""
        return self.data[span.start : span.end].decode(errors="replace")

    def position(self, offset: int, encoding: PositionEncoding = PositionEncoding.UTF16) -> Position:
        """Returns the position of a byte offset; one inside a character or a line's end means its start."""
        line = bisect_right(self.line_starts, max(0, offset)) - 1
        before = self.data[self.line_starts[line] : min(offset, self._content_end(line))]
        return Position(line, _width(before.decode(errors="ignore"), encoding))

    def offset(self, position: Position, encoding: PositionEncoding = PositionEncoding.UTF16) -> int:
        """Returns the byte offset of a position; one past a line's end means its end, as the protocol asks."""
        if position.line < 0:
            return 0
        if position.line >= len(self.line_starts):
            return len(self.data)
        start = self.line_starts[position.line]
        content = self.data[start : self._content_end(position.line)].decode()
        return start + len(content[: _index(content, position.character, encoding)].encode())

    def line(self, number: int) -> str:
        """Returns a line without its end."""
        return self.data[self.line_starts[number] : self._content_end(number)].decode()

    def _content_end(self, line: int) -> int:
        if line + 1 == len(self.line_starts):
            return len(self.data)
        end = self.line_starts[line + 1] - 1
        return end - 1 if self.data[max(0, end - 1) : end + 1] == b"\r\n" else end


def _starts_after(starts: tuple[int, ...], span: Span, data: bytes, inserted: int) -> tuple[int, ...]:
    """Where the lines of an edited text start; whether one does is seen from the bytes before and after that place."""
    end, by = span.start + inserted, inserted - (span.end - span.start)
    window = (match.end() for match in _LINE_END.finditer(data, max(0, span.start - 1), end + 1))
    above = starts[: max(1, bisect_left(starts, span.start))]
    below = starts[bisect_right(starts, span.end) :]
    inside = [start for start in window if max(1, span.start) <= start <= end]
    return (*above, *inside, *[start + by for start in below])


def _unit(character: str, encoding: PositionEncoding) -> int:
    match encoding:
        case PositionEncoding.UTF8:
            return len(character.encode())
        case PositionEncoding.UTF16:
            return 2 if character > "\uffff" else 1
        case PositionEncoding.UTF32:
            return 1


def _width(content: str, encoding: PositionEncoding) -> int:
    if content.isascii():
        return len(content)
    return sum(_unit(character, encoding) for character in content)


def _index(content: str, units: int, encoding: PositionEncoding) -> int:
    """The number of whole characters within a number of code units."""
    if content.isascii():
        return max(0, min(units, len(content)))
    ends = list(accumulate(_unit(character, encoding) for character in content))
    return bisect_right(ends, units)
