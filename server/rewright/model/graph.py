"""Checked `graph` and `refine` declarations as values: what `graphs/` proves and what `replay/` evaluates.

Owns the meaning-carrying form of a model's graph, on one device or as one program for every rank of a mesh, whatever
language it is written in. Invariants: a node's operands come before it; shapes are those of one rank and are computed
already; operators are those of the operator table, at fixed ranks, or collectives; operands of an elementwise operator
have its shape, a `Spread` says how they come to it. Must not know how a refinement is decided.

A size or an offset is an index expression over numbers, the sizes' names (`IntegerReference`) and, in the offset of a
slice or a `SizeValue`, names of mesh axes: such a name is the rank's coordinate on that axis. `//` divides without
rest: where it would not, the declaration holds of nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rewright.model.index import Index, Name
from rewright.model.types import SIGNED

Shape = tuple[Index, ...]
Monoid = Literal["add", "multiply", "maximum", "minimum"]
"""What a reduction, over dimensions or over ranks, combines by."""

INTEGERS = ("int", *SIGNED)
"""Element types of integers that an input may have; unsigned ones are none, which wrap around at 0."""


class GraphInput(Struct, frozen=True):
    """A parameter of the graph; `type` is its element type as written."""

    name: Name
    type: str
    shape: Shape
    site: int


class Constant(Struct, frozen=True):
    """A number, as a tensor of rank 0."""

    value: Fraction
    shape: Shape
    site: int


class SizeValue(Struct, frozen=True):
    """A size, or a rank's coordinate on a mesh axis, as a number: a tensor of rank 0."""

    value: Index
    shape: Shape
    site: int


class Iota(Struct, frozen=True):
    """Each element is its index along a dimension."""

    dimension: int
    shape: Shape
    site: int


class Elementwise(Struct, frozen=True):
    """An elementwise operator of the table on operands of its own shape."""

    operator: str
    operands: tuple[int, ...]
    shape: Shape
    site: int


class Spread(Struct, frozen=True):
    """The operand in a larger shape: its dimension i is dimension `dimensions[i]`, or spread along it if it has size 1.

    As StableHLO's `broadcast_in_dim`; `dimensions` ascend.
    """

    operand: int
    dimensions: tuple[int, ...]
    shape: Shape
    site: int


class Dot(Struct, frozen=True):
    """The sum over the contracted dimensions, pair by pair; the result has batch, left free, right free dimensions.

    As StableHLO's `dot_general`; `batch` and `contract` pair a dimension of the left with one of the right.
    """

    operands: tuple[int, int]
    batch: tuple[tuple[int, int], ...]
    contract: tuple[tuple[int, int], ...]
    shape: Shape
    site: int


class Reduce(Struct, frozen=True):
    """The operand combined along `dimensions`, which the result lacks."""

    monoid: Monoid
    operand: int
    dimensions: tuple[int, ...]
    shape: Shape
    site: int


class Transpose(Struct, frozen=True):
    """Dimension i of the result is dimension `permutation[i]` of the operand."""

    operand: int
    permutation: tuple[int, ...]
    shape: Shape
    site: int


class Reshape(Struct, frozen=True):
    """The operand at the same place, row-major, in another shape of as many elements."""

    operand: int
    shape: Shape
    site: int


class Slice(Struct, frozen=True):
    """The part of the operand that begins at `start`, an offset for each dimension, and has the result's shape."""

    operand: int
    start: tuple[Index, ...]
    shape: Shape
    site: int


class Concatenate(Struct, frozen=True):
    """The operands one after the other along a dimension."""

    operands: tuple[int, ...]
    dimension: int
    shape: Shape
    site: int


class Gather(Struct, frozen=True):
    """The parts of the operand along a dimension at the indices, whose dimensions take the place of that one.

    As NumPy's `take`; an index that is none of the dimension's has no value.
    """

    operand: int
    indices: int
    dimension: int
    shape: Shape
    site: int


