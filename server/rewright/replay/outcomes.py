"""What a replay can find, as plain data.

Owns the four outcomes of replaying one instance of a rule's question.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.model.index import Name
from rewright.replay.provenance import Origin
from rewright.replay.terms import Terms
from rewright.verdict import Failure, Step


class NotAnInput(Struct, frozen=True):
    """The claim says nothing about this instance: it is no input, or its premise fails, for the reason `why`."""

    why: str


class Holds(Struct, frozen=True):
    """The claim holds on this instance; `empty` if only because the result has no element."""

    empty: bool
    steps: tuple[Step, ...]


class Undecided(Struct, frozen=True):
    """Numbers known only by their enclosures do not tell whether the claim holds on this instance."""

    steps: tuple[Step, ...]


class Origins(Struct, frozen=True):
    """Where the two elements that differ come from."""

    left: Origin
    right: Origin


class Sizes(Struct, frozen=True):
    """The first axis on which two shapes differ, by group and number within it, and its two sizes."""

    group: Name
    axis: int
    left: int
    right: int


class Fails(Struct, frozen=True):
    """The claim fails on this instance.

    `failure` is value, shape or validity. `at` is the index, by group of the result, of the first element (row-major)
    that differs, empty for the other failures. `left` and `right` are the two elements, the two shapes or, for
    validity, the shape of the side that is valid and what is wrong with the other. `parting` says where the two
    elements come from, or which sizes differ; None for validity. `terms` are those of both sides' reductions, if the
    elements come from any. `site` is the node to point at: the invalid operator,
    else the root of the side that is claimed. `steps`: every intermediate value of both sides.
    """

    failure: Failure
    at: tuple[tuple[str, tuple[int, ...]], ...]
    left: str
    right: str
    parting: Origins | Sizes | None
    site: int
    steps: tuple[Step, ...]
    terms: tuple[Terms, Terms] | None = None


Outcome = NotAnInput | Holds | Undecided | Fails
