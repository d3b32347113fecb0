"""Looks out for a thread that reads what has no value, and for what comes to depend on it.

What is read is a variable that nothing set, or memory that nothing was written to. Every instruction of all threads is
looked at. What is computed of it has no value either, a copy lacks the same bytes, in registers, in memory and in
threads that take it by a shuffle; the read counts once control, an address, a divisor or global memory depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

from rewright.model.simt.instructions import (
    Atomic,
    AtomicOperation,
    Binary,
    Choose,
    Constant,
    Convert,
    Forget,
    Function,
    Instruction,
    Load,
    Move,
    Operand,
    Register,
    Reinterpret,
    Shuffle,
    Store,
    Subscript,
    Unary,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator, Scalar, Space
from rewright.model.simt.violation import Uninitialised, Unset
from rewright.replay.kernel.block import ReplayedBlock
from rewright.replay.kernel.claims import Test
from rewright.replay.kernel.conversions import size
from rewright.replay.kernel.frame import NUMBER, OBJECTS, Row, Rows
from rewright.replay.kernel.local_code import BlockSurroundings
from rewright.replay.kernel.memory import Cells
from rewright.replay.kernel.outcome import Pass, ReplayedAccess
from rewright.replay.kernel.pointers import position
from rewright.replay.kernel.watchpoint import Event, Sought, Watchpoint, passes, passes_at


@dataclass(frozen=True, slots=True)
class UnsetRead:
    """The read in question as it happened: the passes, the barrier before it, the last accesses of its thread."""

    passes: tuple[Pass, ...]
    opened: int | None = None
    moments: tuple[ReplayedAccess, ...] = ()


Bytes = dict[int, UnsetRead | None]
"""The bytes that have no value, by number from the lowest: why, if it comes of the read in question."""

_ALL = 8
"""As many bytes as the widest register has."""


def _all(because: UnsetRead | None) -> Bytes:
    return dict.fromkeys(range(_ALL), because)


_NEVER_SET = _all(None)
"""What a register lacks that nothing has set; no other one has this very object."""


def _because(lacking: Bytes) -> UnsetRead | None:
    """The read in question, if any byte has no value because of it."""
    return next((each for each in lacking.values() if each is not None), None)


class Depends(Exception):
    """Something depends on what was read."""

    def __init__(self, sighting: UnsetRead) -> None:
        super().__init__()
        self.sighting = sighting


@dataclass(slots=True)
class UnsetLookout:
    """An observer of a run. `registers` has for each thread its registers that lack bytes, `memory` the same by cells.

    `is_backwards`: threads perform an atomic in descending order. `access` looks out for the read in question, if it is
    one of memory; `met` took part in the last shuffle.
    """

    program: Program
    violation: Unset | Uninitialised
    block: ReplayedBlock
    number: int
    watched: range
    registers: list[dict[int, Bytes]]
    is_backwards: bool
    access: Watchpoint | None = None
    sighted: UnsetRead | None = None
    met: Mapping[int, Row] | None = None
    memory: dict[tuple[int, int], UnsetRead | None] = field(default_factory=dict)

    def run(self) -> None:
        """Runs the block. Raises `Depends`."""
        self.block.run(self)
        self._in_vain()

    def before(self, at: int, rows: Rows) -> None:
        """These threads are about to execute the instruction at a place. Raises `Depends`."""
        instruction = self.program.code[at]
        if isinstance(instruction, Shuffle):
            self._exchange()
            return
        self.sighted = None
        if self.access is not None and isinstance(instruction, Load | Store | Atomic):
            self.access.before(at, rows)
        for row in reversed(rows) if isinstance(instruction, Atomic) and self.is_backwards else rows:
            self._look(at, instruction, row)

    def look_out(self, around: BlockSurroundings, claim: Uninitialised, test: Test) -> None:
        """The read in question is this access of memory."""
        sought = Sought(claim.access.thread, claim.access.interval, claim.access.place, test, self._note)
        self.access = Watchpoint(self.program, around, self.block, self.watched, (sought,))

    def _note(self, event: Event) -> None:
        """The access is about to happen."""
        assert self.access is not None
        self.sighted = UnsetRead(passes(event), self.access.opened, tuple(self.access.moments))

    # ------------------------------------------------------------------------------------------------- one thread

    def _look(self, at: int, instruction: Instruction, row: Row) -> None:
        missing = [self._read(each, row, at) for each in self._needed(instruction, row)]
        because = next((found for each in missing if (found := _because(each))), None)
        if because is not None and not _only_computes(instruction):
            raise Depends(because)
        match instruction:
            case Forget():
                self._forget(instruction, row)
            case Load():
                self._load(instruction, row)
            case Store():
                self._store(instruction, row, at)
            case Atomic():
                self._combine(instruction, row, at)
            case _:
                lacks = self._made(instruction, row, at) or (_all(because) if any(missing) else {})
                for register in _written(instruction):
                    self._set(row, register, lacks)

    def _made(self, instruction: Instruction, row: Row, at: int) -> Bytes:
        """The bytes that the result of a copy lacks, or of a division by zero."""
        match instruction:
            case Move(operand=operand) | Reinterpret(operand=operand):
                return self._read(operand, row, at)
            case Convert(result=result, operand=operand) if not (result.type.is_float or operand.type.is_float):
                same = size(result.type) == size(operand.type) and Scalar.PRED not in (result.type, operand.type)
                return self._read(operand, row, at) if same else {}
            case Choose() if not self._read(instruction.condition, row, at):
                return self._read(self._side(instruction, row), row, at)
            case Binary(operator=BinaryOperator.DIVIDE | BinaryOperator.REMAINDER, right=right) if (
                not right.type.is_float
            ):
                return {} if row[self.block.code.frame.place(right)] else _all(None)
            case _:
                return {}

    def _side(self, choice: Choose, row: Row) -> Operand:
        return choice.on_true if row[self.block.code.frame.place(choice.condition)] else choice.on_false

    def _forget(self, instruction: Forget, row: Row) -> None:
        for register in instruction.registers:
            self.registers[row[NUMBER]][register.number] = _NEVER_SET
        gone = {id(row[OBJECTS][number + 1]) for number in instruction.objects}
        if gone:
            self.memory = {place: why for place, why in self.memory.items() if place[0] not in gone}

    def _read(self, operand: Operand, row: Row, at: int) -> Bytes:
        """The bytes that an operand lacks; that they do may be the read in question."""
        if not isinstance(operand, Register):
            return {}
        lacking = self.registers[row[NUMBER]].get(operand.number, {})
        claim = self.violation
        if lacking is not _NEVER_SET or not isinstance(claim, Unset) or self.number != row[NUMBER]:
            return dict(lacking)
        here = self.block.interval, self.program.code[at].place, self.program.names[operand.number] or ""
        is_it = here == (claim.interval, claim.place, claim.variable)
        return _all(UnsetRead(passes_at(self.block, row, at)) if is_it else None)

    def _set(self, row: Row, register: Register, lacking: Bytes) -> None:
        held = self.registers[row[NUMBER]]
        if lacking:
            held[register.number] = lacking
        else:
            held.pop(register.number, None)

    # ----------------------------------------------------------------------------------------------------- memory

    def _load(self, load: Load, row: Row) -> None:
        for register, lacking in zip(load.results, self._reached(load, row), strict=True):
            self._set(row, register, lacking)

    def _reached(self, access: Load | Atomic, row: Row) -> list[Bytes]:
        """For each element that an access reads, the bytes that have no value."""
        elements = access.results if isinstance(access, Load) else (access.result,)
        width = size(elements[0].type)
        there = self._place(access, row, width * len(elements))
        if there is None:
            return [_all(None) for _ in elements]
        cells, start = there
        sighted = self.sighted if row[NUMBER] == self.number else None
        found = []
        for first in range(start, start + width * len(elements), width):
            lacking: Bytes = {}
            for byte in range(width):
                place = id(cells), first + byte
                if place in self.memory:
                    lacking[byte] = self.memory[place]
                elif not cells.is_known(first + byte, 1):
                    lacking[byte] = sighted
            found.append(lacking)
        return found

    def _store(self, store: Store, row: Row, at: int) -> None:
        width = size(store.values[0].type)
        there = self._place(store, row, width * len(store.values))
        if there is None or there[0].constant:
            return
        cells, first = there
        for number, value in enumerate(store.values):
            lacking = self._read(value, row, at)
            for byte in range(width):
                place = id(cells), first + number * width + byte
                if byte in lacking:
                    self.memory[place] = lacking[byte]
                else:
                    self.memory.pop(place, None)

    def _combine(self, atomic: Atomic, row: Row, at: int) -> None:
        """An atomic reads what is there. Raises `Depends`."""
        (lacking,) = self._reached(atomic, row)
        because = _because(lacking)
        if because is not None:
            raise Depends(because)
        self._set(row, atomic.result, _all(None) if lacking else {})
        width = size(atomic.result.type)
        there = self._place(atomic, row, width)
        if there is None or there[0].constant:
            return
        operands = [atomic.operand] if atomic.compare is None else [atomic.operand, atomic.compare]
        is_empty = any(self._read(each, row, at) for each in operands)
        if is_empty or (lacking and atomic.operation is not AtomicOperation.EXCHANGE):
            self.memory.update({(id(there[0]), there[1] + byte): None for byte in range(width)})
        else:
            # the atomic is about to write there, and others of this group read that
            there[0].known[there[1] : there[1] + width] = b"\1" * width
            for byte in range(width):
                self.memory.pop((id(there[0]), there[1] + byte), None)

    def _place(self, access: Load | Store | Atomic, row: Row, width: int) -> tuple[Cells, int] | None:
        """The cells and the offset of an access; None if it does not happen."""
        place = self.block.code.frame.place
        number, offset = position(int(row[place(access.address)]))
        cells: Cells | None = row[OBJECTS][number] if 0 < number < len(row[OBJECTS]) else None
        if cells is None or offset % width or not cells.reaches(offset, width):
            return None
        if not all(0 <= row[place(each.index)] < row[place(each.extent)] for each in access.subscripts):
            return None
        return cells, offset

    def _is_of_block(self, access: Store, row: Row) -> bool:
        """Whether a store writes memory that nobody reads after the block."""
        number, _ = position(int(row[self.block.code.frame.place(access.address)]))
        return 0 < number <= len(self.program.objects) and self.program.objects[number - 1].space is not Space.GLOBAL

    # --------------------------------------------------------------------------------------------- several threads

    def _exchange(self) -> None:
        """A shuffle: whoever takes what is empty gets nothing. All that take part are looked at together."""
        if self.block.passing is self.met:
            return
        self.met = passing = self.block.passing
        results_of: list[tuple[Row, Register, Bytes]] = []
        for lane, row in passing.items():
            shuffle, at = self._shuffle(row)
            self._insist(self._decisive(shuffle), row, at)
            giver = passing.get(self.block.asked(shuffle, lane, row))
            results_of.append((row, shuffle.result, _all(None) if giver is None else self._given(giver)))
        for row, register, lacking in results_of:
            self._set(row, register, lacking)

    def _insist(self, read: tuple[Register, ...], row: Row, at: int) -> None:
        """These registers are read for their own sake. Raises `Depends`."""
        for each in read:
            because = _because(self._read(each, row, at))
            if because is not None:
                raise Depends(because)

    def _in_vain(self) -> None:
        """Nobody can go on: those that wait have read what decides for whom or with what. Raises `Depends`."""
        for row in self.block.rows:
            at = self.block.waiting.get(row[NUMBER])
            if at is not None:
                instruction = self.program.code[at]
                read = self._decisive(instruction) if isinstance(instruction, Shuffle) else tuple(_reads(instruction))
                self._insist(read, row, at)

    @staticmethod
    def _decisive(shuffle: Shuffle) -> tuple[Register, ...]:
        """What a lane reads for itself: all but what it gives."""
        return tuple(_registers((shuffle.mask, shuffle.lane, shuffle.width)))

    def _given(self, giver: Row) -> Bytes:
        """The bytes that what a lane gives lacks."""
        shuffle, at = self._shuffle(giver)
        return self._read(shuffle.value, giver, at)

    def _shuffle(self, row: Row) -> tuple[Shuffle, int]:
        at = self.block.waiting[row[NUMBER]]
        found = self.program.code[at]
        assert isinstance(found, Shuffle)
        return found, at

    # ------------------------------------------------------------------------------------------------ what matters

    def _is_empty(self, row: Row, operand: Operand) -> bool:
        return isinstance(operand, Register) and operand.number in self.registers[row[NUMBER]]

    def _needed(self, instruction: Instruction, row: Row) -> Iterator[Register]:
        """The registers that the result depends on, or that are read for their own sake."""
        place = self.block.code.frame.place
        match instruction:
            case Forget():
                return
            case Choose() if not self._is_empty(row, instruction.condition):
                yield from _registers((instruction.condition, self._side(instruction, row)))
            case Binary(operator=BinaryOperator.AND | BinaryOperator.OR, left=left, right=right) if (
                left.type is Scalar.PRED
            ):
                decides = instruction.operator is BinaryOperator.OR
                sides = [each for each in (left, right) if not self._is_empty(row, each)]
                if not any(bool(row[place(each)]) == decides for each in sides):
                    yield from _registers((left, right))
            case Store() if self._is_of_block(instruction, row):
                yield from _registers((instruction.address, instruction.subscripts))
            case _:
                yield from _reads(instruction)


def registers(program: Program, threads: int) -> list[dict[int, Bytes]]:
    """What has no value at the start, for each thread: all registers but those of sizes and parameters."""
    known = {uniform.register.number for uniform in program.uniforms}
    return [{number: _NEVER_SET for number in range(len(program.names)) if number not in known} for _ in range(threads)]


def _only_computes(instruction: Instruction) -> bool:
    match instruction:
        case Binary(operator=BinaryOperator.DIVIDE | BinaryOperator.REMAINDER, left=left, right=right):
            return left.type.is_float or (isinstance(right, Constant) and right.value != 0)
        case Move() | Unary() | Binary() | Convert() | Reinterpret() | Choose() | Function():
            return True
        case _:
            return False


def _reads(instruction: Instruction) -> Iterator[Register]:
    """The registers that an instruction reads."""
    return _registers(tuple(getattr(instruction, name) for name in _names(instruction) if name not in _RESULTS))


def _written(instruction: Instruction) -> Iterator[Register]:
    """The registers that an instruction writes."""
    return _registers(tuple(getattr(instruction, name) for name in _names(instruction) if name in _RESULTS))


def _names(instruction: Instruction) -> list[str]:
    return [each.name for each in fields(instruction)]


_RESULTS = ("result", "results")


def _registers(value: object) -> Iterator[Register]:
    match value:
        case Register():
            yield value
        case Subscript():
            yield from _registers((value.index, value.extent))
        case tuple():
            for each in value:
                yield from _registers(each)
        case _:
            pass
