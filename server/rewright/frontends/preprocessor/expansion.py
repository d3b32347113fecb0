"""Expansion: tokens with uses of macros in, tokens without out.

A use may reach into the text that follows: its name comes out of one macro, its arguments follow. Invariant: the
number of tokens looked at is bounded. Must not know directives.

Source: C++17 [cpp.replace], [cpp.rescan]; each token carries the macros that it may not be a use of (Prosser's hide
sets).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from rewright.frontends.preprocessor.macros import Arguments, Macro, Use, fitted, replaced
from rewright.frontends.preprocessor.tokens import BLANKS, NAME, NUMBER, STRING, Token, next_token

MOST_TOKENS = 200_000
"""Tokens that the macros of one document may come to: each that uses the one before twice doubles them."""

MOST_DEPTH = 60
"""Uses of macros inside arguments of uses, for each of which Python goes some calls deeper."""

_OPENING = re.compile(BLANKS + rb"*\(")


class TooLong(Exception):
    """The expansion goes beyond its limits; never leaves the preprocessor."""


class Expansion(Struct):
    """What macros mean at a point of the text. `computed` are those whose text depends on where they are used."""

    macros: dict[bytes, Macro]
    computed: dict[bytes, Callable[[Token], bytes]]
    note: Callable[[str, Token], None]
    left: int = MOST_TOKENS
    depth: int = 0

    def expand(self, feed: Feed) -> list[Token]:
        """The tokens that those `ahead` come to; more is taken where a use goes on after them. Raises `TooLong`."""
        done: list[Token] = []
        while feed.ahead:
            token = feed.ahead.pop()
            self._spend(1)
            if token.kind != NAME or token.text in token.hidden:
                done.append(token)
            elif token.text in self.computed:
                text = self.computed[token.text](token)
                done.append(token._replace(text=text, kind=STRING if text[:1] == b'"' else NUMBER))
            elif (macro := self.macros.get(token.text)) is None or not self._use(macro, token, feed):
                done.append(token)
        return done

    def closed(self, line: list[Token]) -> list[Token]:
        """The tokens that a line comes to by itself. Raises `TooLong`."""
        if not any(token.kind == NAME for token in line):
            return line
        if self.depth >= MOST_DEPTH:
            raise TooLong
        self.depth += 1
        try:
            return self.expand(Feed(line[::-1]))
        finally:
            self.depth -= 1

    def _spend(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise TooLong

    def _use(self, macro: Macro, name: Token, feed: Feed) -> bool:
        """Puts what the use is replaced by in front of the feed; false if this is no use."""
        if macro.parameters is None:
            use = Use(name.start, name.end, name.spaced, name.hidden | {macro.name})
            self._put(replaced(macro, {}, use, self.closed), feed)
            return True
        if not feed.opens():
            return False
        taken: list[Token] = []
        before = (len(feed.ahead), feed.position)
        given = feed.arguments(taken)
        self._spend(len(taken))
        matched = None if given is None else fitted(macro, given)
        if matched is None:
            self.note(_misfit(macro, given), name)
            feed.give_back(taken, *before)
            return False
        last = taken[-1]
        start, end = min(name.start, last.start), max(name.end, last.end)
        use = Use(start, end, name.spaced, (name.hidden & last.hidden) | {macro.name})
        self._put(replaced(macro, matched, use, self.closed), feed)
        return True

    def _put(self, made: list[Token], feed: Feed) -> None:
        self._spend(len(made))
        feed.ahead += made[::-1]


def _misfit(macro: Macro, given: Arguments | None) -> str:
    shown = macro.name.decode(errors="replace")
    if given is None:
        return f"`)` is missing after the arguments of the macro `{shown}`"
    least = "" if macro.rest is None else "at least "
    count = len(macro.parameters or ())
    return f"the macro `{shown}` takes {least}{count} argument{'s' * (count != 1)}, {len(given.each)} given"


class Feed(Struct):
    """Tokens to come: those `ahead` (the next one last), then those of a text from a position on."""

    ahead: list[Token]
    text: bytes = b""
    position: int = 0

    def opens(self) -> bool:
        """Whether the next token is an opening parenthesis."""
        if self.ahead:
            return self.ahead[-1].text == b"("
        return _OPENING.match(self.text, self.position) is not None

    def arguments(self, taken: list[Token]) -> Arguments | None:
        """What stands up to the closing parenthesis, None if there is none; each token goes to `taken`."""
        given = Arguments([[]], [])
        depth = 0
        while (token := self._next()) is not None:
            taken.append(token)
            depth += (token.text == b"(") - (token.text == b")")
            if depth == 0:
                return given
            if depth == 1 and token.text == b",":
                given.commas.append(token)
                given.each.append([])
            elif len(taken) > 1:
                given.each[-1].append(token)
        return None

    def give_back(self, taken: list[Token], ahead: int, position: int) -> None:
        """Undoes the taking of tokens, given how many were ahead and where the text was read up to before."""
        self.ahead += taken[: ahead - len(self.ahead)][::-1]
        self.position = position

    def _next(self) -> Token | None:
        if self.ahead:
            return self.ahead.pop()
        token = next_token(self.text, self.position)
        if token is None or (token.text == b"#" and self._begins_line(token.start)):
            return None
        self.position = token.end
        return token

    def _begins_line(self, position: int) -> bool:
        line = self.text.rfind(b"\n", 0, position) + 1
        return not self.text[line:position].strip(b" \t")
