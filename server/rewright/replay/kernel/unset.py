"""Looks for a thread that reads what has no value, and for what comes to depend on it.

What is read is a variable that nothing set, or memory that nothing was written to. All threads are looked at. What is
computed of it has no value either, a copy misses the same bytes, in registers, in memory and in threads that take it by
a shuffle; the read counts once control, an address, a divisor or global memory depends on it.
Values that are missing for another reason are followed only where that may matter: an operand without a value does not
decide. Where no operand decides, only threads that have anything of the read in question are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec import Struct, field

from rewright.model.simt.instructions import (
    Atomic,
    AtomicOperation,
    Binary,
    Choose,
    Forget,
    Instruction,
    Load,
    Operand,
    Register,
    Shuffle,
    Store,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator, Scalar, Space
from rewright.model.simt.violation import Uninitialised, Unset
from rewright.replay.kernel.block import ReplayedBlock
from rewright.replay.kernel.claims import Test
from rewright.replay.kernel.conversions import size
from rewright.replay.kernel.doubtful import Doubtful, divides, numbers, reads, registers, writes
from rewright.replay.kernel.frame import NUMBER, OBJECTS, Frame, Row, Rows
from rewright.replay.kernel.local_code import BlockSurroundings
from rewright.replay.kernel.memory import Cells
from rewright.replay.kernel.missing import ALL, FULL, LOST, NEVER_SET, Accessed, Bytes, copies, only_computes
from rewright.replay.kernel.outcome import Pass, ReplayedAccess
from rewright.replay.kernel.pointers import position
from rewright.replay.kernel.watchpoint import Event, Sought, Watchpoint, passes, passes_at


class UnsetRead(Struct, frozen=True):
    """The read in question as it happened: the passes, the barrier before it, the last accesses of its thread."""

    passes: tuple[Pass, ...]
    opened: int | None = None
    moments: tuple[ReplayedAccess, ...] = ()


class Depends(Exception):
    """Something depends on what was read."""

    def __init__(self, sighting: UnsetRead) -> None:
        super().__init__()
        self.sighting = sighting


_Look = Callable[[Row, int], None]


class _Facts(NamedTuple):
    """The numbers of the registers that an instruction reads, and writes; what looks at it where one has no value.

    `always`: it has to be looked at in any case, as bytes may be missing in memory that registers have.
    """

    read: tuple[int, ...]
    written: tuple[int, ...]
    look: _Look
    always: bool


class UnsetWatch(Struct):
    """An observer of a run. `registers` has each thread's registers with missing bytes, `memory` the same by cells.

    `is_backwards`: threads perform an atomic in descending order. `access` watches for the read in question, if it is
    one of memory; `met` took part in the last shuffle. `memory`: by cells, the bytes that were written without a value.
    `sightings`: the read in question as often as it was seen, `sighted` the number of the one that is about to happen.
    `concerned`: the threads with anything of their own that has no value; `is_shared`: common memory has.
    `lost`: what is missing in a register all of whose bytes have no value for a reason that is not in question.
    """

    program: Program
    violation: Unset | Uninitialised
    block: ReplayedBlock
    number: int
    followed: Doubtful
    is_backwards: bool
    registers: list[dict[int, Bytes]] = field(default_factory=list)
    access: Watchpoint | None = None
    sighted: int = 0
    lost: Bytes = FULL
    concerned: set[int] = field(default_factory=set)
    is_shared: bool = False
    sightings: list[UnsetRead] = field(default_factory=list)
    met: Mapping[int, Row] | None = None
    memory: dict[int, dict[int, int]] = field(default_factory=dict)
    _facts: dict[int, _Facts] = field(default_factory=dict)
    _suspects: frozenset[int] = frozenset()

    @property
    def watched(self) -> frozenset[int]:
        """The places of the code where it looks."""
        return self.followed.places

    def run(self) -> None:
        """Runs the block. Raises `Depends`."""
        if self.followed.decides:
            self.lost, self.is_shared = LOST, True
        if isinstance(self.violation, Unset):
            place = self.violation.place
            self._suspects = frozenset(at for at, each in enumerate(self.program.code) if each.place == place)
        known = {uniform.register.number for uniform in self.program.uniforms}
        self.registers = [{} for _ in self.block.rows]
        for row in self.block.rows:
            self._never_set(row, self.followed.registers - known)
        self.block.run(self)
        self._blocked()

    def before(self, at: int, rows: Rows) -> None:
        """These threads are about to execute the instruction at a place. Raises `Depends`."""
        instruction = self.program.code[at]
        if isinstance(instruction, Shuffle):
            self._exchange()
            return
        facts = self._facts.get(at)
        if facts is None:
            facts = self._facts[at] = self._facts_of(instruction)
        self.sighted = 0
        if self.access is not None and isinstance(instruction, Load | Store | Atomic):
            self.access.before(at, rows)
        read, written, look, always = facts
        if not (self.is_shared or self.sighted or isinstance(instruction, Atomic)):
            rows = [row for row in rows if row[NUMBER] in self.concerned]
        for row in reversed(rows) if self.is_backwards and isinstance(instruction, Atomic) else rows:
            held = self.registers[row[NUMBER]]
            if always or not held.keys().isdisjoint(read):
                look(row, at)
            else:
                for each in written:
                    held.pop(each, None)

    def watch_for(self, around: BlockSurroundings, claim: Uninitialised, test: Test) -> None:
        """The read in question is this access of memory."""
        sought = Sought(claim.access.thread, claim.access.interval, claim.access.place, test, self._note)
        self.access = Watchpoint(self.program, around, self.block, self.watched, (sought,))

    def _note(self, event: Event) -> None:
        """The access is about to happen."""
        assert self.access is not None
        self.sighted = self._seen(UnsetRead(passes(event), self.access.opened, tuple(self.access.moments)))

    def _seen(self, sighting: UnsetRead) -> int:
        """The number of a sighting."""
        self.sightings.append(sighting)
        return len(self.sightings)

    def _facts_of(self, instruction: Instruction) -> _Facts:
        read = self._followed(instruction)
        written = tuple(each.number for each in writes(instruction))
        always = isinstance(instruction, Load | Store | Atomic | Forget) or divides(instruction)
        return _Facts(read, written, self._look(instruction), always)

    def _followed(self, instruction: Instruction) -> tuple[int, ...]:
        """The registers that an instruction reads and that may be without a value."""
        return tuple(
            number for number in dict.fromkeys(numbers(reads(instruction))) if number in self.followed.registers
        )

    def _look(self, instruction: Instruction) -> _Look:
        """What looks at an instruction in one thread."""
        match instruction:
            case Forget():
                return self._forgetting(instruction)
            case Load():
                return self._loading(instruction)
            case Store():
                return self._storing(instruction)
            case Atomic():
                return self._combining(instruction)
            case Choose():
                return self._choosing(instruction)
            case Binary(operator=BinaryOperator.AND | BinaryOperator.OR) if instruction.left.type is Scalar.PRED:
                return self._deciding(instruction)
            case _ if only_computes(instruction):
                return self._copying(instruction) if copies(instruction) else self._computing(instruction)
            case _:
                return self._insisting(instruction)

    # ------------------------------------------------------------------------------------------------- one thread

    def _read(self, register: int, row: Row, at: int) -> Bytes:
        """The bytes that are missing in a register; that they are may be the read in question."""
        missing = self.registers[row[NUMBER]].get(register, FULL)
        if missing is not NEVER_SET:
            return missing
        claim = self.violation
        if at not in self._suspects or row[NUMBER] != self.number or not isinstance(claim, Unset):
            return self.lost
        if self.block.interval != claim.interval or (self.program.names[register] or "") != claim.variable:
            return self.lost
        return (self._seen(UnsetRead(passes_at(self.block, row, at))),) * ALL

    def _set(self, row: Row, register: int, missing: Bytes) -> None:
        held = self.registers[row[NUMBER]]
        if any(missing):
            held[register] = missing
            self.concerned.add(row[NUMBER])
        else:
            held.pop(register, None)

    def _insist(self, read: tuple[int, ...], row: Row, at: int) -> bool:
        """These registers are read for their own sake: whether a byte of one is missing. Raises `Depends`."""
        is_empty = False
        for each in read:
            missing = self._read(each, row, at)
            if missing is not FULL:
                is_empty = True
                self._depend(missing)
        return is_empty

    def _depend(self, missing: Bytes) -> None:
        """Something depends on a value without these bytes. Raises `Depends` if that comes of the read in question."""
        why = max(missing)
        if why > 0:
            raise Depends(self.sightings[why - 1])

    def _whole(self, read: list[Bytes]) -> Bytes:
        """What is missing in what is computed of these: all bytes, once any is missing in one."""
        empty = [each for each in read if each is not FULL]
        why = max(map(max, empty), default=0)
        return (why,) * ALL if why > 0 else self.lost if empty else FULL

    def _insisting(self, instruction: Instruction) -> _Look:
        read, written = numbers(reads(instruction)), numbers(writes(instruction))
        divides_by = instruction.right if isinstance(instruction, Binary) and divides(instruction) else None
        divisor = None if divides_by is None else self.block.code.frame.place(divides_by)

        def look(row: Row, at: int) -> None:
            lost = self._insist(read, row, at) or (divisor is not None and not row[divisor])
            for each in written:
                self._set(row, each, self.lost if lost else FULL)

        return look

    def _computing(self, instruction: Instruction) -> _Look:
        read, (result,) = numbers(reads(instruction)), numbers(writes(instruction))

        def look(row: Row, at: int) -> None:
            self._set(row, result, self._whole([self._read(each, row, at) for each in read]))

        return look

    def _copying(self, instruction: Instruction) -> _Look:
        (read,), (result,) = numbers(reads(instruction)), numbers(writes(instruction))

        def look(row: Row, at: int) -> None:
            self._set(row, result, self._read(read, row, at))

        return look

    def _choosing(self, choice: Choose) -> _Look:
        place, read, result = self.block.code.frame.place, numbers(reads(choice)), choice.result.number
        condition, truth = choice.condition, place(choice.condition)

        def look(row: Row, at: int) -> None:
            if isinstance(condition, Register) and condition.number in self.registers[row[NUMBER]]:
                self._set(row, result, self._whole([self._read(each, row, at) for each in read]))
                return
            side = choice.on_true if row[truth] else choice.on_false
            self._set(row, result, self._read(side.number, row, at) if isinstance(side, Register) else FULL)

        return look

    def _deciding(self, binary: Binary) -> _Look:
        """`a && b`, `a || b`: a side that has a value and decides is all that matters."""
        read, result = numbers(reads(binary)), binary.result.number
        decides = binary.operator is BinaryOperator.OR
        frame: Frame = self.block.code.frame
        sides = [
            (each.number if isinstance(each, Register) else -1, frame.place(each))
            for each in (binary.left, binary.right)
        ]

        def look(row: Row, at: int) -> None:
            held = self.registers[row[NUMBER]]
            is_decided = any(number not in held and bool(row[place]) == decides for number, place in sides)
            self._set(row, result, FULL if is_decided else self._whole([self._read(each, row, at) for each in read]))

        return look

    def _forgetting(self, instruction: Forget) -> _Look:
        again = self.followed.registers.intersection(numbers(instruction.registers))

        def look(row: Row, at: int) -> None:
            self._never_set(row, again)
            for number in instruction.objects:
                self.memory.pop(id(row[OBJECTS][number + 1]), None)

        return look

    def _never_set(self, row: Row, chosen: frozenset[int]) -> None:
        """These registers of a thread have no value, in which nothing but the read in question may be of interest."""
        held = self.registers[row[NUMBER]]
        for each in chosen:
            if self.followed.decides or (row[NUMBER] == self.number and self._is_sought(each)):
                held[each] = NEVER_SET
                self.concerned.add(row[NUMBER])
            else:
                held.pop(each, None)

    def _is_sought(self, register: int) -> bool:
        """Whether the read in question is one of this variable."""
        return isinstance(self.violation, Unset) and (self.program.names[register] or "") == self.violation.variable

    # ----------------------------------------------------------------------------------------------------- memory

    def _accessed(self, access: Load | Store | Atomic, element: Operand, count: int) -> Accessed:
        place, width = self.block.code.frame.place, size(element.type)
        subscripts = tuple((place(each.index), place(each.extent)) for each in access.subscripts)
        return Accessed(place(access.address), subscripts, width, width * count)

    def _loading(self, load: Load) -> _Look:
        read, results = self._followed(load), numbers(load.results)
        of = self._accessed(load, load.results[0], len(results))

        def look(row: Row, at: int) -> None:
            held = self.registers[row[NUMBER]]
            is_lost = read and not held.keys().isdisjoint(read) and self._insist(read, row, at)
            found = [self.lost for _ in results] if is_lost else self._missing_bytes(of, row)
            if found is None:
                for each in results:
                    held.pop(each, None)
            else:
                for each, missing in zip(results, found, strict=True):
                    self._set(row, each, missing)

        return look

    def _missing_bytes(self, of: Accessed, row: Row) -> list[Bytes] | None:
        """For each element that an access reads, the bytes that have no value; None if all have one."""
        there = of.target(row)
        if there is None:
            return [self.lost for _ in range(0, of.total, of.width)]
        cells, start = there
        left, end = self.memory.get(id(cells)), start + of.total
        if not left and cells.is_known(start, of.total):
            return None
        nothing = (row[NUMBER] == self.number and self.sighted) or self.lost[0]
        known, written = cells.known, left or {}
        found = [written.get(byte, 0 if known[byte] else nothing) for byte in range(start, end)]
        if not any(found):
            return None
        return [tuple(found[first : first + of.width]) for first in range(0, of.total, of.width)]

    def _storing(self, store: Store) -> _Look:
        located = numbers(registers((store.address, store.subscripts)))
        values = [each.number if isinstance(each, Register) else -1 for each in store.values]
        read, of = tuple(each for each in values if each >= 0), self._accessed(store, store.values[0], len(values))

        def look(row: Row, at: int) -> None:
            held = self.registers[row[NUMBER]]
            if not held.keys().isdisjoint(located):
                self._insist(located, row, at)
            is_full = held.keys().isdisjoint(read)
            if is_full and not self.memory:
                return
            if not is_full and not self._is_of_block(of, row):
                self._insist(read, row, at)
            there = of.target(row)
            if there is not None and not there[0].constant:
                for number, each in enumerate(values):
                    missing = self._read(each, row, at) if each in held else FULL
                    self._leave(row, there[0], there[1] + number * of.width, missing[: of.width])

        return look

    def _leave(self, row: Row, cells: Cells, start: int, missing: Bytes) -> None:
        """Bytes from here on are about to be written, some without a value."""
        left = self.memory.get(id(cells))
        if any(missing):
            if left is None:
                left = self.memory[id(cells)] = {}
            self.concerned.add(row[NUMBER])
            self.is_shared = self.is_shared or not self._is_own(cells, row)
            left.update({start + byte: why for byte, why in enumerate(missing) if why})
        if left:
            for byte, why in enumerate(missing):
                if not why:
                    left.pop(start + byte, None)

    def _is_own(self, cells: Cells, row: Row) -> bool:
        """Whether a thread has these cells for itself."""
        number = next(at for at, each in enumerate(row[OBJECTS]) if each is cells)
        return self.program.objects[number - 1].space is Space.LOCAL

    def _combining(self, atomic: Atomic) -> _Look:
        """An atomic reads what is there."""
        read, of = numbers(reads(atomic)), self._accessed(atomic, atomic.result, 1)
        operands = numbers(registers((atomic.operand, atomic.compare)))

        def look(row: Row, at: int) -> None:
            self._insist(read, row, at)
            found = self._missing_bytes(of, row)
            if found is not None:
                self._depend(found[0])
            is_empty = any(each in self.registers[row[NUMBER]] for each in operands)
            self._set(row, atomic.result.number, self.lost if found else FULL)
            there = of.target(row)
            if there is None or there[0].constant:
                return
            cells, start = there
            if is_empty or (found and atomic.operation is not AtomicOperation.EXCHANGE):
                self._leave(row, cells, start, self.lost[: of.width])
            else:
                # the atomic is about to write there, and others of this group read that
                cells.known[start : start + of.width] = b"\1" * of.width
                self._leave(row, cells, start, FULL[: of.width])

        return look

    def _is_of_block(self, of: Accessed, row: Row) -> bool:
        """Whether an access is one of memory that nobody reads after the block."""
        number, _ = position(int(row[of.address]))
        return 0 < number <= len(self.program.objects) and self.program.objects[number - 1].space is not Space.GLOBAL

    # --------------------------------------------------------------------------------------------- several threads

    def _exchange(self) -> None:
        """A shuffle: whoever takes what is empty gets nothing. All that take part are looked at together."""
        if self.block.passing is self.met:
            return
        self.met = passing = self.block.passing
        results_of: list[tuple[Row, int, Bytes]] = []
        for lane, row in passing.items():
            shuffle, at = self._shuffle(row)
            self._insist(self._decisive(shuffle), row, at)
            giver = passing.get(self.block.asked(shuffle, lane, row))
            results_of.append((row, shuffle.result.number, self.lost if giver is None else self._given(giver)))
        for row, register, missing in results_of:
            self._set(row, register, missing)

    def _blocked(self) -> None:
        """Nobody can go on: those that wait have read what decides for whom or with what. Raises `Depends`."""
        for row in self.block.rows:
            at = self.block.waiting.get(row[NUMBER])
            if at is not None:
                instruction = self.program.code[at]
                read = self._decisive(instruction) if isinstance(instruction, Shuffle) else numbers(reads(instruction))
                self._insist(read, row, at)

    @staticmethod
    def _decisive(shuffle: Shuffle) -> tuple[int, ...]:
        """What a lane reads for itself: all but what it gives."""
        return numbers(registers((shuffle.mask, shuffle.lane, shuffle.width)))

    def _given(self, giver: Row) -> Bytes:
        """The bytes that are missing in what a lane gives."""
        shuffle, at = self._shuffle(giver)
        return self._read(shuffle.value.number, giver, at) if isinstance(shuffle.value, Register) else FULL

    def _shuffle(self, row: Row) -> tuple[Shuffle, int]:
        at = self.block.waiting[row[NUMBER]]
        found = self.program.code[at]
        assert isinstance(found, Shuffle)
        return found, at
