"""Instructions that concern one thread and its registers only, as functions over rows. Must not know memory."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from rewright.model.simt.instructions import (
    AddressOf,
    Binary,
    Choose,
    Convert,
    Forget,
    Function,
    Move,
    Operand,
    Position,
    Reinterpret,
    Unary,
)
from rewright.model.simt.types import BinaryOperator, Coordinate
from rewright.model.simt.violation import Setting, Triple
from rewright.replay.kernel import floats
from rewright.replay.kernel.conversions import converted, holds_all, reinterpreted
from rewright.replay.kernel.frame import NUMBER, OBJECTS, Frame, Op, Rows
from rewright.replay.kernel.numbers import Binary as BinaryFunction
from rewright.replay.kernel.numbers import Unary as UnaryFunction
from rewright.replay.kernel.numbers import binary, unary, wrapping
from rewright.replay.kernel.pointers import pointer_to

Local = Move | Forget | Unary | Binary | Convert | Reinterpret | Choose | Function | Position | AddressOf


class BlockSurroundings(Struct, frozen=True):
    """The launch and the block that the threads belong to."""

    setting: Setting
    block: Triple


def local(instruction: Local, frame: Frame, around: BlockSurroundings) -> Op:
    """What the instruction does."""
    if isinstance(instruction, Forget):
        return _forgotten(tuple(frame.place(each) for each in instruction.registers), instruction.objects)
    result = frame.place(instruction.result)
    match instruction:
        case Move():
            return _copied(result, frame.place(instruction.operand))
        case Unary():
            of = unary(instruction.operator, instruction.result.type)
            return _mapped(of, result, frame.place(instruction.operand))
        case Convert() if holds_all(instruction.operand.type, instruction.result.type):
            return _copied(result, frame.place(instruction.operand))
        case Convert():
            of = converted(instruction.operand.type, instruction.result.type)
            return _mapped(of, result, frame.place(instruction.operand))
        case Reinterpret():
            of = reinterpreted(instruction.operand.type, instruction.result.type)
            return _mapped(of, result, frame.place(instruction.operand))
        case Binary():
            return _binary(instruction, frame)
        case Choose():
            return _chosen(result, tuple(frame.place(each) for each in _choice(instruction)))
        case Function():
            places = tuple(frame.place(each) for each in instruction.operands)
            return _called(floats.function(instruction.name, instruction.result.type), result, places)
        case Position():
            return _position(instruction, result, around)
        case AddressOf():
            return _constant(result, pointer_to(instruction.object))


def _choice(instruction: Choose) -> tuple[Operand, Operand, Operand]:
    return instruction.condition, instruction.on_true, instruction.on_false


def _forgotten(registers: tuple[int, ...], objects: tuple[int, ...]) -> Op:
    def run(rows: Rows) -> None:
        for row in rows:
            for register in registers:
                row[register] = 0
            for number in objects:
                row[OBJECTS][number + 1].forget()

    return run


def _copied(result: int, operand: int) -> Op:
    def run(rows: Rows) -> None:
        for row in rows:
            row[result] = row[operand]

    return run


def _mapped(of: UnaryFunction, result: int, operand: int) -> Op:
    def run(rows: Rows) -> None:
        for row in rows:
            row[result] = of(row[operand])

    return run


def _binary(instruction: Binary, frame: Frame) -> Op:
    """The most frequent ones without a call for each thread."""
    result, scalar = frame.place(instruction.result), instruction.left.type
    places = result, frame.place(instruction.left), frame.place(instruction.right)
    if not scalar.is_float and instruction.operator is BinaryOperator.ADD:
        return _sum(places, *wrapping(scalar))
    if not scalar.is_float and instruction.operator is BinaryOperator.MULTIPLY:
        return _product(places, *wrapping(scalar))
    return _combined(binary(instruction.operator, scalar), places)


def _sum(places: tuple[int, int, int], mask: int, half: int) -> Op:
    result, left, right = places

    def run(rows: Rows) -> None:
        for row in rows:
            row[result] = ((row[left] + row[right] + half) & mask) - half

    return run


def _product(places: tuple[int, int, int], mask: int, half: int) -> Op:
    result, left, right = places

    def run(rows: Rows) -> None:
        for row in rows:
            row[result] = ((row[left] * row[right] + half) & mask) - half

    return run


def _combined(of: BinaryFunction, places: tuple[int, int, int]) -> Op:
    result, left, right = places

    def run(rows: Rows) -> None:
        for row in rows:
            row[result] = of(row[left], row[right])

    return run


def _chosen(result: int, places: tuple[int, ...]) -> Op:
    condition, on_true, on_false = places

    def run(rows: Rows) -> None:
        for row in rows:
            row[result] = row[on_true] if row[condition] else row[on_false]

    return run


def _called(of: Any, result: int, places: tuple[int, ...]) -> Op:
    def run(rows: Rows) -> None:
        for row in rows:
            row[result] = of(*(row[place] for place in places))

    return run


def _constant(result: int, value: int) -> Op:
    def run(rows: Rows) -> None:
        for row in rows:
            row[result] = value

    return run


def _position(instruction: Position, result: int, around: BlockSurroundings) -> Op:
    setting, axis = around.setting, instruction.axis
    match instruction.of:
        case Coordinate.THREAD:
            return _by_number([index_of(setting, number)[axis] for number in range(threads(setting))], result)
        case Coordinate.LANE:
            return _by_number([number % setting.warp for number in range(threads(setting))], result)
        case Coordinate.WARP:
            return _by_number([number // setting.warp for number in range(threads(setting))], result)
        case Coordinate.BLOCK:
            return _constant(result, around.block[axis])
        case Coordinate.BLOCK_DIM:
            return _constant(result, setting.block[axis])
        case Coordinate.GRID_DIM:
            return _constant(result, setting.grid[axis])
        case Coordinate.WARP_SIZE:
            return _constant(result, setting.warp)


def _by_number(values: list[int], result: int) -> Op:
    def run(rows: Rows) -> None:
        for row in rows:
            row[result] = values[row[NUMBER]]

    return run


def threads(setting: Setting) -> int:
    """The threads of a block."""
    x, y, z = setting.block
    return x * y * z


def index_of(setting: Setting, number: int) -> Triple:
    """The index of the thread with this number: x counts first."""
    x, y, _ = setting.block
    return number % x, number // x % y, number // (x * y)


def number_of(setting: Setting, index: Triple) -> int:
    """The number of the thread with this index."""
    x, y, _ = setting.block
    return index[0] + x * (index[1] + y * index[2])
