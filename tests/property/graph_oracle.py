"""Graphs evaluated in NumPy, all ranks in one array, and what can be recovered of one from the other by search.

Owns a second reading of a graph's meaning that shares no code with `replay/` or `graphs/`: a tensor of a mesh is one
array with the mesh's axes first, so a collective is a transposition. Numbers are integers modulo a prime of 61 bits
where a graph only adds, multiplies and divides, else floats. Arrays: object or float64, mesh axes, then dimensions.
"""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, assert_never

import numpy as np

from rewright.model.graph import (
    AllGather,
    AllReduce,
    AllToAll,
    Collective,
    CollectiveBroadcast,
    Concatenate,
    Constant,
    Dot,
    Elementwise,
    Gather,
    Graph,
    GraphInput,
    Iota,
    MeshAxis,
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

PRIME = 2**61 - 1
NEAR = 1e-8
"""Relative to the largest float of an output: two floats nearer than this are equal."""

Array = Any
Sizes = Mapping[Name, int]
Values = Mapping[Name, Array]


class Uneven(Exception):
    """A size does not divide."""


@dataclass(frozen=True)
class Arithmetic:
    """What numbers are: operators on arrays, a number from a fraction, a random one, and what opaque operators are."""

    operators: Mapping[str, Callable[..., Array]]
    number: Callable[[Fraction], Any]
    drawn: Callable[[random.Random], Any]
    dtype: Any
    opaque: Mapping[str, Callable[..., Array]] = field(default_factory=dict)


def _modular(value: Fraction) -> int:
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


MODULAR = Arithmetic(
    {
        "add": lambda x, y: (x + y) % PRIME,
        "subtract": lambda x, y: (x - y) % PRIME,
        "multiply": lambda x, y: (x * y) % PRIME,
        "divide": lambda x, y: x * np.frompyfunc(lambda each: pow(each, -1, PRIME), 1, 1)(y) % PRIME,
        "negate": lambda x: -x % PRIME,
    },
    _modular,
    lambda rng: rng.randrange(1, PRIME),
    object,
)
FLOATS = Arithmetic(
    {
        "add": np.add,
        "subtract": np.subtract,
        "multiply": np.multiply,
        "divide": np.divide,
        "negate": np.negative,
        "maximum": np.maximum,
        "minimum": np.minimum,
        "exponential": np.exp,
        "tanh": np.tanh,
        "sine": np.sin,
        "logistic": lambda x: 1 / (1 + np.exp(-x)),
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "sqrt": np.sqrt,
        "log": np.log,
        "power": np.power,
        "abs": np.abs,
        "lt": np.less,
        "le": np.less_equal,
        "gt": np.greater,
        "ge": np.greater_equal,
        "eq": np.equal,
        "ne": np.not_equal,
        "and": np.logical_and,
        "or": np.logical_or,
        "not": np.logical_not,
        "select": lambda chosen, then, otherwise: np.where(chosen, then, otherwise),
    },
    float,
    lambda rng: rng.uniform(0.1, 1.0),
    np.float64,
)


AT_ZERO = {"tanh": 0, "sine": 0, "abs": 0, "exponential": 1}


def _of_its_own(name: str) -> Callable[[Array], Array]:
    """A function of one number modulo the prime that satisfies no law, but has the right value at 0."""
    seed = zlib.crc32(name.encode())

    def scrambled(number: int) -> int:
        if number == 0 and name in AT_ZERO:
            return AT_ZERO[name]
        mixed = (number ^ (number >> 29) ^ seed) * 0x9E3779B97F4A7C15 % PRIME
        return (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93 % PRIME

    return lambda x: np.asarray(np.frompyfunc(scrambled, 1, 1)(x))


FREE = replace(
    MODULAR,
    operators={
        **{name: _of_its_own(name) for name in FLOATS.operators},
        "maximum": np.maximum,
        "minimum": np.minimum,
        **MODULAR.operators,
    },
)
"""Modulo the prime, the functions of one number without their laws, the order that of representatives: exact, and
nothing saturates. What holds so holds of reals; what does not may hold by a law of a function."""


def arithmetic_of(*graphs: Graph) -> Arithmetic:
    """Modular if no node of the graphs needs more."""
    return MODULAR if all(_polynomial(node) for graph in graphs for node in graph.nodes) else FLOATS


def _polynomial(node: Node) -> bool:
    match node:
        case Elementwise(operator=operator):
            return operator in MODULAR.operators
        case Reduce(monoid=monoid) | AllReduce(monoid=monoid) | ReduceScatter(monoid=monoid):
            return monoid in MODULAR.operators
        case _:
            return True


def number_of(index: Index, sizes: Sizes) -> int:
    """The value of an expression of sizes. Raises `Uneven`."""
    match index:
        case Number(value=value):
            return value
        case IntegerReference(name=name):
            return sizes[name]
        case IndexOperation(operator=operator, left=left, right=right):
            one, other = number_of(left, sizes), number_of(right, sizes)
            if operator == "//":
                if other == 0 or one % other:
                    raise Uneven
                return one // other
            return {"+": one + other, "-": one - other, "*": one * other, "%": one % (other or 1)}[operator]
        case _:
            raise NotImplementedError(index)


def shape_of(shape: Shape, sizes: Sizes) -> tuple[int, ...]:
    return tuple(number_of(index, sizes) for index in shape)


@dataclass
class Evaluation:
    """The nodes of a graph on a mesh, each once."""

    graph: Graph
    sizes: Sizes
    inputs: Values
    arithmetic: Arithmetic

    def __post_init__(self) -> None:
        self.mesh = tuple(axis.size for axis in self.graph.mesh)
        self.found: list[Array] = []

    def nodes(self) -> list[Array]:
        for node in self.graph.nodes:
            value = self.node(node)
            expected = (*self.mesh, *shape_of(node.shape, self.sizes))
            assert value.shape == expected, (node, value.shape, expected)
            self.found.append(value)
        return self.found

    def coordinates(self) -> Iterator[dict[Name, int]]:
        """Those of each rank, the last axis fastest."""
        for rank in np.ndindex(*self.mesh):
            yield {axis.name: at for axis, at in zip(self.graph.mesh, rank, strict=True)}

    def reduce(self, monoid: str, array: Array, axes: tuple[int, ...]) -> Array:
        if not axes:
            return array
        if self.arithmetic.dtype is object and monoid == "multiply":
            return self.reduce(
                monoid, np.frompyfunc(lambda x, y: x * y % PRIME, 2, 1).reduce(array, axes[-1]), axes[:-1]
            )
        match monoid:
            case "add":
                total = np.sum(array, axis=axes)
                return total % PRIME if self.arithmetic.dtype is object else total
            case "multiply":
                return np.prod(array, axis=axes)
            case "maximum":
                return np.max(array, axis=axes)
            case _:
                return np.min(array, axis=axes)

    def node(self, node: Node) -> Array:
        m = len(self.mesh)
        match node:
            case GraphInput(name=name):
                return self.inputs[name]
            case Constant(value=value):
                return np.full(self.mesh, self.arithmetic.number(value), self.arithmetic.dtype)
            case SizeValue(value=value):
                numbers = [number_of(value, {**self.sizes, **at}) for at in self.coordinates()]
                made = np.array([self.arithmetic.number(Fraction(each)) for each in numbers], self.arithmetic.dtype)
                return made.reshape(self.mesh)
            case Iota(dimension=dimension, shape=shape):
                whole = shape_of(shape, self.sizes)
                along = np.arange(whole[dimension]).astype(self.arithmetic.dtype)
                along = along.reshape([-1 if d == dimension else 1 for d in range(len(whole))])
                return np.broadcast_to(along, (*self.mesh, *whole))
            case Elementwise(operator=operator, operands=operands):
                return np.asarray(self.arithmetic.operators[operator](*(self.found[each] for each in operands)))
            case Spread(operand=operand, dimensions=dimensions, shape=shape):
                array = self.found[operand]
                aligned = [1] * len(shape)
                for dimension, size in zip(dimensions, array.shape[m:], strict=True):
                    aligned[dimension] = size
                target = (*self.mesh, *shape_of(shape, self.sizes))
                return np.broadcast_to(array.reshape((*self.mesh, *aligned)), target)
            case Dot():
                return self.dot(node)
            case Reduce(monoid=monoid, operand=operand, dimensions=dimensions):
                return np.asarray(
                    self.reduce(monoid, self.found[operand], tuple(m + each for each in sorted(dimensions)))
                )
            case Transpose(operand=operand, permutation=permutation):
                return np.transpose(self.found[operand], [*range(m), *(m + each for each in permutation)])
            case Reshape(operand=operand, shape=shape):
                return self.found[operand].reshape((*self.mesh, *shape_of(shape, self.sizes)))
            case Slice():
                return self.slice(node)
            case Gather():
                return self.gather(node)
            case OpaqueCall():
                return self.opaque(node)
            case Concatenate(operands=operands, dimension=dimension):
                return np.concatenate([self.found[each] for each in operands], axis=m + dimension)
            case _:
                return self.exchanged(node)

    def opaque(self, node: OpaqueCall) -> Array:
        """What the function of an opaque operator gives on each rank."""
        function = self.arithmetic.opaque[node.operator.name]
        found = np.empty((*self.mesh, *shape_of(node.shape, self.sizes)), self.arithmetic.dtype)
        for rank in np.ndindex(*self.mesh):
            found[rank] = function(*(self.found[each][rank] for each in node.operands))
        return found

    def dot(self, node: Dot) -> Array:
        m = len(self.mesh)
        left, right = (self.found[each] for each in node.operands)
        letters = iter("abcdefghijklmnopqrstuvwxyz")
        of_mesh = [next(letters) for _ in range(m)]
        of_left = [next(letters) for _ in range(left.ndim - m)]
        of_right = [next(letters) for _ in range(right.ndim - m)]
        for one, other in (*node.batch, *node.contract):
            of_right[other] = of_left[one]
        paired = {of_left[one] for one, _ in (*node.batch, *node.contract)}
        of_result = [
            *(of_left[one] for one, _ in node.batch),
            *(each for each in of_left if each not in paired),
            *(each for each in of_right if each not in paired),
        ]
        texts = ["".join((*of_mesh, *each)) for each in (of_left, of_right, of_result)]
        found = np.einsum(f"{texts[0]},{texts[1]}->{texts[2]}", left, right)
        return np.asarray(found % PRIME if self.arithmetic.dtype is object else found)

    def slice(self, node: Slice) -> Array:
        operand = self.found[node.operand]
        shape = shape_of(node.shape, self.sizes)
        result = np.empty((*self.mesh, *shape), self.arithmetic.dtype)
        for rank in np.ndindex(*self.mesh):
            known = {**self.sizes, **{axis.name: at for axis, at in zip(self.graph.mesh, rank, strict=True)}}
            start = [number_of(each, known) for each in node.start]
            result[rank] = operand[rank][tuple(slice(at, at + size) for at, size in zip(start, shape, strict=True))]
        return result

    def gather(self, node: Gather) -> Array:
        """Each rank's own. Raises `IndexError` for an index beyond the operand."""
        taken = []
        for rank in np.ndindex(*self.mesh):
            operand, indices = self.found[node.operand][rank], self.found[node.indices][rank].astype(int)
            if np.any(indices < 0):
                raise IndexError(indices)
            taken.append(np.take(operand, indices, axis=node.dimension))
        return np.stack(taken).reshape((*self.mesh, *taken[0].shape))

    def exchanged(self, node: Collective) -> Array:
        """The operand with the axes of the group as its first one, exchanged along it, and put back."""
        axes = (node.axis,) if isinstance(node, Permute | CollectiveBroadcast) else node.axes
        places = [[axis.name for axis in self.graph.mesh].index(name) for name in axes]
        others = [place for place in range(len(self.mesh)) if place not in places]
        group = math.prod(self.mesh[place] for place in places)
        array = np.moveaxis(self.found[node.operand], places, range(len(places)))
        array = array.reshape((group, *array.shape[len(places) :]))
        after = self.in_group(node, array, 1 + len(others))
        after = after.reshape((*(self.mesh[place] for place in places), *after.shape[1:]))
        return np.moveaxis(after, range(len(places)), places)

    def in_group(self, node: Collective, array: Array, first: int) -> Array:
        """`first` is the first dimension of the tensor."""
        group = len(array)
        match node:
            case AllReduce(monoid=monoid):
                return np.stack([np.asarray(self.reduce(monoid, array, (0,)))] * group)
            case AllGather(dimension=dimension):
                gathered = np.moveaxis(array, 0, first - 1 + dimension)
                return np.stack([_merged(gathered, first - 1 + dimension)] * group)
            case ReduceScatter(monoid=monoid, dimension=dimension):
                total = np.asarray(self.reduce(monoid, array, (0,)))
                return np.moveaxis(_parted(total, first - 1 + dimension, group), first - 1 + dimension, 0)
            case AllToAll(split=split, concatenate=concatenate):
                parted = _parted(array, first + split, group)
                swapped = np.swapaxes(parted, 0, first + split)
                # senders stand where the parts stood; they go before the dimension that they are put along
                senders = np.moveaxis(swapped, first + split, first + concatenate)
                return _merged(senders, first + concatenate)
            case Permute(pairs=pairs):
                after = np.full(array.shape, self.arithmetic.number(Fraction(0)), self.arithmetic.dtype)
                for sender, receiver in pairs:
                    after[receiver] = array[sender]
                return after
            case CollectiveBroadcast(root=root):
                return np.stack([array[root]] * group)
            case _:
                assert_never(node)


def _merged(array: Array, at: int) -> Array:
    """Two neighbouring axes as one."""
    return array.reshape((*array.shape[:at], array.shape[at] * array.shape[at + 1], *array.shape[at + 2 :]))


def _parted(array: Array, at: int, count: int) -> Array:
    """An axis as two, the first of `count`."""
    if array.shape[at] % count:
        raise Uneven
    return array.reshape((*array.shape[:at], count, array.shape[at] // count, *array.shape[at + 1 :]))


def values(graph: Graph, sizes: Sizes, inputs: Values, arithmetic: Arithmetic) -> Values:
    """The results by name. Raises `Uneven`."""
    found = Evaluation(graph, sizes, inputs, arithmetic).nodes()
    return {result.name: found[result.node] for result in graph.results}


def placed_on(
    whole: Array, placements: Sequence[Shard | Partial], mesh: tuple[MeshAxis, ...], draw: Callable[[], Any]
) -> Array:
    """A tensor as the mesh holds it; parts of sums are drawn. Raises `Uneven`."""
    names = [axis.name for axis in mesh]
    array = whole  # axes of the mesh stand first, the last one added first of those
    order: list[int] = []
    for placement in placements:
        place = names.index(placement.axis)
        count = mesh[place].size
        match placement:
            case Shard(dimension=dimension):
                array = np.moveaxis(_parted(array, len(order) + dimension, count), len(order) + dimension, 0)
            case Partial(monoid="add"):
                parts = [
                    np.array([draw() for _ in range(array.size)], array.dtype).reshape(array.shape)
                    for _ in range(count - 1)
                ]
                array = np.stack([*parts, array - sum(parts[1:], parts[0]) if parts else array])
            case _:
                raise NotImplementedError(placement)
        order.insert(0, place)
    missing = [place for place in range(len(mesh)) if place not in order]
    array = np.broadcast_to(array, (*(mesh[place].size for place in missing), *array.shape))
    return np.moveaxis(array, range(len(mesh)), [*missing, *order]) if mesh else array


def put_together(
    array: Array, placements: Sequence[Shard | Partial], mesh: tuple[MeshAxis, ...], evaluation: Evaluation
) -> Array:
    """What the mesh holds as one tensor for each choice of coordinates on the other axes: those first, as one axis."""
    names = [axis.name for axis in mesh]
    places = [names.index(placement.axis) for placement in placements]
    array = np.moveaxis(array, places, range(len(mesh) - len(places), len(mesh)))
    count = len(mesh)
    for placement in reversed(placements):
        match placement:
            case Shard(dimension=dimension):
                array = _merged(np.moveaxis(array, count - 1, count - 1 + dimension), count - 1 + dimension)
            case Partial(monoid=monoid):
                array = evaluation.reduce(monoid, array, (count - 1,))
        count -= 1
    return array.reshape((-1, *array.shape[count:]))


@dataclass(frozen=True)
class Sayings:
    """What the oracle says of a refinement: whether each output can be recovered, and each expectation holds."""

    recoverable: bool
    as_expected: bool


def oracle_says(refinement: Refinement, sizes: Sizes, seed: int = 0, arithmetic: Arithmetic = FREE) -> Sayings:
    """What holds on random inputs at these sizes. Raises `Uneven`."""
    rng = random.Random(f"oracle {seed}")
    whole, parts = related_inputs(refinement, sizes, rng, arithmetic)
    sequential = values(refinement.sequential, sizes, whole, arithmetic)
    distributed = values(refinement.distributed, sizes, parts, arithmetic)
    evaluation = Evaluation(refinement.distributed, sizes, parts, arithmetic)
    holds = all(_holds(placed, sequential, distributed, evaluation) for placed in refinement.expected)
    sums = list(_sums(distributed, evaluation))
    return Sayings(all(_among(array, sums, arithmetic) for array in sequential.values()), holds)


def related_inputs(
    refinement: Refinement, sizes: Sizes, rng: random.Random, arithmetic: Arithmetic
) -> tuple[dict[Name, Array], dict[Name, Array]]:
    """Random inputs of both graphs. Raises `Uneven`."""
    shapes = {node.name: node.shape for node in refinement.sequential.nodes if isinstance(node, GraphInput)}
    whole: dict[Name, Array] = {}
    parts: dict[Name, Array] = {}
    for placed in refinement.inputs:
        shape = shape_of(shapes[placed.name], sizes)
        drawn = [arithmetic.drawn(rng) for _ in range(math.prod(shape))]
        whole[placed.name] = np.array(drawn, arithmetic.dtype).reshape(shape)
        held = placed_on(
            whole[placed.name], placed.placements, refinement.distributed.mesh, lambda: arithmetic.drawn(rng)
        )
        parts[placed.name] = held % PRIME if arithmetic.dtype is object else held
    return whole, parts


def _holds(placed: Placed, sequential: Values, distributed: Values, evaluation: Evaluation) -> bool:
    mesh = evaluation.graph.mesh
    copies = put_together(distributed[placed.name], placed.placements, mesh, evaluation)
    expected = sequential[placed.name]
    return copies.shape[1:] == expected.shape and all(_same(copy, expected, evaluation.arithmetic) for copy in copies)


def _same(found: Array, expected: Array, arithmetic: Arithmetic) -> bool:
    if arithmetic.dtype is object:
        return bool(np.all(found == expected))
    return bool(np.all(np.abs(found - expected) <= NEAR * np.max(np.abs(expected), initial=1)))


def _sums(distributed: Values, evaluation: Evaluation) -> Iterator[Array]:
    """The sums over sets of ranks of each output, element by element; a single rank is a set."""
    for array in distributed.values():
        flat = array.reshape((math.prod(evaluation.mesh), -1))
        sums = np.zeros((1, flat.shape[1]), evaluation.arithmetic.dtype)
        for rank in flat:
            sums = np.concatenate([sums, sums + rank])
        yield (sums % PRIME if evaluation.arithmetic.dtype is object else sums)[1:].ravel()


def _among(array: Array, sums: Sequence[Array], arithmetic: Arithmetic) -> bool:
    found = np.concatenate(sums) if sums else np.zeros(0)
    if arithmetic.dtype is object:
        known = set(found.tolist())
        return all(each in known for each in array.ravel().tolist())
    found = np.sort(found)
    near = NEAR * np.max(np.abs(array), initial=1)
    flat = array.ravel()
    above = np.searchsorted(found, flat).clip(0, len(found) - 1)
    below = (above - 1).clip(0)
    return bool(np.all(np.minimum(np.abs(found[above] - flat), np.abs(found[below] - flat)) <= near))
