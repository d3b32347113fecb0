"""Room for the calls of closures that a run of a program makes within one another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

FRAMES = 20_000
"""Calls of closures within calls: some dozens for each call of the program."""


@contextmanager
def room_for_calls() -> Iterator[None]:
    """Lets calls nest as deep as runs of programs need."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
