"""Looks out for a variable that a thread reads before it has set it, and for what comes to depend on it.

Every instruction of all threads is looked at. What is computed of such a variable has no value either, in that thread
and in those that take it by a shuffle; the read counts once control, an address, global memory, or memory of the block
that somebody reads depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields

from rewright.model.simt.instructions import (
    Atomic,
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
from rewright.model.simt.violation import Unset
from rewright.replay.kernel.block import ReplayedBlock
from rewright.replay.kernel.conversions import size
from rewright.replay.kernel.frame import NUMBER, OBJECTS, Row, Rows
from rewright.replay.kernel.outcome import Pass
from rewright.replay.kernel.pointers import position
from rewright.replay.kernel.watchpoint import Confirmed, passes_at


@dataclass(slots=True)
class _Lack:
    """The registers of a thread that have no value; `sought` are those of them that come of the read in question."""

    empty: set[int]
    sought: set[int] = field(default_factory=set)

    def write(self, instruction: Instruction, is_empty: bool, is_sought: bool) -> None:
        """The results of an instruction have a value, or none, perhaps because of the read."""
        for register in _written(instruction):
            (self.empty.add if is_empty else self.empty.discard)(register.number)
            (self.sought.add if is_sought else self.sought.discard)(register.number)


@dataclass(slots=True)
class UnsetLookout:
    """An observer of a run; the read was seen in the passes `seen`, `met` took part in the last shuffle.

    `left`: the bytes in memory of the block, by object, that have no value because of the read.
    """

    program: Program
    violation: Unset
    block: ReplayedBlock
    number: int
    watched: range
    lacks: list[_Lack]
    seen: tuple[Pass, ...] = ()
    met: Mapping[int, Row] | None = None
    left: set[tuple[int, int]] = field(default_factory=set)

    def run(self) -> None:
        """Runs the block. Raises `Confirmed`."""
        self.block.run(self)
        self._in_vain()

    def before(self, at: int, rows: Rows) -> None:
        """These threads are about to execute the instruction at a place. Raises `Confirmed`."""
        instruction = self.program.code[at]
        if isinstance(instruction, Shuffle):
            self._exchange()
            return
        for row in rows:
            self._look(at, instruction, row)

    def _look(self, at: int, instruction: Instruction, row: Row) -> None:
        lack = self.lacks[row[NUMBER]]
        missing = [each for each in self._needed(instruction, row) if each.number in lack.empty]
        is_sought = any(self._comes_of_read(each, row, at) for each in missing)
        if is_sought and not _only_computes(instruction):
            raise Confirmed(self.seen)
        lack.write(instruction, bool(missing) and _only_computes(instruction), is_sought)
        if isinstance(instruction, Load | Store | Atomic):
            self._access(at, instruction, row)
        if isinstance(instruction, Forget):
            lack.empty.update(register.number for register in instruction.registers)
            lack.sought -= {register.number for register in instruction.registers}
            gone = {id(row[OBJECTS][number + 1]) for number in instruction.objects}
            self.left = {place for place in self.left if place[0] not in gone}

    def _access(self, at: int, access: Load | Store | Atomic, row: Row) -> None:
        """Notes which bytes have no value because of the read. Raises `Confirmed` if one is read."""
        number, byte = position(int(row[self.block.code.frame.place(access.address)]))
        if not 0 < number < len(row[OBJECTS]):
            return
        # objects that threads have for themselves are told apart by the bytes that hold them
        held = id(row[OBJECTS][number])
        for element in _elements(access):
            width = size(element.type)
            reached = {(held, byte + each) for each in range(width)}
            if not isinstance(access, Store):
                if reached & self.left:
                    raise Confirmed(self.seen)
            elif self._is_empty(row, element) and any(
                self._comes_of_read(each, row, at) for each in _registers(element)
            ):
                self.left |= reached
            else:
                self.left -= reached
            byte += width

    def _is_of_block(self, access: Store, row: Row) -> bool:
        """Whether a store writes memory that nobody reads after the block."""
        number, _ = position(int(row[self.block.code.frame.place(access.address)]))
        return 0 < number <= len(self.program.objects) and self.program.objects[number - 1].space is not Space.GLOBAL

    def _comes_of_read(self, register: Register, row: Row, at: int) -> bool:
        """Whether an empty register is so because of the read in question, or this is it."""
        if register.number in self.lacks[row[NUMBER]].sought:
            return True
        claim, place = self.violation, self.program.code[at].place
        here = (self.number, claim.interval, claim.place) == (row[NUMBER], self.block.interval, place)
        if here and (self.program.names[register.number] or "") == claim.variable:
            self.seen = passes_at(self.block, row, at)
            return True
        return False

    def _exchange(self) -> None:
        """A shuffle: whoever takes what is empty gets nothing. All that take part are looked at together."""
        if self.block.passing is self.met:
            return
        self.met = passing = self.block.passing
        results_of: list[tuple[Row, Shuffle, bool, bool]] = []
        for lane, row in passing.items():
            shuffle, at = self._shuffle(row)
            for operand in self._decisive(shuffle):
                if self._is_empty(row, operand) and self._comes_of_read(operand, row, at):
                    raise Confirmed(self.seen)
            giver = passing.get(self.block.asked(shuffle, lane, row))
            given = (False, False) if giver is None else self._given(giver)
            results_of.append((row, shuffle, *given))
        for row, shuffle, is_empty, is_sought in results_of:
            self.lacks[row[NUMBER]].write(shuffle, is_empty, is_sought)

    def _in_vain(self) -> None:
        """Nobody can go on: those that wait have read what decides for whom or with what. Raises `Confirmed`."""
        for row in self.block.rows:
            at = self.block.waiting.get(row[NUMBER])
            if at is not None:
                instruction = self.program.code[at]
                read = self._decisive(instruction) if isinstance(instruction, Shuffle) else tuple(_read(instruction))
                if any(self._is_empty(row, each) and self._comes_of_read(each, row, at) for each in read):
                    raise Confirmed(self.seen)

    @staticmethod
    def _decisive(shuffle: Shuffle) -> tuple[Register, ...]:
        """What a lane reads for itself: all but what it gives."""
        return tuple(_registers((shuffle.mask, shuffle.lane, shuffle.width)))

    def _given(self, giver: Row) -> tuple[bool, bool]:
        """Whether what a lane gives has no value, and whether that comes of the read."""
        shuffle, at = self._shuffle(giver)
        if not isinstance(shuffle.value, Register) or not self._is_empty(giver, shuffle.value):
            return False, False
        return True, self._comes_of_read(shuffle.value, giver, at)

    def _shuffle(self, row: Row) -> tuple[Shuffle, int]:
        at = self.block.waiting[row[NUMBER]]
        found = self.program.code[at]
        assert isinstance(found, Shuffle)
        return found, at

    def _is_empty(self, row: Row, operand: Operand) -> bool:
        return isinstance(operand, Register) and operand.number in self.lacks[row[NUMBER]].empty

    def _needed(self, instruction: Instruction, row: Row) -> Iterator[Register]:
        """The registers that the result depends on, or that are read for their own sake."""
        place = self.block.code.frame.place
        match instruction:
            case Forget():
                return
            case Choose() if not self._is_empty(row, instruction.condition):
                side = instruction.on_true if row[place(instruction.condition)] else instruction.on_false
                yield from _registers((instruction.condition, side))
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
                yield from _read(instruction)


def lacks(program: Program, threads: int) -> list[_Lack]:
    """What has no value at the start, for each thread: all registers but those of sizes and parameters."""
    known = {uniform.register.number for uniform in program.uniforms}
    return [_Lack(set(range(len(program.names))) - known) for _ in range(threads)]


def _elements(access: Load | Store | Atomic) -> Sequence[Operand]:
    """What an access reads or writes, in order."""
    match access:
        case Load(results=found):
            return found
        case Store(values=values):
            return values
        case Atomic(result=result):
            return (result,)


def _only_computes(instruction: Instruction) -> bool:
    match instruction:
        case Binary(operator=BinaryOperator.DIVIDE | BinaryOperator.REMAINDER, left=left, right=right):
            return left.type.is_float or (isinstance(right, Constant) and right.value != 0)
        case Move() | Unary() | Binary() | Convert() | Reinterpret() | Choose() | Function():
            return True
        case _:
            return False


def _read(instruction: Instruction) -> Iterator[Register]:
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
