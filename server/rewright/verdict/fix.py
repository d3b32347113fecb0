"""A fix: an edit, and the questions that must come out proved before it is offered; what a fix may be made of."""

from __future__ import annotations

from dataclasses import dataclass

from rewright.verdict.finding import Place


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the text at `place` by `text`."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A titled change of the text. `questions` are the payloads that the changed declaration asks, all to be proved."""

    title: str
    edits: tuple[Edit, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A precondition with which a rule was proved: its parts as text, and how many of so many small inputs it keeps."""

    parts: tuple[str, ...]
    kept: int
    of: int


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What a search found, the weakest first; `complete` unless the clock ended it."""

    found: tuple[Suggestion, ...]
    complete: bool
