"""Which nodes of a distributed graph depart: at which the ranks hold no tensor of the sequential graph, cleanly.

Owns what of a node is explained: its operands are, and it is held as its counterpart is. Copies of a share are no parts
of a sum, though they add up to the tensor. A guess, for explanations only.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewright.graphs.counterparts import choosing, counterparts, inputless, is_alike
from rewright.graphs.differences import is_part
from rewright.graphs.holdings import HeldNode, HeldNodes
from rewright.graphs.interpretation import Held
from rewright.model.graph import Collective, Dot, Graph, Node, Partial, Permute, Reshape, Slice, operands_of
from rewright.model.index import Index, IndexOperation, IntegerReference, Name


class Departing:
    """What is held at the nodes of a distributed graph, and what should be; of the sequential graph, `pairs`, and the
    nodes that read no input."""

    def __init__(self, holdings: HeldNodes) -> None:
        self.holdings = holdings
        self.pairs = counterparts(holdings)
        self.numbers = inputless(holdings.asked.sequential)
        self._given = inputless(self.graph)
        self._choosing = choosing(self.graph)
        self._sent = frozenset(each.operand for each in self.graph.nodes if isinstance(each, Permute))

    @property
    def graph(self) -> Graph:
        """The distributed graph."""
        return self.holdings.asked.distributed

    def node(self, number: int) -> Node:
        """A node of the distributed graph."""
        return self.graph.nodes[number]

    def read(self, node: int) -> list[int]:
        """The operands of a node that read an input."""
        return [each for each in operands_of(self.node(node)) if each not in self._given]

    def is_given(self, node: int) -> bool:
        """Whether a node reads no input."""
        return node in self._given

    def first(self, result_node: int) -> Iterator[int]:
        """The nodes below one that departs which depart of themselves: no operand of theirs does."""
        seen, due = set(), [result_node]
        while due:
            node = due.pop()
            if node not in seen:
                seen.add(node)
                below = [each for each in operands_of(self.node(node)) if self._departs(each)]
                due += below
                if not below:
                    yield node

    def held(self, node: int) -> HeldNode | None:
        """What is held at a node, None if nothing is found.

        Raises `NotComparable`, `NotWithin`, `NotDivided` and `NotPolynomial`.
        """
        pair = self.pairs.get(node)
        found = self.holdings.at(node) if pair is None else self.holdings.as_of(node, pair)
        if found is None:
            return None
        held = self.holdings.passes.distributed[node]
        copied = (self._is_copied(held, each.axis) for each in found.placements if isinstance(each, Partial))
        return None if any(copied) else found

    def partial_axes(self, node: int) -> list[Name]:
        """The axes over which what is held at a node is a part of a sum, or of a maximum."""
        held = self.held(node)
        return [] if held is None else [each.axis for each in held.placements if isinstance(each, Partial)]

    def ranks_along(self, axis: Name) -> int:
        """How many ranks there are along an axis."""
        return next(each.size for each in self.graph.mesh if each.name == axis)

    def _departs(self, node: int) -> bool:
        """Whether the ranks hold at a node no tensor of the sequential graph, or another than they should."""
        if node < self.graph.given or self.is_given(node) or node in self._choosing:
            return False
        held = self.held(node)
        if held is not None:
            return self.pairs.get(node, held.of) != held.of
        at = self.node(node)
        if isinstance(at, Permute) and len(at.pairs) == self.ranks_along(at.axis):
            return self._departs(at.operand)
        return not self._is_in_parts(node)

    def _is_in_parts(self, node: int) -> bool:
        """Whether each rank holds a part of what it should, the same of what it has on all ranks, as in steps; or a
        tensor of its own, as in stages; or one block after the other, as in a ring."""
        pair, at = self.pairs.get(node), self.node(node)
        held = self.holdings.passes.distributed[node].values()
        if isinstance(at, Reshape | Slice) and all(map(self.holdings.knows, held)):
            return True
        open_ = [each for each in self.read(node) if self.held(each) is None]
        takes = isinstance(at, Slice) and not any(map(self.is_of_rank, at.start))
        takes = takes or (isinstance(at, Dot) and any(map(self._goes_around, operands_of(at))))
        if pair is None or isinstance(at, Collective) or not (takes or open_) or any(map(self._departs, open_)):
            return False
        (due,) = self.holdings.passes.sequential[pair].values()
        return all(is_part(each, due) for each in held)

    def _goes_around(self, node: int) -> bool:
        """Whether a tensor is sent on along a ring, or is a view of one that is."""
        while node not in self._sent and len(self.read(node)) == 1:
            (node,) = self.read(node)
        return node in self._sent

    def without_counterpart(self, node: int) -> Iterator[int]:
        """The nodes of the sequential graph that are written like a node and are the counterpart of none."""
        known, at = set(self.pairs.values()), self.node(node)
        for number, each in enumerate(self.holdings.asked.sequential.nodes):
            if self.holdings.first_of(number) not in known and is_alike(at, each):
                yield number

    def is_of_rank(self, index: Index) -> bool:
        """Whether a coordinate of a rank stands in an offset."""
        match index:
            case IntegerReference(name=name):
                return any(axis.name == name for axis in self.graph.mesh)
            case IndexOperation(left=left, right=right):
                return self.is_of_rank(left) or self.is_of_rank(right)
            case _:
                return False

    def _is_copied(self, held: Held, axis: Name) -> bool:
        place = [each.name for each in self.graph.mesh].index(axis)
        return all(each == held[(*rank[:place], 0, *rank[place + 1 :])] for rank, each in held.items())
