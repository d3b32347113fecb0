"""Tensor cores through `nvcuda::wmma`: fragments, and loads, stores and products of a warp as what its lanes do.

Which lane has which element of a tile is up to the machine. Here element k, row by row, belongs to lane 31 - k mod 32:
not to the one that touches it in the usual loops over a tile, so that what such a loop leaves out of order is seen.
Where a tile is loaded, stored or multiplied, the warp comes together, and no memory is ordered. A fragment lies in
local memory, an equal part of the tile in each lane; a product adds up in the accumulator's type. Must not know how
accesses are checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import advanced, dereferenced, field, loaded, stored_in_memory
from rewright.emit.operators import TRUE, binary, convert, function, integer
from rewright.emit.types import (
    INT,
    Arithmetic,
    ArrayType,
    OpaqueType,
    Pointer,
    StructType,
    TemplateArguments,
    Type,
    lay_out,
)
from rewright.emit.values import NOTHING, InMemory, Rvalue, Value
from rewright.frontends.cuda.cxx import expressions
from rewright.frontends.cuda.cxx.conversions import described
from rewright.frontends.cuda.cxx.lowering import (
    BuiltInCall,
    BuiltInFunction,
    BuiltInType,
    Definition,
    Lowering,
    NamesInScope,
)
from rewright.frontends.cuda.cxx.names import position
from rewright.frontends.cuda.cxx.operands import scalar
from rewright.frontends.cuda.cxx.scopes import Scope
from rewright.frontends.cuda.intrinsics.exchanges import Exchanged
from rewright.frontends.cuda.intrinsics.objects import pointee
from rewright.frontends.cuda.intrinsics.operands import counted
from rewright.frontends.cuda.intrinsics.warps import LANES, WHOLE
from rewright.frontends.cuda.reading.tree import text
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Operand, VoteKind
from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar
from rewright.verdict import Place

SHAPES = ((16, 16, 16), (32, 8, 16), (8, 32, 16), (16, 16, 8))
"""m, n and k of the products that there are; the last one of `tf32`."""


class Tile(NamedTuple):
    """What a fragment holds: so many rows and columns of a type, whether rows or columns lie together in memory.

    An accumulator has no layout of its own (`by_rows` is None).
    """

    rows: int
    columns: int
    scalar: Scalar
    by_rows: bool | None

    @property
    def elements(self) -> int:
        """How many elements each lane holds."""
        return self.rows * self.columns // LANES


# --------------------------------------------------------------------------------------------------------------- types


def _fragment(emitter: Emitter, names: NamesInScope, arguments: TemplateArguments, node: Node) -> Type:
    """`fragment<matrix_a, 16, 16, 16, half, row_major>`: a struct with the lane's elements `x` and `num_elements`."""
    key = ("fragment", arguments)
    if key in names.structs:
        return names.structs[key]
    tile = _tile(arguments)
    if tile is None:
        emitter.refuse_construct(node, "a fragment of this shape and these elements")
    made = names.structs[key] = StructType("fragment")
    lay_out(made, [("x", ArrayType(Arithmetic(tile.scalar), tile.elements))])
    inside = Scope(None, {"num_elements": Rvalue(INT, (integer(tile.elements),))})
    names.definitions[made] = Definition(inside, arguments, None)
    return made


def _tile(arguments: TemplateArguments) -> Tile | None:
    """What a fragment with these arguments holds, None if there is no such fragment."""
    if len(arguments) not in (5, 6):
        return None
    use, m, n, k, kind = arguments[:5]
    scalar_type = Scalar.F32 if kind == PRECISION else kind.scalar if isinstance(kind, Arithmetic) else None
    if not isinstance(use, OpaqueType) or (m, n, k) not in SHAPES or scalar_type is None:
        return None
    assert isinstance(m, int) and isinstance(n, int) and isinstance(k, int)
    rows, columns = {"matrix_a": (m, k), "matrix_b": (k, n)}.get(use.kind, (m, n))
    layout = arguments[5] if len(arguments) > 5 else None
    return Tile(rows, columns, scalar_type, layout.kind == "row_major" if isinstance(layout, OpaqueType) else None)


def _word(name: str) -> BuiltInType:
    """A type that only says something in the arguments of a fragment."""
    return lambda emitter, names, arguments, node: OpaqueType(name)


