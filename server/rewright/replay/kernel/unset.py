"""Looks out for a variable that a thread reads before it has set it: every instruction of the thread is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from rewright.model.simt.instructions import Instruction, Register, Shuffle, Subscript, results
from rewright.model.simt.program import Program
from rewright.model.simt.violation import Unset
from rewright.replay.kernel.block import Block
from rewright.replay.kernel.frame import NUMBER, Row, Rows
from rewright.replay.kernel.lookout import Confirmed, among, passes_at


@dataclass(slots=True)
class UnsetLookout:
    """An observer of a run; `known` are the registers that the thread has set so far."""

    program: Program
    violation: Unset
    block: Block
    number: int
    watched: range
    known: set[int]

    def before(self, at: int, rows: Rows) -> None:
        """These threads are about to execute the instruction at a place."""
        row = among(rows, self.number)
        if row is None:
            return
        instruction = self.program.code[at]
        here = self.block.interval == self.violation.interval and instruction.place == self.violation.place
        if here and any(self._is_sought(register) for register in self._used(instruction, row)):
            raise Confirmed(passes_at(self.block, row, at))
        self.known.update(register.number for register in results(instruction))

    def _used(self, instruction: Instruction, row: Row) -> Iterator[Register]:
        """The registers whose values matter: what a thread gives to a shuffle, if somebody takes it."""
        if isinstance(instruction, Shuffle) and not self._is_taken(row):
            return _read(replace(instruction, value=instruction.mask))
        return _read(instruction)

    def _is_taken(self, row: Row) -> bool:
        """Whether a lane of the shuffle that is under way asks for the value of this thread."""
        block, code = self.block, self.program.code
        given = block.warp_of(row)[1]
        asking = ((lane, each, code[block.waiting[each[NUMBER]]]) for lane, each in block.passing.items())
        return any(isinstance(made, Shuffle) and block.asked(made, lane, each) == given for lane, each, made in asking)

    def _is_sought(self, register: Register) -> bool:
        named = (self.program.names[register.number] or "") == self.violation.variable
        return named and register.number not in self.known


def _read(instruction: Instruction) -> Iterator[Register]:
    """The registers that an instruction reads."""
    for each in fields(instruction):
        if each.name not in ("result", "results"):
            yield from _registers(getattr(instruction, each.name))


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
