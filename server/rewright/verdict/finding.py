"""A finding: a diagnostic code, its arguments, and the places that it speaks of.

The wording lives in `report/`, one module per code; here are only the facts. A place is either a site of the
declaration that was asked about (a number that the model gave to each node, so that an answer survives edits that only
move text) or a byte range of a foreign source.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How loud a finding is. Only errors change a verdict."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Site:
    """The node with this number in the declaration that was asked about."""

    number: int


@dataclass(frozen=True, slots=True)
class InSource:
    """The bytes `start` to `end` of the source with this path (as the declaration or the source itself names it)."""

    path: str
    start: int
    end: int


Place = Site | InSource


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that a finding needs, with a code for its sentence and that sentence's arguments."""

    role: str
    place: Place
    arguments: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to tell at one place. `arguments` are the facts that the message of `code` is made of.

    `unstated` are the values that it needs and that nobody stated, by their names: contents of variables in device
    memory that were chosen. Without any, it holds of what is stated.
    """

    code: str
    severity: Severity
    place: Place
    arguments: tuple[tuple[str, str], ...] = ()
    related: tuple[Related, ...] = ()
    unstated: tuple[tuple[str, str], ...] = ()