class AllReduce(Struct, frozen=True):
    """On each rank the operands of all ranks of its group, combined; a group varies the coordinates on `axes`."""

    monoid: Monoid
    operand: int
    axes: tuple[Name, ...]
    shape: Shape
    site: int


class AllGather(Struct, frozen=True):
    """On each rank the operands of its group one after the other along a dimension, by their coordinates on `axes`."""

    operand: int
    dimension: int
    axes: tuple[Name, ...]
    shape: Shape
    site: int


class ReduceScatter(Struct, frozen=True):
    """On each rank its own of the equal parts, along a dimension, of what `AllReduce` gives."""

    monoid: Monoid
    operand: int
    dimension: int
    axes: tuple[Name, ...]
    shape: Shape
    site: int


class AllToAll(Struct, frozen=True):
    """Each rank's operand is cut into equal parts along `split`; part i of all ranks goes to the i-th of the group,
    which puts them one after the other along `concatenate`."""

    operand: int
    split: int
    concatenate: int
    axes: tuple[Name, ...]
    shape: Shape
    site: int


class Permute(Struct, frozen=True):
    """The operand of the rank that sends to this one, zeros where none does.

    `pairs` of sender and receiver are coordinates on the axis; a receiver stands in at most one.
    """

    operand: int
    axis: Name
    pairs: tuple[tuple[int, int], ...]
    shape: Shape
    site: int


class CollectiveBroadcast(Struct, frozen=True):
    """The operand of the rank whose coordinate on the axis is `root`."""

    operand: int
    axis: Name
    root: int
    shape: Shape
    site: int


class OpaqueOperator(Struct, frozen=True):
    """An operator of which only the shapes are known, in sizes of its own: `flash(q: f32[s, d], …) -> f32[s, d]`.

    Two of one name are one operator. What it gives is a function of its operands, whatever graph or rank applies it.
    """

    name: Name
    operands: tuple[Shape, ...]
    shape: Shape


class OpaqueCall(Struct, frozen=True):
    """What an opaque operator gives of its operands."""

    operator: OpaqueOperator
    operands: tuple[int, ...]
    shape: Shape
    site: int


Collective = AllReduce | AllGather | ReduceScatter | AllToAll | Permute | CollectiveBroadcast
Node = (
    GraphInput
    | Constant
    | SizeValue
    | Iota
    | Elementwise
    | Spread
    | Dot
    | Reduce
    | Transpose
    | Reshape
    | Slice
    | Concatenate
    | Gather
    | OpaqueCall
    | Collective
)


def operands_of(node: Node) -> tuple[int, ...]:
    """The nodes that a node reads, by number."""
    match node:
        case GraphInput() | Constant() | SizeValue() | Iota():
            return ()
        case Elementwise(operands=operands) | Dot(operands=operands) | Concatenate(operands=operands):
            return operands
        case OpaqueCall(operands=operands):
            return operands
        case Gather(operand=operand, indices=indices):
            return operand, indices
        case _:
            return (node.operand,)


def redirected(node: Node, to: Callable[[int], int]) -> Node:
    """The node that reads others: those whose numbers `to` gives."""
    match node:
        case GraphInput() | Constant() | SizeValue() | Iota():
            return node
        case Dot(operands=(left, right)):
            return replace(node, operands=(to(left), to(right)))
        case Elementwise(operands=operands) | Concatenate(operands=operands) | OpaqueCall(operands=operands):
            return replace(node, operands=tuple(map(to, operands)))
        case Gather(operand=operand, indices=indices):
            return replace(node, operand=to(operand), indices=to(indices))
        case _:
            return replace(node, operand=to(node.operand))


class MeshAxis(Struct, frozen=True):
    """An axis of a mesh of ranks, with how many there are along it."""

    name: Name
    size: int


class GraphResult(Struct, frozen=True):
    """A result of a graph: its name and the number of the node that computes it."""

    name: Name
    node: int


class SizeFact(Struct, frozen=True):
    """What is known of sizes: how the left compares to the right. `%` may stand in it."""

    left: Index
    operator: Literal["==", "!=", "<", "<=", ">", ">="]
    right: Index


