"""Casts as they are written, and conversions to and from structs. Must not know which expression asks for one."""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import loaded
from rewright.emit.operators import integer
from rewright.emit.types import INT, VOID, Reference, StructType, Type, leaves_of, size_of
from rewright.emit.values import NOTHING, InMemory, InRegisters, Rvalue, Value
from rewright.frontends.cuda import cxx  # what is cast is an expression
from rewright.frontends.cuda.cxx.construct import constructed
from rewright.frontends.cuda.cxx.conversions import converted, described, recast
from rewright.frontends.cuda.cxx.discarded import discarded
from rewright.frontends.cuda.cxx.functions import result_type
from rewright.frontends.cuda.cxx.initial import initial, zero_value
from rewright.frontends.cuda.cxx.inline import inlined
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import rvalue
from rewright.frontends.cuda.cxx.overloads import CallArguments, ChosenFunction
from rewright.frontends.cuda.cxx.scopes import Scope


def cast(lowering: Lowering, kind: Type, operand: Node, node: Node) -> Value:
    """A value or object as one of another type, as a cast in the text converts it."""
    if isinstance(kind, Reference):
        return _seen_as(lowering.emitter, kind.to, cxx.expressions.value(lowering, operand), node)
    if operand.type == "initializer_list":
        return initial(lowering, kind, operand)
    if kind == VOID:
        discarded(lowering, operand)
        return NOTHING
    value = rvalue(lowering, operand)
    if isinstance(kind, StructType) or isinstance(value.type, StructType):
        return converting(lowering, value, kind, node)
    return recast(lowering.emitter, value, kind, node)


def _seen_as(emitter: Emitter, kind: Type, value: Value, node: Node) -> Value:
    """`reinterpret_cast<T&>(x)`: the same bytes as an object of another type."""
    match value:
        case InMemory() if value.type == kind:
            return value
        case InMemory():
            return InMemory(kind, value.address)
        case _ if value.type == kind:
            return value
        case InRegisters() if size_of(kind) == size_of(value.type) and leaves_of(kind) == leaves_of(value.type):
            return InRegisters(kind, value.registers)
        case _:
            emitter.refuse_construct(node, "this cast to a reference")


def functional(lowering: Lowering, kind: Type, arguments: list[Node], node: Node) -> Value:
    """`T(a, b)`: a cast or a constructor."""
    if isinstance(kind, StructType) and lowering.names.members(kind) is not None:
        return constructed(lowering, kind, arguments, node)
    if not arguments:
        return zero_value(kind)
    if len(arguments) == 1:
        if isinstance(kind, StructType) and kind.name in ("uint3", "dim3"):
            return _triple(lowering, kind, arguments, node)
        return cast(lowering, kind, arguments[0], node)
    if isinstance(kind, StructType):
        return _triple(lowering, kind, arguments, node)
    lowering.emitter.refuse(node, f"expected one value, got {len(arguments)}")


def _triple(lowering: Lowering, kind: StructType, arguments: list[Node], node: Node) -> Rvalue:
    """`dim3(a, b)`: what is missing is one."""
    values = [
        initial(lowering, known.type, argument).leaves for known, argument in zip(kind.fields, arguments, strict=False)
    ]
    rest = [converted(lowering.emitter, _one(), known.type, node).leaves for known in kind.fields[len(values) :]]
    return Rvalue(kind, tuple(leaf for leaves in (*values, *rest) for leaf in leaves))


def _one() -> Rvalue:
    return Rvalue(INT, (integer(1),))


def converting(lowering: Lowering, value: Rvalue, kind: Type, node: Node) -> Rvalue:
    """The value as one of the type, where one of both is a struct: by a conversion of its own, or a constructor."""
    emitter, names = lowering.emitter, lowering.names
    if value.type == kind:
        return value
    for function in names.conversions(value.type):
        scope = Scope(function.scope)
        with names.inside(scope):
            given = result_type(lowering, function)
        if given == kind or not isinstance(kind, StructType):
            chosen = ChosenFunction(function, (), scope, ())
            made = loaded(emitter, inlined(lowering, chosen, value, CallArguments([], None, node)), emitter.place(node))
            return converted(emitter, made, kind, node)
    if isinstance(kind, StructType) and names.constructors(kind):
        return loaded(emitter, constructed(lowering, kind, [(node, value)], node), emitter.place(node))
    if isinstance(kind, StructType) or isinstance(value.type, StructType):
        emitter.refuse(node, f"{described(value.type)} does not convert to {described(kind)} here")
    return recast(emitter, value, kind, node)
