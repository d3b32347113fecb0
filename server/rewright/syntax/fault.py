"""What a fault of the program's own is called, and what is told of it. Must not know where it arose."""

from __future__ import annotations

import traceback

FAULT = "RW901"
"""The code of internal errors."""

FRAMES = 30
"""Frames of a traceback that are kept, the innermost: a deep recursion has thousands."""


def detail(error: Exception) -> str:
    """The exception with its traceback, the last line of which says what is wrong."""
    return "".join(traceback.format_exception(error, limit=-FRAMES))
