"""Graphs that are written in a source, and refinements that speak of one: what declarations say before it is read.

Plain data. Must not know files, nor what a source says.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.model.graph import Graph, Monoid
from rewright.model.index import Name


class ForeignGraph(Struct, frozen=True):
    """A graph that is the function `entry` of the source at `path`; `site` is where that is said.

    `mesh` has the axes with their sizes, of a source that says none.
    """

    name: Name
    path: str
    entry: str
    site: int
    mesh: tuple[tuple[str, int], ...] = ()


class StatedShard(Struct, frozen=True):
    """`shard(0, tp)` as it is written: the dimension by its number."""

    dimension: str
    axis: str
    site: int


class StatedPartial(Struct, frozen=True):
    """`partial(add, tp)`."""

    monoid: Monoid
    axis: str
    site: int


class StatedPlacement(Struct, frozen=True):
    """How ranks hold a tensor, by its name, as it is written."""

    name: str
    placements: tuple[StatedShard | StatedPartial, ...]
    site: int


class StatedParts(Struct, frozen=True):
    """`x = concatenate(x0, x1, 0)`: an input of the sequential graph, and the inputs of the other that are its parts.

    One part is the whole: `x = arg0`.
    """

    name: str
    parts: tuple[str, ...]
    dimension: str
    site: int


class StatedExpression(Struct, frozen=True):
    """`left = right` in one layout, of which `reads` are the names on the right: an input in another form, or an
    equation of results."""

    left: str
    right: str
    reads: tuple[str, ...]
    site: int


class ForeignRefinement(Struct, frozen=True):
    """`refine distributed of sequential`, of which one graph or both are written in sources."""

    distributed: Graph | ForeignGraph
    sequential: Graph | ForeignGraph
    inputs: tuple[StatedPlacement, ...]
    expected: tuple[StatedPlacement, ...]
    parts: tuple[StatedParts, ...] = ()
    related: tuple[StatedExpression, ...] = ()
    equations: tuple[StatedExpression, ...] = ()

    @property
    def foreign(self) -> tuple[ForeignGraph, ...]:
        """The graphs that are written in sources."""
        return tuple(each for each in (self.sequential, self.distributed) if isinstance(each, ForeignGraph))
