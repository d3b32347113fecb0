"""The notification `rewright/status`: the counts of the report, for a status item.

Invariant: the counts are those of every other view of the same report.
"""

from __future__ import annotations

from rewright.report.document import Report
from rewright.report.summary import summarise
from rewright.verdict import Verdict

METHOD = "rewright/status"


def status_of(report: Report, pending: int, failure: str | None) -> dict[str, str | int | None]:
    """The parameters of the notification: counts by verdict, how many checks are pending, and the last failure."""
    counts = summarise(report).counts
    state = "error" if failure is not None else "checking" if pending else "idle"
    return {
        "state": state,
        **{verdict.value: counts[verdict] for verdict in Verdict},
        "pending": pending,
        "message": failure,
    }
