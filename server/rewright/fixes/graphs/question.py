"""What is asked of a worker about a refinement that was refuted: which changes of its texts let it be proved.

Plain data, cheap to load. Places are in the texts of the declarations, each of which has a path of its own. Must not
know how a change is found or checked.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from rewright.verdict import Edit

Part = Literal["sequential", "distributed", "refinement"]
"""One of the declarations; the path of its text."""

CALLED = "called "
"""What the path of a graph's text begins with that another one calls."""

PARTS: tuple[Part, ...] = ("sequential", "distributed", "refinement")


class GraphSearch(Struct, frozen=True):
    """A refinement that was refuted: the texts of the declarations that it is made of, in the order of `PARTS`, and by
    name those of the graphs that these call, whose paths are `called NAME`."""

    texts: tuple[str, str, str]
    called: tuple[tuple[str, str], ...] = ()


class GraphFix(Struct, frozen=True):
    """A change with which the refinement was proved."""

    title: str
    edits: tuple[Edit, ...]


class GraphFixes(Struct, frozen=True):
    """The changes found, those to prefer first; `complete` unless the budget ended the search."""

    found: tuple[GraphFix, ...]
    complete: bool
