"""Objects in registers and memory: reading, writing, fields, elements, addresses.

Owns the arithmetic of addresses: in bytes, modulo 2 to the 64th, as few instructions as constants allow. Must not know
text; places are given.
"""

from __future__ import annotations

from msgspec.structs import replace

from rewright.emit.emitter import Emitter
from rewright.emit.operators import binary, convert, integer, move
from rewright.emit.registers import RegisterState
from rewright.emit.types import (
    ArrayType,
    Field,
    Pointer,
    ScalarLeaf,
    StructType,
    Type,
    leaves_of,
    size_of,
)
from rewright.emit.values import InMemory, InRegisters, Lvalue, Rvalue, Trail, Value
from rewright.model.body import Expression, Integer
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Operand, Register, Subscript
from rewright.model.simt.program import Object
from rewright.model.simt.types import BinaryOperator, Scalar, Space
from rewright.verdict import Place

MOST_LEAVES = 32
"""Scalars of the largest struct that may lie in registers."""

WIDEST_ACCESS = 16
"""Bytes of the widest access of the machine; `double4` and `longlong4`, which are aligned to no more, take two."""


# ------------------------------------------------------------------------------------------------- reading and writing


def loaded(emitter: Emitter, value: Value, place: Place) -> Rvalue:
    """The value that an object has; an array becomes the pointer to its first element."""
    match value:
        case Rvalue():
            return value
        case InRegisters():
            return Rvalue(value.type, value.registers)
        case InMemory(type=ArrayType() as array):
            return Rvalue(Pointer(array.of), (value.address,))
        case InMemory():
            return Rvalue(value.type, _read(emitter, value, place))


def whole(emitter: Emitter, value: InMemory, place: Place) -> Rvalue:
    """All that lies in an object, of an array its elements."""
    return Rvalue(value.type, _read(emitter, value, place))


def stored(emitter: Emitter, registers: RegisterState, target: Lvalue, value: Rvalue, place: Place) -> None:
    """Writes a value of the object's type to it."""
    match target:
        case InRegisters():
            _store_in_registers(emitter, registers, target, value, place)
        case InMemory():
            stored_in_memory(emitter, target, value, place)


def stored_in_memory(emitter: Emitter, target: InMemory, value: Rvalue, place: Place) -> None:
    """Writes a value of the object's type to it, which lies in memory."""
    at = 0
    for leaves in _accesses(target.type):
        values = value.leaves[at : at + len(leaves)]
        address = offset_by(emitter, target.address, leaves[0].offset, place)
        emitter.emit(simt.Store(values, address, subscripts(target, leaves[0].offset), place))
        at += len(leaves)


def _store_in_registers(
    emitter: Emitter, registers: RegisterState, target: InRegisters, value: Rvalue, place: Place
) -> None:
    numbers = {register.number for register in target.registers}
    if not _retargeted(emitter, registers, target.registers, value.leaves):
        for register, leaf in zip(target.registers, _kept(emitter, target, value, place), strict=True):
            if isinstance(value.type, StructType) and _stays_unset(emitter, registers, register, leaf):
                numbers.discard(register.number)
            elif register != leaf:
                move(emitter, register, leaf, place)
    registers.written |= numbers


def _stays_unset(emitter: Emitter, registers: RegisterState, target: Register, leaf: Operand) -> bool:
    """Whether a part of a struct that no variable gave a value yet is copied to one without a value.

    A struct may be copied before all of it is set (C++17, [class.copy.ctor]), so nothing is read. No loop may have
    begun since either was declared: its passes could have set them.
    """
    depth = emitter.builder.depth
    if not isinstance(leaf, Register) or not {target.number, leaf.number}.isdisjoint(registers.written):
        return False
    if registers.unset.get(leaf.number) != depth or emitter.builder.names[target.number] is None:
        return False
    return registers.unset.setdefault(target.number, depth) == depth


def _retargeted(
    emitter: Emitter, registers: RegisterState, targets: tuple[Register, ...], leaves: tuple[Operand, ...]
) -> bool:
    """Lets the instruction that has just computed operands without names write the targets itself."""
    code = emitter.builder.code
    if not code or emitter.landed == len(code) or not all(_is_fresh(emitter, registers, leaf) for leaf in leaves):
        return False
    match code[-1]:
        case simt.Load() as load if load.results == leaves:
            code[-1] = replace(load, results=targets)
        case (simt.Binary() | simt.Unary() | simt.Convert() | simt.Choose() | simt.Function()) as made if (
            made.result,
        ) == leaves:
            code[-1] = replace(made, result=targets[0])
        case _:
            return False
    return True


