"""What views are made from: a report and how the work on it stands, be it known or only remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rewright.report.document import FileReport, Report, Result

if TYPE_CHECKING:
    from rewright.checks.kernel_question import SourceEntry


class Viewed(Protocol):
    """What is known of the declarations of a workspace."""

    def file(self, path: str) -> FileReport | None:
        """What is known of one file."""

    def kernels(self, path: str) -> list[tuple[SourceEntry, tuple[Result, ...]]]:
        """The kernels of an open source, each with what is known of it, wherever it is declared."""

    def report(self) -> Report:
        """What is known of every file."""

    def pending(self) -> int:
        """How many declarations are being checked."""

    def unchecked(self) -> int:
        """How many declarations of files that are open, or were to be checked, have no verdict and are not checked."""
