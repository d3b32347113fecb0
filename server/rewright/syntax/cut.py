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
from functools import lru_cache
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

LONG: Final = 4096
"""Bytes from which on a gap between two declarations is not remembered."""


def cuts(text: Text) -> tuple[int, ...]:
    """Returns the offsets at which pieces start, 0 among them."""
    source, starts, end = text.data, [0], 0
    for match in _START.finditer(source):
        start = end + _with_what_stands_above(source[end : match.start(1)])
        end = match.end()
        if start > starts[-1]:
            starts.append(start)
    return tuple(starts)


def _with_what_stands_above(gap: bytes) -> int:
    """Where in what stands before a declaration its documentation and attributes begin; its end if it has none."""
    return _remembered(gap) if len(gap) <= LONG else _start_of_what_belongs(gap)


@lru_cache(maxsize=4096)
def _remembered(gap: bytes) -> int:
    """The same, remembered: a key changes one gap of a file, and looking at all took an eighth of it."""
    return _start_of_what_belongs(gap)


def _start_of_what_belongs(gap: bytes) -> int:
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
