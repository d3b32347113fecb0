"""The text that comes out while it is written, with the pieces that say where it comes from.

Mutable, and owned by one run of the preprocessor. Must not know macros.
"""

from __future__ import annotations

from rewright.frontends.preprocessor.expanded import ExpandedPiece
from rewright.frontends.preprocessor.tokens import Token, must_be_apart

_BLANK = bytes(byte if byte in b"\n\r" else 32 for byte in range(256))


class Output:
    """Text and pieces so far."""

    __slots__ = ("length", "parts", "pieces")

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.pieces: list[ExpandedPiece] = []
        self.length = 0

    def copy(self, source: int, text: bytes, start: int, end: int) -> None:
        """Copies a part of the text of a source."""
        self._copied(source, start, text[start:end])

    def blank(self, source: int, text: bytes, start: int, end: int) -> None:
        """Leaves a part of the text of a source blank, lines kept."""
        self._copied(source, start, text[start:end].translate(_BLANK))

    def token(self, source: int, token: Token, last: bytes) -> None:
        """Writes a token of an expansion after the token `last`, apart from it where it must be."""
        apart = token.spaced or (last != b"" and must_be_apart(last, token.text))
        self.whole(source, b" " * apart + token.text, token.start, token.end)

    def whole(self, source: int, text: bytes, start: int, end: int) -> None:
        """Writes a text that stands for a range of a source."""
        if not text:
            return
        last = self.pieces[-1] if self.pieces else None
        if last is None or last.copied or last[1:4] != (source, start, end):
            self.pieces.append(ExpandedPiece(self.length, source, start, end, copied=False))
        self.parts.append(text)
        self.length += len(text)

    def _copied(self, source: int, start: int, text: bytes) -> None:
        if not text:
            return
        last = self.pieces[-1] if self.pieces else None
        if last is None or not last.copied or last.source != source or last.start + self.length - last.begin != start:
            self.pieces.append(ExpandedPiece(self.length, source, start, start, copied=True))
        self.parts.append(text)
        self.length += len(text)
