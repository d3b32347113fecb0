"""What an evaluation takes, known before it begins.

Owns the count of steps: elements that are combined, multiplied or copied, on all ranks. Must not know elements.
"""

from __future__ import annotations

from math import prod

from rewright.model.graph import AllReduce, Dot, Graph, Node, Reduce, ReduceScatter
from rewright.replay.graphs.extents import Numbers, Unfit, extents
from rewright.replay.graphs.ranks import size_of

MOST_STEPS = 1 << 21
"""Steps of the largest evaluation, and of all evaluations of a search together: some seconds."""


def steps_of(graph: Graph, sizes: Numbers) -> int:
    """About how many steps an evaluation of the graph takes; nodes that have no value take none.

    Raises `NotReplayable` for maps in sizes.
    """
    return sum(_steps(graph, node, sizes) for node in graph.nodes) * prod(axis.size for axis in graph.mesh)


def _steps(graph: Graph, node: Node, sizes: Numbers) -> int:
    """On one rank."""
    try:
        elements = prod(extents(node.shape, sizes))
        match node:
            case Dot(operands=(left, _), contract=contract):
                operand = extents(graph.nodes[left].shape, sizes)
                return elements * prod(operand[one] for one, _ in contract)
            case Reduce(operand=number):
                return prod(extents(graph.nodes[number].shape, sizes))
            case AllReduce(axes=axes) | ReduceScatter(axes=axes):
                return elements * size_of(graph.mesh, axes)
            case _:
                return elements
    except Unfit:
        return 0
