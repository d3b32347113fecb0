"""What an expression of CUDA C++ comes to while it is lowered: operands with a type, or where an object lies.

Must not know how either is made.
"""

from __future__ import annotations

from typing import TypeGuard

from msgspec import Struct

from rewright.emit.types import VOID, Type
from rewright.model.simt.instructions import Constant, Operand, Register, Subscript


class Rvalue(Struct, frozen=True):
    """A value: one operand per leaf of its type (one for scalars and pointers, none for `void`)."""

    type: Type
    leaves: tuple[Operand, ...]

    @property
    def operand(self) -> Operand:
        """The operand of a scalar or pointer."""
        return self.leaves[0]


class InRegisters(Struct, frozen=True):
    """An object that lies in registers, one per leaf: a variable whose address is never taken, or a field of one."""

    type: Type
    registers: tuple[Register, ...]


class Trail(Struct, frozen=True):
    """How the text came to an element of a named array: the indices so far, and what is left to give.

    `rest` dimensions are still to be indexed. Elements that are structs have `count` scalars of `width` bytes (one, if
    they are none) as a last dimension; `inner` is the offset in bytes in the struct.
    """

    subscripts: tuple[Subscript, ...]
    rest: int
    count: int
    width: int
    inner: int = 0


class InMemory(Struct, frozen=True):
    """An object that lies in memory, at an address of type u64; with the trail if the text names it."""

    type: Type
    address: Operand
    trail: Trail | None = None


Lvalue = InRegisters | InMemory
Value = Rvalue | Lvalue

NOTHING = Rvalue(VOID, ())


def is_constant(value: Value) -> TypeGuard[Rvalue]:
    """Whether a value is known when the text is read."""
    return isinstance(value, Rvalue) and all(isinstance(leaf, Constant) for leaf in value.leaves)
