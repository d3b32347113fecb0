"""A finding: a diagnosis with the places that it speaks of.

The wording lives in `report/`, one module per code; here are only the facts. A place is either a site of the
declaration that was asked about (a number that the model gave to each node, so that an answer survives edits that only
move text), such a site of another declaration that it names, or a byte range of a foreign source.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from rewright.verdict.diagnosis import Diagnosis


class Severity(StrEnum):
    """How loud a finding is. Only errors change a verdict."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


class Site(Struct, frozen=True):
    """The node with this number in the declaration that was asked about."""

    number: int


class InSource(Struct, frozen=True):
    """The bytes `start` to `end` of the source with this path (as the declaration or the source itself names it)."""

    path: str
    start: int
    end: int


class InDeclaration(Struct, frozen=True):
    """The node with this number in another declaration, of the same file or of one that it imports."""

    declaration: str
    number: int


Place = Site | InSource | InDeclaration


class Role(StrEnum):
    """What a related place is: where the first or the second of two is, or does something; where that comes from; where
    an input is given; or where the same is found, too."""

    FIRST = "first"
    SECOND = "second"
    ORIGIN = "origin"
    INPUT = "input"
    ALSO = "also"


class Related(Struct, frozen=True):
    """A second place that a finding needs; the diagnosis has a sentence for each of its roles."""

    role: Role
    place: Place


class Finding(Struct, frozen=True):
    """One thing to report at one place.

    `launch` is the launch of a kernel at which it shows, where that has to be named. `unstated` are the values that it
    needs and that are not stated, by their names: contents of variables in device memory that were chosen. Without any,
    it holds of what is stated. `step` is the step of a graph's loop at which it shows, where that has to be named.
    """

    diagnosis: Diagnosis
    severity: Severity
    place: Place
    related: tuple[Related, ...] = ()
    unstated: tuple[tuple[str, str], ...] = ()
    launch: str | None = None
    step: str | None = None

    @property
    def code(self) -> str:
        """The diagnostic code."""
        return self.diagnosis.code


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether an error is among them: a hint or a warning is none."""
    return any(finding.severity is Severity.ERROR for finding in findings)
