"""What is found out about a refinement, as plain data."""

from __future__ import annotations

from msgspec import Struct

from rewright.graphs.blocks import BlockTensor
from rewright.graphs.interpretation import Held
from rewright.graphs.relation import Placements
from rewright.model.graph import ExpectedEquation
from rewright.model.index import Name


class Relation(Struct, frozen=True):
    """A result of the sequential graph, and how the result of the distributed one with a name holds it."""

    result: Name
    held_as: Name
    placements: Placements


class RelationsFound(Struct, frozen=True):
    """Every result is held by a clean relation, and where it is stated by the one that is expected.

    `multiples` are the sizes that are multiples of a number.
    """

    relations: tuple[Relation, ...]
    multiples: tuple[tuple[Name, int], ...]


class NotRelated(Struct, frozen=True):
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


class RelationsMissing(Struct, frozen=True):
    """Some results are not related."""

    not_related: tuple[NotRelated, ...]


class Misplaced(Struct, frozen=True):
    """An input whose parts have another shape than the distributed graph takes."""

    name: Name
    site: int


class NotDivisible(Struct, frozen=True):
    """Some size is no multiple of what it is divided by, whatever the sizes are."""

    reason: str


class NoSizes(Struct, frozen=True):
    """No sizes satisfy what is required of them."""


class RelationUnknown(Struct, frozen=True):
    """Not decided, with the reason."""

    reason: str


RefinementDecision = RelationsFound | RelationsMissing | Misplaced | NotDivisible | NoSizes | RelationUnknown
