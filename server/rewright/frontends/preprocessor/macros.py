"""Macros: what a definition says, and what one use of it is replaced by.

Replacement follows Prosser's algorithm (C99 6.10.3): arguments are expanded on their own unless next to `#` or `##`,
and each token remembers the macros that it came out of. Must not know where the tokens of a use are found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from rewright.frontends.preprocessor.tokens import CHARACTER, MARK, NAME, STRING, Token, joined, next_token

_REST = b"__VA_ARGS__"
_OPTIONAL = b"__VA_OPT__"
_PLACEMARKER = "placemarker"


class Macro(Struct, frozen=True):
    """A macro; `parameters` is None for one without parentheses. `rest` names what takes all further arguments."""

    name: bytes
    parameters: tuple[bytes, ...] | None
    rest: bytes | None
    body: tuple[Token, ...]


class Malformed(NamedTuple):
    """Why a definition is none, and the token where that shows."""

    reason: str
    at: Token | None


class Use(NamedTuple):
    """One use: the bytes it covers, whether space stands before it, and what its tokens may not be uses of."""

    start: int
    end: int
    spaced: bool
    hidden: frozenset[bytes]


class Arguments(NamedTuple):
    """What stands between the parentheses of a use: each argument, the commas between them."""

    each: list[list[Token]]
    commas: list[Token]


Expand = Callable[[list[Token]], list[Token]]


def definition(line: list[Token]) -> Macro | Malformed:
    """The macro that the tokens after `#define` define."""
    if not line or line[0].kind != NAME or line[0].text == b"defined":
        return Malformed("`#define` needs a name", line[0] if line else None)
    name = line[0].text
    if len(line) < 2 or line[1].text != b"(" or line[1].spaced:
        return Macro(name, None, None, tuple(line[1:]))
    close = next((place for place, token in enumerate(line) if token.text == b")"), None)
    if close is None:
        return Malformed(f"`)` is missing after the parameters of `{name.decode(errors='replace')}`", line[-1])
    read = _parameters(line[2:close])
    if isinstance(read, Malformed):
        return read
    parameters, rest = read
    body = tuple(line[close + 1 :])
    broken = _misplaced(body, {*parameters, rest, _OPTIONAL})
    return broken or Macro(name, parameters, rest, body)


def _parameters(line: list[Token]) -> tuple[tuple[bytes, ...], bytes | None] | Malformed:
    names: list[bytes] = []
    rest: bytes | None = None
    expected = NAME
    for token in line:
        if expected == NAME and token.kind == NAME and token.text not in names and rest is None:
            names.append(token.text)
            expected = MARK
        elif token.text == b"..." and rest is None:
            rest = names.pop() if expected == MARK else _REST
            expected = MARK
        elif expected == MARK and token.text == b"," and rest is None:
            expected = NAME
        else:
            return Malformed("parameters of a macro are names between commas, at last perhaps `...`", token)
    if names and expected == NAME:
        return Malformed("a parameter is missing after `,`", line[-1])
    return tuple(names), rest


def _misplaced(body: tuple[Token, ...], parameters: set[bytes | None]) -> Malformed | None:
    for place, token in enumerate(body):
        if token.text == b"##" and place in (0, len(body) - 1):
            return Malformed("`##` stands between two tokens", token)
        is_last = place == len(body) - 1
        if token.text == b"#" and (is_last or body[place + 1].text not in parameters):
            return Malformed("`#` stands before a parameter", token)
    return None


def fitted(macro: Macro, given: Arguments) -> dict[bytes, list[Token]] | None:
    """The arguments by parameter, None if there are too few or too many; those for `...` may be left out."""
    names = macro.parameters or ()
    several = given.each
    if not names and several == [[]]:
        several = []
    if len(several) < len(names) or (macro.rest is None and len(several) > len(names)):
        return None
    matched = dict(zip(names, several, strict=False))
    if macro.rest is not None:
        further = several[len(names) :]
        separators = [[comma] for comma in given.commas[len(names) :]] + [[]]
        matched[macro.rest] = [
            token for pair in zip(further, separators, strict=False) for part in pair for token in part
        ]
    return matched


def replaced(macro: Macro, matched: dict[bytes, list[Token]], use: Use, expand: Expand) -> list[Token]:
    """What a use is replaced by, before it is looked through for further uses."""
    body = _Body(macro, matched, use, expand, {})
    made = [token for token in body.substituted(list(macro.body)) if token.kind != _PLACEMARKER]
    if made:
        made[0] = made[0]._replace(spaced=use.spaced)
    return [token._replace(hidden=token.hidden | use.hidden) for token in made]


class _Body(Struct):
    """One use under way; arguments are expanded once, when first needed."""

    macro: Macro
    matched: dict[bytes, list[Token]]
    use: Use
    expand: Expand
    expanded: dict[bytes, list[Token]]

    def substituted(self, body: list[Token]) -> list[Token]:
        made: list[Token] = []
        place = 0
        while place < len(body):
            token = body[place]
            follows = body[place + 1].text if place + 1 < len(body) else b""
            if token.text == b"#" and self.macro.parameters is not None and follows in self.matched:
                made.append(self._written(token, self.matched[follows]))
                place += 2
            elif token.text == b"##" and token.kind == MARK and made and place + 1 < len(body):
                place = self._paste(made, body, place)
            elif token.text == _OPTIONAL and self.macro.rest is not None and follows == b"(":
                inner, place = _enclosed(body, place + 1)
                made += self.substituted(inner) if self._argument(self.macro.rest) else [self._nothing()]
            else:
                made += self._operand(token, self.expand if follows != b"##" else None)
                place += 1
        return made

    def _paste(self, made: list[Token], body: list[Token], place: int) -> int:
        """Joins the last token made with the first of what follows `##`; where the body goes on."""
        right = body[place + 1]
        if made[-1].text == b"," and right.text == self.macro.rest:
            given = self.matched[right.text]
            if given:
                made += self._argument(right.text)
            else:
                made.pop()
            return place + 2
        if right.text == b"#" and place + 2 < len(body) and body[place + 2].text in self.matched:
            line = [self._written(right, self.matched[body[place + 2].text])]
            after = place + 3
        else:
            line, after = self._operand(right, None), place + 2
        made[-1:] = [*self._pasted(made[-1], line[0]), *line[1:]]
        return after

    def _operand(self, token: Token, expand: Expand | None) -> list[Token]:
        """What stands for a token of the body: an argument, as given if `expand` is None, or the token itself."""
        if token.kind != NAME or token.text not in self.matched:
            return [self._own(token)]
        line = self.matched[token.text] if expand is None else self._argument(token.text)
        if not line:
            return [self._nothing()]
        return [line[0]._replace(spaced=token.spaced), *line[1:]]

    def _argument(self, name: bytes) -> list[Token]:
        if name not in self.expanded:
            self.expanded[name] = self.expand(self.matched[name])
        return self.expanded[name]

    def _own(self, token: Token) -> Token:
        return Token(token.text, token.kind, self.use.start, self.use.end, token.spaced)

    def _nothing(self) -> Token:
        return Token(b"", _PLACEMARKER, self.use.start, self.use.end)

    def _written(self, mark: Token, argument: list[Token]) -> Token:
        quoted = [
            token._replace(text=token.text.replace(b"\\", b"\\\\").replace(b'"', b'\\"'))
            if token.kind in (STRING, CHARACTER)
            else token
            for token in argument
        ]
        return Token(b'"' + joined(quoted) + b'"', STRING, self.use.start, self.use.end, mark.spaced)

    def _pasted(self, left: Token, right: Token) -> list[Token]:
        if not right.text or not left.text:
            kept = left if left.text else right
            return [kept._replace(spaced=left.spaced)]
        first = next_token(left.text + right.text, 0)
        if first is None or len(first.text) != len(left.text) + len(right.text):
            return [left, right]
        return [Token(first.text, first.kind, self.use.start, self.use.end, left.spaced, left.hidden & right.hidden)]


def _enclosed(body: list[Token], opening: int) -> tuple[list[Token], int]:
    """The tokens between a parenthesis and the one that closes it, and what follows."""
    depth = 0
    for place in range(opening, len(body)):
        depth += (body[place].text == b"(") - (body[place].text == b")")
        if depth == 0:
            return body[opening + 1 : place], place + 1
    return body[opening + 1 :], len(body)
