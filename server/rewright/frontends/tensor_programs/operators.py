"""What StableHLO's operators on one rank come to, each a function from values to values.

Owns the table of the operators that are taken. Each raises `NotTaken` for a case that is not. Arithmetic on numbers,
and on numbers that each rank computes of its own, is done here; on tensors it becomes nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from types import MappingProxyType

from rewright.frontends.tensor_programs.attributes import (
    MOST_LISTED,
    constant,
    integer,
    integers,
    numbers_in,
    within,
)
from rewright.frontends.tensor_programs.building import EXACT, Nodes
from rewright.frontends.tensor_programs.choosing import compare, logical, select
from rewright.frontends.tensor_programs.folding import (
    TRUTH,
    as_type,
    each_shape,
    folded,
    is_integral,
)
from rewright.frontends.tensor_programs.looking_up import LOOKUP, gather, looked_up
from rewright.frontends.tensor_programs.program import Region, TensorOperation
from rewright.frontends.tensor_programs.values import Infinite, Listed, NotTaken, RankNumbers, Splat, Tensor, Value
from rewright.model.graph import Dot, Monoid, Reduce, Transpose
from rewright.model.index import Number

Operator = Callable[[Nodes, TensorOperation, Sequence[Value], tuple[int, ...]], Value]
"""From the operands to the result, of which the shape is given."""

ELEMENTWISE = (
    *("add", "subtract", "multiply", "divide", "maximum", "minimum", "power"),
    *("negate", "abs", "sign", "exponential", "exponential_minus_one", "log", "log_plus_one"),
    *("sqrt", "rsqrt", "logistic", "tanh", "sine", "cosine", "floor", "ceil", "erf"),
)
"""Elementwise operators that have the name that ours have."""

MONOIDS: Mapping[str, Monoid] = MappingProxyType(
    {"add": "add", "multiply": "multiply", "maximum": "maximum", "minimum": "minimum"}
)
"""Operators that combine, by their names in StableHLO."""

IDENTITY: Mapping[Monoid, Fraction | Infinite] = MappingProxyType(
    {"add": Fraction(0), "multiply": Fraction(1), "maximum": "-inf", "minimum": "inf"}
)
"""Where each begins that combines nothing."""


def is_real(element: str) -> bool:
    """Whether an element type holds floating-point numbers, which are taken for real ones."""
    return element.startswith(("f", "bf"))


def combines(region: Region | None, operation: TensorOperation) -> Monoid:
    """By what a reduction combines: an operator that is named, or the one in its region. Raises `NotTaken`."""
    words = operation.attributes.get("words", ())
    if isinstance(words, tuple) and "applies" in words:
        named = words[words.index("applies") + 1] if words.index("applies") + 1 < len(words) else ""
    else:
        named = _only_operator(region)
    found = MONOIDS.get(named.removeprefix("stablehlo.")) if isinstance(named, str) else None
    if found is None:
        raise NotTaken(f"it combines by `{named}`")
    if found == "add" and any(each.element in TRUTH for each in operation.types):
        raise NotTaken("it is on truth values")
    return found


def _only_operator(region: Region | None) -> str:
    """The operator of a region that applies it to what it is given, and returns that."""
    match region:
        case Region(
            arguments=((one, _), (other, _)), operations=(TensorOperation() as applied, TensorOperation() as end)
        ) if end.name.endswith("return") and end.operands == applied.results:
            if sorted(applied.operands) == sorted((one, other)):
                return applied.name
        case _:
            pass
    raise NotTaken("it combines by more than one operator")


def elementwise(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """An operator of `ELEMENTWISE`. Raises `NotTaken`."""
    name = operation.name.partition(".")[2]
    integral = bool(operation.types) and is_integral(operation.types[0].element)
    is_truth = bool(operation.types) and operation.types[0].element in TRUTH
    found = folded(name, given, integral) if name in MONOIDS or not is_truth else None
    if found is not None:
        return as_type(found, operation.types[0].element) if integral else found
    if is_truth:
        raise NotTaken("it is on truth values")
    if integral and name not in EXACT:
        raise NotTaken("it is on integers")
    if integral and operation.types[0].element.startswith("u"):
        raise NotTaken("numbers below 0 wrap around")
    kept = _without_infinity(name, given)
    if kept is not None:
        return kept
    return nodes.elementwise(name, [nodes.tensor(each) for each in given])


def _without_infinity(name: str, given: Sequence[Value]) -> Value | None:
    """What a maximum or minimum with an infinite number is, if that leaves the other operand."""
    if name not in MONOIDS:
        return None
    for one, other in (given, given[::-1]):
        if isinstance(one, Splat) and isinstance(one.number, str) and one.number == IDENTITY[MONOIDS[name]]:
            return other
    return None


def remainder(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """Numbers only. Raises `NotTaken`."""
    found = folded("remainder", given, integral=True)
    if found is None:
        raise NotTaken("it is taken on numbers only")
    return found


def square(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """The product with itself. Raises `NotTaken`."""
    operand = nodes.tensor(given[0])
    return nodes.elementwise("multiply", [operand, operand])


def convert(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """The same number; to an integer only what is one, to a truth value whether it is not 0. Raises `NotTaken`."""
    element = operation.types[0].element if operation.types else "f32"
    if isinstance(given[0], Tensor) and nodes.kind(given[0]) == "truth":
        if element in TRUTH:
            return given[0]
        ends = [nodes.tensor(Splat(Fraction(number), shape)) for number in (1, 0)]
        return nodes.elementwise("select", [given[0], *ends])
    if not is_integral(element):
        return given[0]
    if isinstance(given[0], Tensor) and element not in TRUTH and nodes.kind(given[0]) == "whole":
        if element.startswith("u"):
            raise NotTaken("numbers below 0 wrap around")
        return given[0]
    numbers = _numbers(given[0])
    if numbers is None or (element not in TRUTH and any(each.denominator != 1 for each in numbers)):
        raise NotTaken("it rounds")
    return as_type(given[0], element)


def _numbers(value: Value) -> tuple[Fraction, ...] | None:
    """The numbers that a value is made of, None if it is a tensor or infinite."""
    match value:
        case Splat(number=Fraction() as number):
            return (number,)
        case RankNumbers(numbers=numbers) | Listed(numbers=numbers):
            return numbers
        case _:
            return None


def same(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """What only says something of its operand."""
    return given[0]


def made_constant(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """A constant. Raises `NotTaken`."""
    element = operation.types[0].element if operation.types else "f32"
    found = constant(operation, element, shape)
    return Listed(found, shape) if isinstance(found, tuple) else Splat(found, shape)


def broadcast(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """`broadcast_in_dim`: the dimensions need not ascend. Raises `NotTaken`."""
    if isinstance(given[0], Splat):
        return Splat(given[0].number, shape)
    if isinstance(given[0], RankNumbers):
        return RankNumbers(given[0].numbers, shape)
    along = integers(operation, "broadcast_dimensions")
    if isinstance(given[0], Listed) and prod(shape) <= MOST_LISTED and len(along) == len(given[0].shape):
        return _spread_list(given[0], along, shape)
    operand = nodes.tensor(given[0])
    if len(along) != len(operand.shape):
        raise NotTaken("its dimensions are not those of its operand")
    if list(along) != sorted(along):
        order = tuple(sorted(range(len(along)), key=along.__getitem__))
        operand = _transposed(nodes, operand, order)
        along = tuple(sorted(along))
    return nodes.spread(operand, along, shape)


def _spread_list(value: Listed, along: tuple[int, ...], shape: tuple[int, ...]) -> Value:
    """A constant in a larger shape. Raises `NotTaken`."""
    if any(size not in (1, shape[d]) for size, d in zip(value.shape, along, strict=True)):
        raise NotTaken("its type does not fit its operands")
    numbers = []
    for at in product(*map(range, shape)):
        flat = 0
        for size, d in zip(value.shape, along, strict=True):
            flat = flat * size + (at[d] if size > 1 else 0)
        numbers.append(value.numbers[flat])
    return Listed(tuple(numbers), shape)


def _transposed(nodes: Nodes, operand: Tensor, order: tuple[int, ...]) -> Tensor:
    shape = tuple(operand.shape[place] for place in order)
    return nodes.add(Transpose(operand.node, order, nodes.sizes(shape), nodes.site), shape)


def transpose(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """A permutation of dimensions. Raises `NotTaken`."""
    if isinstance(given[0], Splat):
        return Splat(given[0].number, shape)
    operand, order = nodes.tensor(given[0]), integers(operation, "permutation", "dimensions")
    if sorted(order) != list(range(len(operand.shape))):
        raise NotTaken("its dimensions are no permutation")
    return _transposed(nodes, operand, order)


def reshape(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """The same elements in another shape. Raises `NotTaken`."""
    if isinstance(given[0], Splat):
        return Splat(given[0].number, shape)
    if isinstance(given[0], Listed):
        return Listed(given[0].numbers, shape)
    if isinstance(given[0], RankNumbers):
        return RankNumbers(given[0].numbers, shape)
    return nodes.reshape(nodes.tensor(given[0]), shape)


def slice_(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """A part between bounds. Raises `NotTaken`."""
    if isinstance(given[0], Splat):
        return Splat(given[0].number, shape)
    bounds = operation.attributes.get("listed")
    rows = [numbers_in(each) for each in bounds] if isinstance(bounds, tuple) else []
    if rows and all(len(row) in (2, 3) for row in rows):
        starts, strides = tuple(row[0] for row in rows), tuple(row[2] if len(row) == 3 else 1 for row in rows)
    else:
        starts, strides = integers(operation, "start_indices"), integers(operation, "strides")
    if any(each != 1 for each in strides):
        raise NotTaken("it has strides")
    operand = nodes.tensor(given[0])
    if len(starts) != len(operand.shape):
        raise NotTaken("its bounds are not those of its operand")
    return nodes.slice(operand, tuple(Number(each, nodes.site) for each in starts), shape)


def dynamic_slice(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """A part whose offsets are numbers, also such as each rank computes of its own; they are clamped.

    Raises `NotTaken`.
    """
    operand, starts = nodes.tensor(given[0]), given[1:]
    if len(starts) != len(operand.shape):
        raise NotTaken("its offsets are not those of its operand")
    offsets = []
    for value, size, kept in zip(starts, operand.shape, shape, strict=True):
        match value:
            case Splat(number=Fraction() as number):
                numbers: tuple[Fraction, ...] = (number,) * nodes.mesh.count
            case RankNumbers():
                numbers = value.numbers
            case _:
                raise NotTaken("its offsets are computed from tensors")
        clamped = [min(max(each, Fraction(0)), Fraction(size - kept)) for each in numbers]
        offset = nodes.mesh.index_of(clamped, nodes.site)
        if offset is None:
            raise NotTaken("its offset is no expression in the coordinates of the rank")
        offsets.append(offset)
    return nodes.slice(operand, tuple(offsets), shape)


def concatenate(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """The operands one after the other. Raises `NotTaken`."""
    return nodes.concatenate([nodes.tensor(each) for each in given], integer(operation, "dimension"))


def pad(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """A number around the operand, or less of the operand where the padding is negative. Raises `NotTaken`."""
    low, high = integers(operation, "edge_padding_low"), integers(operation, "edge_padding_high")
    if any(integers(operation, "interior_padding")) or not isinstance(given[1], Splat):
        raise NotTaken("it pads between elements" if isinstance(given[1], Splat) else "it pads with a tensor")
    operand = nodes.tensor(given[0])
    if len(low) != len(operand.shape) or len(high) != len(low):
        raise NotTaken("its padding is not that of its operand")
    cut = tuple(size + min(a, 0) + min(b, 0) for size, a, b in zip(operand.shape, low, high, strict=True))
    if cut != operand.shape:
        operand = nodes.slice(operand, tuple(Number(max(-a, 0), nodes.site) for a in low), cut)
    for d in range(len(low)):
        parts = [operand]
        for width, at in ((low[d], 0), (high[d], len(parts))):
            if width > 0:
                around = (*operand.shape[:d], width, *operand.shape[d + 1 :])
                parts.insert(0 if at == 0 else len(parts), nodes.tensor(Splat(given[1].number, around)))
        operand = nodes.concatenate(parts, d)
    return operand


def dot(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """`dot_general`, and `dot`, which contracts the last dimension with the first. Raises `NotTaken`."""
    left, right = (nodes.tensor(each) for each in given)
    pairs = []
    for pretty, keys in (
        ("batching_dims", ("lhs_batching_dimensions", "rhs_batching_dimensions")),
        ("contracting_dims", ("lhs_contracting_dimensions", "rhs_contracting_dimensions")),
    ):
        found = operation.attributes.get(pretty)
        if found is None:
            numbers = operation.attributes.get("dot_dimension_numbers")
            found = tuple(within(numbers, key) or () for key in keys)
        one, other = (numbers_in(each) for each in found) if isinstance(found, tuple) else ((), ())
        if len(one) != len(other):
            raise NotTaken("its dimensions are no pairs")
        pairs.append(tuple(zip(one, other, strict=True)))
    batch, contract = pairs
    if operation.name == "stablehlo.dot":
        contract = ((len(left.shape) - 1, 0),)
    for a, b in (*batch, *contract):
        if not (a < len(left.shape) and b < len(right.shape) and left.shape[a] == right.shape[b]):
            raise NotTaken("its dimensions are not of one size")
    return nodes.add(Dot((left.node, right.node), batch, contract, nodes.sizes(shape), nodes.site), shape)


def reduce(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """One tensor combined along dimensions, with what it begins with. Raises `NotTaken`."""
    if len(given) != 2:
        raise NotTaken("it combines several tensors")
    monoid = combines(operation.regions[0] if operation.regions else None, operation)
    operand, along = nodes.tensor(given[0]), integers(operation, "dimensions")
    found = operand
    if along:
        found = nodes.add(Reduce(monoid, operand.node, along, nodes.sizes(shape), nodes.site), shape)
    if isinstance(given[1], Splat) and given[1].number == IDENTITY[monoid]:
        return found
    begin = given[1] if not isinstance(given[1], Splat) else Splat(given[1].number, shape)
    if isinstance(begin, Splat) and isinstance(begin.number, str):
        raise NotTaken("it begins with an infinite number")
    if not isinstance(begin, Splat):
        begin = nodes.spread(nodes.tensor(begin), (), shape)
    return nodes.elementwise(monoid, [found, nodes.tensor(begin)])


def clamp(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """No less than the first operand and no more than the last one. Raises `NotTaken`."""
    low, value, high = (
        Splat(each.number, shape)
        if isinstance(each, Splat)
        else nodes.spread(nodes.tensor(each), (), shape)
        if not each_shape(each)
        else each
        for each in given
    )
    raised = _without_infinity("maximum", (value, low))
    raised = raised or nodes.elementwise("maximum", [nodes.tensor(value), nodes.tensor(low)])
    lowered = _without_infinity("minimum", (raised, high))
    return lowered or nodes.elementwise("minimum", [nodes.tensor(raised), nodes.tensor(high)])


def partition_id(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """The number of the rank."""
    return RankNumbers(tuple(Fraction(number) for number in range(nodes.mesh.count)))


def iota(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """The numbers of the places along a dimension. Raises `NotTaken`."""
    along = integer(operation, "iota_dimension")
    if prod(shape) > MOST_LISTED or along >= len(shape):
        raise NotTaken("its elements are too many to be written out")
    inner = prod(shape[along + 1 :])
    numbers = tuple(Fraction(flat // inner % shape[along]) for flat in range(prod(shape)))
    return Listed(numbers, shape)


OPERATORS: Mapping[str, Operator] = MappingProxyType(
    {f"stablehlo.{name}": elementwise for name in ELEMENTWISE if name != "erf"}
    | {"chlo.erf": elementwise, "chlo.square": square, "stablehlo.remainder": remainder}
    | {"stablehlo.convert": convert, "stablehlo.constant": made_constant, "stablehlo.iota": iota}
    | {"stablehlo.optimization_barrier": same, "sdy.sharding_constraint": same, "stablehlo.reduce_precision": same}
    | {"stablehlo.broadcast_in_dim": broadcast, "stablehlo.transpose": transpose, "stablehlo.reshape": reshape}
    | {"stablehlo.slice": slice_, "stablehlo.dynamic_slice": dynamic_slice, "stablehlo.concatenate": concatenate}
    | {"stablehlo.pad": pad, "stablehlo.dot_general": dot, "stablehlo.dot": dot, "stablehlo.reduce": reduce}
    | {"stablehlo.compare": compare, "stablehlo.select": select, "stablehlo.clamp": clamp}
    | {"stablehlo.partition_id": partition_id, "stablehlo.gather": gather, LOOKUP: looked_up}
    | {"stablehlo.and": logical, "stablehlo.or": logical, "stablehlo.not": logical}
)
"""The operators on one rank that are taken, by their names."""
