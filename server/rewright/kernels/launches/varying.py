"""Registers whose values may differ between the threads of a launch or grow with it, by what they are computed from.

Branches are left out: a counter that only some threads increase counts as alike. This chooses which launches are run
and decides nothing. Must not know how they run.
"""

from __future__ import annotations

from rewright.kernels.execution.flow import operands
from rewright.model.simt.instructions import (
    AddressOf,
    Binary,
    Choose,
    Convert,
    Function,
    Instruction,
    Move,
    Operand,
    Register,
    Reinterpret,
    Unary,
    results,
)
from rewright.model.simt.program import Program


def varying(program: Program) -> frozenset[int]:
    """The numbers of the registers that follow from positions, shapes of a launch, memory or other threads."""
    found: set[int] = set()
    using: dict[int, list[int]] = {}
    for instruction in program.code:
        used = _used(instruction)
        for result in results(instruction):
            if used is None:
                found.add(result.number)
            for each in used or ():
                if isinstance(each, Register):
                    using.setdefault(each.number, []).append(result.number)
    left = list(found)
    while left:
        new = [number for number in using.get(left.pop(), ()) if number not in found]
        found.update(new)
        left += new
    return frozenset(found)


def _used(instruction: Instruction) -> tuple[Operand, ...] | None:
    """What the result of an instruction is computed from, None if the launch or other threads give it."""
    match instruction:
        case Move() | Unary() | Convert() | Reinterpret() | Binary() | Choose() | Function() | AddressOf():
            return operands(instruction)
        case _:
            return None
