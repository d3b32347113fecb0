"""Drafts in the SIMT form, straight from the interleaver's code: each instruction's place is its number there."""

from __future__ import annotations

from kernel_drafts import ARRAYS, SIZE, Draft, Expr
from kernel_interleaver import Code, compiled

from rewright.emit.builder import Builder, Label
from rewright.model import body
from rewright.model.index import Name
from rewright.model.simt.instructions import (
    AddressOf,
    Atomic,
    AtomicOperation,
    Barrier,
    Binary,
    Constant,
    Convert,
    Exit,
    Fence,
    Load,
    Move,
    Operand,
    Position,
    Register,
    Shuffle,
    ShuffleKind,
    Store,
    Subscript,
    Vote,
    VoteKind,
    WarpBarrier,
)
from rewright.model.simt.program import Object, Program
from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar, Space
from rewright.model.simt.violation import Order, Setting
from rewright.verdict import Site

S32, S64, U32, U64, PRED = Scalar.S32, Scalar.S64, Scalar.U32, Scalar.U64, Scalar.PRED

SHUFFLES = {"idx": ShuffleKind.INDEX, "up": ShuffleKind.UP, "down": ShuffleKind.DOWN, "xor": ShuffleKind.XOR}
POLLS = {"and": VoteKind.ALL, "or": VoteKind.ANY, "count": VoteKind.COUNT}
VOTES = {"all": VoteKind.ALL, "any": VoteKind.ANY, "ballot": VoteKind.BALLOT}
ATOMICS = {
    "add": AtomicOperation.ADD,
    "max": AtomicOperation.MAXIMUM,
    "exch": AtomicOperation.EXCHANGE,
    "cas": AtomicOperation.COMPARE_AND_SWAP,
}


def program(kernel: Draft) -> Program:
    """The kernel as a program."""
    return _Lowering(kernel).program()


def setting(kernel: Draft, order: Order) -> Setting:
    """Its only block."""
    return Setting((1, 1, 1), (kernel.threads, 1, 1), (), (), order, kernel.warp)


class _Lowering:
    def __init__(self, kernel: Draft) -> None:
        self.code: Code = compiled(kernel.body)
        self.builder = Builder()
        self.labels = [Label() for _ in self.code]
        self.variables = {name: self.builder.register(S32, name) for name in kernel.variables}
        self.thread = self.builder.register(S32)
        self.site = Site(0)

    def program(self) -> Program:
        self.builder.emit(Position(Coordinate.THREAD, 0, self.thread, self.site))
        for name in ARRAYS:
            space = Space.GLOBAL if name == "g" else Space.SHARED
            self.builder.object(
                Object(Name(name), space, S32, (body.Integer(SIZE, S32, Site(0)),), is_input=False, place=Site(0))
            )
        for number, instruction in enumerate(self.code):
            self.site = Site(number)
            self.builder.place(self.labels[number])
            self.instruction(instruction)
        return self.builder.program()

    def instruction(self, instruction: tuple[object, ...]) -> None:
        emit, site = self.builder.emit, self.site
        match instruction:
            case ("set", str(name), value):
                emit(Move(self.variables[name], self.value(value), site))
            case ("load", str(name), str(array), index):
                address, subscripts = self.address(array, index)
                emit(Load((self.variables[name],), address, subscripts, site))
            case ("store", str(array), index, value):
                address, subscripts = self.address(array, index)
                emit(Store((self.value(value),), address, subscripts, site))
            case ("atomic", str(operation), str(name), str(array), index, value):
                address, subscripts = self.address(array, index)
                compare = Constant(0, S32) if operation == "cas" else None
                operands = ATOMICS[operation], self.variables[name], address, self.value(value)
                emit(Atomic(*operands, compare, subscripts, site))
            case ("unless", condition, int(target)):
                self.builder.branch(self.truth(condition), self.labels[target], site)
            case ("jump", int(target)):
                self.builder.jump(self.labels[target], site)
            case ("end",):
                emit(Exit(site))
            case _:
                self.waiting(instruction)

    def waiting(self, instruction: tuple[object, ...]) -> None:
        emit, site = self.builder.emit, self.site
        match instruction:
            case ("fence",):
                emit(Fence(site))
            case ("barrier",):
                emit(Barrier(None, None, None, site))
            case ("poll", str(kind), str(name), condition):
                scalar = S32 if kind == "count" else PRED
                result = self.builder.register(scalar)
                emit(Barrier(POLLS[kind], result, self.truth(condition), site))
                emit(
                    Convert(self.variables[name], result, site)
                    if scalar is PRED
                    else Move(self.variables[name], result, site)
                )
            case ("sync", mask):
                emit(WarpBarrier(self.mask(mask), site))
            case ("shuffle", str(kind), str(name), mask, value, lane, int(width)):
                operands = self.mask(mask), self.value(value), self.value(lane), Constant(width, S32)
                emit(Shuffle(SHUFFLES[kind], self.variables[name], *operands, site))
            case ("vote", str(kind), str(name), mask, condition):
                result = self.builder.register(U32 if kind == "ballot" else PRED)
                emit(Vote(VOTES[kind], result, self.mask(mask), self.truth(condition), site))
                emit(Convert(self.variables[name], result, site))
            case other:
                raise AssertionError(other)

    def address(self, array: str, index: Expr) -> tuple[Operand, tuple[Subscript, ...]]:
        start, wide = self.builder.register(U64), self.builder.register(S64)
        self.builder.emit(AddressOf(start, ARRAYS.index(array), self.site))
        self.builder.emit(Convert(wide, self.value(index), self.site))
        distance = self.convert(self.binary(BinaryOperator.MULTIPLY, wide, Constant(4, S64)), U64)
        return self.binary(BinaryOperator.ADD, start, distance), (Subscript(wide, Constant(SIZE, S64)),)

    def mask(self, mask: Expr) -> Operand:
        return Constant(mask, U32) if isinstance(mask, int) else self.convert(self.value(mask), U32)

    def truth(self, condition: Expr) -> Operand:
        return self.binary(BinaryOperator.NOT_EQUAL, self.value(condition), Constant(0, S32))

    def value(self, expression: Expr) -> Operand:
        if isinstance(expression, int):
            return Constant(expression, S32)
        if expression == "t":
            return self.thread
        if isinstance(expression, str):
            return self.variables[expression]
        operator = BinaryOperator(expression[0])
        found = self.binary(operator, self.value(expression[1]), self.value(expression[2]))
        return self.convert(found, S32) if operator.is_comparison else found

    def binary(self, operator: BinaryOperator, left: Operand, right: Operand) -> Register:
        result = self.builder.register(PRED if operator.is_comparison else left.type)
        self.builder.emit(Binary(operator, result, left, right, self.site))
        return result

    def convert(self, operand: Operand, scalar: Scalar) -> Register:
        result = self.builder.register(scalar)
        self.builder.emit(Convert(result, operand, self.site))
        return result
