"""The object that an argument points to. Must not know what is done with it."""

from __future__ import annotations

from tree_sitter import Node

from rewright.kernels.cuda.casts import place_of, pointer
from rewright.kernels.cuda.lowering import Lowering
from rewright.kernels.cuda.memory import pointed
from rewright.kernels.cuda.syntax import text, unwrapped
from rewright.kernels.cuda.values import InMemory


def pointed_at(lowering: Lowering, argument: Node) -> InMemory:
    """The object behind a pointer; `&a[i]` keeps the indices by which the text names it."""
    written = unwrapped(argument)
    operator, operand = written.child_by_field_name("operator"), written.child_by_field_name("argument")
    if written.type == "pointer_expression" and operator is not None and operand is not None and text(operator) == "&":
        found = place_of(lowering, operand)
        if isinstance(found, InMemory):
            return found
    return pointed(pointer(lowering, argument))
