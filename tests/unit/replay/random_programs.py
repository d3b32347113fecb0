"""Random programs of the SIMT form: every operator and type, accesses, branches, loops, barriers, warp operations.

What a program computes is stored in `out`, eight bytes for each thread and register; it never leaves its arrays.
Results whose last bit is a matter of taste (functions, the lesser of two zeros, the bits of NaN) are not computed.
"""

from __future__ import annotations

from random import Random

from rewright.emit.builder import Builder, Label
from rewright.model import body
from rewright.model.index import Name
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import AtomicOperation, Constant, Operand, Register, ShuffleKind, VoteKind
from rewright.model.simt.program import DeviceVariable, Object, Program, VariableMemory
from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar, Space, UnaryOperator
from rewright.model.simt.violation import Order, Setting
from rewright.verdict import Site

INTEGERS = tuple(scalar for scalar in Scalar if scalar.is_integer)
FLOATS = tuple(scalar for scalar in Scalar if scalar.is_float)
KEPT = 64
_ATOMICS = (Scalar.S32, Scalar.U32, Scalar.S64, Scalar.U64)
_BITWISE = (BinaryOperator.AND, BinaryOperator.OR, BinaryOperator.XOR)
_SHIFTS = (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)
_COMPARED = tuple(operator for operator in BinaryOperator if operator.is_comparison)
_OF_FLOATS = (
    BinaryOperator.ADD,
    BinaryOperator.SUBTRACT,
    BinaryOperator.MULTIPLY,
    BinaryOperator.DIVIDE,
    BinaryOperator.REMAINDER,
    *_COMPARED,
)
_OF_INTEGERS = tuple(operator for operator in BinaryOperator if not operator.is_comparison)
_ALL = Constant(0xFFFFFFFF, Scalar.U32)
_MASKS = (0xF, 0x3, 0x5, 0x8)


