"""A program made ready to run: what each instruction does in a group of threads, and which can be run in one go.

Must not know scheduling, nor what is looked for.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import pairwise

from msgspec import Struct

from rewright.model.simt.instructions import Assert, Branch, Constant, Fence, Instruction, Jump, Register
from rewright.model.simt.program import Loop, Program
from rewright.replay.kernel.accesses import Access, access_code
from rewright.replay.kernel.frame import Frame, Op, Rows
from rewright.replay.kernel.local_code import BlockSurroundings, Local, local

Alone = Local | Assert | Fence
"""What a thread does by itself."""


class Stretch(Struct, frozen=True):
    """Instructions that threads run through without meeting others: what they do, and what comes after them."""

    ops: tuple[Op, ...]
    next: int


class DecodedCode(Struct, frozen=True):
    """`at` has a stretch where one begins, else the instruction; `heads` are the loops by start, inner ones first."""

    at: tuple[Stretch | Instruction, ...]
    heads: Mapping[int, tuple[tuple[int, Loop], ...]]
    frame: Frame

    def arrive(self, rows: Rows, source: int, target: int) -> None:
        """Counts the passes of the loops that begin at the target: one more of the innermost that threads are in."""
        for place, loop in self.heads.get(target, ()):
            if loop.head <= source < loop.end:
                for row in rows:
                    row[place] += 1
                return
            for row in rows:
                row[place] = 1

    def passes(self, row: list[int], at: int) -> tuple[tuple[Loop, int], ...]:
        """The loops around an instruction, the outermost first, and the pass that the thread is in."""
        around = [(loop, row[place]) for loops in self.heads.values() for place, loop in loops]
        return tuple(sorted(((loop, n) for loop, n in around if loop.head <= at < loop.end), key=_extent))


def _extent(counted: tuple[Loop, int]) -> tuple[int, int]:
    return counted[0].head, -counted[0].end


def code_of(program: Program, frame: Frame, around: BlockSurroundings, watched: Container[int]) -> DecodedCode:
    """The program made ready; a watched instruction is a stretch of its own."""
    heads: dict[int, tuple[tuple[int, Loop], ...]] = {}
    for number, loop in sorted(enumerate(program.loops), key=lambda numbered: numbered[1].end):
        heads[loop.head] = (*heads.get(loop.head, ()), (frame.count(number), loop))
    ops = [_op(instruction, frame, around) for instruction in program.code]
    at: list[Stretch | Instruction] = list(program.code)
    starts = sorted(_starts(program, watched) | set(heads))
    for start, end in pairwise(starts):
        stretch = tuple(op for op in ops[start:end] if op is not None)
        if stretch:
            at[start] = Stretch(stretch, end)
    for instruction in program.code:
        _place_operands(instruction, frame)
    return DecodedCode(tuple(at), heads, frame)


def _starts(program: Program, watched: Container[int]) -> set[int]:
    """Where threads may meet or part, or are watched; the end of the code is one of them."""
    found = {0, len(program.code)}
    for number, instruction in enumerate(program.code):
        match instruction:
            case Branch():
                found |= {number, number + 1, instruction.otherwise}
            case Jump():
                found |= {number, number + 1, instruction.target}
            case _ if number in watched or not isinstance(instruction, Alone):
                found |= {number, number + 1}
    return found


def _place_operands(instruction: Instruction, frame: Frame) -> None:
    """Gives all operands of an instruction their places, before there are rows."""
    for name in instruction.__struct_fields__:
        value = getattr(instruction, name)
        if isinstance(value, Register | Constant):
            frame.place(value)


def _op(instruction: Instruction, frame: Frame, around: BlockSurroundings) -> Op | None:
    """What an instruction does by itself; None where the scheduler has to see to it."""
    if isinstance(instruction, Local):
        return local(instruction, frame, around)
    if isinstance(instruction, Access):
        return access_code(instruction, frame, around.setting.order)
    return _nothing if isinstance(instruction, Assert | Fence) else None


def _nothing(rows: Rows) -> None:
    pass
