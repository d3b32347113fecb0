"""Preprocessing tokens: how a text is cut into them, and when two may not stand side by side.

Positions are bytes of the text that a token was cut from, continued lines joined. Must not know macros.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

NAME, NUMBER, STRING, CHARACTER, MARK, SPACE = "name", "number", "string", "character", "mark", "space"

BLANKS = rb"(?:[ \t\n\r\f\v]|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z))"
RAW_STRING = rb'(?:u8|[uUL])?R"([^ ()\\\t\n]{0,16})\([\s\S]*?\)\%d"'
_TOKEN = re.compile(
    rb"(?P<space>" + BLANKS + rb"+)"
    rb"|(?P<raw>" + RAW_STRING % 3 + rb")"
    rb'|(?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"?)'
    rb"|(?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)*'?)"
    rb"|(?P<number>\.?[0-9](?:[eEpP][+-]|'\w|[\w.\x80-\xff])*)"
    rb"|(?P<name>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)"
    rb"|(?P<mark><<=|>>=|<=>|\.\.\.|->\*|##|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|->|::|[-+*/%&|^]=|\.\*|[\s\S])"
)


class Token(NamedTuple):
    """A token, from where it comes, whether space stands before it, and the macros that it may not be a use of."""

    text: bytes
    kind: str
    start: int
    end: int
    spaced: bool = False
    hidden: frozenset[bytes] = frozenset()


def next_token(text: bytes, position: int, end: int = sys.maxsize) -> Token | None:
    """The first token at or after a position, None at the end; unfinished strings end with their line."""
    spaced = False
    while match := _TOKEN.match(text, position, end):
        kind = match.lastgroup or MARK
        if kind != SPACE:
            return Token(match[0], STRING if kind == "raw" else kind, match.start(), match.end(), spaced)
        position, spaced = match.end(), True
    return None


def tokens(text: bytes, start: int, end: int) -> Iterator[Token]:
    """The tokens of a part of the text."""
    while (token := next_token(text, start, end)) is not None:
        yield token
        start = token.end


@lru_cache(maxsize=4096)
def must_be_apart(left: bytes, right: bytes) -> bool:
    """Whether two tokens written without space would be read as others."""
    match = _TOKEN.match(left + right)
    return match is not None and match.end() != len(left)


def joined(several: list[Token]) -> bytes:
    """The text of tokens as `#` writes it: one space where there was any between two."""
    return b"".join(b" " * (token.spaced and place > 0) + token.text for place, token in enumerate(several))
