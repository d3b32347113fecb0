"""A fix: a titled change of texts."""

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
    """A titled change of texts, which was checked."""

    title: str
    edits: tuple[Edit, ...]
