"""What is known of registers while a kernel is lowered: which have a value, and which a name stands for.

Must not know names.
"""

from __future__ import annotations

from msgspec import Struct, field

from rewright.emit.values import InMemory, Rvalue
from rewright.model.simt.instructions import Register


class RegisterState(Struct):
    """What is set, by number of a register. Mutable, and owned by one lowering.

    `unset` are registers of variables declared without a value, with the number of loops around the declaration,
    `written` those of variables that were given one since, `held` those without a name of their own that names of the
    text stand for.
    """

    unset: dict[int, int] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    held: set[int] = field(default_factory=set)

    def hold(self, value: object) -> None:
        """Notes that registers without names of their own are what a name stands for from now on, if any are."""
        match value:
            case Rvalue():
                self.held.update(leaf.number for leaf in value.leaves if isinstance(leaf, Register))
            case InMemory(address=Register() as address):
                self.held.add(address.number)
            case _:
                pass
