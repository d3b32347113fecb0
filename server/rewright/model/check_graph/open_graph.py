"""Graphs on a mesh with axes of any size, as they are written."""

from __future__ import annotations

from dataclasses import dataclass

from rewright.model.index import Name
from rewright.syntax.nodes import GraphDecl


@dataclass(frozen=True, slots=True)
class OpenGraph:
    """A graph of which `axes` of the mesh have any number of ranks: it is a `Graph` only at numbers of them."""

    name: Name
    axes: tuple[Name, ...]
    node: GraphDecl
