"""Assignments among expressions with commas between them: put in parentheses, since the grammar misreads the first.

In `(f = a, g)` and in `do … while (a = 1, b)` it takes `= a,` for an error; `((f = a), g)` says the same and is read.
Invariant: what is put in stands where what it encloses stands in the sources. Must not know what expressions mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from rewright.frontends.preprocessor.expanded import Expanded, Insertion, inserted
from rewright.frontends.preprocessor.tokens import NAME, Token, next_token

_MARK = re.compile(
    rb'"(?<=R")([^ ()\\\t\n]{0,16})\([\s\S]*?\)\1"|"(?:[^"\\\n]|\\.)*"?|\'(?<![0-9a-fA-F]\')(?:[^\'\\\n]|\\.)*\'?'
    rb"|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|=(?!=)(?:(?<=<<=)|(?<=>>=)|(?<![=!<>]=))|\(|\)|\[|\]|{|}|,|;"
)
"""Brackets, commas, semicolons, `=` that assigns; strings and comments, to pass over them.

Each alternative begins with a character of its own: `re` then skips the others, which makes it three times as fast.
"""

_CALLED = re.compile(rb"(?:([\w$\x80-\xff]+)|\]|\boperator\s*\(\s*\))\s*\Z")
_EXPECTING = frozenset(b"return while case else do throw sizeof alignof and or not xor bitand bitor compl".split())
"""The words after which a parenthesis opens an expression, and no arguments or parameters."""

_ASSIGNING = frozenset(b"= += -= *= /= %= &= |= ^= <<= >>=".split())
_IN_TEMPLATE = frozenset(b"< > >> , :: * & ( ) + -".split())
_FAR = 80
"""The bytes before a parenthesis that are looked at; a longer name would only be taken for no name."""


class _Open(Struct):
    """A bracket that is not closed yet, and whether commas, assignments and semicolons stand directly inside."""

    bracket: bytes
    at: int
    lists: bool = False
    assigns: bool = False
    ends: bool = False


class _Brackets(NamedTuple):
    """Where each bracket closes, and the parentheses in which assignments and commas stand side by side."""

    closings: Mapping[int, int]
    suspect: tuple[int, ...]


def grouped(expanded: Expanded) -> Expanded:
    """The text with the assignments that stand beside commas in parentheses of their own."""
    data = expanded.text
    brackets = _brackets(data)
    lists = (start for start in brackets.suspect if _opens_expression(data, start))
    found = [mark for start in lists for mark in _around(data, start, brackets.closings)]
    return inserted(expanded, sorted(found)) if found else expanded


def _brackets(data: bytes) -> _Brackets:
    closings: dict[int, int] = {}
    suspect: list[int] = []
    stack: list[_Open] = []
    for found in _MARK.finditer(data):
        mark = found[0]
        if mark in (b"(", b"[", b"{"):
            stack.append(_Open(mark, found.start()))
        elif not stack:
            continue
        elif mark == b"=":
            stack[-1].assigns = True
        elif mark == b",":
            stack[-1].lists = True
        elif mark == b";":
            stack[-1].ends = True
        elif mark in (b")", b"]", b"}"):
            opened = stack.pop()
            closings[opened.at] = found.start()
            if (opened.bracket, mark) == (b"(", b")") and opened.lists and opened.assigns and not opened.ends:
                suspect.append(opened.at)
    return _Brackets(closings, tuple(suspect))


def _opens_expression(data: bytes, start: int) -> bool:
    """Whether a parenthesis opens neither arguments, which are read as they are, nor the parameters of a function."""
    called = _CALLED.search(data, max(0, start - _FAR), start)
    return called is None or called[1] in _EXPECTING


def _around(data: bytes, start: int, closings: Mapping[int, int]) -> Iterator[Insertion]:
    """The parentheses to put around each assignment of a list; none if it declares parameters after all."""
    parts = list(_parts(list(_outside_brackets(data, start + 1, closings[start], closings))))
    if any(_declares(part) for part in parts):
        return
    for part in parts:
        if len(parts) > 1 and any(token.text in _ASSIGNING for token in part):
            yield Insertion(part[0].start, b"(")
            yield Insertion(part[-1].end, b")")


def _outside_brackets(data: bytes, start: int, end: int, closings: Mapping[int, int]) -> Iterator[Token]:
    """The tokens of a part of the text without those inside of brackets: each token of a text is read once so."""
    while (token := next_token(data, start, end)) is not None:
        yield token
        start = closings.get(token.start, token.end)


def _parts(several: list[Token]) -> Iterator[list[Token]]:
    """The tokens between commas, those between the arguments of a template aside."""
    begin = resumed = 0
    for place, token in enumerate(several):
        if place < resumed:
            continue
        if token.text == b"<":
            resumed = _after_template(several, place)
        elif token.text == b",":
            yield several[begin:place]
            begin = place + 1
    yield several[begin:]


def _after_template(several: list[Token], at: int) -> int:
    """The index after the arguments of a template that `<` opens, as in `f<int, 2>(x)`; after `<` if that compares."""
    depth = 0
    for place in range(at, len(several)):
        token = several[place]
        if not token.text[:1].isalnum() and token.kind != NAME and token.text not in _IN_TEMPLATE:
            break
        depth += {b"<": 1, b">": -1, b">>": -2}.get(token.text, 0)
        if depth <= 0:
            following = several[place + 1].text if place + 1 < len(several) else b""
            return place + 1 if following in (b"(", b"::", b"{") else at + 1
    return at + 1


def _declares(part: list[Token]) -> bool:
    """Whether a part declares a parameter with a default, as `int a = 1`, `T *p = 0` and `f<T> x = y` do."""
    assigning = next((place for place, token in enumerate(part) if token.text in _ASSIGNING), 0)
    target = part[:assigning]
    if any(token.text == b"?" for token in target):
        return False
    return any(
        (left.kind == NAME or left.text == b">") and (right.kind == NAME or right.text in (b"*", b"&", b"&&"))
        for left, right in pairwise(target)
    )
