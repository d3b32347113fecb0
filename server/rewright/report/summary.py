"""Counts and the outcome of a report: what the last line, the status item and the exit status are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from rewright.model.declaration_kind import ASKS_NOTHING
from rewright.report.document import Diagnostic, FileReport, Progress, Report, Result
from rewright.verdict import Severity, Verdict, worst
from rewright.verdict.diagnostics.internal import InternalError
from rewright.verdict.diagnostics.sources import NoLaunchKnown

"""The code at a kernel of which no launch is known."""


class Summary(Struct, frozen=True):
    """How many declarations have each verdict, how many are unexpected, how many files have errors of their own.

    `faulty`: whether an internal error is among the diagnostics. `unlaunched` kernels are no declarations: no launch of
    them is known, and nothing is asked about them.
    """

    counts: Mapping[Verdict, int]
    unexpected: int
    broken_files: int
    faulty: bool
    unlaunched: int = 0

    @property
    def passed(self) -> bool:
        """Whether every result is as expected and no file has errors."""
        return self.unexpected == 0 and self.broken_files == 0


def summarise(report: Report) -> Summary:
    """The summary of a report. A declaration that has no verdict yet counts as unexpected."""
    results = [result for result in report.results() if counted(result)]
    counts = {verdict: sum(result.verdict is verdict for result in results) for verdict in Verdict}
    broken = sum(any(d.severity is Severity.ERROR for d in outside(file)) for file in report.files)
    unlaunched = sum(each.code == NoLaunchKnown.code for file in report.files for each in file.diagnostics)
    unexpected = sum(not result.as_expected for result in results)
    return Summary(counts, unexpected, broken, any(map(is_faulty, report.files)), unlaunched)


def is_faulty(file: FileReport) -> bool:
    """Whether an internal error is among the diagnostics of a file."""
    diagnostics = (*file.diagnostics, *(each for result in file.results for each in result.diagnostics))
    return any(result.verdict is Verdict.ERROR for result in file.results) or any(
        each.code == InternalError.code for each in diagnostics
    )


def counted(result: Result) -> bool:
    """Whether a declaration is a result of its own; a graph or an import appears only through its diagnostics."""
    return result.kind not in ASKS_NOTHING


def is_unchecked(result: Result) -> bool:
    """Whether a declaration has no verdict, and nothing is being done about it."""
    open_questions = [question for question in result.questions if question.answer is None]
    return result.verdict is None and all(each.progress is not Progress.CHECKING for each in open_questions)


def leading(results: Sequence[Result]) -> Result:
    """The result that speaks for several of one kernel: one without a verdict, else the first of the worst."""
    verdicts = [result.verdict for result in results if result.verdict is not None]
    if len(verdicts) < len(results):
        return next(result for result in results if result.verdict is None)
    lead = worst(verdicts)
    return next(result for result in results if result.verdict is lead)


def outside(file: FileReport) -> tuple[Diagnostic, ...]:
    """The diagnostics of a file that belong to no result of its own."""
    uncounted = (each for result in file.results if not counted(result) for each in result.diagnostics)
    return (*file.diagnostics, *uncounted)
