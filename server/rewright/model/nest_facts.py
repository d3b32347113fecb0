"""What is known of the loops and statements of a nest, as plain data for people. Must not know how it is found."""

from __future__ import annotations

from msgspec import Struct

from rewright.model.index import Name


class DirectDependence(Struct, frozen=True):
    """A statement's dependence on another: `kind` is `flow`, `anti` or `output`, `access` the element by which.

    `distance` has a text for each loop that both share: a number, or `+`, `-` and `*` where it differs. `carrier` is
    the outermost of these loops between whose iterations it is, None if it is within one.
    """

    kind: str
    on: str
    access: str
    distance: tuple[str, ...]
    carrier: Name | None


class IterationPicture(Struct, frozen=True):
    """Which iterations of its innermost loops a statement has, at given sizes, with the loops around these fixed.

    `at` are the sizes and the fixed iterators, `axes` the iterators of rows and columns, whose first values are
    `first`; with one loop only the rows are none. A row has a letter for each column: `#` executed, `.` not, `X` the
    iteration that is wrong.
    """

    at: tuple[tuple[Name, int], ...]
    axes: tuple[Name, ...]
    first: tuple[int, ...]
    rows: tuple[str, ...]


class StatementFacts(Struct, frozen=True):
    """A statement by its site: its name, when it is executed, how often, and on what it depends.

    `count` is a formula for all sizes, None if none is known. `picture` is None if its iterations are too many.
    """

    site: int
    name: str
    domain: str
    count: str | None
    picture: IterationPicture | None
    dependences: tuple[DirectDependence, ...]


class LoopFacts(Struct, frozen=True):
    """A loop by its site: what it carries, and with which loops around and in it, itself among them, it can be tiled.

    Without anything that it carries, its iterations may run at once.
    """

    site: int
    iterator: Name
    carries: tuple[str, ...]
    tileable: tuple[Name, ...]


class NestFacts(Struct, frozen=True):
    """What is known of a nest; empty with a `reason` if nothing was found out."""

    statements: tuple[StatementFacts, ...]
    loops: tuple[LoopFacts, ...]
    reason: str = ""
