"""Where the graphs of a refinement stand in its file."""

from __future__ import annotations

from collections.abc import Sequence

from rewright.syntax.nodes import GraphDecl, Placed


def graphs_of(placed: Sequence[Placed], names: Sequence[str]) -> tuple[Placed, Placed] | None:
    """The sequential and the distributed graph among the declarations of a file; None if one of them is not there.

    `names` are those of the distributed and the sequential one.
    """
    graphs = {
        each.node.head.name.text: each
        for each in placed
        if isinstance(each.node, GraphDecl) and each.node.head.name is not None
    }
    distributed, sequential = (graphs.get(name) for name in names)
    return None if distributed is None or sequential is None else (sequential, distributed)
