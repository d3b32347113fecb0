"""Cooperative groups: the block, tiles of a warp, the threads that are at a place together, the grid.

Owns how groups are made, named as types, and what their threads do together. Must not know how warps are executed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import loaded
from rewright.emit.operators import binary, convert, integer, unary
from rewright.emit.types import DeducedType, OpaqueType, TemplateArguments, Type, vector
from rewright.emit.values import NOTHING, Rvalue, Value
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, BuiltInType, Lowering, NamesInScope
from rewright.frontends.cuda.cxx.operands import constant, rvalue, truth
from rewright.frontends.cuda.cxx.operands import scalar as scalar_value
from rewright.frontends.cuda.intrinsics.group_numbers import (
    BLOCK,
    GRID,
    TOGETHER,
    component,
    first_lane,
    mask_of,
    product,
    rank,
    rank_of_block,
    size,
    size_of_tile,
    tile,
    tile_count,
    tile_rank,
    unsigned,
)
from rewright.frontends.cuda.intrinsics.matches import combined
from rewright.frontends.cuda.intrinsics.operands import counted, given
from rewright.frontends.cuda.intrinsics.warps import LANES, ExchangeForm, active_mask, shuffled, voted
from rewright.frontends.cuda.reading.tree import text
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Operand, ShuffleKind, VoteKind
from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar, UnaryOperator
from rewright.verdict import Place

NumberOfGroup = Callable[[Emitter, Rvalue, Place], Operand]


def _number(read: NumberOfGroup) -> BuiltInFunction:
    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        counted(emitter, call, 0)
        return given(read(emitter, _group(emitter, call), call.place))

    return lower


def _index(of: Coordinate) -> BuiltInFunction:
    """A triple, as a `dim3`."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        counted(lowering.emitter, call, 0)
        kind = vector("dim3")
        assert kind is not None
        return Rvalue(kind, tuple(component(lowering.emitter, of, axis, call.place) for axis in range(3)))

    return lower


# ----------------------------------------------------------------------------------------------------- together in time


def _group(emitter: Emitter, call: BuiltInCall) -> Rvalue:
    """The group that a method is called on."""
    assert call.receiver is not None
    return loaded(emitter, call.receiver, call.place)


def _synchronised(emitter: Emitter, group: Rvalue, call: BuiltInCall) -> Value:
    match group.type:
        case OpaqueType(kind="thread_block"):
            emitter.emit(simt.Barrier(None, None, None, call.place))
        case OpaqueType(kind="thread_block_tile" | "coalesced_group"):
            emitter.emit(simt.WarpBarrier(mask_of(emitter, group, call.place), call.place))
        case OpaqueType(kind="grid_group"):
            emitter.refuse_construct(call.node, "a barrier of the whole grid")
        case _:
            emitter.refuse(call.node, "this is not a group of threads")
    return NOTHING


def _sync_method(lowering: Lowering, call: BuiltInCall) -> Value:
    emitter = lowering.emitter
    counted(emitter, call, 0)
    return _synchronised(emitter, _group(emitter, call), call)


def _sync_function(lowering: Lowering, call: BuiltInCall) -> Value:
    counted(lowering.emitter, call, 1)
    return _synchronised(lowering.emitter, rvalue(lowering, call.arguments[0]), call)


def _shuffle(kind: ShuffleKind) -> BuiltInFunction:
    """`tile.shfl_down(value, distance)` and its like."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        counted(emitter, call, 2)
        group = _group(emitter, call)
        value = rvalue(lowering, call.arguments[0])
        lane = scalar_value(lowering, call.arguments[1], Scalar.S32)
        how = ExchangeForm(kind, mask_of(emitter, group, call.place), lane, integer(size_of_tile(group)))
        return shuffled(emitter, how, value, call.place)

    return lower


def _from_first(lowering: Lowering, call: BuiltInCall) -> Value:
    """`coalesced_threads().shfl(value, 0)`: the value of the first of them."""
    emitter = lowering.emitter
    counted(emitter, call, 2)
    if constant(lowering, call.arguments[1]) != 0:
        emitter.refuse_construct(call.arguments[1], "a shuffle from another thread than the first of these")
    mask = _group(emitter, call).operand
    value = rvalue(lowering, call.arguments[0])
    first = unary(emitter, UnaryOperator.FIRST_ONE, mask, call.place)
    lane = binary(
        emitter, BinaryOperator.SUBTRACT, (convert(emitter, first, Scalar.S32, call.place), integer(1)), call.place
    )
    return shuffled(emitter, ExchangeForm(ShuffleKind.INDEX, mask, lane, integer(LANES)), value, call.place)


def _vote(kind: VoteKind) -> BuiltInFunction:
    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        counted(emitter, call, 1)
        operand = truth(lowering, call.arguments[0])
        return voted(emitter, kind, (mask_of(emitter, _group(emitter, call), call.place), operand), call.place)

    return lower


def _tile_ballot(lowering: Lowering, call: BuiltInCall) -> Value:
    """The mask of a tile's truths, its first thread lowest."""
    emitter = lowering.emitter
    counted(emitter, call, 1)
    operand = truth(lowering, call.arguments[0])
    group = _group(emitter, call)
    mask = mask_of(emitter, group, call.place)
    found = voted(emitter, VoteKind.BALLOT, (mask, operand), call.place).operand
    first = first_lane(emitter, size_of_tile(group), call.place) if size_of_tile(group) < LANES else unsigned(0)
    return given(binary(emitter, BinaryOperator.SHIFT_RIGHT, (found, first), call.place))


_REDUCTIONS = {
    "plus": BinaryOperator.ADD,
    "less": BinaryOperator.MINIMUM,
    "greater": BinaryOperator.MAXIMUM,
    "bit_and": BinaryOperator.AND,
    "bit_or": BinaryOperator.OR,
    "bit_xor": BinaryOperator.XOR,
}