PRECISION = OpaqueType("tf32")


# ----------------------------------------------------------------------------------------------------------- fragments


def _of(lowering: Lowering, node: Node) -> tuple[InMemory, Tile]:
    """The fragment that an argument names, and its tile."""
    value = expressions.value(lowering, node)
    known = lowering.names.definitions.get(value.type) if isinstance(value.type, StructType) else None
    arguments = () if known is None else known.arguments
    tile = _tile(arguments) if lowering.names.structs.get(("fragment", arguments)) is value.type else None
    if tile is None or not isinstance(value, InMemory):
        lowering.emitter.refuse(node, f"expected a fragment, got {described(value.type)}")
    return value, tile


def _together(emitter: Emitter, place: Place) -> None:
    """Brings the warp together."""
    emitter.emit(simt.Vote(VoteKind.ALL, None, WHOLE, TRUE, place))


def _elements(emitter: Emitter, fragment: InMemory, tile: Tile, place: Place) -> list[InMemory]:
    """The elements of a fragment that the lane holds."""
    array = field(emitter, fragment, "x", place)
    assert isinstance(array, InMemory)
    first = Rvalue(Pointer(Arithmetic(tile.scalar)), (array.address,))
    return [dereferenced(advanced(emitter, first, integer(number), place)) for number in range(tile.elements)]


def _read(lowering: Lowering, node: Node, place: Place) -> list[Operand]:
    """The values of a fragment that the lane holds."""
    fragment, tile = _of(lowering, node)
    return [
        loaded(lowering.emitter, element, place).operand
        for element in _elements(lowering.emitter, fragment, tile, place)
    ]


def _written(emitter: Emitter, target: InMemory, value: Operand, place: Place) -> None:
    assert isinstance(target.type, Arithmetic)
    stored_in_memory(emitter, target, Rvalue(target.type, (convert(emitter, value, target.type.scalar, place),)), place)


# ------------------------------------------------------------------------------------------------------------ accesses


def _in_memory(lowering: Lowering, call: BuiltInCall, base: Node, how: tuple[Operand, Tile, bool]) -> list[InMemory]:
    """The elements in memory that the lane touches, of a tile whose rows or columns are so far apart."""
    emitter = lowering.emitter
    stride, tile, by_rows = how
    start = pointee(lowering, base)
    lane = position(emitter, Coordinate.LANE, 0, call.place).operand
    first = binary(emitter, BinaryOperator.SUBTRACT, (integer(LANES - 1, Scalar.U32), lane), call.place)
    pointer = Rvalue(Pointer(start.type), (start.address,))
    found: list[InMemory] = []
    for number in range(tile.elements):
        element = binary(emitter, BinaryOperator.ADD, (first, integer(LANES * number, Scalar.U32)), call.place)
        row = binary(emitter, BinaryOperator.DIVIDE, (element, integer(tile.columns, Scalar.U32)), call.place)
        column = binary(emitter, BinaryOperator.REMAINDER, (element, integer(tile.columns, Scalar.U32)), call.place)
        line, within = (row, column) if by_rows else (column, row)
        before = binary(emitter, BinaryOperator.MULTIPLY, (line, stride), call.place)
        index = binary(emitter, BinaryOperator.ADD, (before, within), call.place)
        found.append(dereferenced(advanced(emitter, pointer, index, call.place)))
    return found


def _layout(emitter: Emitter, tile: Tile, written: Node | None, call: BuiltInCall) -> bool:
    """Whether rows lie together: as the fragment's type says, else as the argument `mem_row_major` does."""
    if written is None:
        if tile.by_rows is None:
            emitter.refuse(call.node, f"`{call.name}` needs the layout of an accumulator in memory")
        return tile.by_rows
    name = text(written).rpartition("::")[2]
    if name not in ("mem_row_major", "mem_col_major"):
        emitter.refuse(written, "expected `mem_row_major` or `mem_col_major`")
    return name == "mem_row_major"


