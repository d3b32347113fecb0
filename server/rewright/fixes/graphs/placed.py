"""Where the graphs of a refinement stand in its file."""

from __future__ import annotations

from collections.abc import Sequence

from rewright.model.check_graph.declaration import called_in
from rewright.syntax.nodes import GraphDecl, Placed


def graphs_of(placed: Sequence[Placed], names: Sequence[str]) -> tuple[Placed, Placed] | None:
    """The sequential and the distributed graph among the declarations of a file; None if one of them is not there.

    `names` are those of the distributed and the sequential one.
    """
    graphs = _graphs(placed)
    distributed, sequential = (graphs.get(name) for name in names)
    return None if distributed is None or sequential is None else (sequential, distributed)


def called_by(placed: Sequence[Placed], graphs: Sequence[Placed]) -> tuple[tuple[str, Placed], ...]:
    """The graphs of a file that some of it call, and those that these call, in the order of the file."""
    known = _graphs(placed)
    waiting, found = list(graphs), set[str]()
    while waiting:
        node = waiting.pop().node
        for name in called_in(node) if isinstance(node, GraphDecl) else ():
            if name.text in known and name.text not in found and known[name.text] not in graphs:
                found.add(name.text)
                waiting.append(known[name.text])
    return tuple((name, each) for name, each in known.items() if name in found)


def _graphs(placed: Sequence[Placed]) -> dict[str, Placed]:
    """The graphs among declarations, by name."""
    return {
        each.node.head.name.text: each
        for each in placed
        if isinstance(each.node, GraphDecl) and each.node.head.name is not None
    }