def _reduced(lowering: Lowering, call: BuiltInCall) -> Value:
    """`reduce(tile, value, plus<T>())`: every thread of the tile gets the result."""
    emitter = lowering.emitter
    counted(emitter, call, 3)
    group = rvalue(lowering, call.arguments[0])
    named = re.search(r"(\w+)\s*<", text(call.arguments[2]))
    operator = _REDUCTIONS.get(named[1]) if named is not None else None
    if not isinstance(group.type, OpaqueType) or group.type.kind != "thread_block_tile" or operator is None:
        emitter.refuse_construct(call.node, "this reduction")
    value = rvalue(lowering, call.arguments[1])
    if len(value.leaves) != 1:
        emitter.refuse_construct(call.arguments[1], "a reduction of structs")
    among = (mask_of(emitter, group, call.place), size_of_tile(group))
    return combined(emitter, (operator, value), among, call.place)


# ----------------------------------------------------------------------------------------------------- making of groups


def _made(kind: OpaqueType) -> BuiltInFunction:
    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        counted(lowering.emitter, call, 0)
        return Rvalue(kind, ())

    return lower


def _together(lowering: Lowering, call: BuiltInCall) -> Value:
    counted(lowering.emitter, call, 0)
    return Rvalue(TOGETHER, (active_mask(lowering.emitter, call.place),))


def _partitioned(lowering: Lowering, call: BuiltInCall) -> Value:
    """`tiled_partition<32>(block)`, `tiled_partition(block, 32)`."""
    emitter = lowering.emitter
    counted(emitter, call, 1, 2)
    if call.template:
        size = call.template[0] if isinstance(call.template[0], int) else None
    else:
        size = constant(lowering, call.arguments[1]) if len(call.arguments) == 2 else None
    parent = rvalue(lowering, call.arguments[0]).type
    if not isinstance(parent, OpaqueType) or parent.kind not in ("thread_block", "thread_block_tile"):
        emitter.refuse_construct(call.arguments[0], "a partition of this")
    return Rvalue(_sized(emitter, size, call.node), ())


def _sized(emitter: Emitter, size: object, node: Node) -> OpaqueType:
    if not isinstance(size, int) or size not in (1, 2, 4, 8, 16, 32):
        emitter.refuse_construct(
            node, "a tile of more threads than a warp has, or of a number that is no power of two,"
        )
    return tile(size)


def _tile_type(emitter: Emitter, names: NamesInScope, arguments: TemplateArguments, node: Node) -> Type:
    return _sized(emitter, arguments[0] if arguments else None, node)


def _plain_type(kind: Type) -> BuiltInType:
    return lambda emitter, names, arguments, node: kind


_RANKS: Mapping[str, NumberOfGroup] = {"thread_rank": rank, "size": size, "num_threads": size}

FUNCTIONS: Mapping[str, BuiltInFunction] = {
    "this_thread_block": _made(BLOCK),
    "this_grid": _made(GRID),
    "coalesced_threads": _together,
    "tiled_partition": _partitioned,
    "sync": _sync_function,
    "synchronize": _sync_function,
    "reduce": _reduced,
}

TYPES: Mapping[str, BuiltInType] = {
    "thread_block": _plain_type(BLOCK),
    "grid_group": _plain_type(GRID),
    "coalesced_group": _plain_type(TOGETHER),
    "thread_block_tile": _tile_type,
    "thread_group": _plain_type(DeducedType("auto")),
}

METHODS: Mapping[tuple[str, str], BuiltInFunction] = {
    **{
        (kind, name): _number(read)
        for kind in ("thread_block", "grid_group", "coalesced_group", "thread_block_tile")
        for name, read in _RANKS.items()
    },
    **{(kind, "sync"): _sync_method for kind in ("thread_block", "grid_group", "coalesced_group", "thread_block_tile")},
    ("thread_block", "group_index"): _index(Coordinate.BLOCK),
    ("thread_block", "thread_index"): _index(Coordinate.THREAD),
    ("thread_block", "group_dim"): _index(Coordinate.BLOCK_DIM),
    ("thread_block", "dim_threads"): _index(Coordinate.BLOCK_DIM),
    ("grid_group", "group_dim"): _index(Coordinate.GRID_DIM),
    ("grid_group", "dim_blocks"): _index(Coordinate.GRID_DIM),
    ("grid_group", "block_index"): _index(Coordinate.BLOCK),
    ("grid_group", "block_rank"): _number(lambda emitter, group, place: rank_of_block(emitter, place)),
    ("grid_group", "num_blocks"): _number(lambda emitter, group, place: product(emitter, Coordinate.GRID_DIM, place)),
    ("thread_block_tile", "meta_group_rank"): _number(tile_rank),
    ("thread_block_tile", "meta_group_size"): _number(tile_count),
    ("thread_block_tile", "shfl"): _shuffle(ShuffleKind.INDEX),
    ("thread_block_tile", "shfl_up"): _shuffle(ShuffleKind.UP),
    ("thread_block_tile", "shfl_down"): _shuffle(ShuffleKind.DOWN),
    ("thread_block_tile", "shfl_xor"): _shuffle(ShuffleKind.XOR),
    ("thread_block_tile", "ballot"): _tile_ballot,
    ("thread_block_tile", "any"): _vote(VoteKind.ANY),
    ("thread_block_tile", "all"): _vote(VoteKind.ALL),
    ("coalesced_group", "any"): _vote(VoteKind.ANY),
    ("coalesced_group", "all"): _vote(VoteKind.ALL),
    ("coalesced_group", "shfl"): _from_first,
}
