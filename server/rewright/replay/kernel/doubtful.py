"""Which registers may be without a value, by the text of a program alone, and where in the code that matters.

A register is in doubt if some path reads it before it was set, or if it comes of memory, of another thread, of a
division by zero or of a register in doubt. All others have a value wherever they are read, and nobody needs to follow
them. Must not know values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from rewright.model.simt.instructions import (
    Atomic,
    Binary,
    Branch,
    Choose,
    Constant,
    Exit,
    Forget,
    Instruction,
    Jump,
    Load,
    Register,
    Shuffle,
    Store,
    Subscript,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator, Scalar


class Doubtful(Struct, frozen=True):
    """The numbers of the registers that may be without a value, and the places of the code where one may come to or go.

    `decides`: whether a result may have a value though an operand has none, which then decides nothing.
    """

    registers: frozenset[int]
    places: frozenset[int]
    decides: bool


def doubtful(program: Program) -> Doubtful:
    """What has to be followed in a run of a program."""
    read = [frozenset(numbers(reads(each))) for each in program.code]
    written = [frozenset(numbers(writes(each))) for each in program.code]
    before = _set_before(program, written)
    found = {register for at, registers in enumerate(read) for register in registers if not before[at] >> register & 1}
    found |= {register for at, each in enumerate(program.code) if _may_leave_unset(each) for register in written[at]}
    size = -1
    while size < len(found):
        size = len(found)
        found |= {each for at, registers in enumerate(read) if registers & found for each in written[at]}
    followed = frozenset(found)
    places = (at for at, each in enumerate(program.code) if _matters(each) or (read[at] | written[at]) & followed)
    decides = any(_decides(each) and read[at] & followed for at, each in enumerate(program.code))
    return Doubtful(followed, frozenset(places), decides)


def reads(instruction: Instruction) -> Iterator[Register]:
    """The registers that an instruction reads."""
    if isinstance(instruction, Forget):
        return iter(())
    return registers(
        tuple(getattr(instruction, name) for name in instruction.__struct_fields__ if name not in _RESULTS)
    )


def writes(instruction: Instruction) -> Iterator[Register]:
    """The registers that an instruction writes."""
    return registers(tuple(getattr(instruction, name) for name in instruction.__struct_fields__ if name in _RESULTS))


def registers(value: object) -> Iterator[Register]:
    """The registers in a part of an instruction."""
    match value:
        case Register():
            yield value
        case Subscript():
            yield from registers((value.index, value.extent))
        case tuple():
            for each in value:
                yield from registers(each)
        case _:
            pass


def numbers(chosen: Iterable[Register]) -> tuple[int, ...]:
    """The numbers of registers."""
    return tuple(each.number for each in chosen)


def divides(instruction: Instruction) -> bool:
    """Whether it divides integers by what may be 0."""
    match instruction:
        case Binary(operator=BinaryOperator.DIVIDE | BinaryOperator.REMAINDER, right=right):
            return not right.type.is_float and not (isinstance(right, Constant) and right.value != 0)
        case _:
            return False


def _matters(instruction: Instruction) -> bool:
    """Whether an instruction does anything to memory, or takes what other threads have."""
    return isinstance(instruction, Load | Store | Atomic | Shuffle | Forget)


def _decides(instruction: Instruction) -> bool:
    """Whether an operand decides if another one matters."""
    match instruction:
        case Binary(operator=BinaryOperator.AND | BinaryOperator.OR, left=left):
            return left.type is Scalar.PRED
        case _:
            return isinstance(instruction, Choose)


def _may_leave_unset(instruction: Instruction) -> bool:
    return isinstance(instruction, Load | Atomic | Shuffle) or divides(instruction)


def _set_before(program: Program, written: list[frozenset[int]]) -> list[int]:
    """For each instruction the registers, as bits, that every path to it has written."""
    code, everything = program.code, (1 << len(program.names)) - 1
    before = [everything] * (len(code) + 1)
    before[0] = _bits(uniform.register.number for uniform in program.uniforms)
    waiting, reached = [0], {0}
    while waiting:
        at = waiting.pop()
        if at >= len(code):
            continue
        instruction = code[at]
        gone = _bits(numbers(instruction.registers)) if isinstance(instruction, Forget) else 0
        after = (before[at] | _bits(written[at])) & ~gone
        for target in _next(instruction, at):
            narrowed = before[target] & after
            if narrowed != before[target] or target not in reached:
                before[target] = narrowed
                reached.add(target)
                waiting.append(target)
    return before


def _next(instruction: Instruction, at: int) -> tuple[int, ...]:
    match instruction:
        case Jump(target=target):
            return (target,)
        case Branch(otherwise=otherwise):
            return at + 1, otherwise
        case Exit():
            return ()
        case _:
            return (at + 1,)


def _bits(chosen: Iterable[int]) -> int:
    found = 0
    for number in chosen:
        found |= 1 << number
    return found


_RESULTS = ("result", "results")
