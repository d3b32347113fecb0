"""ATen's operators that move elements, make tensors, or combine along dimensions, as StableHLO's.

Each raises `NotTaken` for a case that is not taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from types import MappingProxyType

from rewright.frontends.fx.elementwise import Lowering, element_type
from rewright.frontends.fx.emitting import FxOperations, Value, integer, integers
from rewright.frontends.fx.written import Call, FxValue, Written
from rewright.frontends.tensor_programs.program import TensorType
from rewright.frontends.tensor_programs.values import NotTaken

MOST_PARTS = 1024
"""Parts into which a tensor is split."""


def view(emitter: FxOperations, call: Call) -> Value:
    """The same elements in another shape, of which one size may be left out as -1."""
    value = emitter.tensor(call.at(0, "self"))
    return emitter.reshaped(value, _completed(integers(call, 1, "size"), prod(emitter.shape(value))))


def _completed(sizes: tuple[int, ...], count: int) -> tuple[int, ...]:
    rest = prod(size for size in sizes if size != -1)
    if sizes.count(-1) == 1 and rest and count % rest == 0:
        return tuple(count // rest if size == -1 else size for size in sizes)
    if prod(sizes) != count:
        raise NotTaken("its shapes do not hold the same number of elements")
    return sizes


def flatten(emitter: FxOperations, call: Call) -> Value:
    """Dimensions from one to another as one."""
    value = emitter.tensor(call.at(0, "self"))
    own = emitter.shape(value)
    first = emitter.dimension(call.at(1, "start_dim", Fraction(0)), len(own))
    last = emitter.dimension(call.at(2, "end_dim", Fraction(-1)), len(own))
    return emitter.reshaped(value, (*own[:first], prod(own[first : last + 1]), *own[last + 1 :]))


def unsqueeze(emitter: FxOperations, call: Call) -> Value:
    """With a dimension of size 1."""
    value = emitter.tensor(call.at(0, "self"))
    own = emitter.shape(value)
    at = emitter.dimension(call.at(1, "dim"), len(own) + 1)
    return emitter.reshaped(value, (*own[:at], 1, *own[at:]))


def squeeze(emitter: FxOperations, call: Call) -> Value:
    """Without dimensions of size 1, all or those that are named."""
    value = emitter.tensor(call.at(0, "self"))
    own = emitter.shape(value)
    named = emitter.dimensions(call.at(1, "dim"), len(own))
    return emitter.reshaped(value, [size for d, size in enumerate(own) if size != 1 or d not in named])


def transposed(emitter: FxOperations, call: Call) -> Value:
    """Two dimensions exchanged; of a matrix its two where none are named."""
    value = emitter.tensor(call.at(0, "self"))
    rank = len(emitter.shape(value))
    if rank < 2:
        return value
    one = emitter.dimension(call.at(1, "dim0", Fraction(-2)), rank)
    other = emitter.dimension(call.at(2, "dim1", Fraction(-1)), rank)
    order = list(range(rank))
    order[one], order[other] = order[other], order[one]
    return emitter.permuted(value, order)


def permute(emitter: FxOperations, call: Call) -> Value:
    """The dimensions in another order."""
    value = emitter.tensor(call.at(0, "self"))
    rank = len(emitter.shape(value))
    return emitter.permuted(value, [each % rank if rank else each for each in integers(call, 1, "dims")])


def expand(emitter: FxOperations, call: Call) -> Value:
    """Dimensions of size 1 repeated. Raises `NotTaken`."""
    value, sizes = emitter.tensor(call.at(0, "self")), integers(call, 1, "size")
    own = emitter.shape(value)
    skipped = len(sizes) - len(own)
    if skipped < 0:
        raise NotTaken("its sizes are not those of its operand")
    shape = tuple(own[d - skipped] if size == -1 and d >= skipped else size for d, size in enumerate(sizes))
    return emitter.spread(value, shape)


def sliced(emitter: FxOperations, call: Call) -> Value:
    """A part along a dimension; bounds may count from the end, and lie outside. Raises `NotTaken`."""
    value = emitter.tensor(call.at(0, "self"))
    own = emitter.shape(value)
    along = emitter.dimension(call.at(1, "dim", Fraction(0)), len(own))
    if call.at(4, "step", Fraction(1)) != Fraction(1):
        raise NotTaken("it has strides")
    start = _bound(call.at(2, "start"), own[along], 0)
    return emitter.sliced(value, along, start, max(_bound(call.at(3, "end"), own[along], own[along]), start))


def _bound(written: Written, size: int, default: int) -> int:
    if written is None:
        return default
    number = integer(written)
    return min(max(number + size if number < 0 else number, 0), size)


def selected(emitter: FxOperations, call: Call) -> Value:
    """What stands at one place of a dimension, without it."""
    value = emitter.tensor(call.at(0, "self"))
    own = emitter.shape(value)
    along = emitter.dimension(call.at(1, "dim"), len(own))
    at = emitter.dimension(call.at(2, "index"), own[along])
    return emitter.reshaped(emitter.sliced(value, along, at, at + 1), [*own[:along], *own[along + 1 :]])


def split(emitter: FxOperations, call: Call) -> Value:
    """Parts of one size along a dimension, the last smaller if need be, or of the sizes that are listed."""
    value, given = emitter.tensor(call.at(0, "self")), call.at(1, "split_size")
    size = _size_along(emitter, call, value)
    if isinstance(given, tuple):
        return _parts(emitter, call, value, [integer(each) for each in given])
    return _parts(emitter, call, value, _steps(size, integer(given)))


def chunk(emitter: FxOperations, call: Call) -> Value:
    """So many parts along a dimension, the last smaller if need be. Raises `NotTaken`."""
    value, count = emitter.tensor(call.at(0, "self")), integer(call.at(1, "chunks"))
    if count < 1:
        raise NotTaken("it makes no parts")
    size = _size_along(emitter, call, value)
    return _parts(emitter, call, value, _steps(size, -(-size // count)))


def _size_along(emitter: FxOperations, call: Call, value: str) -> int:
    own = emitter.shape(value)
    return own[emitter.dimension(call.at(2, "dim", Fraction(0)), len(own))] if own else 1


def _steps(size: int, step: int) -> list[int]:
    if step < 1 or size > step * MOST_PARTS:
        raise NotTaken("its parts are too many, or of no size")
    return [min(step, size - start) for start in range(0, size, step)]


def _parts(emitter: FxOperations, call: Call, value: str, sizes: list[int]) -> Value:
    along = emitter.dimension(call.at(2, "dim", Fraction(0)), len(emitter.shape(value)))
    if sum(sizes) != _size_along(emitter, call, value) or min(sizes, default=0) < 0:
        raise NotTaken("its parts are not the whole")
    found, start = [], 0
    for size in sizes:
        found.append(emitter.sliced(value, along, start, start + size))
        start += size
    return tuple(found)


def getitem(emitter: FxOperations, call: Call) -> Value:
    """One of several values that a statement gave. Raises `NotTaken`."""
    given = call.at(0, "self")
    parts = emitter.bound.get(given.name) if isinstance(given, FxValue) else None
    if not isinstance(parts, tuple):
        raise NotTaken("it takes a part of a tensor")
    number = integer(call.at(1, "index"))
    if not -len(parts) <= number < len(parts):
        raise NotTaken(f"there is no part {number}")
    return emitter.tensor(FxValue(parts[number]))


def concatenated(emitter: FxOperations, call: Call) -> Value:
    """Tensors one after the other along a dimension."""
    parts = _tensors(emitter, call)
    along = emitter.dimension(call.at(1, "dim", Fraction(0)), len(emitter.shape(parts[0])))
    shape = list(emitter.shape(parts[0]))
    shape[along] = sum(emitter.shape(each)[along] for each in parts)
    return emitter.emit("stablehlo.concatenate", parts, emitter.like(parts[0], shape), {"dimension": str(along)})


def stacked(emitter: FxOperations, call: Call) -> Value:
    """Tensors along a dimension of their own."""
    parts = _tensors(emitter, call)
    own = emitter.shape(parts[0])
    at = emitter.dimension(call.at(1, "dim", Fraction(0)), len(own) + 1)
    rows = [emitter.reshaped(each, (*own[:at], 1, *own[at:])) for each in parts]
    made = emitter.like(parts[0], (*own[:at], len(parts), *own[at:]))
    return emitter.emit("stablehlo.concatenate", rows, made, {"dimension": str(at)})


def _tensors(emitter: FxOperations, call: Call) -> list[str]:
    given = call.at(0, "tensors")
    parts = [emitter.tensor(each) for each in given] if isinstance(given, tuple) else []
    if not parts or len({len(emitter.shape(each)) for each in parts}) != 1:
        raise NotTaken("its tensors do not fit together")
    return parts


def padded(emitter: FxOperations, call: Call) -> Value:
    """A number around the last dimensions; less of the operand where the padding is negative. Raises `NotTaken`."""
    value, pads = emitter.tensor(call.at(0, "self")), integers(call, 1, "pad")
    own = emitter.shape(value)
    if len(pads) % 2 or len(pads) > 2 * len(own):
        raise NotTaken("its padding is not that of its operand")
    rows = [(0, 0)] * (len(own) - len(pads) // 2) + [*zip(pads[0::2], pads[1::2], strict=True)][::-1]
    number = emitter.number(call.at(2, "value", Fraction(0)), emitter.types[value].element)
    made = emitter.like(value, [size + low + high for size, (low, high) in zip(own, rows, strict=True)])
    attributes = {f"edge_padding_{key}": tuple(str(row[k]) for row in rows) for k, key in enumerate(("low", "high"))}
    return emitter.emit("stablehlo.pad", (value, number), made, attributes)


# ---------------------------------------------------------------------------------------------------- made of nothing


def filled(number: Fraction | None) -> Lowering:
    """One number everywhere, in a shape that is said: `zeros`, `full`."""

    def lowered(emitter: FxOperations, call: Call) -> Value:
        given = number if number is not None else call.at(1, "fill_value")
        shape = call.at(0, "size")
        if not isinstance(shape, tuple):
            raise NotTaken("its sizes cannot be read")
        return _everywhere(emitter, call, given, tuple(integer(each) for each in shape), "f32")

    return lowered


def filled_like(number: Fraction | None) -> Lowering:
    """One number everywhere, in the shape of a tensor: `zeros_like`, `full_like`."""

    def lowered(emitter: FxOperations, call: Call) -> Value:
        value = emitter.tensor(call.at(0, "self"))
        given = number if number is not None else call.at(1, "fill_value")
        return _everywhere(emitter, call, given, emitter.shape(value), emitter.types[value].element)

    return lowered


def scalar(emitter: FxOperations, call: Call) -> Value:
    """One number."""
    return _everywhere(emitter, call, call.at(0, "s"), (), "f32")


def _everywhere(emitter: FxOperations, call: Call, number: Written, shape: tuple[int, ...], element: str) -> Value:
    kind = element if call.keyed.get("dtype") is None else element_type(call.keyed["dtype"])
    return emitter.spread(emitter.number(number, kind), shape)


def counted(emitter: FxOperations, call: Call) -> Value:
    """The numbers from 0, or from a start, one by one. Raises `NotTaken`."""
    given = [integer(each) for each in call.positional]
    if len(given) not in (1, 2):
        raise NotTaken("it has strides")
    start, end = given if len(given) == 2 else (0, given[0])
    kind = "i64" if call.keyed.get("dtype") is None else element_type(call.keyed["dtype"])
    made = TensorType(kind, (max(end - start, 0),))
    found = emitter.emit("stablehlo.iota", (), made, {"iota_dimension": "0"})
    if start == 0:
        return found
    begin = emitter.spread(emitter.number(Fraction(start), kind), (max(end - start, 0),))
    return emitter.emit("stablehlo.add", (found, begin), made)


# ----------------------------------------------------------------------------------------------------------- combined


def reduction(by: str, *, mean: bool = False) -> Lowering:
    """Combined along the dimensions that are named, or all; divided by how many elements those are for a mean."""

    def lowered(emitter: FxOperations, call: Call) -> Value:
        value = emitter.tensor(call.at(0, "self"))
        own = emitter.shape(value)
        along = emitter.dimensions(call.at(1, "dim"), len(own))
        found = emitter.reduced(by, value, along, kept=call.at(2, "keepdim", default=False) is True)
        return emitter.pointwise("divide", found, emitter.number(_count(own, along))) if mean else found

    return lowered


def _count(shape: tuple[int, ...], along: tuple[int, ...]) -> Fraction:
    return Fraction(prod(shape[d] for d in along))


def variance(emitter: FxOperations, value: str, along: tuple[int, ...]) -> tuple[str, str]:
    """What each element differs from the mean along dimensions, and the mean of its square, both kept."""
    count = emitter.number(_count(emitter.shape(value), along))
    mean = emitter.pointwise("divide", emitter.reduced("add", value, along, kept=True), count)
    apart = emitter.pointwise("subtract", value, mean)
    squares = emitter.reduced("add", emitter.pointwise("multiply", apart, apart), along, kept=True)
    return apart, emitter.pointwise("divide", squares, count)


SHAPING: Mapping[str, Lowering] = MappingProxyType(
    dict.fromkeys(("view", "reshape", "_unsafe_view", "_reshape_alias"), view)
    | {"flatten": flatten, "unsqueeze": unsqueeze, "squeeze": squeeze, "permute": permute, "expand": expand}
    | {"t": transposed, "transpose": transposed, "numpy_T": transposed, "slice": sliced}
    | {"select": selected, "split": split, "split_with_sizes": split, "chunk": chunk, "getitem": getitem}
    | {"cat": concatenated, "concat": concatenated, "stack": stacked, "constant_pad_nd": padded}
    | {"zeros": filled(Fraction(0)), "ones": filled(Fraction(1)), "full": filled(None), "scalar_tensor": scalar}
    | {"zeros_like": filled_like(Fraction(0)), "ones_like": filled_like(Fraction(1)), "full_like": filled_like(None)}
    | {"arange": counted, "sum": reduction("add"), "mean": reduction("add", mean=True)}
    | {"amax": reduction("maximum"), "amin": reduction("minimum")}
)
"""Those that are taken, by their names without their overloads."""
