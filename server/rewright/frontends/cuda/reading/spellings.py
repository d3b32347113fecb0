"""Spellings that the grammar does not know, replaced by ones of the same length that it does.

Invariant: every byte stays where it is. Must not know what is parsed.
"""

from __future__ import annotations

import re

_ALIGN = re.compile(rb"\b__align__(?=\s*\()")
_IGNORED = re.compile(rb"\b(?:__grid_constant__|__nv_pure__|_Pragma\s*\([^()\n]*\)|__pragma\s*\([^()\n]*\))")
_BOUNDS = re.compile(rb"\b(?:__cluster_dims__|__maxnreg__|__block_size__|__attribute__|__declspec)\s*(?=\()")
_LAMBDA = re.compile(rb"(?<=\])(?:\s*__(?:device|host)__)+")
_SPACED = re.compile(rb"<<[ \t\n]+<(?=[^<])")
_SPACED_END = re.compile(rb">>[ \t\n]+>(?=\s*\()")
_CHARACTERS = re.compile(rb'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)


def respelled(data: bytes) -> bytes:
    """The text for the grammar; strings and comments are left alone."""
    pieces, at = [], 0
    for kept in _CHARACTERS.finditer(data):
        pieces += [_code(data[at : kept.start()]), kept.group()]
        at = kept.end()
    return b"".join((*pieces, _code(data[at:])))


def _code(data: bytes) -> bytes:
    if _SPACED.search(data):
        data = _together(data)
    data = _ALIGN.sub(b"alignas  ", data)
    data = _IGNORED.sub(lambda found: b" " * len(found.group()), data)
    data = _LAMBDA.sub(lambda found: b" " * len(found.group()), data)
    while (found := _BOUNDS.search(data)) is not None:
        end = _closing(data, found.end())
        data = data[: found.start()] + b" " * (end - found.start()) + data[end:]
    return data


def _together(data: bytes) -> bytes:
    """A text with `<< < … >> > (` as the `<<<…>>>` that compilers take it for; nothing else has these."""
    for found in _SPACED.finditer(data):
        end = _SPACED_END.search(data, found.end())
        if end is not None and b";" not in data[found.end() : end.start()]:
            for each, mark in ((found, b"<<<"), (end, b">>>")):
                data = data[: each.start()] + mark + b" " * (len(each.group()) - 3) + data[each.end() :]
    return data


def _closing(data: bytes, start: int) -> int:
    """Behind the bracket that closes the one at `start`; the end of the line if none does."""
    depth = 0
    for at in range(start, len(data)):
        depth += {40: 1, 41: -1}.get(data[at], 0)
        if depth == 0:
            return at + 1
    return start + len(data[start:].partition(b"\n")[0])
