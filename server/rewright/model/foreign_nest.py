"""Loop nests that are written in a source, and transforms that speak of one: what is said before it is read.

Plain data. Must not know files, nor what a source says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.nest import UNRELAXED, Condition, Nest, Relaxations
from rewright.syntax.nodes import TransformDecl


class ForeignNest(Struct, frozen=True):
    """A nest that is the region or function `entry` of the source at `path`; `site` is where that is said.

    `of` is what it is a transform of, None if it is a specification; `relaxed` is what the declaration allows.
    """

    name: Name
    path: str
    entry: str
    requires: tuple[Condition, ...]
    of: Nest | ForeignNest | None
    site: int
    relaxed: Relaxations = UNRELAXED


class ForeignTransformation(Struct, frozen=True):
    """A transform that is written in a source; what it is a transform of may be, too.

    `tiles` are names of the source that are its tile sizes; `at` are the values that these, and parameters, have.
    """

    transformed: ForeignNest
    tiles: tuple[str, ...] = ()
    at: tuple[tuple[Name, tuple[int, ...]], ...] = ()


class WrittenTransformation(Struct, frozen=True):
    """A transform in our own syntax of a nest that is written in a source: understood once that source is read.

    The sites of its declaration are the spans of all its nodes, in their order.
    """

    of: ForeignNest
    node: TransformDecl


SpeaksOfSources = ForeignNest | ForeignTransformation | WrittenTransformation
"""What is asked of nests in sources."""


def read_first(asked: SpeaksOfSources) -> ForeignNest:
    """The nest of a source that is read for what is asked; what it is a transform of may be in sources, too."""
    match asked:
        case ForeignNest():
            return asked
        case ForeignTransformation(transformed=nest):
            return nest
        case WrittenTransformation(of=nest):
            return nest
        case _:
            assert_never(asked)


def foreign_nests(nest: ForeignNest) -> Iterator[ForeignNest]:
    """The nest and those before it that are written in sources, of which it is a transform."""
    current: Nest | ForeignNest | None = nest
    while isinstance(current, ForeignNest):
        yield current
        current = current.of
