"""Faults of ours in showing a result: that result is an internal error, all others are shown as they are.

Must not know how a result is shown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from msgspec.structs import replace

from rewright.report import codes
from rewright.report.document import Diagnostic, FileReport, Located, Report, Result
from rewright.report.summary import counted
from rewright.syntax.text import Span
from rewright.verdict import Severity, Verdict, internal_error
from rewright.verdict.diagnostics.internal import InternalError

log = logging.getLogger(__name__)

T = TypeVar("T")

Subject = Result | FileReport
"""What is shown by itself: a result, or the findings of a file outside of all results."""


class Unshown(Exception):
    """Something could not be shown; the cause is what went wrong."""

    def __init__(self, subject: Subject, cause: Exception) -> None:
        super().__init__(subject.path)
        self.subject = subject
        self.cause = cause


@contextmanager
def showing(subject: Subject) -> Iterator[None]:
    """Raises `Unshown` for whatever goes wrong in the body."""
    try:
        yield
    except Exception as error:
        raise Unshown(subject, error) from error


def shown(result: Result, show: Callable[[Result], str]) -> str:
    """What `show` makes of a result; where a fault of ours is in the way, that there is one."""
    try:
        return show(result)
    except Exception as error:
        log.exception("what is known of `%s` cannot be shown", result.name)
        return f"! {_sentence(error)}"


def in_full(report: Report, show: Callable[[Report], T]) -> tuple[Report, T]:
    """What `show` makes of the report, in which an internal error stands for each part that cannot be shown.

    That is the result's verdict; if it cannot be shown so either, a line of the file. Raises what went wrong if not
    even the lines of a file can be shown.
    """
    tried: set[int] = set()
    while True:
        try:
            return report, show(report)
        except Unshown as fault:
            match fault.subject:
                case Result() as result if id(result) not in tried:
                    instead = broken(result, fault.cause)
                    tried.add(id(instead))
                    report = _replacing(report, result, (instead,))
                case Result() as result:
                    report = _replacing(
                        report, result, (), _diagnostic(fault.cause, Located(result.path, result.name_span))
                    )
                case FileReport() as file if id(file) not in tried:
                    reported = _diagnostic(fault.cause, Located(file.path, Span(0, 0)))
                    bare = replace(file, diagnostics=(reported,), results=tuple(filter(counted, file.results)))
                    tried.add(id(bare))
                    report = replace(report, files=tuple(bare if each is file else each for each in report.files))
                case _:
                    raise fault.cause from None


def _replacing(report: Report, result: Result, instead: tuple[Result, ...], *more: Diagnostic) -> Report:
    """The report with other results in the place of one, and with more diagnostics of its file."""
    files = []
    for file in report.files:
        at = next((number for number, each in enumerate(file.results) if each is result), None)
        if at is not None:
            results = (*file.results[:at], *instead, *file.results[at + 1 :])
            file = replace(file, results=results, diagnostics=(*file.diagnostics, *more))
        files.append(file)
    return replace(report, files=tuple(files))


def broken(result: Result, error: Exception) -> Result:
    """The result of a declaration of which nothing can be shown but an internal error at its name."""
    return replace(
        result,
        verdict=Verdict.ERROR,
        as_expected=False,
        reason=internal_error(error).detail,
        questions=(),
        static=(),
        found=(_diagnostic(error, Located(result.path, result.name_span)),),
        moments=(),
        opened=None,
    )


def _diagnostic(error: Exception, at: Located) -> Diagnostic:
    return Diagnostic(InternalError.code, Severity.ERROR, _sentence(error), at)


def _sentence(error: Exception) -> str:
    return codes.sentence(internal_error(error))