class CalledGraph(Struct, frozen=True):
    """A graph that was called: its nodes are those from `first` to before `stop`, which read nothing but each other and
    `operands`; of them `results` are read elsewhere."""

    first: int
    stop: int
    operands: tuple[int, ...]
    results: tuple[int, ...]


class StepNumber(Struct, frozen=True):
    """The number of a step of a loop, under the name that stands for it."""

    name: Name
    number: int


class LoopStep(Struct, frozen=True):
    """A step of a loop: it computes the nodes from `first` to before `stop`; `at` has loops around it, too."""

    first: int
    stop: int
    at: tuple[StepNumber, ...]


class Graph(Struct, frozen=True):
    """A graph; without a mesh it runs on one device. Ranks are the coordinates on the mesh, the last axis fastest.

    It says nothing of sizes at which `facts` do not hold. `calls` say which nodes stand for a graph that is called; to
    whoever does not look they are nodes like others. So are those of the steps of `loops`, inner loops before outer
    ones. The last nodes, so many as `added` says, are a refinement's, and so are the first ones, as `given` says: they
    make inputs of those of the graph that is refined.
    """

    name: Name
    mesh: tuple[MeshAxis, ...]
    nodes: tuple[Node, ...]
    results: tuple[GraphResult, ...]
    facts: tuple[SizeFact, ...] = ()
    calls: tuple[CalledGraph, ...] = ()
    loops: tuple[LoopStep, ...] = ()
    added: int = 0
    given: int = 0

    def step(self, node: int) -> tuple[StepNumber, ...]:
        """The step that computes a node, () if it stands in no loop."""
        return next((each.at for each in self.loops if each.first <= node < each.stop), ())

    @property
    def own(self) -> int:
        """How many nodes are of the graph itself."""
        return len(self.nodes) - self.added


class Shard(Struct, frozen=True):
    """Rank i along the axis holds the i-th of the equal parts along a dimension."""

    dimension: int
    axis: Name


class Partial(Struct, frozen=True):
    """The tensor is what the ranks along the axis hold, combined."""

    monoid: Monoid
    axis: Name


class Placed(Struct, frozen=True):
    """How the ranks hold a tensor: along the axes that are not named each holds the same.

    A dimension that several axes share is cut by the first of them first.
    """

    name: Name
    placements: tuple[Shard | Partial, ...]
    site: int


class ExpectedEquation(Struct, frozen=True):
    """`expect left = right`: every rank computes by the node `right` what the sequential graph does by `left`.

    Both are nodes that the refinement adds to its graphs, or results of them. The names are the sides as text.
    """

    left: int
    right: int
    name: Name
    right_name: Name
    site: int


class GraphLemma(Struct, frozen=True):
    """`lemma name(inputs) { left => right }`: whatever its inputs are, two nodes of a graph on one device are equal.

    If an opaque operator stands in it, it is an assumption about that operator.
    """

    name: Name
    graph: Graph
    left: int
    right: int
    site: int = 0


class Refinement(Struct, frozen=True):
    """`refine distributed of sequential`: how the inputs are placed, and the results where that is stated.

    Sizes of one name are one size in both graphs; every input of both stands in `inputs` once, by its name.
    Sites in the graphs are those of their own declarations. `facts` are those of both graphs, too. Nodes that compute
    the sides of `equations` follow the graphs' `own` ones and read nothing but results; their sites are the
    refinement's. `lemmas` are those by which it may be proved; their sites are those of the refinement, too.
    """

    distributed: Graph
    sequential: Graph
    inputs: tuple[Placed, ...]
    expected: tuple[Placed, ...]
    facts: tuple[SizeFact, ...] = ()
    equations: tuple[ExpectedEquation, ...] = ()
    lemmas: tuple[GraphLemma, ...] = ()


class RefinementFamily(Struct, frozen=True):
    """`refine distributed of sequential at sp = 2, 4, 8`: the same refinement on several meshes, which all must hold.

    The axes of the meshes have the same names, in the same order.
    """

    members: tuple[Refinement, ...]
