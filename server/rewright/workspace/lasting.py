"""What of a project may be remembered: the reports in which every question has an answer that no other may replace."""

from __future__ import annotations

from rewright.report.document import FileReport
from rewright.report.summary import is_faulty
from rewright.workspace.jobs import Planned
from rewright.workspace.plan import is_undecided
from rewright.workspace.project import Project, Reading
from rewright.workspace.remembered import Made, Recorded
from rewright.workspace.tracked import Tracked


def lasting(project: Project, path: str, report: FileReport, recorded: Recorded) -> Made | None:
    """The report of a file with all that it rests on; None if a question is open or something failed."""
    reading = project.readings[path]
    if is_faulty(report) or not all(_is_definite(project, planned) for planned in reading.planned):
        return None
    return Made(report, recorded.looks, tuple(sorted(reading.named() | reading.looked() | _spoken_of(reading))))


def _is_definite(project: Project, planned: Planned) -> bool:
    """Whether all that a declaration asks has an answer that no other may replace."""
    return not is_undecided(project, planned) and (planned.lowering is None or planned.lowering.lasting)


def _spoken_of(reading: Reading) -> frozenset[str]:
    return reading.spoken_of() if isinstance(reading, Tracked) else frozenset()
