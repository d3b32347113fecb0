"""Which variables may be read before they were set, by the paths of the code alone.

A forward analysis (definite assignment, as of a compiler): a register is set where it was on every path. Must not know
values: a path that no thread takes counts too.
"""

from __future__ import annotations

from collections.abc import Iterable

from rewright.kernels.execution.flow import operands, successors
from rewright.model.simt.instructions import Register, results
from rewright.model.simt.program import Program

Unsure = dict[int, frozenset[int]]
"""By instruction, the registers that it may read before they were set."""


def unsure(program: Program) -> Unsure:
    """The reads of which it is not sure that they come after a write."""
    before = _set_before(program)
    found = {}
    for at, instruction in enumerate(program.code):
        read = {o.number for o in operands(instruction) if isinstance(o, Register)}
        doubtful = frozenset(number for number in read if not before[at] >> number & 1)
        if doubtful:
            found[at] = doubtful
    return found


def _set_before(program: Program) -> list[int]:
    """For each instruction the registers, as bits, that are set on every path to it."""
    code, everything = program.code, (1 << len(program.names)) - 1
    writes = [_bits(register.number for register in results(instruction)) for instruction in code]
    before = [everything] * (len(code) + 1)
    before[0] = _bits(uniform.register.number for uniform in program.uniforms)
    waiting = [0] if code else []
    reached = {0}
    while waiting:
        at = waiting.pop()
        after = before[at] | writes[at]
        for target in successors(code, at):
            narrowed = before[target] & after
            if narrowed != before[target] or target not in reached:
                before[target] = narrowed
                reached.add(target)
                if target < len(code):
                    waiting.append(target)
    return before


def _bits(numbers: Iterable[int]) -> int:
    found = 0
    for number in numbers:
        found |= 1 << number
    return found
