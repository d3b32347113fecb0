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
    word,
)
from rewright.frontends.tensor_programs.building import Nodes
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

_EXACT = frozenset({"add", "subtract", "multiply", "maximum", "minimum", "negate", "abs"})
"""Those that are on integers what they are on real numbers, where nothing overflows."""

MONOIDS: Mapping[str, Monoid] = MappingProxyType(
    {"add": "add", "multiply": "multiply", "maximum": "maximum", "minimum": "minimum"}
)
"""Operators that combine, by their names in StableHLO."""

IDENTITY: Mapping[Monoid, Fraction | Infinite] = MappingProxyType(
    {"add": Fraction(0), "multiply": Fraction(1), "maximum": "-inf", "minimum": "inf"}
)
"""Where each begins that combines nothing."""


def is_integral(element: str) -> bool:
    """Whether an element type holds integers or truth values."""
    return element.lstrip("usi").isdecimal() or element == "pred"


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
    folded = _folded(name, given, integral)
    if folded is not None:
        return _wrapped(folded, operation.types[0].element) if integral else folded
    if integral and name not in _EXACT:
        raise NotTaken("it is on integers")
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


def _folded(name: str, given: Sequence[Value], integral: bool) -> Value | None:
    """The number that an operator on numbers gives, None if it is on tensors."""
    if all(isinstance(each, Splat) for each in given):
        numbers = [each.number for each in given if isinstance(each, Splat)]
        if any(isinstance(each, str) for each in numbers):
            return None
        made = _arithmetic(name, [each for each in numbers if isinstance(each, Fraction)], integral)
        return Splat(made, given[0].shape) if made is not None and isinstance(given[0], Splat) else None
    if any(isinstance(each, Listed) for each in given):
        return _folded_lists(name, given, integral)
    rows = [_by_rank(each, given) for each in given]
    if any(row is None for row in rows):
        return None
    found = [_arithmetic(name, list(each), integral) for each in zip(*(row for row in rows if row), strict=True)]
    numbers_ = tuple(each for each in found if each is not None)
    return RankNumbers(numbers_, each_shape(given[0])) if len(numbers_) == len(found) else None


def _folded_lists(name: str, given: Sequence[Value], integral: bool) -> Value | None:
    """The constant that an operator on constants gives, None if it is on others."""
    shapes = {each.shape for each in given if isinstance(each, Listed)}
    if len(shapes) != 1:
        return None
    (shape,) = shapes
    rows = [_listed(each, shape) for each in given]
    if any(row is None for row in rows):
        return None
    found = [_arithmetic(name, list(each), integral) for each in zip(*(row for row in rows if row), strict=True)]
    numbers = tuple(each for each in found if each is not None)
    return _constant_of(numbers, shape) if len(numbers) == len(found) else None


def _listed(value: Value, shape: tuple[int, ...]) -> tuple[Fraction, ...] | None:
    """The elements of a constant of this shape, row-major, None if it is no constant or too large."""
    match value:
        case Listed(numbers=numbers, shape=own) if own == shape:
            return numbers
        case Splat(number=Fraction() as number, shape=own) if own == shape and prod(shape) <= MOST_LISTED:
            return (number,) * prod(shape)
        case _:
            return None


def _constant_of(numbers: tuple[Fraction, ...], shape: tuple[int, ...]) -> Value:
    return Splat(numbers[0], shape) if len(set(numbers)) == 1 else Listed(numbers, shape)


def _by_rank(value: Value, given: Sequence[Value]) -> tuple[Fraction, ...] | None:
    count = next((len(each.numbers) for each in given if isinstance(each, RankNumbers)), 0)
    match value:
        case RankNumbers(numbers=numbers):
            return numbers
        case Splat(number=Fraction() as number) if count:
            return (number,) * count
        case _:
            return None


def _arithmetic(name: str, numbers: list[Fraction], integral: bool) -> Fraction | None:
    match name, numbers:
        case "add", [one, other]:
            return one + other
        case "subtract", [one, other]:
            return one - other
        case "multiply", [one, other]:
            return one * other
        case "divide", [one, other] if other:
            quotient = one / other
            return Fraction(int(quotient)) if integral else quotient
        case "remainder", [one, other] if other:
            return one - other * int(one / other)
        case "maximum", [one, other]:
            return max(one, other)
        case "minimum", [one, other]:
            return min(one, other)
        case "negate", [one]:
            return -one
        case "abs", [one]:
            return abs(one)
        case "and", [one, other] if {one, other} <= {0, 1}:
            return min(one, other)
        case "or", [one, other] if {one, other} <= {0, 1}:
            return max(one, other)
        case "not", [one] if one in (0, 1):
            return 1 - one
        case _:
            return None


def _wrapped(value: Value, element: str) -> Value:
    """The numbers that an integer type holds in the place of these."""
    digits = element.lstrip("usi")
    if not digits or not digits.isdecimal() or digits == "1":
        return value
    size = Fraction(1 << int(digits))
    low = Fraction(0) if element.startswith("u") else -size / 2
    match value:
        case Splat(number=Fraction() as number, shape=shape):
            return Splat((number - low) % size + low, shape)
        case RankNumbers(numbers=numbers, shape=shape):
            return RankNumbers(tuple((each - low) % size + low for each in numbers), shape)
        case _:
            return value


