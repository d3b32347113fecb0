"""Bytes that a value is without, and what instructions make of them.

Must not know which read is in question, nor what is watched.
"""

from __future__ import annotations

from typing import NamedTuple

from rewright.model.simt.instructions import (
    Binary,
    Choose,
    Convert,
    Function,
    Instruction,
    Move,
    Register,
    Reinterpret,
    Unary,
)
from rewright.model.simt.types import Scalar
from rewright.replay.kernel.conversions import size
from rewright.replay.kernel.doubtful import divides
from rewright.replay.kernel.frame import OBJECTS, Row
from rewright.replay.kernel.memory import Cells
from rewright.replay.kernel.pointers import position

Bytes = tuple[int, ...]
"""For each byte, from the lowest: 0 if it has a value; `ELSEWHERE` if it has none for a reason of its own; else the
number of the sighting of the read in question that it comes of."""

ALL = 8
"""As many bytes as the widest register has."""

ELSEWHERE = -1
"""A byte has no value for a reason of its own."""

FULL: Bytes = (0,) * ALL
NEVER_SET: Bytes = tuple([ELSEWHERE] * ALL)
"""What is missing in a register that nothing has set; no other one has this very object."""

LOST: Bytes = tuple([ELSEWHERE] * ALL)
"""What is missing in a register all of whose bytes have no value for a reason of their own."""


class Accessed(NamedTuple):
    """Where an access finds its address and its indices, and the bytes of each element and of all."""

    address: int
    subscripts: tuple[tuple[int, int], ...]
    width: int
    total: int

    def target(self, row: Row) -> tuple[Cells, int] | None:
        """The cells and the place in their data of an access; None if it does not happen."""
        objects = row[OBJECTS]
        number, offset = position(int(row[self.address]))
        cells: Cells | None = objects[number] if 0 < number < len(objects) else None
        if cells is None or offset % self.total or not cells.reaches(offset, self.total):
            return None
        for index, extent in self.subscripts:
            if not 0 <= row[index] < row[extent]:
                return None
        return cells, cells.at(offset)


def only_computes(instruction: Instruction) -> bool:
    """Whether all that follows from operands without a value is that the result has none."""
    match instruction:
        case Move() | Unary() | Binary() | Convert() | Reinterpret() | Choose() | Function():
            return not divides(instruction)
        case _:
            return False


def copies(instruction: Instruction) -> bool:
    """Whether the result has the bytes of a register."""
    match instruction:
        case Move(operand=Register()) | Reinterpret(operand=Register()):
            return True
        case Convert(result=result, operand=Register() as operand):
            types = result.type, operand.type
            same = size(result.type) == size(operand.type) and Scalar.PRED not in types
            return same and not any(each.is_float for each in types)
        case _:
            return False