class Writer:
    """Writes one program for a block of so many threads, `wild` with how much probability each statement."""

    def __init__(self, random: Random, threads: int, wild: float = 0.0) -> None:
        self.random = random
        self.wild = wild
        self.threads = threads
        self.builder = Builder()
        self.places = 0
        self.values: list[Register] = []
        self.starts: dict[str, Register] = {}

    def write(self, length: int) -> Program:
        """The program."""
        for name, space, scalar, size in (
            ("out", Space.GLOBAL, Scalar.U8, self.threads * KEPT * 8),
            ("ints", Space.GLOBAL, Scalar.U64, 16),
            ("floats", Space.GLOBAL, Scalar.F64, 16),
            ("shared", Space.SHARED, Scalar.U64, 16),
            ("local", Space.LOCAL, Scalar.U64, 4),
            ("fixed", Space.GLOBAL, Scalar.U64, 16),
        ):
            self._object(name, space, scalar, size)
        self._begin()
        self._statements(length, 0)
        self._end()
        return self.builder.program()

    # ------------------------------------------------------------------------------------------------- beginning, end

    def _object(self, name: str, space: Space, scalar: Scalar, size: int) -> None:
        extent = body.Integer(size, Scalar.S32, Site(0))
        fixed = (
            DeviceVariable(VariableMemory.CONSTANT, tuple(at * 99991 for at in range(size - 3)))
            if name == "fixed"
            else None
        )
        is_input = name in ("ints", "floats", "fixed")
        made = Object(Name(name), space, scalar, (extent,), is_input, Site(0), fixed)
        self.starts[name] = self.builder.register(Scalar.U64)
        self._emit(simt.AddressOf(self.starts[name], self.builder.object(made), self._place()))

    def _begin(self) -> None:
        thread = self._new(Scalar.S32)
        self._emit(simt.Position(Coordinate.THREAD, 0, thread, self._place()))
        for of in (Coordinate.LANE, Coordinate.WARP, Coordinate.WARP_SIZE, Coordinate.BLOCK_DIM, Coordinate.GRID_DIM):
            self._emit(simt.Position(of, 0, self._new(Scalar.S32), self._place()))
        for at in range(4):
            self._convert(self._load("ints", at * 3, Scalar.U64), self.random.choice(INTEGERS))
            self._convert(self._load("floats", at * 3, Scalar.F64), self.random.choice(FLOATS))
        for scalar in Scalar:
            self._convert(thread, scalar)
        for name, size in (("shared", 16), ("local", 4)):
            for at in range(size - (self.wild > 0)):
                self._emit(simt.Store((Constant(at * 77777, Scalar.U64),), self._address(name, at), (), self._place()))
        self._emit(simt.Barrier(None, None, None, self._place()))

    def _end(self) -> None:
        thread = self._new(Scalar.S32)
        self._emit(simt.Position(Coordinate.THREAD, 0, thread, self._place()))
        base = self._binary(BinaryOperator.MULTIPLY, self._convert(thread, Scalar.U64), Constant(KEPT * 8, Scalar.U64))
        base = self._binary(BinaryOperator.ADD, base, self.starts["out"])
        for at, value in enumerate(self.values[-KEPT:]):
            address = self._add(base, at * 8)
            self._emit(simt.Store((value,), address, (), self._place()))

    # ------------------------------------------------------------------------------------------------------ statements

    def _statements(self, count: int, depth: int) -> None:
        for _ in range(count):
            self._statement(depth)

    def _statement(self, depth: int) -> None:
        if self.random.random() < self.wild:
            self.random.choice(
                (self._leave_the_array, self._claim, self._forget, self._part, self._call_the_absent, self._write_fixed)
            )()
        choice = self.random.random()
        if choice < 0.08 and depth < 2:
            self._branch(depth)
        elif choice < 0.13 and depth < 2:
            self._loop(depth)
        elif choice < 0.17 and depth == 0:
            self._barrier()
        elif choice < 0.25 and depth == 0:
            self._together()
        elif choice < 0.28:
            self._atomic()
        elif choice < 0.38:
            self._memory()
        else:
            self._compute()

    # ------------------------------------------------------------------------------------------------ wild statements

    def _leave_the_array(self) -> None:
        """An access that may leave its array, or start within an element."""
        name, size = self.random.choice((("shared", 16), ("local", 4), ("ints", 16)))
        index, offset = self._element(name, size), Constant(self.random.choice((1, 2, 4, 60, 128, 1 << 50)), Scalar.U64)
        address = self.builder.register(Scalar.U64)
        self._emit(
            simt.Binary(
                self.random.choice((BinaryOperator.ADD, BinaryOperator.SUBTRACT)), address, index, offset, self._place()
            )
        )
        if self.random.random() < 0.5:
            self._emit(simt.Load((self._new(Scalar.U32),), address, (), self._place()))
        else:
            self._emit(simt.Store((self._value(Scalar.U32),), address, (), self._place()))

    def _claim(self) -> None:
        self._emit(simt.Assert(self._truth(), self._place()))

    def _forget(self) -> None:
        """A variable that only some threads set."""
        forgotten, beyond = self.builder.register(Scalar.S32, "forgotten"), Label()
        self.builder.branch(self._truth(), beyond, self._place())
        self._emit(simt.Move(forgotten, self._value(Scalar.S32), self._place()))
        self.builder.place(beyond)
        copied = self.builder.register(Scalar.S32)
        self._emit(simt.Move(copied, forgotten, self._place()))
        self._emit(simt.Assert(self._binary(BinaryOperator.EQUAL, copied, copied), self._place()))

    def _part(self) -> None:
        """A barrier, or an end, that only some threads come to."""
        beyond = Label()
        choice = self.random.random()
        truth = self._is_of_later_warp() if choice > 0.6 else self._truth()
        self.builder.branch(truth, beyond, self._place())
        if choice < 0.5:
            self._emit(simt.Barrier(None, None, None, self._place()))
        elif choice < 0.75:
            self._emit(simt.WarpBarrier(_ALL, self._place()))
        else:
            self._emit(simt.Exit(self._place()))
        self.builder.place(beyond)

    def _is_of_later_warp(self) -> Operand:
        """Whether a thread is not of the first warp, of which none then leaves."""
        warp = self._new(Scalar.S32)
        self._emit(simt.Position(Coordinate.WARP, 0, warp, self._place()))
        return self._binary(BinaryOperator.GREATER, warp, Constant(0, Scalar.S32))

    def _call_the_absent(self) -> None:
        """A shuffle that asks for lanes that a block may not have."""
        lane, width = Constant(self.random.randint(1, 3), Scalar.S32), Constant(4, Scalar.S32)
        value = self._value(Scalar.U32)
        unused = self.builder.register(Scalar.U32)
        self._emit(simt.Shuffle(ShuffleKind.DOWN, unused, _ALL, value, lane, width, self._place()))

    def _write_fixed(self) -> None:
        """A store or an atomic to constant memory."""
        address, value = self._element("fixed", 16), self._value(Scalar.U32)
        if self.random.random() < 0.5:
            self._emit(simt.Store((value,), address, (), self._place()))
        else:
            unused = self.builder.register(Scalar.U32)
            self._emit(simt.Atomic(AtomicOperation.ADD, unused, address, value, None, (), self._place()))

    # --------------------------------------------------------------------------------------------- orderly statements

    def _branch(self, depth: int) -> None:
        """Registers made on one way only have a value on both."""
        otherwise, end = Label(), Label()
        self.builder.branch(self._truth(), otherwise, self._place())
        self._inside(depth)
        self.builder.jump(end, self._place())
        self.builder.place(otherwise)
        self._inside(depth)
        self.builder.place(end)

    def _inside(self, depth: int) -> None:
        """Statements whose results go to registers that have a value already."""
        before = list(self.values)
        self._statements(self.random.randint(1, 3), depth + 1)
        made = self.values[len(before) :]
        self.values = before
        for value in made:
            targets = [old for old in before if old.type is value.type]
            if targets:
                self._emit(simt.Move(self.random.choice(targets), value, self._place()))

    def _loop(self, depth: int) -> None:
        count, bound = self.builder.register(Scalar.S32), self.builder.register(Scalar.S32)
        limit = self._value(Scalar.S32)
        self._emit(simt.Binary(BinaryOperator.AND, bound, limit, Constant(3, Scalar.S32), self._place()))
        self._emit(simt.Move(count, Constant(0, Scalar.S32), self._place()))
        head, end = Label(), Label()
        with self.builder.loop(self._place()):
            self.builder.place(head)
            self.builder.branch(self._plain(BinaryOperator.LESS, count, bound), end, self._place())
            self._inside(depth)
            self._emit(simt.Binary(BinaryOperator.ADD, count, count, Constant(1, Scalar.S32), self._place()))
            self.builder.jump(head, self._place())
        self.builder.place(end)

    def _barrier(self) -> None:
        kind = self.random.choice((None, VoteKind.ALL, VoteKind.ANY, VoteKind.COUNT))
        if kind is None:
            self._emit(simt.Barrier(None, None, None, self._place()))
            return
        truth = self._truth()
        result = self._new(Scalar.S32 if kind is VoteKind.COUNT else Scalar.PRED)
        self._emit(simt.Barrier(kind, result, truth, self._place()))

    def _together(self) -> None:
        """A shuffle, vote or barrier of whole warps, or of those of its lanes that come by."""
        if self.random.random() < 0.6:
            self._of_warp(_ALL)
            return
        mask, beyond = self.random.choice(_MASKS), Label()
        lane, bit = self.builder.register(Scalar.S32), self.builder.register(Scalar.S32)
        self._emit(simt.Position(Coordinate.LANE, 0, lane, self._place()))
        shifted = Constant(mask, Scalar.S32)
        self._emit(simt.Binary(BinaryOperator.SHIFT_RIGHT, bit, shifted, lane, self._place()))
        self._emit(simt.Binary(BinaryOperator.AND, bit, bit, Constant(1, Scalar.S32), self._place()))
        self.builder.branch(self._plain(BinaryOperator.EQUAL, bit, Constant(1, Scalar.S32)), beyond, self._place())
        before = list(self.values)
        self._of_warp(Constant(mask, Scalar.U32))
        self.values = before
        self.builder.place(beyond)

    def _of_warp(self, mask: Operand) -> None:
        choice = self.random.randint(0, 2)
        if choice == 0:
            self._shuffle(mask)
        elif choice == 1:
            self._vote(mask)
        else:
            self._emit(simt.WarpBarrier(mask, self._place()))

    def _shuffle(self, mask: Operand) -> None:
        value: Operand = self.random.choice(self.values)
        if value.type is Scalar.PRED:
            value = self._value(Scalar.U32)
        width = Constant(self.random.choice((1, 2, 4, 32)), Scalar.S32)
        lane: Operand = Constant(self.random.randint(0, 5), Scalar.S32)
        if self.random.random() < 0.3:
            lane = self._binary(BinaryOperator.AND, self._value(Scalar.S32), Constant(3, Scalar.S32))
        kind = self.random.choice(tuple(ShuffleKind))
        self._emit(simt.Shuffle(kind, self._new(value.type), mask, value, lane, width, self._place()))

    def _vote(self, mask: Operand) -> None:
        kind = self.random.choice(tuple(VoteKind))
        truth = self._truth()
        result = self._new(Scalar.PRED if kind in (VoteKind.ALL, VoteKind.ANY) else Scalar.U32)
        self._emit(simt.Vote(kind, result, mask, truth, self._place()))

    def _atomic(self) -> None:
        operation = self.random.choice(tuple(AtomicOperation))
        scalar = self.random.choice(_ATOMICS)
        if operation in (AtomicOperation.INCREMENT, AtomicOperation.DECREMENT):
            scalar = Scalar.U32
        compare = self._value(scalar) if operation is AtomicOperation.COMPARE_AND_SWAP else None
        address, operand = self._element("shared", 16), self._value(scalar)
        made = simt.Atomic(operation, self._new(scalar), address, operand, compare, (), self._place())
        self._emit(made)

    def _memory(self) -> None:
        name, size = self.random.choice((("shared", 16), ("local", 4), ("ints", 16), ("fixed", 16)))
        scalar = self.random.choice([*INTEGERS, Scalar.PRED] if name == "ints" else INTEGERS)
        if name in ("ints", "fixed") or self.random.random() < 0.5:
            count = self.random.choice((1, 1, 2)) if scalar.bits < 64 else 1
            address = self._element(name, size)
            results = tuple(self._new(scalar) for _ in range(count))
            self._emit(simt.Load(results, address, (), self._place()))
        else:
            self._emit(simt.Store((self._value(scalar),), self._element(name, size), (), self._place()))

    # ------------------------------------------------------------------------------------------------------ expressions

    def _compute(self) -> None:
        choice = self.random.random()
        scalar = self.random.choice(tuple(Scalar))
        if choice < 0.45:
            self._operate(scalar)
        elif choice < 0.6:
            self._unary(scalar)
        elif choice < 0.8:
            self._convert(self.random.choice(self.values), scalar)
        elif choice < 0.9:
            chosen = self._truth(), self._value(scalar), self._value(scalar)
            self._emit(simt.Choose(self._new(scalar), *chosen, self._place()))
        else:
            same = [each for each in INTEGERS if each.bits == scalar.bits]
            if same and not scalar.is_float:
                value = self._value(scalar)
                self._emit(simt.Reinterpret(self._new(self.random.choice(same)), value, self._place()))

    def _operate(self, scalar: Scalar) -> None:
        if scalar is Scalar.PRED:
            operator = self.random.choice((*_BITWISE, BinaryOperator.EQUAL, BinaryOperator.NOT_EQUAL))
        elif scalar.is_float:
            operator = self.random.choice(_OF_FLOATS)
        else:
            operator = self.random.choice((*_OF_INTEGERS, *_COMPARED))
        left, right = self._value(scalar), self._value(scalar)
        if operator in _SHIFTS:
            right = self._value(self.random.choice(INTEGERS))
        self._binary(operator, left, right)

    def _unary(self, scalar: Scalar) -> None:
        if scalar is Scalar.PRED:
            operator = UnaryOperator.NOT
        elif scalar.is_float:
            operator = self.random.choice((UnaryOperator.NEGATE, UnaryOperator.ABSOLUTE))
        else:
            operator = self.random.choice([each for each in UnaryOperator if each is not UnaryOperator.NOT])
        value = self._value(scalar)
        self._emit(simt.Unary(operator, self._new(scalar), value, self._place()))

    def _value(self, scalar: Scalar) -> Operand:
        known = [value for value in self.values if value.type is scalar]
        if known and self.random.random() < 0.85:
            return self.random.choice(known)
        return Constant(literal(self.random, scalar), scalar)

    def _truth(self) -> Operand:
        scalar = self.random.choice((Scalar.S32, Scalar.U8, Scalar.F32))
        return self._plain(self.random.choice(_COMPARED), self._value(scalar), self._value(scalar))

    def _plain(self, operator: BinaryOperator, left: Operand, right: Operand) -> Register:
        """A comparison whose result is no value of the program."""
        result = self.builder.register(Scalar.PRED)
        self._emit(simt.Binary(operator, result, left, right, self._place()))
        return result

    def _binary(self, operator: BinaryOperator, left: Operand, right: Operand) -> Register:
        result = self._new(Scalar.PRED if operator.is_comparison else left.type)
        self._emit(simt.Binary(operator, result, left, right, self._place()))
        return result

    def _convert(self, value: Operand, scalar: Scalar) -> Register:
        result = self._new(scalar)
        self._emit(simt.Convert(result, value, self._place()))
        return result

    # ----------------------------------------------------------------------------------------------------------- memory

    def _load(self, name: str, at: int, scalar: Scalar) -> Register:
        address, result = self._address(name, at), self._new(scalar)
        self._emit(simt.Load((result,), address, (), self._place()))
        return result

    def _address(self, name: str, at: int) -> Register:
        return self._add(self.starts[name], at * 8)

    def _element(self, name: str, size: int) -> Register:
        """The address of any element."""
        value = self._value(self.random.choice((Scalar.S32, Scalar.U64, Scalar.U8)))
        wide = self.builder.register(Scalar.U64)
        self._emit(simt.Convert(wide, value, self._place()))
        offset = self.builder.register(Scalar.U64)
        self._emit(simt.Binary(BinaryOperator.AND, offset, wide, Constant(size - 1, Scalar.U64), self._place()))
        scaled = self.builder.register(Scalar.U64)
        self._emit(simt.Binary(BinaryOperator.MULTIPLY, scaled, offset, Constant(8, Scalar.U64), self._place()))
        address = self.builder.register(Scalar.U64)
        self._emit(simt.Binary(BinaryOperator.ADD, address, self.starts[name], scaled, self._place()))
        return address

    def _add(self, base: Register, offset: int) -> Register:
        address = self.builder.register(Scalar.U64)
        self._emit(simt.Binary(BinaryOperator.ADD, address, base, Constant(offset, Scalar.U64), self._place()))
        return address

    def _new(self, scalar: Scalar) -> Register:
        register = self.builder.register(scalar)
        if scalar is not Scalar.U64 or self.random.random() < 0.7:
            self.values.append(register)
        return register

    def _place(self) -> Site:
        self.places += 1
        return Site(self.places)

    def _emit(self, instruction: simt.Instruction) -> None:
        self.builder.emit(instruction)


def literal(random: Random, scalar: Scalar) -> int | float:
    """A number of a type, often one at an end of its range."""
    if scalar is Scalar.PRED:
        return random.randint(0, 1)
    if scalar.is_float:
        return random.choice((0.0, 1.0, -1.5, 0.1, 3.0e38, 65504.0, 1e-7, random.uniform(-100, 100)))
    low = -(1 << (scalar.bits - 1)) if scalar.is_signed else 0
    high = low + (1 << scalar.bits) - 1
    near = random.choice((low, low + 1, high, high - 1, 0, 1, 2, 5, 31, random.randint(low, high)))
    return min(max(near, low), high)


def setting(random: Random) -> Setting:
    """A block of a few threads with warps of four, and contents."""
    threads = random.choice((1, 3, 4, 7, 8))
    ints = tuple(random.choice((0, 1, 7, random.getrandbits(8), random.getrandbits(64))) for _ in range(16))
    floats = tuple(
        random.choice((0.5, -3.0, 1e30, random.gauss(0, 1), float(random.randint(-9, 9)))) for _ in range(16)
    )
    contents = ((Name("ints"), ints), (Name("floats"), floats))
    return Setting((2, 1, 1), (threads, 1, 1), (), contents, random.choice(tuple(Order)), 4)
