"""A fault of the program's own, as a finding: it is reported where it arose, and all else is answered as before.

Each step from a text to what is shown of it works on one declaration at a time and ends its own faults so; what cannot
be blamed on a declaration is reported for its file.
"""

from __future__ import annotations

import traceback

from rewright.verdict.diagnostics.internal import InternalError
from rewright.verdict.finding import Finding, Place, Severity

FRAMES = 30
"""Frames of a traceback that are kept, the innermost: a deep recursion has thousands."""


def fault(error: Exception, place: Place) -> Finding:
    """The finding that says of an exception that nothing is claimed of what stands at a place."""
    return Finding(internal_error(error), Severity.ERROR, place)


def internal_error(error: Exception) -> InternalError:
    """What is reported of an exception: its traceback, the last line of which says what is wrong."""
    return InternalError("".join(traceback.format_exception(error, limit=-FRAMES)), None)
