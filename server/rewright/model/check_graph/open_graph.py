"""Graphs on a mesh with axes of any size, as they are written, with what they call."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from rewright.model.graph import Graph, OpaqueOperator
from rewright.model.index import Name
from rewright.syntax.nodes import GraphDecl
from rewright.verdict import Diagnosis


class OpenGraph(Struct, frozen=True):
    """A graph of which `axes` of the mesh have any number of ranks: it is a `Graph` only at numbers of them."""

    name: Name
    axes: tuple[Name, ...]
    node: GraphDecl
    callees: tuple[tuple[str, Callee], ...]


class Callee(Struct, frozen=True):
    """A graph that is called: what it is where there are so many ranks along its axes of any size.

    Where it is nothing then, `fault` says why a call is wrong, else `reason` why it is not understood. Or an opaque
    `operator` is called.
    """

    at: Callable[[Mapping[str, int]], Graph | None] | None
    fault: Diagnosis | None = None
    reason: str = ""
    operator: OpaqueOperator | None = None
