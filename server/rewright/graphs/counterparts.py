"""Which node of the sequential graph a node of the distributed one should compute, by how both graphs are written.

Owns the pairing: of nodes with the same operator on operands that are paired; numbers are not compared, and collectives
and a rank's own part are paired as their operand is. A guess, for explanations only: what is proved does not need it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from rewright.graphs.holdings import HeldNodes
from rewright.model.graph import (
    Collective,
    Concatenate,
    Constant,
    Dot,
    Elementwise,
    Gather,
    Graph,
    GraphInput,
    Iota,
    Node,
    OpaqueCall,
    Reduce,
    Reshape,
    SizeValue,
    Slice,
    Spread,
    Transpose,
    operands_of,
)

GIVEN = -1
"""What stands for every operand that reads no input."""

Operands = tuple[int | None, ...]


def counterparts(holdings: HeldNodes) -> Mapping[int, int]:
    """For nodes of the distributed graph the node of the sequential one, of several that are equal the first."""
    return _Pairing(holdings).all()


class _Pairing:
    """The pass over the distributed graph."""

    def __init__(self, holdings: HeldNodes) -> None:
        self._holdings = holdings
        self._nodes = holdings.asked.distributed.nodes
        self._given = inputless(holdings.asked.distributed)
        self._readers: dict[int, list[int]] = {}
        for number, node in enumerate(self._nodes):
            for each in operands_of(node):
                self._readers.setdefault(each, []).append(number)
        self._written: dict[Hashable, list[int]] = {}
        self._read: set[Hashable] = set()
        sequential = holdings.asked.sequential
        given = inputless(sequential)
        for number, node in enumerate(sequential.nodes):
            operands = tuple(GIVEN if each in given else holdings.first_of(each) for each in operands_of(node))
            self._read |= {(_operator(node), each) for each in operands}
            for order in _orders(node, operands):
                self._written.setdefault((_operator(node), order), []).append(holdings.first_of(number))
        self._found: dict[int, int] = {}

    def all(self) -> Mapping[int, int]:
        for number in range(len(self._nodes)):
            if number not in self._given:
                pair = self._pair(number)
                if pair is not None:
                    self._found[number] = pair
        return self._found

    def _pair(self, number: int) -> int | None:
        node = self._nodes[number]
        held = self._holdings.at(number)
        among = list(self._candidates(node))
        if held is not None and held.of in among:
            return held.of
        # of a number that is in this graph only it is said by what reads it which tensor it should make
        scaled = self._scaled(node)
        if not among and held is not None:
            among.append(held.of)
        if scaled is not None:
            among.append(scaled)
            return max(among, key=lambda of: self._read_as(number, of))
        return among[0] if among else None

    def _scaled(self, node: Node) -> int | None:
        """The counterpart of what a node multiplies by a number, None if it does not."""
        if not isinstance(node, Elementwise) or node.operator not in ("multiply", "divide"):
            return None
        read = [each for each in operands_of(node) if each not in self._given]
        return self._found.get(read[0]) if len(read) == 1 else None

    def _read_as(self, number: int, of: int) -> int:
        """How many of a node's readers read this node in the sequential graph."""
        total = 0
        for reader in self._readers.get(number, ()):
            node = self._nodes[reader]
            total += self._read_as(reader, of) if isinstance(node, Collective) else (_operator(node), of) in self._read
        return total

    def _candidates(self, node: Node) -> Iterator[int]:
        operands = tuple(GIVEN if each in self._given else self._found.get(each) for each in operands_of(node))
        if not isinstance(node, Collective):
            yield from self._written.get((_operator(node), operands), ())
        if isinstance(node, Collective | Slice) and operands[0] is not None and operands[0] != GIVEN:
            yield operands[0]


def is_alike(node: Node, other: Node) -> bool:
    """Whether two nodes do the same, with whatever sizes and numbers."""
    return _operator(node) == _operator(other)


def inputless(graph: Graph) -> frozenset[int]:
    """The nodes that read no input."""
    found: set[int] = set()
    for number, node in enumerate(graph.nodes):
        if not isinstance(node, GraphInput) and all(each in found for each in operands_of(node)):
            found.add(number)
    return frozenset(found)


def choosing(graph: Graph) -> frozenset[int]:
    """The nodes that say nothing but which elements are taken: conditions, indices, and what only these are made of."""
    readers: dict[int, set[int]] = {}
    results = {each.node for each in graph.results}
    found: set[int] = set()
    for number, node in reversed(list(enumerate(graph.nodes))):
        if number not in results and readers.get(number, {-1}) <= {number, *found}:
            found.add(number)
        for each in operands_of(node):
            readers.setdefault(each, set()).add(each if _chooses(node, each) else number)
    return frozenset(found)


def _chooses(node: Node, operand: int) -> bool:
    """Whether an operand only says which elements of others a node takes."""
    match node:
        case Elementwise(operator="select", operands=(chosen, *others)):
            return operand == chosen and operand not in others
        case Gather(operand=table, indices=indices):
            return operand == indices != table
        case _:
            return False


def _orders(node: Node, operands: Operands) -> Iterator[Operands]:
    """The operands, and where it does not matter in the other order."""
    yield operands
    if isinstance(node, Elementwise) and node.operator in ("add", "multiply", "maximum", "minimum", "and", "or"):
        yield operands[::-1]


def _operator(node: Node) -> Hashable:
    """What a node does, without its sizes and numbers."""
    match node:
        case GraphInput(name=name):
            return "input", name
        case Elementwise(operator=operator):
            return operator
        case Spread(dimensions=dimensions):
            return "spread", dimensions, len(node.shape)
        case Dot(batch=batch, contract=contract):
            return "dot", batch, contract
        case Reduce(monoid=monoid, dimensions=dimensions):
            return "reduce", monoid, dimensions
        case Transpose(permutation=permutation):
            return "transpose", permutation
        case Concatenate(dimension=dimension) | Iota(dimension=dimension) | Gather(dimension=dimension):
            return type(node).__name__, dimension
        case OpaqueCall(operator=operator):
            return "opaque", operator.name
        case Constant() | SizeValue() | Reshape() | Slice():
            return type(node).__name__, len(node.shape)
        case _:
            return type(node).__name__
