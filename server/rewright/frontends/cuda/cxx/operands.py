"""What is asked of an operand: its value, a number, a truth, a constant, the object that it names.

Must not know the shape of expressions.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.evaluation import evaluated
from rewright.emit.memory import loaded
from rewright.emit.types import Arithmetic, Pointer
from rewright.emit.values import Lvalue, Rvalue
from rewright.frontends.cuda import cxx  # an operand is an expression
from rewright.frontends.cuda.cxx.conversions import assignable, converted, described
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import Scalar


def rvalue(lowering: Lowering, node: Node) -> Rvalue:
    """The value of an expression, read from memory if it names an object there."""
    return loaded(lowering.emitter, cxx.expressions.value(lowering, node), lowering.emitter.place(node))


def scalar(lowering: Lowering, node: Node, target: Scalar) -> Operand:
    """The value of an expression as an operand of the type."""
    return converted(lowering.emitter, rvalue(lowering, node), Arithmetic(target), node).operand


def number(lowering: Lowering, node: Node) -> Operand:
    """The value of an expression of arithmetic type, in that type."""
    value = rvalue(lowering, node)
    if not isinstance(value.type, Arithmetic):
        lowering.emitter.refuse(node, f"expected a number, got {described(value.type)}")
    return value.operand


def truth(lowering: Lowering, node: Node) -> Operand:
    """The value of an expression as a truth."""
    return scalar(lowering, node, Scalar.PRED)


def constant(lowering: Lowering, node: Node) -> int | None:
    """The value of an integer expression if it is known when the text is read."""
    found = constant_value(lowering, node)
    return None if found is None or found.type.is_float else int(found.value)


def constant_value(lowering: Lowering, node: Node) -> Constant | None:
    """The value of an expression of arithmetic type if it is known when the text is read."""
    emitter = lowering.emitter
    begin = len(emitter.builder.code)
    with emitter.unevaluated():
        value = rvalue(lowering, node)
        if not isinstance(value.type, Arithmetic):
            return None
        return evaluated(emitter.builder.code, begin, value.operand)


def pointer(lowering: Lowering, node: Node) -> Rvalue:
    """The value of an expression that is a pointer."""
    value = rvalue(lowering, node)
    if not isinstance(value.type, Pointer):
        lowering.emitter.refuse(node, f"expected a pointer, got {described(value.type)}")
    return value


def place_of(lowering: Lowering, node: Node) -> Lvalue:
    """The object that an expression names."""
    return assignable(lowering.emitter, cxx.expressions.value(lowering, node), node)
