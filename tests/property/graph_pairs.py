"""Random pairs of a sequential and a distributed graph, derived together: right by construction.

Owns the derivation: each step adds an operator to the sequential graph and to the distributed one what computes it as
the operands are placed, or only a collective or a slice to the latter, which changes the placement. Tensors of both
graphs that belong together are one `Both`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from msgspec.structs import replace

from rewright.model.graph import (
    AllGather,
    AllReduce,
    AllToAll,
    CollectiveBroadcast,
    Concatenate,
    Constant,
    Dot,
    Elementwise,
    Graph,
    GraphInput,
    GraphResult,
    Iota,
    MeshAxis,
    Monoid,
    Node,
    OpaqueCall,
    Partial,
    Permute,
    Placed,
    Reduce,
    ReduceScatter,
    Refinement,
    Reshape,
    Shape,
    Shard,
    SizeValue,
    Slice,
    Spread,
    Transpose,
)
from rewright.model.index import Index, IndexOperation, IntegerReference, Name, Number

Placement = Shard | Partial
Placements = tuple[Placement, ...]


class Unfitting(Exception):
    """The step cannot be taken with these operands."""


@dataclass(frozen=True)
class Factor:
    """A factor of a dimension: as it is written, and its value."""

    index: Index
    value: int

    def divided(self, parts: int) -> Factor:
        if self.value % parts:
            raise Unfitting
        match self.index:
            case Number(value=value):
                return Factor(Number(value // parts, 0), self.value // parts)
            case _:
                return Factor(IndexOperation("//", self.index, Number(parts, 0), 0), self.value // parts)


Dimension = tuple[Factor, ...]
"""A dimension as its factors, row-major."""


def written(dimension: Dimension) -> Index:
    """The product, as short as it is."""
    constant = math.prod(factor.value for factor in dimension if isinstance(factor.index, Number))
    symbols = [factor.index for factor in dimension if not isinstance(factor.index, Number)]
    if not symbols:
        return Number(constant, 0)
    total = symbols[0]
    for symbol in symbols[1:]:
        total = IndexOperation("*", total, symbol, 0)
    return total if constant == 1 else IndexOperation("*", total, Number(constant, 0), 0)


def count(dimension: Dimension) -> int:
    return math.prod(factor.value for factor in dimension)


@dataclass(frozen=True)
class Both:
    """A tensor of the sequential graph and what the ranks hold of it; `shape` is the whole one."""

    sequential: int
    distributed: int
    shape: tuple[Dimension, ...]
    placed: Placements

    def of_axis(self, axis: Name) -> Placement | None:
        return next((each for each in self.placed if each.axis == axis), None)

    @property
    def partial(self) -> tuple[Partial, ...]:
        return tuple(each for each in self.placed if isinstance(each, Partial))

    def sharding(self, dimension: int) -> tuple[Name, ...]:
        """The axes that cut a dimension, the first first."""
        return tuple(each.axis for each in self.placed if isinstance(each, Shard) and each.dimension == dimension)

    def without(self, *axes: Name) -> Placements:
        return tuple(each for each in self.placed if each.axis not in axes)


@dataclass(frozen=True)
class RandomPair:
    """A refinement that holds, and sizes at which it says something."""

    refinement: Refinement
    sizes: dict[Name, int]


LINEAR = ("add", "subtract")


@dataclass
class Derivation:
    """Both graphs as far as they are derived."""

    rng: random.Random
    mesh: tuple[MeshAxis, ...]
    symbolic: bool
    nodes: dict[Literal["sequential", "distributed"], list[Node]] = field(
        default_factory=lambda: {"sequential": [], "distributed": []}
    )
    inputs: list[Placed] = field(default_factory=list)
    sizes: dict[Name, int] = field(default_factory=dict)
    pool: list[Both] = field(default_factory=list)

    # what nodes are made of

    def ways(self, *axes: Name) -> int:
        return math.prod(axis.size for axis in self.mesh if axis.name in axes)

    def some_axis(self) -> Name:
        return self.rng.choice(self.mesh).name

    def fresh(self) -> Dimension:
        """A new dimension: a size that every part of the mesh divides, and now and then a small factor."""
        ranks = math.prod(axis.size for axis in self.mesh)
        value = ranks * self.rng.choice((1, 2, 3) if ranks == 2 else (1,))
        small = (Factor(Number(2, 0), 2),) if ranks < 8 and self.rng.random() < 0.3 else ()
        if not self.symbolic:
            return (Factor(Number(value, 0), value), *small)
        name = Name("tdhkmnpq"[len(self.sizes) % 8] + str(len(self.sizes) // 8 or ""))
        self.sizes[name] = value
        return (Factor(IntegerReference(name, 0), value), *small)

    def whole_shape(self, shape: Sequence[Dimension]) -> Shape:
        return tuple(map(written, shape))

    def local_shape(self, shape: Sequence[Dimension], placed: Placements) -> Shape:
        return tuple(map(written, self.local(shape, placed)))

    def local(self, shape: Sequence[Dimension], placed: Placements) -> list[Dimension]:
        found = list(shape)
        for each in placed:
            if isinstance(each, Shard):
                first, *others = found[each.dimension]
                found[each.dimension] = (first.divided(self.ways(each.axis)), *others)
        return found

    def emit(self, side: Literal["sequential", "distributed"], node: Node) -> int:
        self.nodes[side].append(replace(node, site=len(self.nodes[side])))
        return len(self.nodes[side]) - 1

    def both(
        self,
        operands: Sequence[Both],
        shape: tuple[Dimension, ...],
        placed: Placements,
        node: Callable[[tuple[int, ...], Shape], Node],
    ) -> Both:
        """The same operator in both graphs."""
        here, there = self.whole_shape(shape), self.local_shape(shape, placed)
        one = self.emit("sequential", node(tuple(each.sequential for each in operands), here))
        other = self.emit("distributed", node(tuple(each.distributed for each in operands), there))
        return Both(one, other, shape, placed)

    def exchanged(self, x: Both, placed: Placements, node: Callable[[Shape], Node]) -> Both:
        """A node of the distributed graph only."""
        number = self.emit("distributed", node(self.local_shape(x.shape, placed)))
        return Both(x.sequential, number, x.shape, placed)

    def input(self, shape: tuple[Dimension, ...], placed: Placements) -> Both:
        self.local_shape(shape, placed)
        name = Name(f"x{len(self.inputs)}")
        self.inputs.append(Placed(name, placed, 1 + len(self.inputs)))
        return self.both((), shape, placed, lambda _, local: GraphInput(name, "f32", local, 0))

    def constant(self, value: Fraction, x: Both) -> Both:
        """A number in the shape of a tensor, held by each rank where the tensor is cut."""
        shards = tuple(each for each in x.placed if isinstance(each, Shard))
        number = self.both((), (), (), lambda _, shape: Constant(value, shape, 0))
        return self.both((number,), x.shape, shards, lambda nodes, shape: Spread(nodes[0], (), shape, 0))

    # steps in both graphs

    def elementwise(self, operator: str, *operands: Both) -> Both:
        """Of equal shapes; a sum of partial tensors is partial, a product or quotient of one and a whole one, too."""
        first = operands[0]
        if any(each.shape != first.shape for each in operands):
            raise Unfitting
        shards = {frozenset(p for p in each.placed if isinstance(p, Shard)) for each in operands}
        orders = {tuple(p for p in each.placed if isinstance(p, Shard)) for each in operands}
        partial = [each.partial for each in operands]
        if len(shards) != 1 or len(orders) != 1:
            raise Unfitting
        if any(partial):
            if any(each.monoid != "add" for listed in partial for each in listed):
                raise Unfitting
            alike = len({frozenset(each) for each in partial}) == 1
            fits = {
                "add": alike,
                "subtract": alike,
                "negate": True,
                "multiply": sum(map(bool, partial)) == 1,
                "divide": bool(partial[0]) and not any(partial[1:]),
            }
            if not fits.get(operator, False):
                raise Unfitting
        placed = next((each.placed for each in operands if each.partial), first.placed)
        return self.both(operands, first.shape, placed, lambda nodes, shape: Elementwise(operator, nodes, shape, 0))

    def dot(self, x: Both, y: Both, batch: Sequence[tuple[int, int]], contract: Sequence[tuple[int, int]]) -> Both:
        if any(x.shape[one] != y.shape[other] for one, other in (*batch, *contract)):
            raise Unfitting
        left = [each for each in range(len(x.shape)) if each not in [one for one, _ in (*batch, *contract)]]
        right = [each for each in range(len(y.shape)) if each not in [other for _, other in (*batch, *contract)]]
        shape = (*(x.shape[one] for one, _ in batch), *(x.shape[at] for at in left), *(y.shape[at] for at in right))
        for one, other in (*batch, *contract):
            if x.sharding(one) != y.sharding(other):
                raise Unfitting
        placed: list[Placement] = []
        for axis in dict.fromkeys(each.axis for each in (*x.placed, *y.placed)):
            placed.append(self._dot_placement(x.of_axis(axis), y.of_axis(axis), batch, contract, left, right))
        return self.both(
            (x, y),
            shape,
            tuple(placed),
            lambda nodes, local: Dot((nodes[0], nodes[1]), tuple(batch), tuple(contract), local, 0),
        )

    def _dot_placement(
        self,
        x: Placement | None,
        y: Placement | None,
        batch: Sequence[tuple[int, int]],
        contract: Sequence[tuple[int, int]],
        left: list[int],
        right: list[int],
    ) -> Placement:
        match (x, y):
            case (Shard(dimension=one, axis=axis), Shard(dimension=other)) if (one, other) in batch:
                return Shard(list(batch).index((one, other)), axis)
            case (Shard(dimension=one, axis=axis), Shard(dimension=other)) if (one, other) in contract:
                return Partial("add", axis)
            case (Shard(dimension=one, axis=axis), None) if one in left:
                return Shard(len(batch) + left.index(one), axis)
            case (None, Shard(dimension=other, axis=axis)) if other in right:
                return Shard(len(batch) + len(left) + right.index(other), axis)
            case (Partial(monoid="add", axis=axis), None) | (None, Partial(monoid="add", axis=axis)):
                return Partial("add", axis)
            case _:
                raise Unfitting

    def reduce(self, x: Both, dimension: int, monoid: Monoid) -> Both:
        if any(each.monoid != monoid for each in x.partial):
            raise Unfitting
        placed: Placements = tuple(
            Partial(monoid, each.axis)
            if isinstance(each, Shard) and each.dimension == dimension
            else replace(each, dimension=each.dimension - (each.dimension > dimension))
            if isinstance(each, Shard)
            else each
            for each in x.placed
        )
        shape = (*x.shape[:dimension], *x.shape[dimension + 1 :])
        return self.both((x,), shape, placed, lambda nodes, s: Reduce(monoid, nodes[0], (dimension,), s, 0))

    def spread_to(self, x: Both, like: Both, dimensions: tuple[int, ...]) -> Both:
        """A tensor in the shape of another, cut where that is; partial where it is itself."""
        shards = tuple(each for each in like.placed if isinstance(each, Shard))
        for at, dimension in enumerate(dimensions):
            if x.sharding(at) != like.sharding(dimension):
                raise Unfitting
        placed: Placements = (*shards, *x.partial)
        if len({each.axis for each in placed}) != len(placed):
            raise Unfitting
        return self.both((x,), like.shape, placed, lambda nodes, shape: Spread(nodes[0], dimensions, shape, 0))

    def transpose(self, x: Both, permutation: tuple[int, ...]) -> Both:
        placed: Placements = tuple(
            replace(each, dimension=permutation.index(each.dimension)) if isinstance(each, Shard) else each
            for each in x.placed
        )
        shape = tuple(x.shape[at] for at in permutation)
        return self.both((x,), shape, placed, lambda nodes, s: Transpose(nodes[0], permutation, s, 0))

    def split(self, x: Both, dimension: int) -> Both:
        """A dimension of two factors or more as two dimensions."""
        if len(x.shape[dimension]) < 2:
            raise Unfitting
        first, *others = x.shape[dimension]
        shape = (*x.shape[:dimension], (first,), tuple(others), *x.shape[dimension + 1 :])
        return self._reshaped(x, shape, lambda at: at + (at > dimension))

    def merge(self, x: Both, dimension: int) -> Both:
        """Two neighbouring dimensions as one; the latter is not cut."""
        if dimension + 1 >= len(x.shape) or x.sharding(dimension + 1):
            raise Unfitting
        merged = (*x.shape[dimension], *x.shape[dimension + 1])
        shape = (*x.shape[:dimension], merged, *x.shape[dimension + 2 :])
        return self._reshaped(x, shape, lambda at: at - (at > dimension))

    def _reshaped(self, x: Both, shape: tuple[Dimension, ...], moved: Callable[[int], int]) -> Both:
        placed: Placements = tuple(
            replace(each, dimension=moved(each.dimension)) if isinstance(each, Shard) else each for each in x.placed
        )
        return self.both((x,), shape, placed, lambda nodes, s: Reshape(nodes[0], s, 0))

    def concatenate(self, x: Both, y: Both, dimension: int) -> Both:
        if x.shape != y.shape or x.placed != y.placed or x.sharding(dimension) or count(x.shape[dimension]) > 16:
            raise Unfitting
        doubled = (*x.shape[dimension], Factor(Number(2, 0), 2))
        shape = (*x.shape[:dimension], doubled, *x.shape[dimension + 1 :])
        return self.both((x, y), shape, x.placed, lambda nodes, s: Concatenate(nodes, dimension, s, 0))

    def half(self, x: Both, dimension: int, second: int) -> Both:
        """The first or the second half of a dimension that ends in a factor of 2."""
        *others, last = x.shape[dimension]
        if not others or last.index != Number(2, 0) or x.sharding(dimension):
            raise Unfitting
        shape = (*x.shape[:dimension], tuple(others), *x.shape[dimension + 1 :])
        start = [Number(0, 0) for _ in shape]
        offset: list[Index] = [*start]
        if second:
            offset[dimension] = written(tuple(others))
        return self.both((x,), shape, x.placed, lambda nodes, s: Slice(nodes[0], tuple(offset), s, 0))

    # steps in the distributed graph only

    def all_reduce(self, x: Both) -> Both:
        if not x.partial:
            raise Unfitting
        chosen = self.rng.choice(x.partial)
        axes = tuple(each.axis for each in x.partial if each.monoid == chosen.monoid)
        axes = axes if self.rng.random() < 0.5 else (chosen.axis,)
        return self.exchanged(
            x, x.without(*axes), lambda shape: AllReduce(chosen.monoid, x.distributed, axes, shape, 0)
        )

    def reduce_scatter(self, x: Both) -> Both:
        if not x.partial or not x.shape:
            raise Unfitting
        chosen, dimension = self.rng.choice(x.partial), self.rng.randrange(len(x.shape))
        placed = (*x.without(chosen.axis), Shard(dimension, chosen.axis))
        return self.exchanged(
            x,
            placed,
            lambda shape: ReduceScatter(chosen.monoid, x.distributed, dimension, (chosen.axis,), shape, 0),
        )

    def all_gather(self, x: Both) -> Both:
        cut = [at for at in range(len(x.shape)) if x.sharding(at)]
        if not cut:
            raise Unfitting
        dimension = self.rng.choice(cut)
        axes = x.sharding(dimension)
        axes = axes if self.rng.random() < 0.5 else axes[-1:]  # the last cut is undone first
        return self.exchanged(x, x.without(*axes), lambda shape: AllGather(x.distributed, dimension, axes, shape, 0))

    def all_to_all(self, x: Both) -> Both:
        cut = [at for at in range(len(x.shape)) if x.sharding(at)]
        whole = [at for at in range(len(x.shape)) if not x.sharding(at)]
        if not cut or not whole:
            raise Unfitting
        old, new = self.rng.choice(cut), self.rng.choice(whole)
        axis = x.sharding(old)[-1]
        placed = (*x.without(axis), Shard(new, axis))
        return self.exchanged(x, placed, lambda shape: AllToAll(x.distributed, new, old, (axis,), shape, 0))

    def own_part(self, x: Both) -> Both:
        """Each rank goes on with its own part of a tensor that all hold."""
        axis = self.some_axis()
        if x.of_axis(axis) is not None or not x.shape:
            raise Unfitting
        dimension = self.rng.randrange(len(x.shape))
        placed = (*x.placed, Shard(dimension, axis))
        start: list[Index] = [Number(0, 0) for _ in x.shape]
        size = self.local_shape(x.shape, placed)[dimension]
        start[dimension] = IndexOperation("*", IntegerReference(axis, 0), size, 0)
        return self.exchanged(x, placed, lambda shape: Slice(x.distributed, tuple(start), shape, 0))

    def around(self, x: Both) -> Both:
        """To the next rank of a ring and back."""
        axis = self.rng.choice(self.mesh)
        there = tuple((at, (at + 1) % axis.size) for at in range(axis.size))
        back = tuple((receiver, sender) for sender, receiver in there)
        moved = self.exchanged(x, x.placed, lambda shape: Permute(x.distributed, axis.name, there, shape, 0))
        return self.exchanged(moved, x.placed, lambda shape: Permute(moved.distributed, axis.name, back, shape, 0))

    def from_root(self, x: Both) -> Both:
        """What all ranks of an axis hold, sent by one of them."""
        axis = self.rng.choice(self.mesh)
        if x.of_axis(axis.name) is not None:
            raise Unfitting
        root = self.rng.randrange(axis.size)
        return self.exchanged(x, x.placed, lambda shape: CollectiveBroadcast(x.distributed, axis.name, root, shape, 0))

    # what a model does

    def matmul(self, x: Both) -> Both:
        """By a new weight, its rows cut as the last dimension is, else its columns at random."""
        if not x.shape:
            raise Unfitting
        rows = x.sharding(len(x.shape) - 1)
        free = [axis.name for axis in self.mesh if x.of_axis(axis.name) is None]
        placed: list[Placement] = [Shard(0, axis) for axis in rows]
        if free and self.rng.random() < 0.6:
            placed.append(Shard(1, self.rng.choice(free)))
        weight = self.input((x.shape[-1], self.fresh()), tuple(placed))
        return self.dot(x, weight, (), [(len(x.shape) - 1, 0)])

    def bias(self, x: Both, operator: str) -> Both:
        """A new vector along a dimension, added or multiplied."""
        if not x.shape:
            raise Unfitting
        dimension = self.rng.randrange(len(x.shape))
        if operator == "add" and x.partial:
            raise Unfitting
        vector = self.input((x.shape[dimension],), tuple(Shard(0, axis) for axis in x.sharding(dimension)))
        return self.elementwise(operator, x, self.spread_to(vector, x, (dimension,)))

    def residual(self, x: Both) -> Both:
        """An earlier tensor of the same shape, or a new input, added or multiplied."""
        alike = [each for each in self.pool if each.shape == x.shape and each.placed == x.placed]
        other = self.rng.choice(alike) if alike else self.input(x.shape, x.placed)
        return self.elementwise(self.rng.choice(("add", "add", "subtract", "multiply")), x, other)

    def scaled(self, x: Both) -> Both:
        return self.elementwise("multiply", x, self.constant(Fraction(self.rng.choice((2, 3, 5)), 4), x))

    def unary(self, x: Both) -> Both:
        return self.elementwise(self.rng.choice(("negate", "sine", "tanh")), x)

    def squared(self, x: Both) -> Both:
        if x.partial:
            raise Unfitting
        return self.elementwise("multiply", x, x)

    def softmax(self, x: Both) -> Both:
        """Exponentials by their sum along a dimension; where it is cut the sum is reduced over the ranks."""
        if not x.shape or x.partial:
            raise Unfitting
        dimension = self.rng.randrange(len(x.shape))
        bounded = self.elementwise("sine", x)
        exponentials = self.elementwise("exponential", bounded)
        total = self.reduce(exponentials, dimension, "add")
        while total.partial:
            total = self.all_reduce(total)
        others = tuple(at for at in range(len(x.shape)) if at != dimension)
        return self.elementwise("divide", exponentials, self.spread_to(total, exponentials, others))

    def heads(self, x: Both) -> Both:
        """Scores of heads: the last dimension split, a product with itself for each head, both reduced again."""
        if len(x.shape) != 2 or x.sharding(0) or x.partial:
            raise Unfitting
        parted = self.transpose(self.split(x, 1), (1, 0, 2))
        scores = self.dot(parted, parted, [(0, 0)], [(2, 2)])
        mixed = self.dot(scores, parted, [(0, 0)], [(2, 1)])
        return self.merge(self.transpose(mixed, (1, 0, 2)), 1)

    def summed(self, x: Both) -> Both:
        if len(x.shape) < 2:
            raise Unfitting
        dimension = self.rng.randrange(len(x.shape))
        monoid: Monoid = "maximum" if not x.partial and self.rng.random() < 0.2 else "add"
        return self.reduce(x, dimension, monoid)

    def step(self, x: Both) -> Both:
        """A random step. Raises `Unfitting`."""
        rng = self.rng
        where = rng.randrange(max(len(x.shape), 1))
        steps: dict[Callable[[], Both], float] = {
            lambda: self.matmul(x): 5 if len(x.shape) <= 2 else 1,
            lambda: self.bias(x, "add"): 2,
            lambda: self.bias(x, "multiply"): 1,
            lambda: self.residual(x): 2,
            lambda: self.scaled(x): 1,
            lambda: self.unary(x): 1,
            lambda: self.squared(x): 1,
            lambda: self.softmax(x): 1,
            lambda: self.heads(x): 2,
            lambda: self.summed(x): 1,
            lambda: self.transpose(x, tuple(rng.sample(range(len(x.shape)), len(x.shape)))): 1,
            lambda: self.split(x, where): 1 if len(x.shape) < 4 else 0,
            lambda: self.merge(x, where): 1,
            lambda: self.concatenate(x, rng.choice([*self.pool, x]), where): 1,
            lambda: self.half(x, where, rng.randrange(2)): 2,
            lambda: self.all_reduce(x): 6,
            lambda: self.reduce_scatter(x): 4,
            lambda: self.all_gather(x): 2,
            lambda: self.all_to_all(x): 1,
            lambda: self.own_part(x): 1,
            lambda: self.around(x): 0.3,
            lambda: self.from_root(x): 0.3,
        }
        (chosen,) = rng.choices(list(steps), list(steps.values()))
        return chosen()


MESHES = ((2,), (2,), (4,), (8,), (2, 2), (2, 2), (2, 3), (3,), (2, 4))
MOST_NODES = 30
MOST_ELEMENTS = 600


def pairs(seed: int | str) -> RandomPair:
    """A random pair; the same seed gives the same."""
    rng = random.Random(f"pair {seed}")
    sizes = rng.choice(MESHES)
    mesh = tuple(MeshAxis(Name(name), size) for name, size in zip("ab" if len(sizes) == 2 else "a", sizes, strict=True))
    made = Derivation(rng, mesh, symbolic=rng.random() < 0.4)
    x = _first(made)
    length = rng.randint(4, MOST_NODES)
    for _ in range(20 * length):
        if max(map(len, made.nodes.values())) >= length:
            break
        x = _taken(made, x) or x
    return _finished(made, x)


def _first(made: Derivation) -> Both:
    """An input of rank 2, cut or partial along some axes."""
    placed: list[Placement] = []
    for axis in made.mesh:
        kind = made.rng.random()
        if kind < 0.5:
            placed.append(Shard(made.rng.randrange(2), axis.name))
        elif kind < 0.6:
            placed.append(Partial("add", axis.name))
    return made.input((made.fresh(), made.fresh()), tuple(placed))


def _taken(made: Derivation, x: Both) -> Both | None:
    """A step, undone if it does not fit or makes a large tensor."""
    before = {side: list(nodes) for side, nodes in made.nodes.items()}
    inputs, sizes = list(made.inputs), dict(made.sizes)
    try:
        found = made.step(x)
        if math.prod(map(count, found.shape)) > MOST_ELEMENTS:
            raise Unfitting
    except Unfitting:
        made.nodes.update(before)
        made.inputs, made.sizes = inputs, sizes
        return None
    made.pool.append(found)
    return found


def _finished(made: Derivation, x: Both) -> RandomPair:
    """What the results do not need is dropped; half of the time it is stated how they are held."""
    sequential, kept = _needed(made.nodes["sequential"], x.sequential)
    distributed, also = _needed(made.nodes["distributed"], x.distributed)
    named = {node.name for node in (*sequential, *distributed) if isinstance(node, GraphInput)}
    inputs = [placed for placed in made.inputs if placed.name in named]
    result = Name("y")
    stated = (Placed(result, x.placed, 0),) if made.rng.random() < 0.5 else ()
    one = Graph(Name("whole"), (), sequential, (GraphResult(result, kept),))
    other = Graph(Name("parts"), made.mesh, distributed, (GraphResult(result, also),))
    return RandomPair(Refinement(other, one, tuple(inputs), stated), dict(made.sizes))


def _needed(nodes: Sequence[Node], result: int) -> tuple[tuple[Node, ...], int]:
    """The nodes that a result reads, numbered anew, and its number; inputs are all kept."""
    read = {result}
    for number in reversed(range(len(nodes))):
        if number in read:
            read.update(operands(nodes[number]))
    kept = [number for number, node in enumerate(nodes) if number in read or isinstance(node, GraphInput)]
    renamed = {number: at for at, number in enumerate(kept)}
    return tuple(redirected(nodes[number], renamed.__getitem__) for number in kept), renamed[result]


def operands(node: Node) -> tuple[int, ...]:
    """The nodes that a node reads."""
    match node:
        case GraphInput() | Constant() | SizeValue() | Iota():
            return ()
        case Elementwise() | Dot() | Concatenate() | OpaqueCall():
            return node.operands
        case _:
            return (node.operand,)


def redirected(node: Node, to: Callable[[int], int]) -> Node:
    """The node with its operands elsewhere."""
    match node:
        case GraphInput() | Constant() | SizeValue() | Iota():
            return node
        case Dot(operands=(left, right)):
            return replace(node, operands=(to(left), to(right)))
        case Elementwise() | Concatenate() | OpaqueCall():
            return replace(node, operands=tuple(map(to, node.operands)))
        case _:
            return replace(node, operand=to(node.operand))
