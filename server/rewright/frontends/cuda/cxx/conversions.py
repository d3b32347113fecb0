"""Conversions between values of C's types.

Follows C++17 [conv] and the usual arithmetic conversions; `long` has 64 bits. Must not know expressions.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.operators import convert
from rewright.emit.types import Arithmetic, ArrayType, Closure, Pointer, StructType, Type, Void
from rewright.emit.values import NOTHING, Lvalue, Rvalue, Value
from rewright.model.conversions import common_type
from rewright.model.simt.instructions import Constant
from rewright.model.simt.types import Scalar


def assignable(emitter: Emitter, value: Value, node: Node) -> Lvalue:
    """The object that an expression has named; refuses a value that is none."""
    if isinstance(value, Rvalue):
        emitter.refuse(node, "this is a value, not an object that can be assigned to")
    return value


def converted(emitter: Emitter, value: Rvalue, target: Type, node: Node) -> Rvalue:
    """The value as one of the type, as an assignment would convert it."""
    if value.type == target:
        return value
    match value.type, target:
        case _, Void():
            return NOTHING
        case Arithmetic(), Arithmetic(scalar=to):
            return Rvalue(target, (convert(emitter, value.operand, to, emitter.place(node)),))
        case Pointer(), Pointer():
            return Rvalue(target, value.leaves)
        case Pointer(), Arithmetic(scalar=Scalar.PRED):
            return Rvalue(target, (convert(emitter, value.operand, Scalar.PRED, emitter.place(node)),))
        case Arithmetic(), Pointer() if isinstance(value.operand, Constant) and value.operand.value == 0:
            return Rvalue(target, (convert(emitter, value.operand, Scalar.U64, emitter.place(node)),))
        case _:
            emitter.refuse(node, f"{described(value.type)} does not convert to {described(target)} here")


def recast(emitter: Emitter, value: Rvalue, target: Type, node: Node) -> Rvalue:
    """The value as one of the type, as a cast would convert it: also between pointers and integers."""
    match value.type, target:
        case (Pointer(), Arithmetic(scalar=to)) if to.is_integer:
            return Rvalue(target, (convert(emitter, value.operand, to, emitter.place(node)),))
        case (Arithmetic(scalar=given), Pointer()) if given.is_integer:
            return Rvalue(target, (convert(emitter, value.operand, Scalar.U64, emitter.place(node)),))
        case _:
            return converted(emitter, value, target, node)


def promotion(given: Scalar) -> Scalar:
    """The type after the integer promotions."""
    return common_type(given, given)


def described(kind: Type) -> str:
    """A type in words, for messages."""
    match kind:
        case Arithmetic():
            return f"a value of type {kind.scalar}"
        case Pointer():
            return "a pointer"
        case StructType():
            return f"a `{kind.name}`"
        case ArrayType():
            return "an array"
        case Closure():
            return "a lambda"
        case Void():
            return "nothing (`void`)"
        case _:
            return "a value of another kind"