def remainder(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """Numbers only. Raises `NotTaken`."""
    folded = _folded("remainder", given, integral=True)
    if folded is None:
        raise NotTaken("it is taken on numbers only")
    return folded


def logical(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """Truth values that are known only. Raises `NotTaken`."""
    name = operation.name.partition(".")[2]
    is_truth = operation.types[0].element in ("i1", "pred")
    folded = _folded(name, given, integral=True) if is_truth else None
    if folded is None:
        raise NotTaken("it is taken on truth values that are known only")
    return folded


def square(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """The product with itself."""
    operand = nodes.tensor(given[0])
    return nodes.elementwise("multiply", [operand, operand])


def convert(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """The same number; from a real to an integer it is another. Raises `NotTaken`."""
    if operation.types and is_integral(operation.types[0].element):
        numbers = _by_rank(given[0], [RankNumbers((Fraction(0),) * nodes.mesh.count)])
        numbers = given[0].numbers if isinstance(given[0], Listed) else numbers
        if numbers is None or any(each.denominator != 1 for each in numbers):
            raise NotTaken("it rounds")
        return _wrapped(given[0], operation.types[0].element)
    return given[0]


def same(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """What only says something of its operand."""
    return given[0]


def made_constant(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """A constant."""
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
    """The same elements in another shape."""
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
    """The operands one after the other."""
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


def compare(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """Numbers only. Raises `NotTaken`."""
    words = operation.attributes.get("words", ())
    direction = words[0] if isinstance(words, tuple) and words else word(operation, "comparison_direction")
    found = operation.attributes.get("comparison_direction")
    if not isinstance(found, str) and found is not None:
        entries = getattr(found, "entries", ())
        direction = entries[-1] if entries else ""
    rows = [_by_rank(each, [*given, RankNumbers((Fraction(0),) * nodes.mesh.count)]) for each in given]
    tests: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
        "EQ": Fraction.__eq__,
        "NE": lambda one, other: one != other,
        "LT": Fraction.__lt__,
        "LE": Fraction.__le__,
        "GT": Fraction.__gt__,
        "GE": Fraction.__ge__,
    }
    assert isinstance(direction, str)
    test = tests.get(direction)
    lists = [_listed(each, each_shape(given[0])) for each in given]
    if test is not None and all(each is not None for each in lists):
        one, other = (each for each in lists if each is not None)
        truths = tuple(Fraction(test(a, b)) for a, b in zip(one, other, strict=True))
        return _constant_of(truths, each_shape(given[0])) if truths else Splat(Fraction(0), each_shape(given[0]))
    if any(row is None for row in rows) or test is None:
        raise NotTaken("it compares tensors")
    one, other = (row for row in rows if row is not None)
    return RankNumbers(tuple(Fraction(test(a, b)) for a, b in zip(one, other, strict=True)), shape)


def select(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """By a number that each rank computes of its own. Raises `NotTaken`."""
    if isinstance(given[0], Splat) and isinstance(given[0].number, Fraction):
        return given[1] if given[0].number else given[2]
    if isinstance(given[0], Listed):
        return _masked(nodes, given[0], given[1:], shape)
    chosen = _by_rank(given[0], [RankNumbers((Fraction(0),) * nodes.mesh.count)])
    if chosen is None:
        raise NotTaken("it selects by a tensor")
    if len(set(chosen)) == 1:
        return given[1] if chosen[0] else given[2]
    rows = [_by_rank(each, [RankNumbers(chosen)]) for each in given[1:]]
    if all(row is not None for row in rows):
        one, other = (row for row in rows if row is not None)
        return RankNumbers(tuple(a if c else b for c, a, b in zip(chosen, one, other, strict=True)), shape)
    mask = nodes.spread(nodes.tensor(RankNumbers(chosen)), (), shape)
    rest = nodes.spread(nodes.tensor(RankNumbers(tuple(1 - each for each in chosen))), (), shape)
    taken = nodes.elementwise("multiply", [mask, nodes.tensor(given[1])])
    left = nodes.elementwise("multiply", [rest, nodes.tensor(given[2])])
    return nodes.elementwise("add", [taken, left])


def _masked(nodes: Nodes, mask: Listed, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """One tensor where a constant is 1, another one where it is 0. Raises `NotTaken`."""
    lists = [_listed(each, shape) for each in (mask, *given)]
    if all(each is not None for each in lists):
        chosen, one, other = (each for each in lists if each is not None)
        return _constant_of(tuple(a if c else b for c, a, b in zip(chosen, one, other, strict=True)), shape)
    rest = Listed(tuple(1 - each for each in mask.numbers), mask.shape)
    parts = [
        nodes.elementwise("multiply", [nodes.tensor(each), nodes.tensor(value)])
        for each, value in zip((mask, rest), given, strict=True)
    ]
    return nodes.elementwise("add", parts)


def clamp(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """No less than the first operand and no more than the last one."""
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


def each_shape(value: Value) -> tuple[int, ...]:
    """The shape of a value that is taken. Raises `NotTaken`."""
    if isinstance(value, Tensor | Splat | RankNumbers | Listed):
        return value.shape
    raise NotTaken("")


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
    | {"stablehlo.partition_id": partition_id}
    | {"stablehlo.and": logical, "stablehlo.or": logical, "stablehlo.not": logical}
)
"""The operators on one rank that are taken, by their names."""
