"""Owns the one layout of a text: the blanks between its words, the indentation of its lines, its empty lines.

Lines are broken where the writer broke them. What changes stands between words only, so comments stay, and a text that
is formatted twice is as it was formatted once. A declaration with syntax errors is left as it is. It must not know
names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from rewright.syntax.leaves import TreeLeaf, leaves
from rewright.syntax.parsed import Parsed, TextPiece, parse
from rewright.syntax.text import Span, Text

INDENT: Final = 2
"""Blanks of one level, and of a line that goes on."""

_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_OPENING: Final = frozenset({"(", "[", "{"})
_CLOSING: Final = frozenset({")", "]", "}"})
_TIGHT_AFTER: Final = frozenset({"(", "[", "::", "...", "..", "."})
_TIGHT_BEFORE: Final = frozenset({",", ";", ")", "]", ":", "::", "...", "..", "."})
_CALLED: Final = frozenset({"call", "attribute", "parameters", "index", "type"})
"""What opens its bracket right after the name before it."""
_ANGLES: Final = frozenset({"type_parameters", "source"})
_ARROWS: Final = frozenset({"=>", "<=>"})


class Respaced(Struct, frozen=True):
    """A stretch between two words with the blanks and line ends that belong there."""

    span: Span
    text: str


def formatting(parsed: Parsed, within: Span | None = None) -> tuple[Respaced, ...]:
    """What is to be changed for a text to have its layout; only of the declarations that `within` touches."""
    return tuple(_changes(parsed, within))


def formatted(text: Text) -> str:
    """The text in its layout."""
    data, end, parts = text.data, 0, []
    for change in formatting(parse(text)):
        parts += [data[end : change.span.start], change.text.encode()]
        end = change.span.end
    return b"".join((*parts, data[end:])).decode()


def _changes(parsed: Parsed, within: Span | None) -> Iterator[Respaced]:
    data, end, known = parsed.text.data, 0, False
    for at, (start, piece) in enumerate(parsed.pieces):
        ok = _is_read(piece) and (within is None or (start <= within.end and within.start <= start + len(piece.source)))
        words = list(leaves(piece.tree.root_node)) if ok else []
        if words:
            first = start + words[0].start
            if at == 0:
                yield from _differing(data, [(Span(0, first), b"")])
            elif known:
                yield from _differing(data, [(Span(end, first), _line_ends(data[end:first]))])
            yield from _differing(data, ((span.shifted(start), gap) for span, gap in _gaps(piece.source, words)))
            end = start + words[-1].end
        known = bool(words)
    if known and data[end:].strip() == b"":
        line_end = _LINE_END.search(data)
        yield from _differing(data, [(Span(end, len(data)), line_end[0] if line_end else b"\n")])


def _is_read(piece: TextPiece) -> bool:
    return not (piece.problems or piece.outside or piece.tree.root_node.has_error)


def _differing(data: bytes, gaps: Iterable[tuple[Span, bytes]]) -> Iterator[Respaced]:
    for span, gap in gaps:
        if data[span.start : span.end] != gap:
            yield Respaced(span, gap.decode())


def _line_ends(gap: bytes, most: int = 2) -> bytes:
    """The line ends of a gap, at most one empty line."""
    found = _LINE_END.findall(gap)
    return b"".join(found[:1] * min(len(found), most))


def _gaps(source: bytes, words: Sequence[TreeLeaf]) -> list[tuple[Span, bytes]]:
    """What belongs between the words of a piece; nothing where something else stands there that is not blank."""
    between = [source[a.end : b.start] for a, b in pairwise(words)]
    if any(gap.strip() for gap in between):
        return []
    found, lines = [], _Lines()
    lines.take(words[0])
    for (a, b), gap in zip(pairwise(words), between, strict=True):
        if _LINE_END.search(gap):
            most = 1 if a.kind == "{" or b.kind == "}" else 2
            text = _line_ends(gap, most) + b" " * lines.begin(b)
        else:
            text = b"  " if b.is_comment else b" " if _apart(a, b) else b""
        lines.take(b)
        found.append((Span(a.end, b.start), text))
    return _aligned(source, words, found)


def _apart(a: TreeLeaf, b: TreeLeaf) -> bool:
    """Whether a blank stands between two words of one line."""
    if a.kind in _TIGHT_AFTER or b.kind in _TIGHT_BEFORE or (a.kind, b.kind) == ("{", "}"):
        return False
    if b.kind in ("(", "[") and b.of in _CALLED:
        return False
    if (a.of == "unary" and a.kind in ("-", "+", "~")) or (a.kind, a.of) == ("@", "attribute"):
        return False
    if (b.kind in "<>" and b.of in _ANGLES) or (a.kind == "<" and a.of in _ANGLES):
        return False
    return (b.kind, b.of) != ("+", "axis_group")


class _Lines:
    """The indentation of lines, word by word: what is open, and where the current item and its right side began."""

    def __init__(self) -> None:
        self._open: list[tuple[str, int]] = []
        self._line = 0
        self._item = 0
        self._side: int | None = None

    def begin(self, word: TreeLeaf) -> int:
        """The indentation of a line that begins with a word."""
        self._line = self._of(word)
        if word.kind in _ARROWS:
            self._side = self._line
        return self._line

    def take(self, word: TreeLeaf) -> None:
        """Goes past a word."""
        if word.begins:
            self._item, self._side = self._line, None
        if word.kind in _OPENING:
            self._open.append((word.kind, self._line))
        elif word.kind in _CLOSING and self._open:
            self._open.pop()

    def _of(self, word: TreeLeaf) -> int:
        kind, line = self._open[-1] if self._open else ("{", -INDENT)
        if word.kind in _CLOSING:
            return max(0, line)
        if kind != "{" or word.begins or not word.inside:
            return line + INDENT
        return (self._item if self._side is None else self._side) + INDENT


def _aligned(source: bytes, words: Sequence[TreeLeaf], gaps: list[tuple[Span, bytes]]) -> list[tuple[Span, bytes]]:
    """The gaps with the comments that end consecutive lines below each other."""
    run: list[tuple[int, int]] = []
    column = _width(source, words[0])
    for at, (_, gap) in enumerate(gaps):
        word, ends = words[at + 1], len(_LINE_END.findall(gap))
        if ends:
            if ends > 1 or not words[at].is_comment:
                _align(gaps, run)
                run = []
            column = len(gap) - len(gap.rstrip(b" "))
        elif word.is_comment:
            run.append((at, column))
        else:
            column += len(gap)
        column += _width(source, word)
    _align(gaps, run)
    return gaps


def _width(source: bytes, word: TreeLeaf) -> int:
    return len(source[word.start : word.end].decode(errors="replace"))


def _align(gaps: list[tuple[Span, bytes]], run: Sequence[tuple[int, int]]) -> None:
    widest = max((column for _, column in run), default=0)
    for at, column in run:
        gaps[at] = (gaps[at][0], b" " * (widest - column + 2))
