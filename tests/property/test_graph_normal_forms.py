"""The block normal form of every node of random graphs, on every rank, against an evaluation of the node itself.

A normal form is evaluated from its definition: an atom is a part of its root, a root is its operator on its operands,
and a restriction takes only some of the terms that are combined. Numbers are modulo a prime, functions without laws;
floats where a graph has functions of which the form knows laws.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from graph_oracle import FLOATS, FREE, NEAR, PRIME, Arithmetic, Evaluation, related_inputs
from graph_pairs import pairs
from graph_softmaxes import softmaxes

from rewright.graphs.blocks import SPREAD, BlockTensor, Restriction, RootPart
from rewright.graphs.decide import PlacedInputs
from rewright.graphs.interpretation import GraphPlace, Interpretation
from rewright.graphs.operations import Operations
from rewright.graphs.roots import Root
from rewright.graphs.sizes import sizes_of
from rewright.model.graph import Elementwise, GraphInput, Refinement
from rewright.model.index import Name
from rewright.terms import Term, Variable
from rewright.terms.polynomial import expand

Array = npt.NDArray[Any]
Restrictions = frozenset[Restriction]
FEW = 25
MOST = 64
"""More than the largest index."""
LAWFUL = frozenset({"exponential", "log", "sqrt", "rsqrt", "power", "select"})


class NotEvaluated(Exception):
    """A part of an input that is placed as parts of a sum, of which the form does not know the elements."""


@dataclass(frozen=True)
class Forms:
    """What evaluates normal forms: the roots, the inputs of the sequential graph, and what symbols stand for."""

    refinement: Refinement
    roots: list[Root]
    inputs: Mapping[Name, Array]
    symbols: Mapping[str, int]
    arithmetic: Arithmetic
    operations: Operations

    def number(self, size: Term) -> int:
        total = 0
        for monomial, value in expand(size).items():
            factor = int(value)
            for atom, power in monomial:
                assert isinstance(atom, Variable)
                factor *= self.symbols[atom.name] ** power
            total += factor
        return total

    def tensor(self, tensor: BlockTensor, more: Iterable[Restriction] = ()) -> Array:
        """The elements of a tensor, each of its atoms restricted further."""
        result = np.zeros([self.number(size) for size in tensor.shape], dtype=object)
        for piece in tensor.pieces:
            box = tuple(slice(self.number(low), self.number(high)) for low, high in piece.box)
            total: Any = 0
            for atom, factor in piece.sum:
                restricted = atom._replace(restrictions=atom.restrictions | set(more))
                total = total + self.arithmetic.number(factor) * self.atom(restricted, box)
            result[box] = total
        return self.numbers(result)

    def numbers(self, array: Array) -> Array:
        """The array with numbers of the arithmetic: of what has no dimensions NumPy makes machine numbers."""
        exact = np.empty(np.size(array), dtype=self.arithmetic.dtype)
        exact[:] = [each if self.arithmetic is FLOATS else int(each) % PRIME for each in np.ravel(array)]
        return exact.reshape(np.shape(array))

    def atom(self, atom: RootPart, box: tuple[slice, ...]) -> Array:
        """The elements of an atom in a box."""
        grid = np.ogrid[box] if box else []
        index = [self.number(offset) + (0 if d == SPREAD else grid[d]) for d, offset in atom.axes]
        assert all(np.min(each) >= 0 for each in index)
        found = self.numbers(self.root(atom.root, atom.restrictions)[tuple(index)])
        return np.broadcast_to(found, [each.stop - each.start for each in box])

    def root(self, number: int, restrictions: Restrictions) -> Array:
        """All elements of a root, of which only some terms are combined."""
        root = self.roots[number]
        if root.made.key is None:
            return self.given(root, restrictions)
        inner = [
            [each._replace(path=each.path[1:]) for each in restrictions if each.path[:1] == (place,)]
            for place in range(len(root.made.operands))
        ]
        operands = [self.tensor(each, more) for each, more in zip(root.made.operands, inner, strict=True)]
        count = len(root.made.contracted)
        for each in restrictions:
            if not each.path:
                terms = range(self.number(each.low), self.number(each.high))
                operands = [operand.take(terms, operand.ndim - count + each.dimension) for operand in operands]
        return self.computed(root, [self.numbers(operand) for operand in operands])

    def computed(self, root: Root, parts: list[Array]) -> Array:
        """A root's operator on what it is applied to."""
        match root.made.key:
            case "dot", int() as batch, int() as left, int() as right, int() as over:
                names = iter("abcdefghijklmnopqrstuvw")
                shared, first, second, inner = (
                    "".join(next(names) for _ in range(count)) for count in (batch, left, right, over)
                )
                spelled = f"{shared}{first}{inner},{shared}{second}{inner}->{shared}{first}{second}"
                return np.asarray(np.einsum(spelled, *parts, optimize=False))
            case "reduce", str() as monoid, int() as kept, _:
                evaluation = Evaluation(self.refinement.sequential, {}, {}, self.arithmetic)
                axes = tuple(range(kept, parts[0].ndim))
                return np.asarray(evaluation.reduce(monoid, parts[0], axes))
            case "reshape" | ("reshape", _):
                return parts[0].reshape([self.number(size) for size in root.shape])
            case "product", tuple() as powers:
                total: Any = self.numbers(np.array(1, dtype=object))
                for part, power in zip(parts, powers, strict=True):
                    for _ in range(abs(power)):
                        total = self.applied("multiply" if power > 0 else "divide", [total, part])
                return np.asarray(total)
            case "comparison", str() as operator:
                return self.applied(operator, [parts[0], np.array(0.0)])
            case str() as operator:
                return self.applied(operator, parts)
            case _:
                raise AssertionError(root.made.key)

    def applied(self, operator: str, parts: list[Array]) -> Array:
        """An elementwise operator on arrays that can be spread to one shape."""
        shape = np.broadcast_shapes(*(part.shape for part in parts))
        same = (np.atleast_1d(np.broadcast_to(part, shape)) for part in parts)
        return np.asarray(self.arithmetic.operators[operator](*same)).reshape(shape)

    def given(self, root: Root, restrictions: Restrictions) -> Array:
        """An input, the number one, a size, or indices."""
        if restrictions:
            raise NotEvaluated
        for term, part in self.operations.products.size_roots.items():
            if part.root == root.number:
                return np.array(self.arithmetic.number(Fraction(self.number(term))), dtype=self.arithmetic.dtype)
        if root in self.operations.iotas:
            return np.arange(MOST)
        assert isinstance(root.place, GraphPlace)
        if root.place.graph == self.refinement.sequential.name:
            node = self.refinement.sequential.nodes[root.place.node]
            if isinstance(node, GraphInput):
                return self.inputs[node.name]
        assert root.shape == ()
        return np.array(1, dtype=object)


