"""Words of a file as semantic tokens: what the grammar says of each, made precise by what a name stands for.

Invariant: tokens are in order and on one line each, encoded as the protocol wants them: each relative to the one
before. Must not know which part of a file an editor shows.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from rewright.lsp.legend import CAPTURES, CONSTANT, DEFINED, KINDS, MODIFIERS, READONLY, TYPES
from rewright.lsp.positions import position_of
from rewright.model.declared import Declared
from rewright.model.file import FileModel
from rewright.syntax.parsed import Parsed
from rewright.syntax.text import PositionEncoding, Span, Text
from rewright.syntax.tokens import SemanticToken, tokens

Look = tuple[int, int]
"""The number of a token type, and a set of modifiers as bits."""


class Word(Struct, frozen=True):
    """A token on the editor's grid; `line` counts from the line on which its piece of the file starts."""

    line: int
    character: int
    length: int
    look: Look


class _Made(Struct, frozen=True):
    """The words of a piece with what they were made of, which is compared by identity."""

    tokens: tuple[SemanticToken, ...]
    declared: Declared | None
    words: tuple[Word, ...]


class Words:
    """The words of files, made again only for what changed in them."""

    def __init__(self, encoding: PositionEncoding) -> None:
        self._encoding = encoding
        self._made: dict[str, dict[int, _Made]] = {}

    def encoded(self, parsed: Parsed, model: FileModel, within: Span) -> list[int]:
        """The tokens of the pieces that touch a span, as the protocol's numbers."""
        known = self._made.get(parsed.text.uri, {})
        kept = self._made[parsed.text.uri] = {}
        declared = dict(zip((each.start for each in parsed.file.declarations), model.declarations, strict=True))
        data: list[int] = []
        line, character = 0, 0
        for start, piece in tokens(parsed):
            before = known.get(id(piece))
            if not piece or start > within.end or start + piece[-1].span.end < within.start:
                if before is not None:
                    kept[id(piece)] = before
                continue
            origin = position_of(parsed.text, start, self._encoding)
            here = declared.get(start)
            if before is None or before.declared is not here or origin.character:
                before = _Made(piece, here, tuple(self._words(parsed.text, start, piece, here)))
            kept[id(piece)] = before
            for word in before.words:
                at = origin.line + word.line
                data += (at - line, word.character - (character if at == line else 0), word.length, *word.look)
                line, character = at, word.character
        return data

    def _words(
        self, text: Text, start: int, piece: tuple[SemanticToken, ...], declared: Declared | None
    ) -> Iterator[Word]:
        names = dict(_names(declared)) if declared is not None else {}
        first = position_of(text, start, self._encoding).line
        for token in piece:
            look = names.get(token.span) or _look(token.capture)
            if look is not None:
                begin = position_of(text, start + token.span.start, self._encoding)
                end = position_of(text, start + token.span.end, self._encoding)
                yield Word(begin.line - first, begin.character, end.character - begin.character, look)


def _look(capture: str) -> Look | None:
    kind = CAPTURES.get(capture)
    return None if kind is None else (TYPES.index(kind), 0)


def _names(declared: Declared) -> Iterator[tuple[Span, Look]]:
    for symbol in declared.symbols:
        kind = TYPES.index(KINDS[symbol.kind])
        constant = 1 << MODIFIERS.index(CONSTANT) if symbol.kind in READONLY else 0
        yield symbol.definition, (kind, 1 << MODIFIERS.index(DEFINED) | constant)
        yield from ((use, (kind, constant)) for use in symbol.uses)
