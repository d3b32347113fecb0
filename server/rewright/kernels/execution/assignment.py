"""Which variables may be read before they were set, by the paths of the code alone.

A forward analysis (definite assignment, as of a compiler): a register is set where it was on every path, to what was
computed of registers that are set. Must not know values: a path that no thread takes counts too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rewright.kernels.execution.flow import only_computes, operands, successors
from rewright.model.simt.instructions import Forget, Instruction, Operand, Register, Shuffle, results
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
    passed_on = [_bits(_passed_on(instruction)) for instruction in code]
    forgotten = [_bits(_forgotten(instruction)) for instruction in code]
    before = [everything] * (len(code) + 1)
    before[0] = _bits(uniform.register.number for uniform in program.uniforms)
    waiting = [0] if code else []
    reached = {0}
    while waiting:
        at = waiting.pop()
        is_set = before[at] & passed_on[at] == passed_on[at]
        after = (before[at] | writes[at] if is_set else before[at] & ~writes[at]) & ~forgotten[at]
        for target in successors(code, at):
            narrowed = before[target] & after
            if narrowed != before[target] or target not in reached:
                before[target] = narrowed
                reached.add(target)
                if target < len(code):
                    waiting.append(target)
    return before


def _passed_on(instruction: Instruction) -> Iterator[int]:
    """The registers without whose values the result has none."""
    if isinstance(instruction, Shuffle):
        read: tuple[Operand, ...] = (instruction.value,)
    else:
        read = operands(instruction) if only_computes(instruction) else ()
    return (operand.number for operand in read if isinstance(operand, Register))


def _forgotten(instruction: Instruction) -> Iterator[int]:
    return (each.number for each in instruction.registers) if isinstance(instruction, Forget) else iter(())


def _bits(numbers: Iterable[int]) -> int:
    found = 0
    for number in numbers:
        found |= 1 << number
    return found
