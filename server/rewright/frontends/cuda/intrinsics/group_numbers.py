"""Cooperative groups in numbers: how many threads a group has, which of them one is, the mask of a part of a warp.

A group is a type that says what it is; only threads that came together hold something at run time, their mask. A tile
has at most a warp's threads. Must not know what groups do.
"""

from __future__ import annotations

from rewright.emit.emitter import Emitter
from rewright.emit.operators import binary, integer, unary
from rewright.emit.types import OpaqueType, ScalarLeaf
from rewright.emit.values import Rvalue
from rewright.frontends.cuda.cxx.names import position
from rewright.frontends.cuda.intrinsics.warps import LANES, WHOLE
from rewright.model.simt.instructions import Operand
from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar, UnaryOperator
from rewright.verdict import Place

BLOCK = OpaqueType("thread_block")
GRID = OpaqueType("grid_group")
TOGETHER = OpaqueType("coalesced_group", (), (ScalarLeaf(0, Scalar.U32),))


def tile(size: int) -> OpaqueType:
    """The type of tiles of so many threads."""
    return OpaqueType("thread_block_tile", (size,))


def component(emitter: Emitter, of: Coordinate, axis: int, place: Place) -> Operand:
    """A component of a built-in triple."""
    return position(emitter, of, axis, place).operand


def unsigned(value: int) -> Operand:
    """An `unsigned` constant."""
    return integer(value, Scalar.U32)


def rank_in_block(emitter: Emitter, place: Place) -> Operand:
    """The number of the thread in its block, x first."""
    warps = binary(
        emitter, BinaryOperator.MULTIPLY, (component(emitter, Coordinate.WARP, 0, place), unsigned(LANES)), place
    )
    return binary(emitter, BinaryOperator.ADD, (warps, component(emitter, Coordinate.LANE, 0, place)), place)


def product(emitter: Emitter, of: Coordinate, place: Place) -> Operand:
    """The number of threads of a block, or of blocks of the grid."""
    plane = binary(
        emitter, BinaryOperator.MULTIPLY, (component(emitter, of, 0, place), component(emitter, of, 1, place)), place
    )
    return binary(emitter, BinaryOperator.MULTIPLY, (plane, component(emitter, of, 2, place)), place)


def rank_of_block(emitter: Emitter, place: Place) -> Operand:
    """The number of the block in the grid, x first."""
    rank = component(emitter, Coordinate.BLOCK, 2, place)
    for axis in (1, 0):
        scaled = binary(
            emitter, BinaryOperator.MULTIPLY, (rank, component(emitter, Coordinate.GRID_DIM, axis, place)), place
        )
        rank = binary(emitter, BinaryOperator.ADD, (scaled, component(emitter, Coordinate.BLOCK, axis, place)), place)
    return rank


def first_lane(emitter: Emitter, size: int, place: Place) -> Operand:
    """The lane that the thread's tile begins at."""
    return binary(emitter, BinaryOperator.AND, (component(emitter, Coordinate.LANE, 0, place), unsigned(-size)), place)


def mask_of(emitter: Emitter, group: Rvalue, place: Place) -> Operand:
    """The lanes of the thread's group, which is a tile or came together."""
    if group.leaves:
        return group.operand
    size = size_of_tile(group)
    if size == LANES:
        return WHOLE
    return binary(
        emitter, BinaryOperator.SHIFT_LEFT, (unsigned((1 << size) - 1), first_lane(emitter, size, place)), place
    )


def size_of_tile(group: Rvalue) -> int:
    """How many threads a tile has."""
    assert isinstance(group.type, OpaqueType) and isinstance(group.type.arguments[0], int)
    return group.type.arguments[0]


def rank(emitter: Emitter, group: Rvalue, place: Place) -> Operand:
    """The number of the thread in its group."""
    assert isinstance(group.type, OpaqueType)
    match group.type.kind:
        case "thread_block":
            return rank_in_block(emitter, place)
        case "grid_group":
            before = binary(
                emitter,
                BinaryOperator.MULTIPLY,
                (rank_of_block(emitter, place), product(emitter, Coordinate.BLOCK_DIM, place)),
                place,
            )
            return binary(emitter, BinaryOperator.ADD, (before, rank_in_block(emitter, place)), place)
        case "coalesced_group":
            lane = component(emitter, Coordinate.LANE, 0, place)
            bit = binary(emitter, BinaryOperator.SHIFT_LEFT, (unsigned(1), lane), place)
            below = binary(emitter, BinaryOperator.SUBTRACT, (bit, unsigned(1)), place)
            lower = binary(emitter, BinaryOperator.AND, (group.operand, below), place)
            return unary(emitter, UnaryOperator.COUNT_ONES, lower, place)
        case _:
            lane = component(emitter, Coordinate.LANE, 0, place)
            return binary(emitter, BinaryOperator.AND, (lane, unsigned(size_of_tile(group) - 1)), place)


def size(emitter: Emitter, group: Rvalue, place: Place) -> Operand:
    """How many threads the group has."""
    assert isinstance(group.type, OpaqueType)
    match group.type.kind:
        case "thread_block":
            return product(emitter, Coordinate.BLOCK_DIM, place)
        case "grid_group":
            blocks = product(emitter, Coordinate.GRID_DIM, place)
            return binary(
                emitter, BinaryOperator.MULTIPLY, (blocks, product(emitter, Coordinate.BLOCK_DIM, place)), place
            )
        case "coalesced_group":
            return unary(emitter, UnaryOperator.COUNT_ONES, group.operand, place)
        case _:
            return unsigned(size_of_tile(group))


def tile_rank(emitter: Emitter, group: Rvalue, place: Place) -> Operand:
    """The number of the thread's tile among those of its block."""
    rank = rank_in_block(emitter, place)
    return binary(emitter, BinaryOperator.DIVIDE, (rank, unsigned(size_of_tile(group))), place)


def tile_count(emitter: Emitter, group: Rvalue, place: Place) -> Operand:
    """How many tiles the block has."""
    size = size_of_tile(group)
    threads = product(emitter, Coordinate.BLOCK_DIM, place)
    rounded = binary(emitter, BinaryOperator.ADD, (threads, unsigned(size - 1)), place)
    return binary(emitter, BinaryOperator.DIVIDE, (rounded, unsigned(size)), place)
