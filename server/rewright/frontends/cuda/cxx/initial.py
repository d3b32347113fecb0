"""Initial values: of scalars, structs and arrays, from expressions, lists in braces and lists in parentheses.

Must not know what is declared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from tree_sitter import Node

from rewright.emit.builder import Label
from rewright.emit.emitter import Emitter
from rewright.emit.memory import lies_in_registers, loaded, local_object, offset_by, stored
from rewright.emit.operators import binary, integer, move
from rewright.emit.types import (
    Arithmetic,
    ArrayType,
    Pointer,
    ScalarLeaf,
    StructType,
    Type,
    leaves_of,
    size_of,
)
from rewright.emit.values import InMemory, InRegisters, Lvalue, Rvalue
from rewright.frontends.cuda import cxx  # a first value may be made by a constructor or a conversion
from rewright.frontends.cuda.cxx.conversions import converted
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import rvalue
from rewright.frontends.cuda.reading.tree import parts, text
from rewright.frontends.preprocessor.literals import string
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import BinaryOperator, Scalar

LISTS = ("initializer_list", "argument_list", "parameter_list")

_CHARACTERS = (Arithmetic(Scalar.S8), Arithmetic(Scalar.U8))

STRINGS = ("string_literal", "raw_string_literal", "concatenated_string")

MOST_STRAIGHT = 64
"""Elements of one value at the end of an array that are written one by one, not by a loop."""


def initialise(lowering: Lowering, make: Callable[[Type], Lvalue], kind: Type, node: Node) -> Lvalue:
    """A new object of the type with the value that the node gives; a list gives an array its missing length."""
    target = make(completed(lowering.emitter, kind, node))
    fill(lowering, target, node)
    return target


def completed(emitter: Emitter, kind: Type, node: Node) -> Type:
    """The type, an array without a length given that of the list or the string that the node is."""
    if not isinstance(kind, ArrayType) or kind.length is not None:
        return kind
    if (found := _string(emitter, kind, node)) is not None:
        return ArrayType(kind.of, len(found) + 1)
    if node.type not in LISTS:
        return kind
    items = parts(node)
    if isinstance(kind.of, ArrayType) and not any(item.type in (*LISTS, *STRINGS) for item in items):
        # braces may be left out: `int a[][2] = {1, 2, 3}` has two rows
        return ArrayType(kind.of, -(-len(items) // max(len(leaves_of(kind.of)), 1)))
    return ArrayType(kind.of, len(items))


def _string(emitter: Emitter, kind: Type, node: Node) -> bytes | None:
    """The bytes of a string literal that an array of characters starts with, perhaps in braces; None if it is none."""
    if not isinstance(kind, ArrayType) or kind.of not in _CHARACTERS:
        return None
    if node.type == "initializer_list" and len(parts(node)) == 1:
        node = parts(node)[0]
    if node.type not in STRINGS:
        return None
    pieces = parts(node) if node.type == "concatenated_string" else [node]
    found = [string(text(piece)) for piece in pieces]
    if any(piece is None for piece in found):
        emitter.refuse_construct(node, "a string of this kind")
    return b"".join(piece for piece in found if piece is not None)


def fill(lowering: Lowering, target: Lvalue, node: Node) -> None:
    """Gives an object its first value."""
    emitter = lowering.emitter
    kind = target.type
    if isinstance(kind, ArrayType) and isinstance(target, InMemory):
        _fill_array(emitter, target, initial(lowering, kind, node), node)
    elif node.type in LISTS and lowering.names.members(kind) is not None:
        cxx.construct.construct(lowering, target, parts(node), node)
    else:
        value = initial(lowering, kind, node)
        stored(emitter, lowering.registers, target, value, emitter.place(node))


def initial(lowering: Lowering, kind: Type, node: Node) -> Rvalue:
    """The value that an object of the type has after it was initialised by the node."""
    if isinstance(kind, ArrayType):
        return _array(lowering, kind, node)
    if node.type == "initializer_list":
        return listed(lowering, kind, node)
    if node.type in ("argument_list", "parameter_list"):
        written = parts(node)
        if len(written) == 1:
            return as_type(lowering, rvalue(lowering, written[0]), kind, node)
        return listed(lowering, kind, node)
    return as_type(lowering, rvalue(lowering, node), kind, node)


def _array(lowering: Lowering, kind: ArrayType, node: Node) -> Rvalue:
    emitter = lowering.emitter
    found = _string(emitter, kind, node)
    if found is not None:
        return _characters(emitter, kind, found, node)
    if node.type not in LISTS:
        emitter.refuse_construct(node, "an array initialised so")
    return listed(lowering, kind, node)


def _characters(emitter: Emitter, kind: ArrayType, written: bytes, node: Node) -> Rvalue:
    """The value of an array of characters; zeros after the string."""
    assert isinstance(kind.of, Arithmetic)
    if len(written) > (kind.length or 0):
        emitter.refuse(node, f"the string has {len(written)} characters, the array {kind.length or 0}")
    codes = written.ljust(kind.length or 0, b"\0")
    return Rvalue(kind, tuple(integer(code, kind.of.scalar) for code in codes))


def as_type(lowering: Lowering, value: Rvalue, kind: Type, node: Node) -> Rvalue:
    """The value as one of the type, also by a constructor or a conversion of a struct."""
    if value.type == kind:
        return value
    if isinstance(kind, StructType) or isinstance(value.type, StructType):
        return cxx.casts.converting(lowering, value, kind, node)
    return converted(lowering.emitter, value, kind, node)


def temporary(emitter: Emitter, kind: Type, node: Node) -> Lvalue:
    """A new object without a name."""
    if not lies_in_registers(kind):
        return local_object(emitter, "temporary", kind, emitter.place(node))
    return InRegisters(kind, tuple(emitter.temporary(leaf.scalar) for leaf in leaves_of(kind)))


# --------------------------------------------------------------------------------------------------------------- lists

Items = deque[Node | tuple[Rvalue, Node]]


def listed(lowering: Lowering, kind: Type, node: Node) -> Rvalue:
    """The value of a list in braces: aggregate initialisation, what is missing is zero."""
    return Rvalue(kind, tuple(_aggregate(lowering, kind, deque(parts(node)), node)))


def zero_value(kind: Type) -> Rvalue:
    """The value of the type all of whose scalars are zero."""
    return Rvalue(kind, tuple(_zero(leaf) for leaf in leaves_of(kind)))


def _zero(leaf: ScalarLeaf) -> Constant:
    return Constant(0.0 if leaf.scalar.is_float else 0, leaf.scalar)


def _aggregate(lowering: Lowering, kind: Type, items: Items, node: Node) -> Iterator[Operand]:
    """The leaves of a value whose own list the items are."""
    emitter = lowering.emitter
    match kind:
        case ArrayType():
            for _ in range(kind.length or 0):
                yield from _item(lowering, kind.of, items, node)
        case StructType() if items and isinstance(items[0], Node) and items[0].type == "initializer_pair":
            yield from _designated(lowering, kind, items, node)
        case StructType() if kind.is_union and items:
            emitter.refuse_construct(node, "a union initialised by a list")
        case StructType() if lowering.names.constructors(kind):
            made = temporary(emitter, kind, node)
            cxx.construct.construct(lowering, made, [item for item in items if isinstance(item, Node)], node)
            items.clear()
            yield from loaded(emitter, made, emitter.place(node)).leaves
        case StructType():
            for known in kind.fields:
                yield from _item(lowering, known.type, items, node)
        case _:
            yield from _item(lowering, kind, items, node)
    if items:
        left = items[0]
        emitter.refuse(left if isinstance(left, Node) else left[1], "the list has more values than the type")


def _item(lowering: Lowering, kind: Type, items: Items, node: Node) -> Iterator[Operand]:
    """The leaves of one element or field, from a list of its own or from the next items."""
    emitter = lowering.emitter
    if not items:
        yield from zero_value(kind).leaves
        return
    first = items.popleft()
    if isinstance(first, Node) and (found := _string(emitter, kind, first)) is not None and isinstance(kind, ArrayType):
        yield from _characters(emitter, kind, found, first).leaves
        return
    if isinstance(first, Node) and first.type == "initializer_list":
        yield from _aggregate(lowering, kind, deque(parts(first)), first)
        return
    value, where = (rvalue(lowering, first), first) if isinstance(first, Node) else first
    if isinstance(kind, Arithmetic | Pointer) or value.type == kind or lowering.names.constructors(kind):
        yield from as_type(lowering, value, kind, where).leaves
        return
    items.appendleft((value, where))
    inside = [kind.of] * (kind.length or 0) if isinstance(kind, ArrayType) else []
    inside = [known.type for known in kind.fields] if isinstance(kind, StructType) else inside
    if not inside:
        emitter.refuse(where, "this value does not fit here")
    for part in inside:
        yield from _item(lowering, part, items, node)


def _designated(lowering: Lowering, kind: StructType, items: Items, node: Node) -> Iterator[Operand]:
    """`{.x = 1, .y = 2}`."""
    given: dict[str, Node] = {}
    for item in items:
        value = item.child_by_field_name("value") if isinstance(item, Node) else None
        designator = item.child_by_field_name("designator") if isinstance(item, Node) else None
        if value is None or designator is None:
            lowering.emitter.refuse(node, "this list names some of its values only")
        given[text(designator).removeprefix(".")] = value
    items.clear()
    for known in kind.fields:
        if known.name in given:
            yield from initial(lowering, known.type, given[known.name]).leaves
        else:
            yield from zero_value(known.type).leaves


# -------------------------------------------------------------------------------------------------------------- arrays


def _fill_array(emitter: Emitter, target: InMemory, value: Rvalue, node: Node) -> None:
    """Writes the leaves, four words at once where they lie so; a long tail of zeros by a loop."""
    place = emitter.place(node)
    places = list(zip(leaves_of(target.type), value.leaves, strict=True))
    end = len(places)
    while end and isinstance(places[end - 1][1], Constant) and places[end - 1][1] == places[-1][1]:
        end -= 1
    uniform = {leaf.scalar for leaf, _ in places[end:]}
    if len(places) - end <= MOST_STRAIGHT or len(uniform) != 1:
        end = len(places)
    at = 0
    while at < end:
        count = 4 if _lie_together(places[at : min(at + 4, end)]) else 1
        address = offset_by(emitter, target.address, places[at][0].offset, place)
        values = tuple(operand for _, operand in places[at : at + count])
        emitter.emit(simt.Store(values, address, (), place))
        at += count
    if end < len(places):
        _repeat(emitter, target, places[end], node)


def _lie_together(places: list[tuple[ScalarLeaf, Operand]]) -> bool:
    first = places[0][0]
    expected = [ScalarLeaf(first.offset + 4 * i, first.scalar) for i in range(4)]
    return [leaf for leaf, _ in places] == expected and first.scalar.bits == 32 and first.offset % 16 == 0


def _repeat(emitter: Emitter, target: InMemory, first: tuple[ScalarLeaf, Operand], node: Node) -> None:
    """Writes one value from a leaf on up to the end of the object."""
    leaf, value = first
    place, builder = emitter.place(node), emitter.builder
    cursor, end = emitter.temporary(Scalar.U64), Label()
    move(emitter, cursor, offset_by(emitter, target.address, leaf.offset, place), place)
    limit = offset_by(emitter, target.address, size_of(target.type), place)
    with builder.loop(place):
        head = Label()
        emitter.land(head)
        builder.branch(binary(emitter, BinaryOperator.LESS, (cursor, limit), place), end, place)
        builder.emit(simt.Store((value,), cursor, (), place))
        step = integer(leaf.scalar.bytes, Scalar.U64)
        move(emitter, cursor, binary(emitter, BinaryOperator.ADD, (cursor, step), place), place)
        builder.jump(head, place)
    emitter.land(end)
