"""A fix: a titled change of texts, and what speaks against doing with less."""

from __future__ import annotations

from msgspec import Struct

from rewright.verdict.finding import Place
from rewright.verdict.witness import Instance


class Edit(Struct, frozen=True):
    """Replaces the text at `place` by `text`."""

    place: Place
    text: str


class Weaker(Struct, frozen=True):
    """A precondition that does not do: its text, and an input that it allows and on which the rule fails.

    The input has no contents of tensors, since preconditions do not speak of them. It was replayed.
    """

    precondition: str
    fails: Instance


class Fix(Struct, frozen=True):
    """A titled change of texts, which was checked; of a precondition, weaker ones that do not do."""

    title: str
    edits: tuple[Edit, ...]
    weaker: tuple[Weaker, ...] = ()
