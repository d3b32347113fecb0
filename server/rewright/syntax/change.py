"""Owns what differs between two versions of a text: one stretch of bytes.

Invariant: what stands before and after the stretch is the same in both, so whatever depends on that alone is, too.
It must not know what the text means.
"""

from __future__ import annotations

from msgspec import Struct


class TextChange(Struct, frozen=True):
    """The bytes from `start` on up to `before` of one version stand there up to `after` in the next one."""

    start: int
    before: int
    after: int

    @property
    def by(self) -> int:
        """How far the change moves what follows it."""
        return self.after - self.before


def change_between(before: bytes, after: bytes) -> TextChange:
    """Returns the shortest stretch that makes one text the other."""
    start = _first_bytes(before, after)
    end = _last_bytes(before, after, min(len(before), len(after)) - start)
    return TextChange(start, len(before) - end, len(after) - end)


# Slices are compared at once: byte by byte takes a hundred times as long.


def _first_bytes(one: bytes, other: bytes) -> int:
    """How many of the first bytes are the same."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _last_bytes(one: bytes, other: bytes, most: int) -> int:
    """How many of the last bytes are the same, of so many that are looked at."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        ends = len(one) - low, len(other) - low
        same = one[len(one) - middle : ends[0]] == other[len(other) - middle : ends[1]]
        low, high = (middle, high) if same else (low, middle - 1)
    return low