def _load(lowering: Lowering, call: BuiltInCall) -> Value:
    """`load_matrix_sync(fragment, pointer, stride[, layout])`."""
    emitter = lowering.emitter
    counted(emitter, call, 3, 4)
    fragment, tile = _of(lowering, call.arguments[0])
    by_rows = _layout(emitter, tile, call.arguments[3] if len(call.arguments) > 3 else None, call)
    stride = scalar(lowering, call.arguments[2], Scalar.U32)
    sources = _in_memory(lowering, call, call.arguments[1], (stride, tile, by_rows))
    _together(emitter, call.place)
    for target, source in zip(_elements(emitter, fragment, tile, call.place), sources, strict=True):
        _written(emitter, target, loaded(emitter, source, call.place).operand, call.place)
    return NOTHING


def _store(lowering: Lowering, call: BuiltInCall) -> Value:
    """`store_matrix_sync(pointer, fragment, stride, layout)`."""
    emitter = lowering.emitter
    counted(emitter, call, 4)
    fragment, tile = _of(lowering, call.arguments[1])
    by_rows = _layout(emitter, tile, call.arguments[3], call)
    stride = scalar(lowering, call.arguments[2], Scalar.U32)
    targets = _in_memory(lowering, call, call.arguments[0], (stride, tile, by_rows))
    _together(emitter, call.place)
    for target, element in zip(targets, _elements(emitter, fragment, tile, call.place), strict=True):
        _written(emitter, target, loaded(emitter, element, call.place).operand, call.place)
    return NOTHING


def _fill(lowering: Lowering, call: BuiltInCall) -> Value:
    """`fill_fragment(fragment, value)`."""
    emitter = lowering.emitter
    counted(emitter, call, 2)
    fragment, tile = _of(lowering, call.arguments[0])
    value = scalar(lowering, call.arguments[1], tile.scalar)
    for element in _elements(emitter, fragment, tile, call.place):
        _written(emitter, element, value, call.place)
    return NOTHING


def _multiply(lowering: Lowering, call: BuiltInCall) -> Value:
    """`mma_sync(d, a, b, c)`: each lane adds up its elements of d; rows of a and columns of b are exchanged."""
    emitter = lowering.emitter
    counted(emitter, call, 4, 5)
    target, tile = _of(lowering, call.arguments[0])
    tiles = [_of(lowering, argument)[1] for argument in call.arguments[1:4]]
    left, right, plus = tiles
    if (left.rows, right.columns, left.columns) != (tile.rows, tile.columns, right.rows) or plus[:2] != tile[:2]:
        emitter.refuse(call.node, "the fragments of this product do not fit each other")
    _together(emitter, call.place)
    values = [
        tuple(convert(emitter, value, tile.scalar, call.place) for value in _read(lowering, argument, call.place))
        for argument in call.arguments[1:4]
    ]
    rows, columns = Exchanged(values[0]), Exchanged(values[1])
    for number, element in enumerate(_elements(emitter, target, tile, call.place)):
        total = values[2][number]
        for inner in range(left.columns):
            at = [divmod(LANES * (number + 1) - 1 - lane, tile.columns) for lane in range(LANES)]
            factor = rows.fetched(emitter, [row * left.columns + inner for row, _ in at], call.place)
            other = columns.fetched(emitter, [inner * tile.columns + column for _, column in at], call.place)
            total = _multiplied(emitter, (factor, other), total, call.place)
        _written(emitter, element, total, call.place)
    return NOTHING


def _multiplied(emitter: Emitter, factors: tuple[Operand, Operand], plus: Operand, place: Place) -> Operand:
    if plus.type.is_float:
        return function(emitter, "fma", (*factors, plus), place)
    return binary(emitter, BinaryOperator.ADD, (binary(emitter, BinaryOperator.MULTIPLY, factors, place), plus), place)


def _rounded(lowering: Lowering, call: BuiltInCall) -> Value:
    """`__float_to_tf32(x)`: the number itself."""
    counted(lowering.emitter, call, 1)
    return Rvalue(Arithmetic(Scalar.F32), (scalar(lowering, call.arguments[0], Scalar.F32),))


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    "load_matrix_sync": _load,
    "store_matrix_sync": _store,
    "fill_fragment": _fill,
    "mma_sync": _multiply,
    "__float_to_tf32": _rounded,
}

TYPES: Mapping[str, BuiltInType] = {
    "fragment": _fragment,
    "tf32": _word("tf32"),
    **{name: _word(name) for name in ("matrix_a", "matrix_b", "accumulator", "row_major", "col_major")},
}
