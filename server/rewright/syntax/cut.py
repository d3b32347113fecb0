"""Owns the cut of a file into pieces, each with at most one declaration, at its start.

The words that start a declaration are reserved, so a line that begins with one begins a declaration, whatever the lines
above it look like; the `///` lines and attributes directly above belong to it. A piece is read by itself: half-typed
text cannot reach into the next declaration, and a keystroke touches one piece.
Invariant: the pieces follow each other without gap or overlap; the cut is a function of the text.
It must not know what a declaration consists of.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from rewright.syntax.change import TextChange

WORDS: Final = (
    "rule",
    "lemma",
    "kernel",
    "equivalent",
    "graph",
    "operator",
    "refine",
    "loops",
    "transform",
    "lift",
    "import",
)

_ATTRIBUTE: Final = rb'@(?:[^"/\r\n]|"[^"\r\n]*"|/(?!/))*?[ \t)]'
_WORD: Final = rb"(?:" + "|".join(WORDS).encode() + rb")(?![0-9A-Za-z_\x80-\xff])"
_START: Final = re.compile(rb"(?:\A|(?<=[\r\n]))[ \t]*((?:" + _ATTRIBUTE + rb")?" + _WORD + rb")")
_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')


class Head(Struct, frozen=True):
    """The start of a line that begins a declaration: where its piece starts, where the match does, and where it ends.

    All of the match is on one line, and whether it is one depends on that line alone.
    """

    piece: int
    start: int
    end: int


class PieceStarts(Struct, frozen=True):
    """The heads of a text, in order. The first `above` and the last `below` of them are those of the text before."""

    heads: tuple[Head, ...]
    above: int = 0
    below: int = 0

    @property
    def begin(self) -> int:
        """Where the pieces begin that may be others."""
        return self.heads[self.above - 1].piece if self.above else 0

    def end(self, source: bytes) -> int:
        """Where they end."""
        return self.heads[-self.below].piece if self.below else len(source)

    def starts(self) -> tuple[int, ...]:
        """Where each of them starts; in a text that was not cut before, of all pieces."""
        between = self.heads[self.above : len(self.heads) - self.below]
        return tuple(dict.fromkeys((self.begin, *[head.piece for head in between])))


def cut(source: bytes) -> PieceStarts:
    """Returns the cut of a text."""
    return PieceStarts(tuple(_heads(source, _START.finditer(source), 0)))


def cut_after(before: tuple[Head, ...], source: bytes, change: TextChange) -> PieceStarts:
    """Returns the cut of a text that a change has made, by the heads of before: only what may be others is looked at.

    Of the first head below the changed lines the piece may start elsewhere: what stands above it may be another.
    """
    begin = max(source.rfind(b"\n", 0, change.start), source.rfind(b"\r", 0, change.start)) + 1
    ends = [at for at in (source.find(b"\n", change.after), source.find(b"\r", change.after)) if at >= 0]
    end = min(ends, default=len(source) - 1) + 1
    above = before[: bisect_left(before, begin, key=_end)]
    below = before[bisect_right(before, end - change.by, key=_end) :]
    between = [*_heads(source, _START.finditer(source, begin, end), above[-1].end if above else 0)]
    known = [*above, *between]
    by = change.by
    for head in below[:1]:
        known.append(_head(source, known[-1].end if known else 0, head.start + by, head.end + by))
    moved = below[1:] if by == 0 else [Head(each.piece + by, each.start + by, each.end + by) for each in below[1:]]
    return PieceStarts((*known, *moved), len(above), len(moved))


def _end(head: Head) -> int:
    return head.end


def _heads(source: bytes, matches: Iterable[re.Match[bytes]], end: int) -> Iterator[Head]:
    for match in matches:
        yield _head(source, end, match.start(1), match.end())
        end = match.end()


def _head(source: bytes, above: int, start: int, end: int) -> Head:
    """The head of a match, above which another one ends there: its documentation and attributes are of its piece."""
    return Head(above + _start_of_what_belongs(source[above:start]), start, end)


def _start_of_what_belongs(gap: bytes) -> int:
    """Where in what stands before a declaration its documentation and attributes begin; its end if it has none."""
    start, depth = len(gap), 0
    for offset, line in _lines_above(gap):
        code = _STRING.sub(b"", line).partition(b"//")[0]
        depth += code.count(b")") - code.count(b"(")
        if line.startswith((b"@", b"///")) and depth == 0:
            start = offset
        elif depth < 0 or (depth == 0 and code):
            break
    return start


def _lines_above(gap: bytes) -> Iterator[tuple[int, bytes]]:
    """The whole lines of a gap, the last first, without indentation, with where their text starts."""
    end = max(gap.rfind(b"\n"), gap.rfind(b"\r"))
    while end > 0:
        begin = max(gap.rfind(b"\n", 0, end), gap.rfind(b"\r", 0, end)) + 1
        line = gap[begin:end]
        yield end - len(line.lstrip()), line.strip()
        end = begin - 1
