"""What is known of a function while its closures are built: slots of variables, and which of them have values.

Invariant: a variable that `has_value` has one whenever what is built next is executed, whatever was executed before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from itertools import repeat

from msgspec import Struct, field

from rewright.loops.programs.integers import Frame
from rewright.loops.programs.machine import ProgramMachine
from rewright.model.index import Name
from rewright.model.nest_program import ProgramFunction


class Leaving(Enum):
    """How a statement ends that does not simply end."""

    LOOP = auto()
    ITERATION = auto()
    FUNCTION = auto()


Step = Callable[[Frame], Leaving | None]
"""A statement in a frame."""


class IntegerArray(Struct):
    """An array of whole numbers, its elements in C's order; one without a value is None."""

    sizes: tuple[int, ...]
    cells: list[int | None]
    bits: int


class BuiltFunction(Struct, eq=False):
    """A function while its body may still be missing: recursion."""

    declared: ProgramFunction
    slots: int = 1
    body: Step | None = None


class Building(Struct):
    """The closures of one function; `returns` are the bits of what it returns."""

    machine: ProgramMachine
    functions: dict[Name, BuiltFunction]
    returns: int
    slots: dict[Name, int] = field(default_factory=dict)
    bits: dict[Name, int] = field(default_factory=dict)
    valued: set[Name] = field(default_factory=set)
    site: int = 0

    def slot(self, name: Name) -> int:
        """Where a variable stands in a frame."""
        return self.slots.setdefault(name, len(self.slots) + 1)

    def gives(self, name: Name, bits: int) -> int:
        """The slot of a variable that has a value of so many bits from here on."""
        self.bits[name] = bits
        self.valued.add(name)
        return self.slot(name)

    def has_value(self, name: Name) -> bool:
        """Whether a variable has a value here, however one came here."""
        return name in self.valued

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is built meanwhile may be left out or left early: its variables may have no value afterwards."""
        before = set(self.valued)
        yield
        self.valued = self.valued & before


def frame_of(building: Building) -> Frame:
    """A frame in which no variable has a value."""
    return list(repeat(None, len(building.slots) + 1))