def _is_fresh(emitter: Emitter, registers: RegisterState, leaf: Operand) -> bool:
    """Whether nothing in the text stands for the operand's register."""
    if not isinstance(leaf, Register):
        return False
    return emitter.builder.names[leaf.number] is None and leaf.number not in registers.held


def _kept(emitter: Emitter, target: InRegisters, value: Rvalue, place: Place) -> list[Operand]:
    """The leaves of the value, those that would be overwritten on the way copied first."""
    kept = list(value.leaves)
    for at, leaf in enumerate(kept):
        if leaf in target.registers[:at]:
            kept[at] = copied(emitter, leaf, place)
    return kept


def copied(emitter: Emitter, operand: Operand, place: Place) -> Operand:
    """The operand's value now, whatever becomes of its register."""
    if isinstance(operand, Constant):
        return operand
    register = emitter.temporary(operand.type)
    move(emitter, register, operand, place)
    return register


def _read(emitter: Emitter, value: InMemory, place: Place) -> tuple[Operand, ...]:
    found: list[Operand] = []
    for leaves in _accesses(value.type):
        registers = tuple(emitter.temporary(leaf.scalar) for leaf in leaves)
        address = offset_by(emitter, value.address, leaves[0].offset, place)
        emitter.emit(simt.Load(registers, address, subscripts(value, leaves[0].offset), place))
        found += registers
    return tuple(found)


