"""The notification `rewright/status`: the counts of the report, for a status item.

Invariant: the counts are those of every other view of the same report.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.report.document import Report
from rewright.report.summary import summarise
from rewright.verdict import Verdict

METHOD = "rewright/status"


class WorkStatus(Struct, frozen=True):
    """How many checks are under way, and how many declarations of the files that are open or were to be checked wait
    for one that nobody has asked for, or that was stopped."""

    pending: int
    unchecked: int


def status_of(report: Report, work: WorkStatus, failure: str | None) -> dict[str, str | int | None]:
    """The parameters of the notification: counts by verdict, of what has none, and the last failure."""
    counts = summarise(report).counts
    state = "error" if failure is not None else "checking" if work.pending else "idle"
    return {
        "state": state,
        **{verdict.value: counts[verdict] for verdict in Verdict},
        "pending": work.pending,
        "unchecked": work.unchecked,
        "message": failure,
    }