def holds(asked: Refinement, sizes: dict[Name, int], seed: int) -> None:
    """Every node of both graphs is what its normal form says."""
    graphs = asked.sequential, asked.distributed
    nodes = [node for graph in graphs for node in graph.nodes]
    is_lawful = any(isinstance(node, Elementwise) and node.operator in LAWFUL for node in nodes)
    arithmetic = FLOATS if is_lawful else FREE
    operations, multiples = Operations(), sizes_of(asked)
    given = PlacedInputs(asked, operations, multiples)
    sequential = Interpretation(asked.sequential, multiples, operations, given.sequential).run()
    distributed = Interpretation(asked.distributed, multiples, operations, given.distributed).run()
    whole, parts = related_inputs(asked, sizes, random.Random(seed), arithmetic)
    symbols = {str(name): size // multiples.multiples.get(name, 1) for name, size in sizes.items()}
    forms = Forms(asked, operations.roots.all, whole, symbols, arithmetic, operations)
    for graph, held, inputs in zip(graphs, (sequential, distributed), (whole, parts), strict=True):
        expected = Evaluation(graph, sizes, inputs, arithmetic).nodes()
        for number, values in enumerate(expected):
            for rank, tensor in held[number].items():
                try:
                    assert same(forms.tensor(tensor), values[rank], arithmetic), (graph.nodes[number], rank)
                except NotEvaluated:
                    continue


def same(found: Array, expected: Array, arithmetic: Arithmetic) -> bool:
    """Whether two arrays are equal, floats nearly."""
    if arithmetic is FREE:
        return np.array_equal(found, expected % PRIME)
    valued = np.isfinite(expected)
    largest = max(np.max(np.abs(expected[valued]), initial=1.0), 1.0)
    return bool(np.all(np.abs(found - expected)[valued] <= NEAR * largest))


@pytest.mark.parametrize("seed", range(FEW))
def test_every_node_is_what_its_normal_form_says(seed: int) -> None:
    found = pairs(f"forms {seed}")
    holds(found.refinement, found.sizes, seed)


@pytest.mark.parametrize("seed", range(FEW))
def test_every_product_and_softmax_is_what_its_normal_form_says(seed: int) -> None:
    with np.errstate(invalid="ignore", divide="ignore"):
        holds(softmaxes(seed), {Name("a"): 2, Name("b"): 4, Name("c"): 1}, seed)
