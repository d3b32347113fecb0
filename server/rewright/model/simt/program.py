"""A program of the SIMT form: objects in memory, what is set before it starts, and the code.

Invariants: the code keeps the order of the text, a loop's test stands before its body and what follows the loop after
it; so the threads with the smallest place in the code are those that others may still be caught up by. Running past
the last instruction ends a thread. Must not know how it is executed.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from rewright.model.body import Expression
from rewright.model.index import Name
from rewright.model.simt.instructions import Instruction, Register
from rewright.model.simt.types import Scalar, Space
from rewright.verdict import Place


class VariableMemory(StrEnum):
    """Who may write a variable outside functions, besides the kernel in question where it is device memory.

    `DEVICE`: kernels and the host; launches before this one may have. `KEPT`: device memory with a first value that the
    source nowhere changes. `CONSTANT`: the host only, a kernel must not. `FIXED`: no one.
    """

    DEVICE = "device"
    KEPT = "kept"
    CONSTANT = "constant"
    FIXED = "fixed"

    @property
    def is_read_only(self) -> bool:
        """Whether a kernel that stores there is wrong."""
        return self in (VariableMemory.CONSTANT, VariableMemory.FIXED)


class DeviceVariable(Struct, frozen=True):
    """What the text says of a variable outside functions, `__device__` or `__constant__`.

    `initial` are its first elements before anybody writes it, in row-major order, zeros after them; None for constant
    memory that is declared without a value: the host is to fill it.
    """

    memory: VariableMemory
    initial: tuple[int | float, ...] | None

    @property
    def settled(self) -> tuple[int | float, ...] | None:
        """The contents that every launch finds, None where others may have been written before it."""
        return None if self.memory is VariableMemory.DEVICE else self.initial


class RecordField(Struct, frozen=True):
    """A field of the structs in an array of bytes: `count` elements of a type from `offset` on in each `size` bytes.

    `name` is that of the parameter with its contents.
    """

    name: Name
    type: Scalar
    offset: int
    count: int
    size: int


class Object(Struct, frozen=True):
    """An array (or a single cell, without extents) in memory.

    `type` is that of its elements. Extents are expressions over the uniforms, outermost dimension first; None where the
    size is not known (a pointer of which nothing is declared): then only addresses before its start are out of bounds.
    The contents of shared and local objects, and of a global one that is only written (`is_input` false), are undefined
    at first. A global object has the parameter's name in the declaration; one that is no parameter is a `variable` of
    the source. One with `fields` is an array of structs: bytes whose first contents are those of its fields.
    """

    name: Name
    space: Space
    type: Scalar
    extents: tuple[Expression, ...] | None
    is_input: bool
    place: Place
    variable: DeviceVariable | None = None
    fields: tuple[RecordField, ...] = ()

    @property
    def inputs(self) -> tuple[tuple[Name, Scalar], ...]:
        """The names that its contents are known by, with their types."""
        return tuple((field.name, field.type) for field in self.fields) or ((self.name, self.type),)


class Uniform(Struct, frozen=True):
    """A size or scalar parameter, in its register before the program starts."""

    name: Name
    register: Register


class Loop(Struct, frozen=True):
    """A loop: the code from `head` (its test) up to `end`; a pass begins when a thread comes to `head`."""

    head: int
    end: int
    place: Place


class Program(Struct, frozen=True):
    """What each thread of a kernel runs. `names` are those of registers that the text names, by number."""

    objects: tuple[Object, ...]
    uniforms: tuple[Uniform, ...]
    names: tuple[str | None, ...]
    code: tuple[Instruction, ...]
    loops: tuple[Loop, ...]
