"""A fix: an edit, and the questions that must come out proved before it is offered."""

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
