"""The object that an argument points to. Must not know what is done with it."""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.memory import dereferenced
from rewright.emit.values import InMemory
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import place_of, pointer
from rewright.frontends.cuda.reading.tree import text, unwrapped


def pointee(lowering: Lowering, argument: Node) -> InMemory:
    """The object that an argument points to; `&a[i]` keeps the indices by which the text names it."""
    written = unwrapped(argument)
    operator, operand = written.child_by_field_name("operator"), written.child_by_field_name("argument")
    if written.type == "pointer_expression" and operator is not None and operand is not None and text(operator) == "&":
        found = place_of(lowering, operand)
        if isinstance(found, InMemory):
            return found
    return dereferenced(pointer(lowering, argument))
