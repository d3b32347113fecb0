"""What a run has to complain of, as the views of other programs list it: SARIF, annotations, JUnit, Markdown.

Invariant: a run that does not pass has a complaint that is an error; what is as expected has none that is an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from rewright.report import label
from rewright.report.document import Diagnostic, FileReport, Located, Report, Result
from rewright.report.faults import showing
from rewright.report.summary import counted, outside
from rewright.verdict import Severity, Verdict

UNEXPECTED = "expectation"
"""Stands in place of a code where no finding is an error and yet the verdict is not the expected one."""


class Complaint(Struct, frozen=True):
    """A finding, or that a verdict is not the expected one; `result` is the declaration that it is about, if any."""

    code: str
    severity: Severity
    message: str
    at: Located
    diagnostic: Diagnostic | None
    result: Result | None


def complaints(report: Report) -> Iterator[Complaint]:
    """Every complaint, in the order of files and declarations. Raises `Unshown`."""
    for file in report.files:
        yield from of_file(file)
        for result in filter(counted, file.results):
            yield from of_result(result)


def of_file(file: FileReport) -> Iterator[Complaint]:
    """The errors and warnings of a file outside of its results. Raises `Unshown`."""
    with showing(file):
        yield from (_complaint(each, None) for each in outside(file) if each.severity in _LOUD)


def of_result(result: Result) -> Iterator[Complaint]:
    """The findings of a result that is not as expected, of another one its warnings. Raises `Unshown`."""
    with showing(result):
        loud = [each for each in result.diagnostics if each.severity in _LOUD]
        if result.as_expected:
            yield from (_complaint(each, result) for each in loud if each.severity is Severity.WARNING)
            return
        if not any(each.severity is Severity.ERROR for each in loud) or result.verdict in result.expected:
            at = Located(result.path, result.name_span)
            yield Complaint(UNEXPECTED, Severity.ERROR, unexpected(result), at, None, result)
        yield from (_complaint(each, result) for each in loud)


def unexpected(result: Result) -> str:
    """That a verdict is not the expected one, with the reason if it is unknown."""
    verdict = result.verdict or Verdict.ERROR
    reason = f": {result.reason}" if result.reason else ""
    return f"`{result.name}` is {verdict}, {label.expectation(result)}{reason}"


_LOUD = frozenset({Severity.ERROR, Severity.WARNING})


def _complaint(diagnostic: Diagnostic, result: Result | None) -> Complaint:
    return Complaint(diagnostic.code, diagnostic.severity, diagnostic.message, diagnostic.at, diagnostic, result)
