"""The text of a statement at other iterators. Must not know languages: what is put in is text already."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rewright.fixes.loops.bounds import added
from rewright.model.nest import NestStatement

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_ADDED = re.compile(r"\s*([-+])\s*(\d+)(?=\s*[]),+-])")
"""A number that is added to what stands before it."""


def at_iterators(text: str, values: Mapping[str, str]) -> str:
    """The text with names replaced; in parentheses where an operator may stand beside them.

    >>> at_iterators("A[i - 1] + i * 2", {"i": "j + 1"})
    'A[j] + (j + 1) * 2'
    """
    made, at = "", 0
    for found in _NAME.finditer(text):
        value = values.get(found[0])
        if value is None:
            continue
        made += text[at : found.start()]
        at = found.end()
        if _is_alone(text, found.start(), found.end()):
            number = _ADDED.match(text, at)
            if number is not None:
                value, at = added(value, int(number[1] + number[2])), number.end()
            made += value
        else:
            made += value if re.fullmatch(r"\w+", value) else f"({value})"
    return made + text[at:]


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether what stands there is all between brackets or commas, or the first term of a sum."""
    before, after = text[:start].rstrip()[-1:], text[end:].lstrip()[:1]
    return before in ("[", ",", "(") and after in ("]", ",", ")", "+", "-")


def names_in(text: str) -> set[str]:
    """The names that a text has."""
    return set(_NAME.findall(text))


def right_side(statement: NestStatement, reads: list[str]) -> str:
    """What a statement assigns, by what it reads, without the outermost parentheses."""
    found = re.sub(r"#(\d+)", lambda each: reads[int(each[1])], statement.signature)
    return found[1:-1] if found.startswith("(") and _closes_last(found) else found


def _closes_last(text: str) -> bool:
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return at == len(text) - 1
    return False
