"""What instructions read and write, looked up once: the cells of registers, constants, who is told of unset variables.

Must not know what instructions do.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from rewright.kernels.execution import numbers
from rewright.kernels.execution.block import RunningBlock
from rewright.kernels.execution.flow import operands
from rewright.kernels.execution.groups import Indices
from rewright.kernels.execution.registers import Cell, Fixed, Origin, Report
from rewright.kernels.execution.taint import NOTHING, Taint
from rewright.model.simt.instructions import Operand, Register, results
from rewright.model.simt.program import Program
from rewright.model.simt.types import Scalar
from rewright.model.simt.violation import Unset, Violation
from rewright.verdict import Place

Source: TypeAlias = Cell | Fixed


@dataclass(frozen=True, slots=True)
class RegisterSources:
    """The registers of one program, and the block whose state they are. `unread`: those that nobody reads.

    `fixed`: constants by identity; the program keeps them.
    """

    block: RunningBlock
    names: tuple[str | None, ...]
    unread: frozenset[int]
    fixed: dict[int, Fixed] = field(default_factory=dict)

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

    def report(self, place: Place) -> Report:
        """What claims that the instruction at a place depends on a variable that was not set, once for each lane."""
        block = self.block

        def report(cell: Cell, lanes: Indices) -> None:
            for lane in lanes.tolist():
                self.claim(cell.origin(lane, place, block.log.interval))

        return report

    def claim(self, first: Origin, taint: Taint = NOTHING) -> None:
        """Claims that something depends on a variable that was not set, once for each lane."""
        block = self.block
        block.dropped = True
        if (first.number, first.lane) not in block.told:
            block.told.add((first.number, first.lane))
            block.claim((Unset, first.number, first.place), partial(self._unset, first), taint)

    def _unset(self, first: Origin) -> Violation:
        name = self.names[first.number] or ""
        return Unset(name, first.interval, self.block.scene.thread(first.lane), first.place)


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
