"""What is found out about loop nests, as plain data."""

from __future__ import annotations

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.nest import AffineExpression

Sizes = tuple[tuple[Name, int], ...]
"""A value for each parameter."""


class Correspondence(Struct, frozen=True):
    """A statement of the transform by its number, the one of the specification that it is, and with which iterators."""

    transformed: int
    specified: int
    iterators: tuple[AffineExpression, ...]


class ReorderingProved(Struct, frozen=True):
    """The transform is a legal reordering at all sizes; `vacuous` if nothing is executed at any."""

    correspondence: tuple[Correspondence, ...]
    vacuous: bool


class ReorderingNotProved(Struct, frozen=True):
    """No correspondence was proved, and why not; sizes at which guesses fail, the smallest of each way to fail."""

    reason: str
    fails_at: tuple[Sizes, ...]


class NestWithin(Struct, frozen=True):
    """Every subscript is within its array at all sizes; `vacuous` if nothing is executed at any."""

    vacuous: bool


class NestOutside(Struct, frozen=True):
    """Subscripts are outside their arrays, at the smallest of these sizes."""

    fails_at: tuple[Sizes, ...]


class LoopsUndecided(Struct, frozen=True):
    """Not decided, with the reason."""

    reason: str


class Racing(Struct, frozen=True):
    """The iterations of a parallel loop (its number among the loops of the text) interfere by an array.

    `at` are the smallest sizes at which they do.
    """

    loop: int
    array: Name
    at: Sizes


class RacesFound(Struct, frozen=True):
    """All ways in which iterations of parallel loops interfere; none if they may run at once at all sizes."""

    found: tuple[Racing, ...]


RaceDecision = RacesFound | LoopsUndecided
ReorderingDecision = ReorderingProved | ReorderingNotProved | LoopsUndecided
NestDecision = NestWithin | NestOutside | LoopsUndecided
