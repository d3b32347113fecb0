"""What is found out about loop nests, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from rewright.model.index import Name
from rewright.model.nest import AffineExpression

Sizes = tuple[tuple[Name, int], ...]
"""A value for each parameter."""


@dataclass(frozen=True, slots=True)
class Correspondence:
    """A statement of the transform by its number, the one of the specification that it is, and with which iterators."""

    transformed: int
    specified: int
    iterators: tuple[AffineExpression, ...]


@dataclass(frozen=True, slots=True)
class ReorderingProved:
    """The transform is a legal reordering at all sizes; `vacuous` if nothing is executed at any."""

    correspondence: tuple[Correspondence, ...]
    vacuous: bool


@dataclass(frozen=True, slots=True)
class ReorderingNotProved:
    """No correspondence was proved, and why not; sizes at which guesses fail, the smallest of each way to fail."""

    reason: str
    fails_at: tuple[Sizes, ...]


@dataclass(frozen=True, slots=True)
class NestWithin:
    """Every subscript is within its array at all sizes; `vacuous` if nothing is executed at any."""

    vacuous: bool


@dataclass(frozen=True, slots=True)
class NestOutside:
    """Subscripts are outside their arrays, at the smallest of these sizes."""

    fails_at: tuple[Sizes, ...]


@dataclass(frozen=True, slots=True)
class LoopsUndecided:
    """Not decided, with the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Racing:
    """The iterations of a parallel loop (its number among the loops of the text) interfere by an array.

    `at` are the smallest sizes at which they do.
    """

    loop: int
    array: Name
    at: Sizes


@dataclass(frozen=True, slots=True)
class RacesFound:
    """All ways in which iterations of parallel loops interfere; none if they may run at once at all sizes."""

    found: tuple[Racing, ...]


RaceDecision = RacesFound | LoopsUndecided
ReorderingDecision = ReorderingProved | ReorderingNotProved | LoopsUndecided
NestDecision = NestWithin | NestOutside | LoopsUndecided
