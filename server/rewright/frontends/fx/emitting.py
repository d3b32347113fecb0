"""The operations of a printed graph while they are made: names, shapes, the place of the statement at hand.

Owns what every operator needs: types of values, numbers as constants, operands aligned as in NumPy. Must not know
ATen's operators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct, field

from rewright.frontends.fx.written import Call, FxValue, PythonName, Written
from rewright.frontends.tensor_programs.program import (
    Attribute,
    Custom,
    ModelLine,
    TensorOperation,
    TensorType,
)
from rewright.frontends.tensor_programs.values import NotTaken

INFINITE: Mapping[str, str] = {"inf": "inf", "-inf": "-inf", "math.inf": "inf", "-math.inf": "-inf"}
"""What Python calls infinite numbers, and MLIR."""

BEGINS: Mapping[str, Written] = {"add": Fraction(0), "maximum": PythonName("-inf"), "minimum": PythonName("inf")}
"""Where each operator begins that combines nothing."""

Value = str | tuple[str, ...]
"""The name of a value, or those of several that one statement gives."""


class OfUntaken(Exception):
    """A value is read that is not taken."""


class FxOperations(Struct):
    """The operations so far; `types` are those of values that are known, `bound` the values that names stand for."""

    operations: list[TensorOperation] = field(default_factory=list)
    types: dict[str, TensorType] = field(default_factory=dict)
    bound: dict[str, Value] = field(default_factory=dict)
    place: tuple[int, int, ModelLine | None] = (0, 0, None)
    _count: int = 0

    def emit(
        self, name: str, operands: Sequence[str], made: TensorType, attributes: Mapping[str, Attribute] | None = None
    ) -> str:
        """The value that the next operation gives."""
        self._count += 1
        result = f"%{self._count}"
        self._append(name, operands, (result,), (made,), attributes or {})
        self.types[result] = made
        return result

    def refuse(self, name: str, operands: Sequence[str], made: TensorType | None, reason: str) -> str:
        """A value of which nothing is known but its type, for the reason that is given."""
        self._count += 1
        result = f"%{self._count}"
        self._append(name, operands, (result,), (made or TensorType("f32", (None,)),), {"untaken": reason})
        return result

    def _append(
        self,
        name: str,
        operands: Sequence[str],
        results: tuple[str, ...],
        types: tuple[TensorType, ...],
        attributes: Mapping[str, Attribute],
    ) -> None:
        start, end, line = self.place
        self.operations.append(TensorOperation(name, tuple(operands), results, types, attributes, (), start, end, line))

    # ------------------------------------------------------------------------------------------------------- arguments

    def tensor(self, written: Written) -> str:
        """The value that an argument names. Raises `NotTaken`, and `OfUntaken` if it is not taken itself."""
        match written:
            case FxValue(name=name):
                value = self.bound.get(name, name)
            case Fraction() | bool():
                return self.number(written)
            case PythonName(text=text) if text in INFINITE:
                return self.number(written)
            case _:
                raise NotTaken("a tensor is missing")
        if not isinstance(value, str):
            raise NotTaken("it is given several tensors in the place of one")
        if value not in self.types:
            raise OfUntaken
        return value

    def number(self, written: Written, element: str = "f32") -> str:
        """A number as a tensor of rank 0. Raises `NotTaken`."""
        match written:
            case bool():
                text = "true" if written else "false"
            case Fraction():
                text = str(written)
            case PythonName(text=word) if word in INFINITE:
                text = INFINITE[word]
            case _:
                raise NotTaken("a number is missing")
        return self.emit("stablehlo.constant", (), TensorType(element, ()), {"value": Custom("dense", (text,), {})})

    def shape(self, value: str) -> tuple[int, ...]:
        """The sizes of a value. Raises `NotTaken` if one is only known when the program runs."""
        sizes = tuple(each for each in self.types[value].shape if each is not None)
        if len(sizes) < len(self.types[value].shape):
            raise NotTaken("its sizes are not known")
        return sizes

    def like(self, value: str, shape: Sequence[int]) -> TensorType:
        """The element type of a value, in another shape."""
        return TensorType(self.types[value].element, tuple(shape))

    # ------------------------------------------------------------------------------------------------------- operators

    def spread(self, value: str, shape: tuple[int, ...]) -> str:
        """A value in a larger shape, aligned from the right. Raises `NotTaken`."""
        own = self.shape(value)
        if own == shape:
            return value
        skipped = len(shape) - len(own)
        if skipped < 0 or any(a not in (1, b) for a, b in zip(own, shape[skipped:], strict=True)):
            raise NotTaken("its operands do not fit together")
        along = tuple(str(skipped + d) for d in range(len(own)))
        return self.emit("stablehlo.broadcast_in_dim", (value,), self.like(value, shape), listed_as(along))

    def pointwise(self, name: str, *values: str) -> str:
        """An elementwise operator on operands that are aligned from the right. Raises `NotTaken`."""
        shape = joined([self.shape(each) for each in values])
        values = tuple(self._numeric(each, values) for each in values)
        first = next((each for each in values if self.shape(each)), values[0])
        made = [self.spread(each, shape) for each in values]
        return self.emit(f"stablehlo.{name}", made, self.like(first, shape))

    def _numeric(self, value: str, beside: Sequence[str]) -> str:
        """A value beside others: truth values beside numbers are numbers, 1 and 0."""
        if self.types[value].element != "i1" or all(self.types[each].element == "i1" for each in beside):
            return value
        element = next(self.types[each].element for each in beside if self.types[each].element != "i1")
        return self.emit("stablehlo.convert", (value,), TensorType(element, self.types[value].shape))

    def reduced(self, by: str, value: str, along: Sequence[int], *, kept: bool = False) -> str:
        """A value combined along dimensions, which stay with size 1 if they are kept. Raises `NotTaken`."""
        shape = self.shape(value)
        begin = BEGINS[by]
        rest = [size for d, size in enumerate(shape) if d not in along]
        attributes = {"dimensions": numbers(along), "words": ("applies", f"stablehlo.{by}")}
        operands = (value, self.number(begin, self.types[value].element))
        made = self.emit("stablehlo.reduce", operands, self.like(value, rest), attributes)
        return self.reshaped(made, [1 if d in along else size for d, size in enumerate(shape)]) if kept else made

    def reshaped(self, value: str, shape: Sequence[int]) -> str:
        """The elements of a value in another shape."""
        if self.shape(value) == tuple(shape):
            return value
        return self.emit("stablehlo.reshape", (value,), self.like(value, shape))

    def permuted(self, value: str, order: Sequence[int]) -> str:
        """A value with its dimensions in another order. Raises `NotTaken`."""
        own = self.shape(value)
        if sorted(order) != list(range(len(own))):
            raise NotTaken("its dimensions are no permutation")
        made = self.like(value, [own[d] for d in order])
        return self.emit("stablehlo.transpose", (value,), made, {"permutation": numbers(order)})

    def sliced(self, value: str, along: int, start: int, limit: int) -> str:
        """A part of a value along a dimension."""
        shape = list(self.shape(value))
        if (start, limit) == (0, shape[along]):
            return value
        bounds = tuple((str(start), str(limit)) if d == along else ("0", str(size)) for d, size in enumerate(shape))
        shape[along] = limit - start
        return self.emit("stablehlo.slice", (value,), self.like(value, shape), {"listed": bounds})

    def contracted(
        self, left: str, right: str, batch: Sequence[tuple[int, int]], contract: Sequence[tuple[int, int]]
    ) -> str:
        """A product of two values, summed along pairs of dimensions. Raises `NotTaken`."""
        one, other = self.shape(left), self.shape(right)
        if any(one[a] != other[b] for a, b in (*batch, *contract)):
            raise NotTaken("its dimensions are not of one size")
        used = [{a for a, _ in (*batch, *contract)}, {b for _, b in (*batch, *contract)}]
        rest = [[size for d, size in enumerate(own) if d not in of] for own, of in zip((one, other), used, strict=True)]
        shape = [*(one[a] for a, _ in batch), *rest[0], *rest[1]]
        sides = {
            key: (numbers([a for a, _ in pairs]), numbers([b for _, b in pairs]))
            for key, pairs in (("batching_dims", batch), ("contracting_dims", contract))
        }
        return self.emit("stablehlo.dot_general", (left, right), self.like(left, shape), sides)

    # --------------------------------------------------------------------------------------------------- sizes, places

    def dimension(self, written: Written, rank: int) -> int:
        """A dimension from 0. Raises `NotTaken`."""
        number = integer(written)
        if not -max(rank, 1) <= number < max(rank, 1):
            raise NotTaken(f"there is no dimension {number}")
        return number % rank if rank else 0

    def dimensions(self, written: Written, rank: int) -> tuple[int, ...]:
        """Several dimensions from 0, all where none is said. Raises `NotTaken`."""
        match written:
            case None | ():
                return tuple(range(rank))
            case tuple():
                return tuple(self.dimension(each, rank) for each in written)
            case _:
                return (self.dimension(written, rank),)


def joined(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape to which all are spread. Raises `NotTaken`."""
    rank = max(map(len, shapes))
    found = [1] * rank
    for shape in shapes:
        for d, size in enumerate(shape, rank - len(shape)):
            if size != 1:
                if found[d] not in (1, size):
                    raise NotTaken("its operands do not fit together")
                found[d] = size
    return tuple(found)


def numbers(given: Sequence[int]) -> tuple[str, ...]:
    """Numbers as an attribute has them."""
    return tuple(map(str, given))


def listed_as(along: tuple[str, ...]) -> dict[str, Attribute]:
    """Where the dimensions of an operand go."""
    return {"broadcast_dimensions": along}


def integer(written: Written) -> int:
    """A whole number. Raises `NotTaken`."""
    if not isinstance(written, Fraction) or written.denominator != 1:
        raise NotTaken("a number is missing, or one that is only known when the program runs")
    return int(written)


def integers(call: Call, place: int, key: str) -> tuple[int, ...]:
    """A list of whole numbers, also one that is not put in brackets. Raises `NotTaken`."""
    given = call.at(place, key)
    rest = given if isinstance(given, tuple) else call.positional[place:]
    return tuple(integer(each) for each in rest)
