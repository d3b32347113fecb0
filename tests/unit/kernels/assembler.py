"""Programs of the SIMT form for tests, instruction by instruction; instruction number n has the place `Site(n)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rewright.emit.builder import Builder, Label
from rewright.kernels.execution.run import RunOutcome, run
from rewright.model.body import Integer
from rewright.model.index import Name
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Operand, Register, Subscript
from rewright.model.simt.program import Object, Program
from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar, Space, UnaryOperator
from rewright.model.simt.violation import Order, Setting, Triple
from rewright.verdict import Site

S32, S64, U32, U64, F32, PRED = Scalar.S32, Scalar.S64, Scalar.U32, Scalar.U64, Scalar.F32, Scalar.PRED
HERE = Site(0)


@dataclass
class Assembler:
    """A program under way; methods emit an instruction and give its result."""

    builder: Builder = field(default_factory=Builder)
    contents: dict[Name, tuple[int | float, ...]] = field(default_factory=dict)
    values: dict[Name, int | float] = field(default_factory=dict)

    @property
    def here(self) -> Site:
        """The place of the next instruction."""
        return Site(len(self.builder.code))

    # objects

    def object(self, name: str, space: Space, scalar: Scalar, extents: Sequence[int] | None, given: bool) -> int:
        """A new object; `given`: its contents are those of an input."""
        sizes = None if extents is None else tuple(Integer(size, S32, HERE) for size in extents)
        return self.builder.object(Object(Name(name), space, scalar, sizes, given, HERE))

    def input(self, name: str, scalar: Scalar, contents: Sequence[int | float], extents: Sequence[int] = ()) -> int:
        """A global array with contents."""
        self.contents[Name(name)] = tuple(contents)
        return self.object(name, Space.GLOBAL, scalar, tuple(extents) or (len(contents),), given=True)

    def output(self, name: str, scalar: Scalar, *extents: int) -> int:
        """A global array that is only written."""
        return self.object(name, Space.GLOBAL, scalar, extents, given=False)

    def shared(self, name: str, scalar: Scalar, *extents: int) -> int:
        """A shared array."""
        return self.object(name, Space.SHARED, scalar, extents, given=False)

    def local(self, name: str, scalar: Scalar, *extents: int) -> int:
        """An array of each thread."""
        return self.object(name, Space.LOCAL, scalar, extents, given=False)

    # registers

    def register(self, scalar: Scalar, name: str | None = None) -> Register:
        """A new register without a value."""
        return self.builder.register(scalar, name)

    def uniform(self, name: str, scalar: Scalar, value: int | float) -> Register:
        """A parameter with its value."""
        self.values[Name(name)] = value
        return self.builder.uniform(Name(name), scalar)

    def move(self, result: Register, operand: Operand) -> Register:
        """Sets a register."""
        self.builder.emit(simt.Move(result, operand, self.here))
        return result

    def binary(self, operator: str, left: Operand, right: Operand | int, into: Register | None = None) -> Register:
        """A binary operator; a number is a constant of the left operand's type."""
        of = BinaryOperator(operator)
        other = Constant(right, left.type) if isinstance(right, int) else right
        result = into or self.register(PRED if of.is_comparison else left.type)
        self.builder.emit(simt.Binary(of, result, left, other, self.here))
        return result

    def unary(self, operator: UnaryOperator, operand: Operand) -> Register:
        """A unary operator."""
        result = self.register(operand.type)
        self.builder.emit(simt.Unary(operator, result, operand, self.here))
        return result

    def convert(self, operand: Operand, scalar: Scalar) -> Register:
        """A conversion."""
        result = self.register(scalar)
        self.builder.emit(simt.Convert(result, operand, self.here))
        return result

    def reinterpret(self, operand: Operand, scalar: Scalar) -> Register:
        """The bits as another type."""
        result = self.register(scalar)
        self.builder.emit(simt.Reinterpret(result, operand, self.here))
        return result

    def choose(self, condition: Operand, on_true: Operand, on_false: Operand) -> Register:
        """One of two values."""
        result = self.register(on_true.type)
        self.builder.emit(simt.Choose(result, condition, on_true, on_false, self.here))
        return result

    def function(self, name: str, *operands: Operand) -> Register:
        """A function of floats."""
        result = self.register(operands[0].type)
        self.builder.emit(simt.Function(name, result, operands, self.here))
        return result

    def position(self, of: Coordinate, axis: int = 0, scalar: Scalar = S32) -> Register:
        """A built-in coordinate."""
        result = self.register(scalar)
        self.builder.emit(simt.Position(of, axis, result, self.here))
        return result

    def thread(self) -> Register:
        """`thread.x`."""
        return self.position(Coordinate.THREAD)

    # memory

    def address(self, number: int, index: Operand | int = 0) -> Register:
        """The pointer to an element by its number."""
        start = self.register(U64)
        self.builder.emit(simt.AddressOf(start, number, self.here))
        width = max(self.builder.objects[number].type.bits // 8, 1)
        if isinstance(index, int):
            return self.binary("+", start, Constant(index * width % (1 << 64), U64))
        return self.binary("+", start, self.binary("*", self.convert(index, U64), width))

    def load(self, number: int, index: Operand | int = 0) -> Register:
        """An element of an object."""
        return self.load_at(self.address(number, index), self.builder.objects[number].type)[0]

    def load_at(
        self, address: Operand, scalar: Scalar, count: int = 1, subscripts: tuple[Subscript, ...] = ()
    ) -> tuple[Register, ...]:
        """Elements by pointer."""
        results = tuple(self.register(scalar) for _ in range(count))
        self.builder.emit(simt.Load(results, address, subscripts, self.here))
        return results

    def store(self, number: int, index: Operand | int, value: Operand) -> Site:
        """Sets an element of an object; its place."""
        return self.store_at(self.address(number, index), (value,))

    def store_at(self, address: Operand, values: Sequence[Operand], subscripts: tuple[Subscript, ...] = ()) -> Site:
        """Sets elements by pointer; its place."""
        place = self.here
        self.builder.emit(simt.Store(tuple(values), address, subscripts, place))
        return place

    def atomic(
        self, operation: simt.AtomicOperation, address: Operand, operand: Operand, compare: Operand | None = None
    ) -> Register:
        """An atomic."""
        result = self.register(operand.type)
        self.builder.emit(simt.Atomic(operation, result, address, operand, compare, (), self.here))
        return result

    # control

    @contextmanager
    def when(self, condition: Operand) -> Iterator[None]:
        """What is emitted meanwhile runs where the condition holds."""
        end = Label()
        self.builder.branch(condition, end, self.here)
        yield
        self.builder.place(end)

    @contextmanager
    def unless(self, condition: Operand) -> Iterator[None]:
        """What is emitted meanwhile runs where the condition does not hold."""
        with self.when(self.unary(UnaryOperator.NOT, condition)):
            yield

    @contextmanager
    def count(self, counter: Register, bound: Operand) -> Iterator[None]:
        """What is emitted meanwhile runs for each number below the bound."""
        self.move(counter, Constant(0, counter.type))
        head, end = Label(), Label()
        with self.builder.loop(self.here):
            self.builder.place(head)
            self.builder.branch(self.binary("<", counter, bound), end, self.here)
            yield
            self.binary("+", counter, 1, counter)
            self.builder.jump(head, self.here)
        self.builder.place(end)

    def emit(self, instruction: simt.Instruction) -> Site:
        """Any instruction; its place."""
        place = self.here
        self.builder.emit(instruction)
        return place

    def barrier(self) -> Site:
        """A barrier of the block; its place."""
        return self.emit(simt.Barrier(None, None, None, self.here))

    def exit(self) -> Site:
        """The thread ends."""
        return self.emit(simt.Exit(self.here))

    def claim(self, condition: Operand) -> Site:
        """An assertion; its place."""
        return self.emit(simt.Assert(condition, self.here))

    # runs

    @property
    def program(self) -> Program:
        """What was written down."""
        return self.builder.program()

    def setting(self, block: Triple | int, order: Order = Order.ASCENDING, warp: int = 32) -> Setting:
        """A launch of one block."""
        size = (block, 1, 1) if isinstance(block, int) else block
        return Setting((1, 1, 1), size, tuple(self.values.items()), tuple(self.contents.items()), order, warp)

    def run(
        self, block: Triple | int = 4, order: Order = Order.ASCENDING, warp: int = 32, steps: int = 10**6
    ) -> RunOutcome:
        """Runs it with one block."""
        return run(self.program, self.setting(block, order, warp), (0, 0, 0), steps)


def number(value: int | float, scalar: Scalar = S32) -> Constant:
    """A constant."""
    return Constant(value, scalar)
