"""The tokens of MLIR's text, and what they make: attributes, types, places in the model. Must not know operations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from rewright.frontends.tensor_programs.program import Attribute, Braces, Custom, ModelLine, TensorType

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*)
    |(?P<type>(?:tensor|memref|vector)<(?:[^<>]|<[^<>]*>)*>)
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<value>%[\w$.\-]+(?:\#\d+)?)
    |(?P<symbol>@(?:"(?:[^"\\\n]|\\.)*"|[\w$.\-]+))
    |(?P<alias>[\#!][A-Za-z_][\w$.]*)
    |(?P<block>\^[\w$.]+)
    |(?P<arrow>->)
    |(?P<number>-?0x[0-9A-Fa-f]+|-?\d+(?:\.\d*)?(?:[eE][+\-]?\d+)?)
    |(?P<word>[A-Za-z_][\w$.]*)
    |(?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)

_OPEN, _CLOSE = "([{<", ")]}>"

MOST_NESTED = 60
"""How deep attributes may nest, and places in the model; beyond it a text is no compiler's."""


class MlirToken(NamedTuple):
    """A token: which kind of the pattern it is, its text, the offset of its first character."""

    kind: str
    text: str
    start: int


def tokens(text: str) -> list[MlirToken]:
    """The tokens of a text, without white space and comments."""
    found = []
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "skip":
            found.append(MlirToken(match.lastgroup or "sign", match[0], match.start()))
    return found


def closing(found: list[MlirToken], at: int) -> int:
    """The number of the token that closes the bracket at `at`; as many as there are if none does."""
    depth = 0
    for number in range(at, len(found)):
        if found[number].kind == "sign":
            depth += (found[number].text in _OPEN) - (found[number].text in _CLOSE)
            if depth == 0:
                return number
    return len(found)


def top_level(found: list[MlirToken]) -> Iterator[int]:
    """The numbers of the tokens that stand in no brackets, opening ones among them."""
    depth = 0
    for number, each in enumerate(found):
        if each.kind == "sign" and each.text in _CLOSE:
            depth = max(depth - 1, 0)
        elif depth == 0:
            yield number
        if each.kind == "sign" and each.text in _OPEN:
            depth += 1


def unquoted(text: str) -> str:
    """A string without its quotes, a symbol without its `@`."""
    text = text.removeprefix("@")
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') else text


class AttributeReader(Struct):
    """Reads attributes from tokens; `aliases` are the attributes that the text gives a name (`#map`)."""

    found: list[MlirToken]
    aliases: Mapping[str, Attribute]
    depth: int = 0

    def value(self, at: int) -> tuple[Attribute, int]:
        """The attribute that begins at a token, and the number of the token after it; a word if it is none."""
        if at >= len(self.found):
            return "", at
        if self.depth > MOST_NESTED:
            return "", len(self.found)
        token = self.found[at]
        match token.kind, token.text:
            case "sign", "[" | "(":
                entries, keyed, after = self._listed(at)
                return (Braces(entries, keyed) if keyed else entries), after
            case "sign", "{":
                entries, keyed, after = self._listed(at)
                return Braces(entries, keyed), after
            case "sign", "<":
                entries, keyed, after = self._listed(at)
                return Custom("", entries, keyed), after
            case (("word" | "alias"), text):
                if at + 1 < len(self.found) and self.found[at + 1].text == "<":
                    entries, keyed, after = self._listed(at + 1)
                    return Custom(text, entries, keyed), after
                return self.aliases.get(text, text), at + 1
            case (("string" | "symbol"), text):
                return unquoted(text), at + 1
            case _:
                return token.text, at + 1

    def _listed(self, at: int) -> tuple[tuple[Attribute, ...], dict[str, Attribute], int]:
        """What stands between the bracket at `at` and the one that closes it: without keys, with keys."""
        self.depth += 1
        end = closing(self.found, at)
        entries: list[Attribute] = []
        keyed: dict[str, Attribute] = {}
        here = at + 1
        while here < end:
            if self.found[here].kind == "sign" and self.found[here].text in ",:":
                if self.found[here].text == ":" and _has(self.found, here + 1, "("):
                    entries.append(":")
                here = here + 1 if self.found[here].text == "," else self._after_type(here + 1, end)
            elif self._is_keyed(here, end):
                key = unquoted(self.found[here].text)
                keyed[key], here = self.value(here + 2)
            else:
                entry, here = self.value(here)
                entries.append(entry)
        self.depth -= 1
        return tuple(entries), keyed, min(end + 1, len(self.found))

    def _is_keyed(self, at: int, end: int) -> bool:
        return at + 2 < end and self.found[at + 1].text == "=" and self.found[at].kind in ("word", "string")

    def _after_type(self, at: int, end: int) -> int:
        """What follows a type or what else stands after a colon: `: i64`, `array<i64: 1, 0>`.

        The numbers of an array stand after the colon, so a number is left to be read. Of a part of a mesh axis,
        `"tp":(1)2`, there stays the colon as an entry.
        """
        if at < end and self.found[at].kind == "number":
            return at
        while at < end and not (self.found[at].kind == "sign" and self.found[at].text == ","):
            bracket = self.found[at].kind == "sign" and self.found[at].text in _OPEN
            at = closing(self.found, at) + 1 if bracket else at + 1
        return at


def tensor_type(text: str) -> TensorType | None:
    """The type that a text such as `tensor<8x16xf32>` is, None if it is no tensor's."""
    match = re.fullmatch(r"tensor<((?:[0-9?]+x)*)([^,]+)(?:,.*)?>", text, re.DOTALL)
    if match is None:
        return None
    sizes = (each for each in match[1].split("x") if each)
    return TensorType(match[2].strip(), tuple(int(each) if each.isdecimal() else None for each in sizes))


Named = Callable[[str], "list[MlirToken] | None"]
"""The tokens of the place that an alias is called by (`#loc7`)."""


def model_line(found: list[MlirToken], named: Named, depth: int = 0) -> ModelLine | None:
    """The first line of the model that a place names: the inmost call, and what was fused first."""
    for number, token in enumerate(found):
        if token.kind == "string" and _has(found, number + 1, ":") and _is_number(found, number + 2):
            has_column = _has(found, number + 3, ":") and _is_number(found, number + 4)
            column = int(found[number + 4].text) if has_column else 0
            return ModelLine(unquoted(token.text), int(found[number + 2].text), column)
        if token.kind == "alias" and depth < MOST_NESTED:
            meant = named(token.text)
            line = model_line(meant, named, depth + 1) if meant is not None else None
            if line is not None:
                return line
    return None


def _has(found: list[MlirToken], at: int, text: str) -> bool:
    return at < len(found) and found[at].text == text


def _is_number(found: list[MlirToken], at: int) -> bool:
    return at < len(found) and found[at].text.isdecimal()
