"""A fault of the program's own, as a finding: it is told where it arose, and all else is answered as if it were not.

Each step from a text to what is shown of it works on one declaration at a time and ends its own faults so; what cannot
be blamed on a declaration is told of its file.
"""

from __future__ import annotations

from rewright.syntax.fault import FAULT, detail
from rewright.verdict.finding import Finding, Place, Severity

__all__ = ["FAULT", "detail", "fault"]


def fault(error: Exception, place: Place) -> Finding:
    """The finding that says of an exception that nothing is claimed of what stands at a place."""
    return Finding(FAULT, Severity.ERROR, place, (("detail", detail(error)),))
