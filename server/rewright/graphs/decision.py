"""What is found out about a refinement, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from rewright.graphs.blocks import BlockTensor
from rewright.graphs.interpretation import Held
from rewright.graphs.relation import Placements
from rewright.model.graph import ExpectedEquation
from rewright.model.index import Name


@dataclass(frozen=True, slots=True)
class Relation:
    """A result of the sequential graph, and how the result of the distributed one with a name holds it."""

    result: Name
    held_as: Name
    placements: Placements


@dataclass(frozen=True, slots=True)
class RelationsFound:
    """Every result is held by a clean relation, and where it is stated by the one that is expected.

    `multiples` are the sizes that are multiples of a number.
    """

    relations: tuple[Relation, ...]
    multiples: tuple[tuple[Name, int], ...]


@dataclass(frozen=True, slots=True)
class NotRelated:
    """A result for which no relation was found, or not the one that is expected; or an `equation` that is not seen.

    `sequential` is the tensor, `held` what the ranks hold.
    """

    result: Name
    expected: Placements | None
    found: Relation | None
    sequential: BlockTensor
    held: Held
    site: int
    equation: ExpectedEquation | None = None


@dataclass(frozen=True, slots=True)
class RelationsMissing:
    """Some results are not related."""

    not_related: tuple[NotRelated, ...]


@dataclass(frozen=True, slots=True)
class Misplaced:
    """An input whose parts have another shape than the distributed graph takes."""

    name: Name
    site: int


@dataclass(frozen=True, slots=True)
class NotDivisible:
    """Some size is no multiple of what it is divided by, whatever the sizes are."""

    reason: str


@dataclass(frozen=True, slots=True)
class NoSizes:
    """No sizes satisfy what is required of them."""


@dataclass(frozen=True, slots=True)
class RelationUnknown:
    """Not decided, with the reason."""

    reason: str


RefinementDecision = RelationsFound | RelationsMissing | Misplaced | NotDivisible | NoSizes | RelationUnknown
