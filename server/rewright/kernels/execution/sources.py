"""What instructions read and write, looked up once: registers, constants, who reports what has no value.

Must not know what instructions do.
"""

from __future__ import annotations

from functools import partial
from typing import NoReturn, TypeAlias

import numpy as np
from msgspec import Struct, field

from rewright.kernels.execution import arithmetic, numbers
from rewright.kernels.execution.arithmetic import BinaryFunction
from rewright.kernels.execution.arrays import Whys
from rewright.kernels.execution.block import RunningBlock
from rewright.kernels.execution.flow import operands
from rewright.kernels.execution.groups import Indices, LaneGroup, Value
from rewright.kernels.execution.registers import Cell, Fixed, Report
from rewright.kernels.execution.unset_reads import first
from rewright.model.simt.instructions import Binary, Instruction, Operand, Register, results
from rewright.model.simt.program import Program
from rewright.model.simt.types import Scalar
from rewright.model.simt.violation import Unset
from rewright.verdict import Place

Source: TypeAlias = Cell | Fixed


class MissingValue(Exception):
    """An instruction comes to read what has no value in some lane, before it has written anything."""

    def __init__(self, instruction: Instruction) -> None:
        super().__init__()
        self.instruction = instruction


class RegisterSources(Struct, frozen=True):
    """The registers of one program, and the block whose state they are. `unread`: those that nobody reads.

    `fixed`: constants by identity; the program keeps them. `overflowed`: where signed arithmetic overflowed in a
    run, if that is looked out for.
    """

    block: RunningBlock
    names: tuple[str | None, ...]
    unread: frozenset[int]
    fixed: dict[int, Fixed] = field(default_factory=dict)
    overflowed: list[Place] | None = None

    def cell(self, register: Register) -> Cell:
        """The register."""
        return self.block.cells[register.number]

    def of(self, operand: Operand) -> Source:
        """What holds the operand's value."""
        if isinstance(operand, Register):
            return self.block.cells[operand.number]
        known = self.fixed.get(id(operand))
        if known is None:
            known = self.fixed[id(operand)] = Fixed(numbers.constant(operand.value, operand.type))
        return known

    def watched(self, instruction: Binary, apply: BinaryFunction) -> BinaryFunction:
        """What computes the instruction, and notes if it overflows where that is looked out for."""
        overflows = arithmetic.overflows(instruction.operator, instruction.left.type)
        noted = self.overflowed
        if noted is None or overflows is None:
            return apply

        def watch(left: Value, right: Value) -> Value:
            if not noted and overflows(left, right):
                noted.append(instruction.place)
            return apply(left, right)

        return watch

    def reporting(self, instruction: Instruction) -> Report:
        """What stops an instruction that reads what has no value; it raises `MissingValue`."""

        def stop(cell: Cell, lanes: Indices) -> NoReturn:
            raise MissingValue(instruction)

        return stop

    def report(self, place: Place) -> Report:
        """What claims that the instruction at a place depends on what has no value, once for each lane."""

        def report(cell: Cell, lanes: Indices) -> None:
            whys = self.whys(cell, self.block.groups.of(lanes), place)
            if whys is not None:
                self.block.unset_reads.report(first(whys))

        return report

    def whys(self, source: Source, group: LaneGroup, place: Place) -> Whys | None:
        """Why a source has no value in lanes of a group (None: nothing); a new array.

        As the lanes came to have no value, else as it is read at this place and nothing set it.
        """
        missing = source.holes(group)
        if missing is None or not isinstance(source, Cell):
            return None
        found = np.zeros((group.count, 1), np.int64) if source.whys is None else source.whys[group.lanes]
        found[~missing] = 0
        never = missing & ~found.any(axis=1)
        if never.any():
            number, interval = source.number, self.block.log.interval
            report = partial(self._claim, number, place, interval)
            base = self.block.unset_reads.once((number, place, interval), self.block.groups.whole.count, report)
            found[never] = (base + group.lanes[never])[:, None]
        return found

    def _claim(self, number: int, place: Place, interval: int, lane: int) -> None:
        """Claims that something depends on a variable that was not set, once for each lane."""
        block = self.block
        block.dropped = True
        if not block.muted and (number, lane) not in block.known_unset:
            block.known_unset.add((number, lane))
            unset = partial(Unset, self.names[number] or "", interval, block.scene.thread(lane), place)
            block.claim((Unset, number, place), unset)


def cells_of(program: Program) -> tuple[Cell, ...]:
    """The registers of a program by number."""
    types = dict.fromkeys(range(len(program.names)), Scalar.PRED)
    for instruction in program.code:
        for operand in (*operands(instruction), *results(instruction)):
            if isinstance(operand, Register):
                types[operand.number] = operand.type
    for uniform in program.uniforms:
        types[uniform.register.number] = uniform.register.type
    return tuple(Cell(number, numbers.DTYPES[scalar].type(0)) for number, scalar in types.items())
