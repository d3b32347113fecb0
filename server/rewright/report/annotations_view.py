"""The report as workflow commands of GitHub Actions, which show it beside the changed lines.

Invariant: a text of the workspace cannot make a command of its own: line ends, `%`, and in properties `:` and `,` are
written as GitHub reads them back. GitHub shows ten errors and ten warnings of a step, so errors come first.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewright.report.complaints import Complaint, complaints
from rewright.report.document import Report
from rewright.report.places import Places
from rewright.report.text_view import total
from rewright.verdict import Severity

COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def lines(report: Report, milliseconds: float, directory: str) -> Iterator[str]:
    """A command for each complaint, and the counts of a run that took so many milliseconds. Raises `Unshown`."""
    places = Places(report.texts, directory)
    for complaint in sorted(complaints(report), key=lambda each: each.severity is not Severity.ERROR):
        yield _command(complaint, places)
    yield total(report, milliseconds)


def _command(complaint: Complaint, places: Places) -> str:
    start, end = places.ends(complaint.at)
    properties = {"file": places.file(complaint.at.path), "line": str(start.line + 1)}
    if start.line == end.line:
        properties |= {"col": str(start.character + 1), "endColumn": str(end.character + 1)}
    else:
        properties["endLine"] = str(end.line + 1)
    name = f" {complaint.result.name}" if complaint.result else ""
    properties["title"] = f"{complaint.code}{name}"
    related = complaint.diagnostic.related if complaint.diagnostic else ()
    notes = (f"{places.file(each.at.path)}:{places.ends(each.at)[0].line + 1}: {each.message}" for each in related)
    said = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{COMMANDS[complaint.severity]} {said}::{_data(chr(10).join((complaint.message, *notes)))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
