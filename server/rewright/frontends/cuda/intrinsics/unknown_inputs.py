"""Inputs that no parameter stands for: what a clock shows, what a generator was seeded with.

They are constant memory that nobody fills, so their contents are chosen as those of any such variable, control that
depends on them is tried with several, and messages name them. Must not know what is made of them.
"""

from __future__ import annotations

from rewright.emit.emitter import Emitter
from rewright.emit.memory import reached
from rewright.emit.types import Arithmetic
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Register
from rewright.model.simt.program import DeviceVariable, Object, VariableMemory
from rewright.model.simt.types import Scalar, Space
from rewright.verdict import Place


def unknown_input(emitter: Emitter, name: str, scalar: Scalar, place: Place) -> Register:
    """A register with the number that the launch finds under a name, read once when the kernel starts."""
    key = ("unknown input", name)
    if key not in emitter.once:
        variable = DeviceVariable(VariableMemory.CONSTANT, None)
        made = Object(emitter.fresh(name), Space.GLOBAL, scalar, (), is_input=True, place=place, variable=variable)
        address = reached(emitter, emitter.builder.object(made), Arithmetic(scalar), place).address
        emitter.once[key] = register = emitter.temporary(scalar)
        emitter.prologue.append(simt.Load((register,), address, (), place))
    return emitter.once[key]
