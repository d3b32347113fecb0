"""What the last verdict of a declaration said, while a new one is awaited.

Invariant: an old finding is shown quieter and marked as such, at the declaration's name, since the text that it spoke
of may be gone; it goes the moment the declaration has a verdict again. Must not know how findings are sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from rewright.report.document import Diagnostic, Located, Report, Result
from rewright.verdict import Severity, Verdict

QUIETER = {Severity.ERROR: Severity.WARNING, Severity.WARNING: Severity.INFORMATION}
"""Findings that are not in here are no news when they are old."""


class LastFindings:
    """The findings of each declaration's last verdict, by file and name; none where it was as expected."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[Diagnostic, ...]] = {}

    def outdated(self, report: Report) -> list[tuple[Result, Diagnostic]]:
        """The old findings of the declarations that have no verdict in the report; remembers those that it brings."""
        remembered: dict[tuple[str, str], tuple[Diagnostic, ...]] = {}
        marked: list[tuple[Result, Diagnostic]] = []
        for result in report.results():
            key = (result.path, result.name)
            settled = result.verdict not in (None, Verdict.INVALID)
            news = () if result.as_expected else result.found
            remembered[key] = news if settled else self._found.get(key, ())
            if result.verdict is None:
                marked += ((result, old) for old in _marked(result, remembered[key]))
        self._found = {key: found for key, found in remembered.items() if found}
        return marked


def _marked(result: Result, found: tuple[Diagnostic, ...]) -> Iterator[Diagnostic]:
    here = Located(result.path, result.name_span)
    latest = {(old.code, old.message): old for old in found if old.severity in QUIETER}
    for old in latest.values():
        message = f"outdated: {old.message}"
        yield replace(old, severity=QUIETER[old.severity], message=message, at=here, related=())