def _accesses(kind: Type) -> list[tuple[ScalarLeaf, ...]]:
    """The scalars that are read or written at once: those of a vector, up to as many bytes as the machine can."""
    leaves = leaves_of(kind)
    together = 1
    if isinstance(kind, StructType) and kind.is_vector:
        together = max(WIDEST_ACCESS // leaves[0].scalar.bytes, 1)
    return [leaves[at : at + together] for at in range(0, len(leaves), together)]


def subscripts(value: InMemory, offset: int) -> tuple[Subscript, ...]:
    """The indices by which the text names the scalar at an offset in an object, none if it does not."""
    trail = value.trail
    if trail is None or trail.rest:
        return ()
    if trail.count == 1:
        return trail.subscripts
    inner = integer((trail.inner + offset) // trail.width, Scalar.S64)
    return (*trail.subscripts, Subscript(inner, integer(trail.count, Scalar.S64)))


# ---------------------------------------------------------------------------------------------------------- addresses


def offset_by(emitter: Emitter, address: Operand, offset: int, place: Place) -> Operand:
    """The address so many bytes further."""
    return binary(emitter, BinaryOperator.ADD, (address, integer(offset, Scalar.U64)), place)


def advanced(emitter: Emitter, pointer: Rvalue, index: Operand, place: Place) -> Rvalue:
    """The pointer so many elements further; the index is an integer of any type."""
    assert isinstance(pointer.type, Pointer)
    count = convert(emitter, index, Scalar.U64, place)
    size = integer(size_of(pointer.type.to), Scalar.U64)
    distance = binary(emitter, BinaryOperator.MULTIPLY, (count, size), place)
    return Rvalue(pointer.type, (binary(emitter, BinaryOperator.ADD, (pointer.operand, distance), place),))


def dereferenced(pointer: Rvalue) -> InMemory:
    """The object that a pointer points to."""
    assert isinstance(pointer.type, Pointer)
    return InMemory(pointer.type.to, pointer.operand)


def element(emitter: Emitter, array: InMemory, index: Operand, place: Place) -> InMemory:
    """An element of an array that lies in memory."""
    assert isinstance(array.type, ArrayType)
    wide = convert(emitter, index, Scalar.S64, place)
    at = advanced(emitter, Rvalue(Pointer(array.type.of), (array.address,)), wide, place)
    trail = array.trail
    if trail is not None and trail.rest and array.type.length is not None:
        extent = integer(array.type.length, Scalar.S64)
        trail = replace(trail, subscripts=(*trail.subscripts, Subscript(wide, extent)), rest=trail.rest - 1)
    else:
        trail = None
    return InMemory(array.type.of, at.operand, trail)


def field(emitter: Emitter, value: Value, name: str, place: Place) -> Value | None:
    """A field of a struct, None if it has no such field."""
    known = value.type.member(name) if isinstance(value.type, StructType) else None
    return None if known is None else member(emitter, value, known, place)


def member(emitter: Emitter, value: Value, known: Field, place: Place) -> Value:
    """The part of a struct that a field of its type is."""
    assert isinstance(value.type, StructType)
    if isinstance(value, InMemory):
        return _member_in_memory(emitter, value, known, place)
    if value.type.is_union or isinstance(known.type, ArrayType):
        return _member_in_memory(emitter, spilled(emitter, loaded(emitter, value, place), place), known, place)
    first = sum(1 for leaf in leaves_of(value.type) if leaf.offset < known.offset)
    count = len(leaves_of(known.type))
    match value:
        case InRegisters():
            return InRegisters(known.type, value.registers[first : first + count])
        case Rvalue():
            return Rvalue(known.type, value.leaves[first : first + count])


def _member_in_memory(emitter: Emitter, value: InMemory, known: Field, place: Place) -> InMemory:
    trail = value.trail
    if isinstance(known.type, ArrayType):
        trail = _inside(trail, known.type)
    elif trail is not None:
        trail = replace(trail, inner=trail.inner + known.offset)
    return InMemory(known.type, offset_by(emitter, value.address, known.offset, place), trail)


def _inside(trail: Trail | None, array: ArrayType) -> Trail | None:
    """The trail to an array in a struct, however the text came to the struct: its indices stay in it.

    None for one of at most one element: at the end of a struct it stands for as many as were allocated.
    """
    extents, _, count, width = shape(array)
    if extents[0] <= 1:
        return None
    before = () if trail is None or trail.rest else trail.subscripts
    return Trail(before, len(extents), count, width)


# ------------------------------------------------------------------------------------------------------------ objects


def spilled(emitter: Emitter, value: Rvalue, place: Place) -> InMemory:
    """A new object in local memory that has the value."""
    made = local_object(emitter, "temporary", value.type, place)
    stored_in_memory(emitter, made, value, place)
    return made


def local_object(emitter: Emitter, name: str, kind: Type, place: Place) -> InMemory:
    """A new object of each thread."""
    return reached(emitter, new_object(emitter, (name, Space.LOCAL), kind, place), kind, place)


def new_object(emitter: Emitter, what: tuple[str, Space], kind: Type, place: Place) -> int:
    """Enters an object of a type of known size: an array's dimensions, then the scalars of its elements if structs."""
    return emitter.builder.object(described_object(emitter, what, kind, place))


def described_object(emitter: Emitter, what: tuple[str, Space], kind: Type, place: Place) -> Object:
    """The object of a type of known size, with a name that no other has."""
    name, space = what
    extents, scalar, count, _ = shape(kind)
    sizes = (*extents, count) if count != 1 else tuple(extents)
    written: tuple[Expression, ...] = tuple(Integer(size, Scalar.S64, place) for size in sizes)
    return Object(emitter.fresh(name), space, scalar, written, space is Space.GLOBAL, place)


def reached(emitter: Emitter, number: int, kind: Type, place: Place) -> InMemory:
    """The object with a number, as one of the given type."""
    extents, _, count, width = shape(kind)
    if ("address", number) not in emitter.once:
        emitter.once["address", number] = register = emitter.temporary(Scalar.U64)
        emitter.prologue.append(simt.AddressOf(register, number, place))
    return InMemory(kind, emitter.once["address", number], Trail((), len(extents), count, width))


def shape(kind: Type) -> tuple[list[int], Scalar, int, int]:
    """Dimensions of an array, its scalars (bytes if of several types), how many an element has, their width."""
    extents: list[int] = []
    while isinstance(kind, ArrayType):
        extents.append(kind.length or 0)
        kind = kind.of
    leaves = leaves_of(kind)
    if _is_regular(kind, leaves):
        return extents, leaves[0].scalar, len(leaves), leaves[0].scalar.bytes
    return extents, Scalar.U8, max(size_of(kind), 1), 1


def _is_regular(kind: Type, leaves: tuple[ScalarLeaf, ...]) -> bool:
    """Whether a value is made of scalars of one type without gaps."""
    width = leaves[0].scalar.bytes if leaves else 0
    is_plain = not (isinstance(kind, StructType) and kind.is_union)
    return (
        is_plain
        and bool(leaves)
        and len({leaf.scalar for leaf in leaves}) == 1
        and all(leaf.offset == i * width for i, leaf in enumerate(leaves))
        and size_of(kind) == width * len(leaves)
    )


def lies_in_registers(kind: Type) -> bool:
    """Whether a variable of the type may lie in registers: nothing in it is an array or a union, and it is small."""
    match kind:
        case ArrayType():
            return False
        case StructType():
            inside = all(lies_in_registers(known.type) for known in kind.fields)
            return inside and not kind.is_union and len(leaves_of(kind)) <= MOST_LEAVES
        case _:
            return True


def variable(emitter: Emitter, name: str, kind: Type) -> InRegisters:
    """New registers for a variable, without a value."""
    registers = tuple(emitter.builder.register(leaf.scalar, name) for leaf in leaves_of(kind))
    return InRegisters(kind, registers)
