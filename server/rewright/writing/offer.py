"""What is offered to who writes, as plain data, and the snippets that it is written by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from msgspec import Struct


class Sort(IntEnum):
    """What is offered, in the order in which it is listed."""

    NAME = 0
    ATTRIBUTE = 1
    WORD = 2
    TYPE = 3
    OPERATOR = 4
    GENERAL = 5
    """An operator that nothing declared so far fits."""
    FILE = 6


class Offer(Struct, frozen=True):
    """What may be written at a place: its name in the list, a line on it, and the snippet that writes it.

    `page` is the operator whose row explains it, `meaning` what else there is to say, either may be empty.
    """

    label: str
    sort: Sort
    detail: str
    snippet: str
    page: str = ""
    meaning: str = ""


_PLACE: Final = re.compile(r"\$(?:(\d+)|\{(\d+):((?:[^\\}]|\\.)*)\})")
_ESCAPED: Final = re.compile(r"\\(.)")


def escaped(text: str) -> str:
    """The text as a snippet that writes it."""
    return re.sub(r"([\\$}])", r"\\\1", text)


def call(name: str, arguments: Iterable[str]) -> str:
    """The snippet of a call, whose arguments have places between two `\\0`."""
    parts = f"{name}({', '.join(arguments)})".split("\0")
    return "".join(_place(at, part) for at, part in enumerate(parts))


def _place(at: int, part: str) -> str:
    return f"${{{at // 2 + 1}:{escaped(part)}}}" if at % 2 else escaped(part)


def plain(snippet: str) -> str:
    """The text that a snippet writes if nothing is typed into its places."""
    text = _PLACE.sub(lambda match: match[3] or "", snippet)
    return _ESCAPED.sub(r"\1", text)
