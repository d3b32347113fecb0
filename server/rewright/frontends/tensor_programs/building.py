"""The nodes of a graph while it is made: values become nodes where an operator takes tensors.

Owns what every operator needs: the nodes so far, the mesh, sites. Must not know operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Literal

from msgspec import Struct, field

from rewright.frontends.tensor_programs.fitting import fits
from rewright.frontends.tensor_programs.ranks import RankMesh
from rewright.frontends.tensor_programs.values import Listed, NotTaken, RankNumbers, Splat, Tensor, Value
from rewright.model.graph import (
    INTEGERS,
    Concatenate,
    Constant,
    Elementwise,
    Gather,
    GraphInput,
    Node,
    Reshape,
    Shape,
    SizeValue,
    Slice,
    Spread,
    operands_of,
)
from rewright.model.index import Index, IndexOperation, IntegerReference, Number

MOST_WRITTEN = 256
"""Blocks of equal elements of a constant that are written out as nodes."""

Kind = Literal["real", "whole", "truth"]
"""What elements are: real numbers, whole ones, truth values. A constant is of no kind of its own, and called whole."""

TRUTHS = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not"})
"""Elementwise operators whose results are truth values."""


EXACT = frozenset({"add", "subtract", "multiply", "maximum", "minimum", "negate", "abs"})
"""Elementwise operators that are on integers what they are on real numbers, where nothing overflows."""


class Nodes(Struct):
    """The nodes so far; `site` is that of the operation at hand. `clamped` are gathers whose indices are clamped."""

    mesh: RankMesh
    site: int = 0
    made: list[Node] = field(default_factory=list)
    clamped: list[int] = field(default_factory=list)
    _shapes: list[tuple[int, ...]] = field(default_factory=list)
    _kinds: list[Kind] = field(default_factory=list)

    def sizes(self, shape: tuple[int, ...]) -> Shape:
        """A shape as a graph has it."""
        return tuple(Number(size, self.site) for size in shape)

    def add(self, node: Node, shape: tuple[int, ...]) -> Tensor:
        """The next node. Raises `NotTaken` if its type does not fit its operands."""
        if not fits(node, shape, self._shapes, dict(self.mesh.axes)):
            raise NotTaken("its type does not fit its operands")
        self.made.append(node)
        self._shapes.append(shape)
        self._kinds.append(self._kind(node))
        return Tensor(len(self.made) - 1, shape)

    def shape(self, number: int) -> tuple[int, ...]:
        """The shape of a node."""
        return self._shapes[number]

    def kind(self, value: Tensor) -> Kind:
        """What the elements of a tensor are."""
        return self._kinds[value.node]

    def _kind(self, node: Node) -> Kind:
        match node:
            case GraphInput(type=type_):
                return "whole" if type_ in INTEGERS else "real"
            case Constant(value=value):
                return "whole" if value.denominator == 1 else "real"
            case SizeValue():
                return "whole"
            case Elementwise(operator=operator) if operator in TRUTHS:
                return "truth"
            case Elementwise(operator="select", operands=(_, *read)):
                return self._joined(read)
            case Elementwise(operator=operator) if operator not in EXACT:
                return "real"
            case Gather(operand=operand):
                return self._kinds[operand]
            case _:
                return self._joined(operands_of(node))

    def _joined(self, read: Sequence[int]) -> Kind:
        kinds = {self._kinds[each] for each in read}
        return kinds.pop() if len(kinds) == 1 else "real"

    def tensor(self, value: Value) -> Tensor:
        """The node that computes a value. Raises `NotTaken` for what no real tensor is."""
        match value:
            case Tensor():
                return value
            case Splat(number=Fraction() as number, shape=shape):
                return self.spread(self.add(Constant(number, (), self.site), ()), (), shape)
            case Splat():
                raise NotTaken("it computes with an infinite number")
            case RankNumbers(numbers=numbers, shape=shape):
                return self.spread(self._of_rank(numbers), (), shape)
            case Listed(numbers=numbers, shape=shape):
                return self._listed(numbers, shape)
            case _:
                raise NotTaken("")

    def spread(self, operand: Tensor, dimensions: tuple[int, ...], shape: tuple[int, ...]) -> Tensor:
        """The operand in a larger shape. Raises `NotTaken`."""
        if operand.shape == shape:
            return operand
        return self.add(Spread(operand.node, dimensions, self.sizes(shape), self.site), shape)

    def reshape(self, operand: Tensor, shape: tuple[int, ...]) -> Tensor:
        """The operand in another shape of as many elements; reshapes in a row are one, or none. Raises `NotTaken`."""
        if prod(operand.shape) != prod(shape):
            raise NotTaken("its shapes do not hold the same number of elements")
        if operand.shape != shape:
            operand = self.before_reshape(operand)
        if operand.shape == shape:
            return operand
        return self.add(Reshape(operand.node, self.sizes(shape), self.site), shape)

    def before_reshape(self, value: Tensor) -> Tensor:
        """What has the same elements in the same order, of other sizes or with dimensions of size 1, and was first."""
        while isinstance(made := self.made[value.node], Reshape | Spread):
            before = Tensor(made.operand, self._shapes[made.operand])
            if prod(before.shape) != prod(value.shape):
                break
            value = before
        return value

    def elementwise(self, operator: str, operands: list[Tensor]) -> Tensor:
        """An elementwise operator of the table on operands of one shape. Raises `NotTaken`."""
        shape = operands[0].shape
        if any(each.shape != shape for each in operands):
            raise NotTaken("its operands differ in shape")
        numbers = tuple(each.node for each in operands)
        return self.add(Elementwise(operator, numbers, self.sizes(shape), self.site), shape)

    def slice(self, operand: Tensor, start: tuple[Index, ...], shape: tuple[int, ...]) -> Tensor:
        """The part of the operand that begins at an offset. Raises `NotTaken`."""
        return self.add(Slice(operand.node, start, self.sizes(shape), self.site), shape)

    def concatenate(self, operands: list[Tensor], dimension: int) -> Tensor:
        """The operands one after the other. Raises `NotTaken`."""
        if len(operands) == 1:
            return operands[0]
        shape = list(operands[0].shape)
        shape[dimension] = sum(each.shape[dimension] for each in operands)
        numbers = tuple(each.node for each in operands)
        made = tuple(shape)
        return self.add(Concatenate(numbers, dimension, self.sizes(made), self.site), made)

    def _listed(self, numbers: tuple[Fraction, ...], shape: tuple[int, ...]) -> Tensor:
        if not numbers or _pieces(numbers, shape) > MOST_WRITTEN:
            raise NotTaken("its elements are too many to be written out")
        return self._written(numbers, shape, 0)

    def _written(self, numbers: tuple[Fraction, ...], shape: tuple[int, ...], along: int) -> Tensor:
        """The elements as blocks of equal ones, one after the other from the dimension `along` on."""
        if len(set(numbers)) == 1:
            return self.tensor(Splat(numbers[0], shape))
        parts = []
        for block, many in _runs(numbers, shape[along]):
            own = (*shape[:along], many, *shape[along + 1 :])
            if len(set(block)) == 1:
                parts.append(self.tensor(Splat(block[0], own)))
            else:
                row = self._written(block, (*shape[:along], 1, *shape[along + 1 :]), along + 1)
                parts.append(self.spread(row, tuple(range(len(own))), own))
        return self.concatenate(parts, along)

    def _of_rank(self, numbers: tuple[Fraction, ...]) -> Tensor:
        """The number of each rank: an expression in its coordinates, else its element of the list of all."""
        if len(set(numbers)) == 1:
            return self.tensor(Splat(numbers[0], ()))
        if (found := self.mesh.index_of(numbers, self.site)) is not None:
            return self.add(SizeValue(found, (), self.site), ())
        listed = self._listed(numbers, (len(numbers),))
        return self.reshape(self.slice(listed, (self.rank_number(),), (1,)), ())

    def rank_number(self) -> Index:
        """The number of the rank, in its coordinates."""
        found: Index | None = None
        for axis in self.mesh.model():
            own: Index = IntegerReference(axis.name, self.site)
            if found is None:
                found = own
            else:
                times = IndexOperation("*", found, Number(axis.size, self.site), self.site)
                found = IndexOperation("+", times, own, self.site)
        return found if found is not None else Number(0, self.site)


def _runs(numbers: tuple[Fraction, ...], size: int) -> list[tuple[tuple[Fraction, ...], int]]:
    """The equal parts along a dimension of this size, each with how often it follows on itself."""
    width = len(numbers) // size
    found: list[tuple[tuple[Fraction, ...], int]] = []
    for at in range(size):
        block = numbers[at * width : (at + 1) * width]
        if found and found[-1][0] == block:
            found[-1] = block, found[-1][1] + 1
        else:
            found.append((block, 1))
    return found


def _pieces(numbers: tuple[Fraction, ...], shape: tuple[int, ...]) -> int:
    """Of how many blocks of equal elements a constant is made."""
    if len(set(numbers)) == 1:
        return 1
    return sum(_pieces(block, shape[1:]) for block, _ in _runs(numbers, shape[0]))
