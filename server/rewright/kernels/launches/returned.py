"""Whether what atomics return may distinguish blocks.

A queue gives each block places of its own by an atomic on memory that all share; run by itself, each block gets the
same ones. Must not know how blocks are run.
"""

from __future__ import annotations

from rewright.kernels.execution.flow import operands, unread
from rewright.model.simt.instructions import AddressOf, Atomic, Instruction, Operand, Register, results
from rewright.model.simt.program import Program
from rewright.model.simt.types import Space


def distinguishes_blocks(program: Program) -> bool:
    """Whether an atomic that may be on global memory returns a value that is read."""
    ignored = unread(program)
    settings: dict[int, list[Instruction]] = {}
    for instruction in program.code:
        for register in results(instruction):
            settings.setdefault(register.number, []).append(instruction)
    atomics = [each for each in program.code if isinstance(each, Atomic) and each.result.number not in ignored]
    return any(_may_be_global(program, each.address, settings) for each in atomics)


def _may_be_global(program: Program, address: Operand, settings: dict[int, list[Instruction]]) -> bool:
    """Whether an address comes from that of an object in global memory, or from none at all."""
    waiting, seen, spaces = [address], set[int](), set[Space]()
    while waiting:
        operand = waiting.pop()
        if not isinstance(operand, Register) or operand.number in seen:
            continue
        seen.add(operand.number)
        for made in settings.get(operand.number, ()):
            if isinstance(made, AddressOf):
                spaces.add(program.objects[made.object].space)
            waiting.extend(operands(made))
    return spaces != {Space.SHARED}
