"""Owns where an error is shown: lines and characters around an offset of UTF-8 text.

Invariant: a place covers at least one character of a text that has any. It must not know what an error is.
"""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from rewright.syntax.text import Span

_SHOWN: Final = 40
"""Characters of a text that a message quotes."""


def shown(source: bytes, place: Span) -> str:
    """Returns the text at the place, cut where it is too long to be shown."""
    text = source[place.start : place.end].decode(errors="replace")
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def first_line(node: Node, source: bytes) -> Span:
    """Returns the place of the node's text as far as its first line goes, at least one character of it."""
    end = min(node.end_byte, line_end(source, node.start_byte))
    stripped = len(source[node.start_byte : end].rstrip())
    return Span(node.start_byte, node.start_byte + stripped) if stripped else last_character(source, node.end_byte)


def last_character(source: bytes, end: int) -> Span:
    """Returns the place of the last character before an offset that is not blank, to show that something is missing."""
    end = len(source[:end].rstrip())
    start = end - 1
    while start > 0 and source[start] & 0xC0 == 0x80:
        start -= 1
    return Span(max(0, start), end)


def line_start(source: bytes, at: int) -> int:
    """Returns where the line of an offset starts."""
    return max(source.rfind(b"\n", 0, at), source.rfind(b"\r", 0, at)) + 1


def line_end(source: bytes, start: int) -> int:
    """Returns where the line of an offset ends."""
    ends = [end for end in (source.find(b"\n", start), source.find(b"\r", start)) if end >= 0]
    return min(ends, default=len(source))


def opens_more(source: bytes, place: Span) -> bool:
    """Returns whether the text at the place opens more brackets than it closes."""
    text = source[place.start : place.end]
    return text.count(b"(") + text.count(b"[") > text.count(b")") + text.count(b"]")
