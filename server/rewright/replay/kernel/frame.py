"""What one thread has: a row of values, and where in it registers, constants and counts of passes stand.

Invariant: the first entries of a row are the thread's number in its block and its table of objects, null first.
Constants stand in every row, so that operands are looked up in one way. Must not know instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, field

from rewright.model.simt.instructions import Constant, Operand, Register
from rewright.model.simt.types import Scalar
from rewright.replay.kernel.conversions import typed
from rewright.replay.kernel.numbers import Number

Row = list[Any]
Rows = Sequence[Row]
Op = Callable[[Rows], None]
"""What an instruction does in the threads that execute it together."""

NUMBER, OBJECTS = 0, 1

_FIRST = 2
"""The first place of a register."""


class Frame(Struct):
    """The places in a row. Registers without a value hold 0; `passes` has a place for each loop."""

    registers: int
    constants: list[Number] = field(default_factory=list)
    passes: dict[int, int] = field(default_factory=dict)
    _known: dict[tuple[Scalar, str], int] = field(default_factory=dict)

    def place(self, operand: Operand) -> int:
        """Where an operand stands."""
        match operand:
            case Register(number, _):
                return _FIRST + number
            case Constant(value, scalar):
                key = scalar, repr(value)
                if key not in self._known:
                    self.constants.append(typed(value, scalar))
                    self._known[key] = self._last()
                return self._known[key]

    def count(self, loop: int) -> int:
        """Where the passes of a loop are counted."""
        if loop not in self.passes:
            self.constants.append(0)
            self.passes[loop] = self._last()
        return self.passes[loop]

    def row(self, number: int, objects: list[Any]) -> Row:
        """A thread that has not begun."""
        return [number, objects, *([0] * self.registers), *self.constants]

    def _last(self) -> int:
        return _FIRST + self.registers + len(self.constants) - 1
