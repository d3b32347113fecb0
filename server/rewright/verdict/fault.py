"""A fault of the program's own, as a finding: it is told where it arose, and all else is answered as if it were not.

Each step from a text to what is shown of it works on one declaration at a time and ends its own faults so; what cannot
be blamed on a declaration is told of its file.
"""

from __future__ import annotations

import traceback

from rewright.verdict.finding import Finding, Place, Severity

FAULT = "RW901"
"""The code of internal errors."""

FRAMES = 30
"""Frames of a traceback that are kept, the innermost."""


def fault(error: Exception, place: Place) -> Finding:
    """The finding that says of an exception that nothing is claimed of what stands at a place."""
    return Finding(FAULT, Severity.ERROR, place, (("detail", detail(error)),))


def detail(error: Exception) -> str:
    """The exception with its traceback, the last line of which says what is wrong."""
    return "".join(traceback.format_exception(error, limit=-FRAMES))
