"""Where in a declaration a cursor stands, read from the tokens before it.

Owns the reading of half-typed text: brackets that are open, the item that has begun, the word that is being typed.
Invariant: a place is a function of the text before it, and every text has one. A bracket left open ends where a line
begins an item, as it does for syntax errors. Must not know what a name stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from rewright.syntax.cut import WORDS
from rewright.syntax.formatting import INDENT

ITEM_WORDS: Final = frozenset(
    (
        *("axes", "axis", "map", "int", "scalar", "tensor", "fn", "monoid", "let", "where", "assume", "check"),
        *("example", "requires", "ensures", "launch", "shared", "define", "var", "array", "expect"),
        *("if", "for", "while", "return", "assert"),
    )
)
"""The words that begin an item or a statement."""

_TOKEN: Final = re.compile(
    r'//[^\r\n]*|"(?:[^"\\\r\n]|\\[^\r\n])*"?|[^\W\d]\w*|\d\w*(?:\.\d\w*)?|<=>|=>|->|::|\.\.|[<>=!]=|\r\n|[\r\n]|\S'
)
_CLOSING: Final = {")": "(", "]": "[", "}": "{", ">": "<"}
_GOES_ON: Final = frozenset({",", "+", "-", "*", "/", "%", "=", "=>", "<=>", "==", "!=", "<", "<=", ">=", "and", "or"})
_NEWLINES: Final = frozenset({"\n", "\r\n", "\r"})


class Level(Struct):
    """What stands between a bracket that is open and the cursor, or between a declaration's start and the cursor.

    `opening` is the bracket, empty outside of all; `called` the name before it. `tokens` are those of the current item,
    a bracket that was closed again being one of them; `commas` counts those before the cursor.
    """

    opening: str = ""
    called: str = ""
    tokens: list[str] = field(default_factory=list)
    commas: int = 0

    @property
    def argument(self) -> list[str]:
        """The tokens after the last comma."""
        last = max((at for at, token in enumerate(self.tokens) if token == ","), default=-1)
        return self.tokens[last + 1 :]

    @property
    def last(self) -> str:
        """The token before the cursor, empty at the start."""
        return self.tokens[-1] if self.tokens else ""


class Cursor(Struct, frozen=True):
    """Where a cursor stands.

    `word` is the beginning of a word before it, or of what stands in a string that is open; `levels` are the brackets
    that are open, outermost first; `column` is 0 where the word starts its line.
    """

    word: str
    levels: tuple[Level, ...]
    column: int
    in_comment: bool = False
    in_string: bool = False

    @property
    def head(self) -> list[str]:
        """The tokens outside of all brackets."""
        return self.levels[0].tokens

    @property
    def inner(self) -> Level:
        """The innermost bracket that is open."""
        return self.levels[-1]

    @property
    def declaration(self) -> str:
        """The word of the declaration whose body or head this is, empty between declarations."""
        return next((token for token in self.head if token in WORDS), "")

    @property
    def body(self) -> int:
        """The number of the level of the innermost braces, 0 outside of any."""
        return max((at for at, level in enumerate(self.levels) if level.opening == "{"), default=0)

    @property
    def item(self) -> list[str]:
        """The tokens of the item before the cursor, those inside of brackets that are open left out."""
        return self.levels[self.body].tokens


def place_at(before: str) -> Cursor:
    """The place after a text that starts with a declaration, or with what stands between declarations."""
    levels, tokens = [Level()], list(_tokens(before))
    word, in_comment, in_string = "", False, False
    if tokens and tokens[-1][1] == len(before):
        text = tokens[-1][0]
        in_comment = text.startswith("//")
        in_string = text.startswith('"') and (len(text) == 1 or not text.endswith('"') or text.endswith('\\"'))
        if in_comment or in_string or text[0].isidentifier():
            word = text[1:] if in_string else text
            tokens.pop()
    for at, (text, _) in enumerate(tokens):
        following = tokens[at + 1][0] if at + 1 < len(tokens) else word
        _take(levels, text, following)
    line = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
    return Cursor(word, tuple(levels), len(line) - len(word), in_comment, in_string)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """The tokens of a text with where they end."""
    return ((match[0], match.end()) for match in _TOKEN.finditer(text))


def _take(levels: list[Level], text: str, following: str) -> None:
    """Goes past one token."""
    level = levels[-1]
    if text.startswith("//"):
        return
    if text in _NEWLINES:
        _end_line(levels, following)
    elif text == ";" and level.opening in ("", "{"):
        level.tokens.clear()
    elif text in "([{" or (text == "<" and _opens_parameters(levels)):
        called = level.last if level.last[:1].isidentifier() else ""
        level.tokens.append(text)
        levels.append(Level(text, called))
    elif text in _CLOSING and (text != ">" or level.opening == "<"):
        _close(levels, _CLOSING[text])
    else:
        level.commas += text == ","
        level.tokens.append(text)


def _opens_parameters(levels: list[Level]) -> bool:
    """Whether `<` opens a list: that of a declaration's type parameters, or of a source's arguments."""
    tokens = levels[-1].tokens
    return len(levels) == 1 and ("::" in tokens or (len(tokens) >= 2 and tokens[-2] in WORDS))


def _close(levels: list[Level], opening: str) -> None:
    """Closes the innermost bracket of a kind, with what is still open in it; one that was never opened says nothing."""
    at = max((at for at, level in enumerate(levels) if level.opening == opening), default=0)
    if at:
        del levels[at:]
        if opening == "{" and len(levels) == 1:
            levels[0] = Level()


def _end_line(levels: list[Level], following: str) -> None:
    """Ends the item of the line, unless it goes on; ends brackets that a line that begins an item shows to be open."""
    body = max((at for at, level in enumerate(levels) if level.opening == "{"), default=0)
    if following in ITEM_WORDS and body and levels[-1].opening in ("(", "["):
        del levels[body + 1 :]
    level = levels[-1]
    if level.opening == "{" and level.last not in _GOES_ON and following not in ("=>", "<=>"):
        levels[-1] = Level("{", level.called)
    elif level.opening == "" and level.tokens[:1] == ["@"]:
        levels[0] = Level()


def indentation(place: Cursor, closes: bool) -> int:
    """The blanks before a line that begins at a place; `closes`: with the bracket that closes the innermost one."""
    braces = sum(level.opening == "{" for level in place.levels)
    goes_on = place.inner.opening in ("(", "[") or bool(place.item and place.body)
    return INDENT * max(0, braces + goes_on - closes)
