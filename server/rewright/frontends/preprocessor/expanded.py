"""What the preprocessor gives: the text, where each byte of it stands in the sources, and what there was to note.

Invariant: pieces are in the order of the text, each up to the beginning of the next. A piece is copied from its source
byte by byte, or stands as a whole for a range there (the use of a macro). Must not know how text is expanded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rewright.verdict import InSource


class Note(NamedTuple):
    """What is wrong with a directive or the use of a macro, where, and at which byte of the text that came out."""

    reason: str
    place: InSource
    offset: int


class Pragma(NamedTuple):
    """What a `#pragma` says, its words apart by one blank, where, and at which byte of the text that came out."""

    words: str
    place: InSource
    offset: int


class Insertion(NamedTuple):
    """A mark to put into the text in front of the byte at an offset: `(`, or `)` that closes one."""

    offset: int
    mark: bytes


class Missing(NamedTuple):
    """A file that is included and whose text was not given; `several` are those that may be meant, if not one is."""

    path: str
    place: InSource
    several: tuple[str, ...] = ()


class ExpandedPiece(NamedTuple):
    """The text from `begin` on comes from a source, from `start` on if copied, else from `start` to `end`."""

    begin: int
    source: int
    start: int
    end: int
    copied: bool


class IncludedText(Struct, frozen=True):
    """A text as it was read, once per inclusion: by whom it is included and where.

    `joints` are the offsets after which a continued line was joined, `gaps` the bytes left out up to there.
    """

    path: str
    includer: int | None
    start: int
    end: int
    joints: tuple[int, ...]
    gaps: tuple[int, ...]

    def original(self, offset: int) -> int:
        """The byte of the source at an offset of the text with its lines joined."""
        before = bisect_right(self.joints, offset)
        return offset + self.gaps[before - 1] if before else offset


class Expanded(Struct, frozen=True, dict=True):
    """A document with its macros expanded and its directives blank.

    `read` are the paths of all texts that it was made from, `missing` the included files that were not found, `sought`
    the paths under which these were looked for, `stand_ins` the places of directives where a text of ours stands for
    the library that is included.
    """

    text: bytes
    notes: tuple[Note, ...]
    read: tuple[str, ...]
    missing: tuple[Missing, ...]
    sought: tuple[str, ...]
    sources: tuple[IncludedText, ...]
    pieces: tuple[ExpandedPiece, ...]
    pragmas: tuple[Pragma, ...] = ()
    stand_ins: frozenset[InSource] = frozenset()

    def place(self, start: int, end: int) -> InSource:
        """The smallest range of one source that the bytes `start` to `end` come from.

        Where they come from several sources, it is in the one that includes the others.
        """
        if not self.pieces:
            return InSource(self.sources[0].path, 0, 0)
        first = max(bisect_right(self._begins, start) - 1, 0)
        last = max(bisect_right(self._begins, max(end - 1, start)) - 1, first)
        covers: dict[int, tuple[int, int]] = {}
        for number in range(first, last + 1):
            source, low, high = self._cover(number, start, end)
            _widen(covers, source, low, high)
        while len(covers) > 1:
            deepest = max(covers)
            del covers[deepest]
            inner = self.sources[deepest]
            _widen(covers, inner.includer or 0, inner.start, inner.end)
        ((only, (low, high)),) = covers.items()
        origin = self.sources[only]
        return InSource(origin.path, origin.original(low), origin.original(max(high - 1, low)) + (high > low))

    @cached_property
    def _begins(self) -> list[int]:
        return [piece.begin for piece in self.pieces]

    def _cover(self, number: int, start: int, end: int) -> tuple[int, int, int]:
        piece = self.pieces[number]
        if not piece.copied:
            return piece.source, piece.start, piece.end
        until = self._begins[number + 1] if number + 1 < len(self._begins) else len(self.text)
        low, high = max(start, piece.begin), min(max(end, start), until)
        return piece.source, piece.start + low - piece.begin, piece.start + max(high, low) - piece.begin


def _widen(covers: dict[int, tuple[int, int]], source: int, low: int, high: int) -> None:
    """Lets the range of a source cover another one too."""
    known = covers.get(source, (low, high))
    covers[source] = (min(known[0], low), max(known[1], high))


def inserted(expanded: Expanded, marks: Sequence[Insertion]) -> Expanded:
    """The text with marks put in, in order; `(` stands where the byte after it does, `)` where the one before does."""
    writing = _Writing(expanded)
    for offset, mark in marks:
        writing.copy_until(offset)
        writing.put(mark)
    writing.copy_until(len(expanded.text))
    offsets = [each.offset for each in marks]
    notes = tuple(note._replace(offset=note.offset + bisect_right(offsets, note.offset)) for note in expanded.notes)
    pragmas = tuple(each._replace(offset=each.offset + bisect_right(offsets, each.offset)) for each in expanded.pragmas)
    made = replace(expanded, text=b"".join(writing.parts), notes=notes, pragmas=pragmas)
    return replace(made, pieces=tuple(writing.pieces))


class _Writing:
    """The text so far when marks are put into it, up to `done` of the old one; mutable."""

    def __init__(self, expanded: Expanded) -> None:
        self.old = expanded
        self.parts: list[bytes] = []
        self.pieces: list[ExpandedPiece] = []
        self.done = self.number = self.length = 0

    def copy_until(self, offset: int) -> None:
        """Copies the text before an offset with its pieces."""
        pieces = self.old.pieces
        while self.done < offset:
            piece = pieces[self.number]
            following = pieces[self.number + 1].begin if self.number + 1 < len(pieces) else len(self.old.text)
            until = min(following, offset)
            self._piece(piece, self.done)
            self.parts.append(self.old.text[self.done : until])
            self.length += until - self.done
            self.done = until
            self.number += until == following

    def put(self, mark: bytes) -> None:
        """Writes a mark, as a piece of its own."""
        piece = self.old.pieces[self.number if mark == b"(" else max(self.number - (self._begins()), 0)]
        at = piece.start + self.done - piece.begin
        made = (
            ExpandedPiece(self.length, piece.source, at, at, copied=False)
            if piece.copied
            else piece._replace(begin=self.length)
        )
        self.pieces.append(made)
        self.parts.append(mark)
        self.length += len(mark)

    def _begins(self) -> bool:
        """Whether the next byte is the first of a piece, or there is none."""
        return self.number == len(self.old.pieces) or self.old.pieces[self.number].begin == self.done

    def _piece(self, piece: ExpandedPiece, offset: int) -> None:
        start = piece.start + offset - piece.begin if piece.copied else piece.start
        self.pieces.append(piece._replace(begin=self.length, start=start))
