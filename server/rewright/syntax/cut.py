"""Owns the cut of a file into pieces, each with at most one declaration, at its start.

The words that start a declaration are reserved, so a line that begins with one begins a declaration, whatever the lines
above it look like; the `///` lines and attributes directly above belong to it. A piece is read by itself: half-typed
text cannot reach into the next declaration, and a keystroke touches one piece.
Invariant: the pieces follow each other without gap or overlap; the cut is a function of the text.
It must not know what a declaration consists of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rewright.syntax.text import Text

WORDS: Final = (
    "rule",
    "lemma",
    "kernel",
    "equivalent",
    "graph",
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


def cuts(text: Text) -> tuple[int, ...]:
    """Returns the offsets at which pieces start, 0 among them."""
    source, starts, end = text.data, [0], 0
    for match in _START.finditer(source):
        start = _with_what_stands_above(source, match.start(1), end)
        end = match.end()
        if start > starts[-1]:
            starts.append(start)
    return tuple(starts)


def _with_what_stands_above(source: bytes, start: int, limit: int) -> int:
    """The start of the documentation and attributes that stand directly above a declaration, else the start given."""
    depth = 0
    for offset, line in _lines_above(source, start, limit):
        code = _STRING.sub(b"", line).partition(b"//")[0]
        depth += code.count(b")") - code.count(b"(")
        if line.startswith((b"@", b"///")) and depth == 0:
            start = offset
        elif depth < 0 or (depth == 0 and code):
            break
    return start


def _lines_above(source: bytes, start: int, limit: int) -> Iterator[tuple[int, bytes]]:
    """The lines above an offset down to a limit, nearest first, without indentation, with where their text starts."""
    end = max(source.rfind(b"\n", limit, start), source.rfind(b"\r", limit, start))
    while end > limit:
        begin = max(source.rfind(b"\n", limit, end), source.rfind(b"\r", limit, end), limit - 1) + 1
        line = source[begin:end]
        yield end - len(line.lstrip()), line.strip()
        end = begin - 1
