"""Cooperative groups in numbers: how many threads a group has, which of them one is, the mask of a part of a warp.

A group is a type that says what it is; only threads that came together hold something at run time, their mask. A tile
has at most a warp's threads. Must not know what groups do.
"""

from __future__ import annotations

from rewright.frontends.cuda.cxx.names import position
from rewright.frontends.cuda.cxx.types import Leaf, Opaque
from rewright.frontends.cuda.cxx.values import Rvalue
from rewright.frontends.cuda.intrinsics.warps import LANES, WHOLE
from rewright.frontends.cuda.lower.emit import binary, integer, unary
from rewright.frontends.cuda.lower.lowering import Lowering
from rewright.model.simt.instructions import Operand
from rewright.model.simt.types import Coordinate, Operator, Scalar, UnaryOperator
from rewright.verdict import Place

BLOCK = Opaque("thread_block")
GRID = Opaque("grid_group")
TOGETHER = Opaque("coalesced_group", (), (Leaf(0, Scalar.U32),))


def tile(size: int) -> Opaque:
    """The type of tiles of so many threads."""
    return Opaque("thread_block_tile", (size,))


def component(lowering: Lowering, of: Coordinate, axis: int, place: Place) -> Operand:
    """A component of a built-in triple."""
    return position(lowering, of, axis, place).operand


def unsigned(value: int) -> Operand:
    """An `unsigned` constant."""
    return integer(value, Scalar.U32)


def rank_in_block(lowering: Lowering, place: Place) -> Operand:
    """The number of the thread in its block, x first."""
    warps = binary(
        lowering, Operator.MULTIPLY, (component(lowering, Coordinate.WARP, 0, place), unsigned(LANES)), place
    )
    return binary(lowering, Operator.ADD, (warps, component(lowering, Coordinate.LANE, 0, place)), place)


def product(lowering: Lowering, of: Coordinate, place: Place) -> Operand:
    """The number of threads of a block, or of blocks of the grid."""
    plane = binary(
        lowering, Operator.MULTIPLY, (component(lowering, of, 0, place), component(lowering, of, 1, place)), place
    )
    return binary(lowering, Operator.MULTIPLY, (plane, component(lowering, of, 2, place)), place)


def rank_of_block(lowering: Lowering, place: Place) -> Operand:
    """The number of the block in the grid, x first."""
    rank = component(lowering, Coordinate.BLOCK, 2, place)
    for axis in (1, 0):
        scaled = binary(
            lowering, Operator.MULTIPLY, (rank, component(lowering, Coordinate.GRID_DIM, axis, place)), place
        )
        rank = binary(lowering, Operator.ADD, (scaled, component(lowering, Coordinate.BLOCK, axis, place)), place)
    return rank


def first_lane(lowering: Lowering, size: int, place: Place) -> Operand:
    """The lane that the thread's tile begins at."""
    return binary(lowering, Operator.AND, (component(lowering, Coordinate.LANE, 0, place), unsigned(-size)), place)


def mask_of(lowering: Lowering, group: Rvalue, place: Place) -> Operand:
    """The lanes of the thread's group, which is a tile or came together."""
    if group.leaves:
        return group.operand
    size = size_of_tile(group)
    if size == LANES:
        return WHOLE
    return binary(lowering, Operator.SHIFT_LEFT, (unsigned((1 << size) - 1), first_lane(lowering, size, place)), place)


def size_of_tile(group: Rvalue) -> int:
    """How many threads a tile has."""
    assert isinstance(group.type, Opaque) and isinstance(group.type.arguments[0], int)
    return group.type.arguments[0]


def rank(lowering: Lowering, group: Rvalue, place: Place) -> Operand:
    """The number of the thread in its group."""
    assert isinstance(group.type, Opaque)
    match group.type.kind:
        case "thread_block":
            return rank_in_block(lowering, place)
        case "grid_group":
            before = binary(
                lowering,
                Operator.MULTIPLY,
                (rank_of_block(lowering, place), product(lowering, Coordinate.BLOCK_DIM, place)),
                place,
            )
            return binary(lowering, Operator.ADD, (before, rank_in_block(lowering, place)), place)
        case "coalesced_group":
            lane = component(lowering, Coordinate.LANE, 0, place)
            bit = binary(lowering, Operator.SHIFT_LEFT, (unsigned(1), lane), place)
            below = binary(lowering, Operator.SUBTRACT, (bit, unsigned(1)), place)
            lower = binary(lowering, Operator.AND, (group.operand, below), place)
            return unary(lowering, UnaryOperator.COUNT_ONES, lower, place)
        case _:
            lane = component(lowering, Coordinate.LANE, 0, place)
            return binary(lowering, Operator.AND, (lane, unsigned(size_of_tile(group) - 1)), place)


def size(lowering: Lowering, group: Rvalue, place: Place) -> Operand:
    """How many threads the group has."""
    assert isinstance(group.type, Opaque)
    match group.type.kind:
        case "thread_block":
            return product(lowering, Coordinate.BLOCK_DIM, place)
        case "grid_group":
            blocks = product(lowering, Coordinate.GRID_DIM, place)
            return binary(lowering, Operator.MULTIPLY, (blocks, product(lowering, Coordinate.BLOCK_DIM, place)), place)
        case "coalesced_group":
            return unary(lowering, UnaryOperator.COUNT_ONES, group.operand, place)
        case _:
            return unsigned(size_of_tile(group))


def tile_rank(lowering: Lowering, group: Rvalue, place: Place) -> Operand:
    """The number of the thread's tile among those of its block."""
    rank = rank_in_block(lowering, place)
    return binary(lowering, Operator.DIVIDE, (rank, unsigned(size_of_tile(group))), place)


def tile_count(lowering: Lowering, group: Rvalue, place: Place) -> Operand:
    """How many tiles the block has."""
    size = size_of_tile(group)
    threads = product(lowering, Coordinate.BLOCK_DIM, place)
    rounded = binary(lowering, Operator.ADD, (threads, unsigned(size - 1)), place)
    return binary(lowering, Operator.DIVIDE, (rounded, unsigned(size)), place)
