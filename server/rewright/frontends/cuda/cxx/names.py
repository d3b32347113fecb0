"""What a name in an expression stands for: variables, constants, members, objects outside functions, built-in names.

Must not know calls.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.emitter import Emitter, Refused
from rewright.emit.memory import field, local_object, new_object, reached
from rewright.emit.operators import integer
from rewright.emit.types import (
    INT,
    LONG,
    SIZE,
    UNSIGNED,
    Arithmetic,
    ArrayType,
    DeducedType,
    Type,
    is_texture,
    vector,
)
from rewright.emit.values import InMemory, InRegisters, Rvalue, Value
from rewright.frontends.cuda.cxx.closures import function_value
from rewright.frontends.cuda.cxx.conversions import converted
from rewright.frontends.cuda.cxx.device_variables import DEVICE, check_kind, device_variable, texture_reference
from rewright.frontends.cuda.cxx.dynamic_shared import dynamic_shared
from rewright.frontends.cuda.cxx.initial import initialise
from rewright.frontends.cuda.cxx.lowering import Lowering, NamesInScope
from rewright.frontends.cuda.cxx.operands import constant, constant_value
from rewright.frontends.cuda.cxx.scopes import EnumText, Member, OverloadSet, RefusedName, Scope, VariableText
from rewright.frontends.cuda.cxx.type_names import declared, enum_type, type_of
from rewright.frontends.cuda.reading.declarators import declared_name, words
from rewright.frontends.cuda.reading.tree import parts, text
from rewright.model.simt import instructions as simt
from rewright.model.simt.constants import limits, wrapped
from rewright.model.simt.types import Coordinate, Scalar, Space
from rewright.verdict import Place

POSITIONS = {
    "threadIdx": Coordinate.THREAD,
    "blockIdx": Coordinate.BLOCK,
    "blockDim": Coordinate.BLOCK_DIM,
    "gridDim": Coordinate.GRID_DIM,
}


def position(emitter: Emitter, of: Coordinate, axis: int, place: Place) -> Rvalue:
    """A component of a built-in triple, computed once."""
    key = ("position", of, axis)
    if key not in emitter.once:
        emitter.once[key] = register = emitter.temporary(Scalar.U32)
        emitter.prologue.append(simt.Position(of, axis, register, place))
    return Rvalue(UNSIGNED, (emitter.once[key],))


def named_value(lowering: Lowering, name: str, node: Node) -> Value:
    """The value of a name as it stands in an expression."""
    home = lowering.names.scope.home(name)
    if home is None:
        return _built_in(lowering.emitter, name, node)
    return value_in(lowering, home, name, node)


def value_in(lowering: Lowering, home: Scope, name: str, node: Node) -> Value:
    """The value of a name that a scope declares. Raises `Refused` for what is no value, or was refused itself."""
    binding = home.here(name)
    match binding:
        case Rvalue() | InRegisters() | InMemory():
            return binding
        case Member():
            return _member(lowering.emitter, lowering.names, name, node)
        case VariableText():
            return _outer_variable(lowering, home, binding, node)
        case EnumText():
            _enumerate(lowering, binding)
            found = binding.scope.names.get(name)
            if isinstance(found, Rvalue):
                return found
            lowering.emitter.refuse(node, f"`{name}` is not a value")
        case RefusedName():
            raise Refused(None)
        case OverloadSet():
            return function_value(lowering.names, binding.of)
        case _:
            lowering.emitter.refuse(node, f"`{name}` is not a value")


def _member(emitter: Emitter, names: NamesInScope, name: str, node: Node) -> Value:
    """A field of the struct that the present method is called on."""
    receiver = names.scope.find("this")
    found = None
    if isinstance(receiver, Value):
        found = field(emitter, receiver, name, emitter.place(node))
    if found is None:
        emitter.refuse(node, f"`{name}` is a member, there is no object here")
    return found


def _built_in(emitter: Emitter, name: str, node: Node) -> Value:
    if name in POSITIONS:
        axes = (position(emitter, POSITIONS[name], axis, emitter.place(node)).operand for axis in range(3))
        triple = vector("uint3")
        assert triple is not None
        return Rvalue(triple, tuple(axes))
    if name == "warpSize":
        return Rvalue(INT, (integer(32),))
    emitter.refuse(node, f"`{name}` is not known here")


def _enumerate(lowering: Lowering, enum: EnumText) -> None:
    """Gives the enumerators of an enum their values."""
    body = enum.node.child_by_field_name("body")
    following = 0
    for child in parts(body) if body is not None else ():
        if (name := child.child_by_field_name("name")) is not None:
            enum.scope.names[text(name)] = RefusedName()
    with lowering.names.inside(enum.scope):
        stated = enum_type(lowering, enum.node)
        for child in parts(body) if body is not None else ():
            name, written = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is None:
                continue
            value = following if written is None else constant(lowering, written)
            if value is None:
                lowering.emitter.refuse(child, "the value of an enumerator must be known when the text is read")
            kind = stated if stated != INT else next(each for each in _FITTING if _fits(value, each))
            scalar = kind.scalar if isinstance(kind, Arithmetic) else Scalar.S32
            enum.scope.names[text(name)] = Rvalue(Arithmetic(scalar), (integer(wrapped(value, scalar), scalar),))
            following = value + 1


_FITTING = (INT, UNSIGNED, LONG, SIZE)
"""The types that an enumerator may have where its enum states none."""


def _fits(value: int, kind: Arithmetic) -> bool:
    low, high = limits(kind.scalar)
    return low <= value <= high or kind == SIZE


# --------------------------------------------------------------------------------------- variables outside functions


def _outer_variable(lowering: Lowering, home: Scope, written: VariableText, node: Node) -> Value:
    """A variable outside functions: a constant, or an object in memory."""
    emitter = lowering.emitter
    declared_at = declared_name(written.declarator)
    name = "" if declared_at is None else text(declared_at)
    owner = next((scope for scope in (home, *home.uses) if scope.names.get(name) is written), None)
    if owner is not None:
        owner.names[name] = RefusedName()
    said = words(written.node)
    specifier = written.node.child_by_field_name("type")
    value = written.declarator.child_by_field_name("value") or written.node.child_by_field_name("default_value")
    with lowering.names.inside(written.scope):
        if specifier is None:
            emitter.refuse(node, f"`{name}` has no type")
        kind = declared(lowering, written.declarator, type_of(lowering, specifier))[1]
        if value is not None and _is_fixed(said, kind):
            made = _fixed(lowering, name, kind, value)
        elif "__shared__" in said:
            made = _shared(emitter, name, kind, written)
        elif said & DEVICE:
            made = device_variable(lowering, name, kind, (written, value))
        elif is_texture(kind):
            made = texture_reference(emitter, name, kind, written)
        else:
            emitter.refuse(node, f"`{name}` is a variable of the host")
    if owner is not None:
        owner.names[name] = made
    return made


def _fixed(lowering: Lowering, name: str, kind: Type, written: Node) -> Value:
    """A constant with a value: known, or in memory of each thread, filled when the kernel starts."""
    emitter = lowering.emitter
    if not isinstance(kind, ArrayType):
        found = constant_value(lowering, written) if written.type != "initializer_list" else None
        if found is not None:
            value = Rvalue(Arithmetic(found.type), (found,))
            return value if isinstance(kind, DeducedType) else converted(emitter, value, kind, written)
    with emitter.at_start():
        begin = len(emitter.prologue)
        made = initialise(
            lowering, lambda found: local_object(emitter, name, found, emitter.place(written)), kind, written
        )
        if any(isinstance(found, simt.Branch | simt.Jump) for found in emitter.prologue[begin:]):
            emitter.refuse_construct(written, "an initialiser outside functions that needs a branch")
    return made


def _is_fixed(said: frozenset[str], kind: Type) -> bool:
    """Whether a variable with a value is a constant of each thread; arrays in constant memory stay there."""
    if "constexpr" in said:
        return True
    return "const" in said and ("__constant__" not in said or isinstance(kind, Arithmetic))


def _shared(emitter: Emitter, name: str, kind: Type, written: VariableText) -> Value:
    if "extern" in words(written.node):
        return dynamic_shared(emitter, kind, declared_name(written.declarator) or written.declarator)
    check_kind(emitter, kind, written.declarator)
    place = emitter.place(written.declarator)
    key = ("global", written.declarator.start_byte)
    if key not in emitter.objects:
        emitter.objects[key] = new_object(emitter, (name, Space.SHARED), kind, place)
    return reached(emitter, emitter.objects[key], kind, place)
