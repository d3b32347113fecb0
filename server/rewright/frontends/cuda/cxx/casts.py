"""Conversions between values of C's types, and what intrinsics ask of expressions: a value, a scalar, a constant.

Follows C++17 [conv] and the usual arithmetic conversions; `long` has 64 bits. Must not know the shape of expressions.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.frontends.cuda.cxx.types import Arithmetic, Array, Closure, Pointer, Struct, Type, Void
from rewright.frontends.cuda.cxx.values import NOTHING, Lvalue, Rvalue, Value
from rewright.frontends.cuda.lower.emit import convert
from rewright.frontends.cuda.lower.emitter import Emitter
from rewright.frontends.cuda.lower.evaluation import evaluated
from rewright.frontends.cuda.lower.lowering import Lowering
from rewright.frontends.cuda.lower.memory import loaded
from rewright.model.conversions import common_type
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import Scalar


def rvalue(lowering: Lowering, node: Node) -> Rvalue:
    """The value of an expression, read from memory if it names an object there."""
    return loaded(lowering.emitter, lowering.names.readers.value(lowering, node), lowering.emitter.place(node))


def scalar(lowering: Lowering, node: Node, wanted: Scalar) -> Operand:
    """The value of an expression as an operand of the type."""
    return converted(lowering.emitter, rvalue(lowering, node), Arithmetic(wanted), node).operand


def number(lowering: Lowering, node: Node) -> Operand:
    """The value of an expression of arithmetic type, in that type."""
    value = rvalue(lowering, node)
    if not isinstance(value.type, Arithmetic):
        lowering.emitter.refuse(node, f"a number is wanted here, this is {described(value.type)}")
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
        lowering.emitter.refuse(node, f"a pointer is wanted here, this is {described(value.type)}")
    return value


def place_of(lowering: Lowering, node: Node) -> Lvalue:
    """The object that an expression names."""
    return assignable(lowering.emitter, lowering.names.readers.value(lowering, node), node)


def assignable(emitter: Emitter, value: Value, node: Node) -> Lvalue:
    """The object that an expression has named; refuses a value that is none."""
    if isinstance(value, Rvalue):
        emitter.refuse(node, "this is a value, no object that can be assigned to")
    return value


def converted(emitter: Emitter, value: Rvalue, wanted: Type, node: Node) -> Rvalue:
    """The value as one of the type, as an assignment would convert it."""
    if value.type == wanted:
        return value
    match value.type, wanted:
        case _, Void():
            return NOTHING
        case Arithmetic(), Arithmetic(scalar=to):
            return Rvalue(wanted, (convert(emitter, value.operand, to, emitter.place(node)),))
        case Pointer(), Pointer():
            return Rvalue(wanted, value.leaves)
        case Pointer(), Arithmetic(scalar=Scalar.PRED):
            return Rvalue(wanted, (convert(emitter, value.operand, Scalar.PRED, emitter.place(node)),))
        case Arithmetic(), Pointer() if isinstance(value.operand, Constant) and value.operand.value == 0:
            return Rvalue(wanted, (convert(emitter, value.operand, Scalar.U64, emitter.place(node)),))
        case _:
            emitter.refuse(node, f"{described(value.type)} does not convert to {described(wanted)} here")


def recast(emitter: Emitter, value: Rvalue, wanted: Type, node: Node) -> Rvalue:
    """The value as one of the type, as a cast would convert it: also between pointers and integers."""
    match value.type, wanted:
        case (Pointer(), Arithmetic(scalar=to)) if to.is_integer:
            return Rvalue(wanted, (convert(emitter, value.operand, to, emitter.place(node)),))
        case (Arithmetic(scalar=given), Pointer()) if given.is_integer:
            return Rvalue(wanted, (convert(emitter, value.operand, Scalar.U64, emitter.place(node)),))
        case _:
            return converted(emitter, value, wanted, node)


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
        case Struct():
            return f"a `{kind.name}`"
        case Array():
            return "an array"
        case Closure():
            return "a lambda"
        case Void():
            return "nothing (`void`)"
        case _:
            return "a value of another kind"
