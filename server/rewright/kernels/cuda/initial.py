"""Initial values: of scalars, structs and arrays, from expressions, lists in braces and lists in parentheses.

Must not know what is declared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from tree_sitter import Node

from rewright.kernels.cuda.casts import converted, rvalue
from rewright.kernels.cuda.emit import binary, integer, move
from rewright.kernels.cuda.lowering import Lowering
from rewright.kernels.cuda.memory import lies_in_registers, loaded, local_object, offset_by, stored
from rewright.kernels.cuda.syntax import parts, text
from rewright.kernels.cuda.types import Arithmetic, Array, Leaf, Pointer, Struct, Type, leaves_of, size_of
from rewright.kernels.cuda.values import InMemory, InRegisters, Lvalue, Rvalue
from rewright.kernels.lowering.builder import Label
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import Operator, Scalar

LISTS = ("initializer_list", "argument_list", "parameter_list")

MOST_STRAIGHT = 64
"""Elements of one value at the end of an array that are written one by one, not by a loop."""


def initialise(lowering: Lowering, make: Callable[[Type], Lvalue], kind: Type, node: Node) -> Lvalue:
    """A new object of the type with the value that the node gives; a list gives an array its missing length."""
    if isinstance(kind, Array) and kind.length is None and node.type in LISTS:
        kind = Array(kind.of, len(parts(node)))
    target = make(kind)
    fill(lowering, target, node)
    return target


def fill(lowering: Lowering, target: Lvalue, node: Node) -> None:
    """Gives an object its first value."""
    kind = target.type
    if isinstance(kind, Array) and isinstance(target, InMemory):
        if node.type not in LISTS:
            lowering.refuse_construct(node, "an array initialised so")
        _fill_array(lowering, target, listed(lowering, kind, node), node)
    elif isinstance(kind, Struct) and node.type in LISTS and kind in lowering.members:
        lowering.readers.construct(lowering, target, parts(node), node)
    else:
        value = initial(lowering, kind, node)
        stored(lowering, target, value, lowering.place(node))


def initial(lowering: Lowering, kind: Type, node: Node) -> Rvalue:
    """The value that an object of the type has after it was initialised by the node."""
    if node.type == "initializer_list":
        return listed(lowering, kind, node)
    if node.type in ("argument_list", "parameter_list"):
        written = parts(node)
        if len(written) == 1:
            return as_type(lowering, rvalue(lowering, written[0]), kind, node)
        return listed(lowering, kind, node)
    return as_type(lowering, rvalue(lowering, node), kind, node)


def as_type(lowering: Lowering, value: Rvalue, kind: Type, node: Node) -> Rvalue:
    """The value as one of the type, also by a constructor or a conversion of a struct."""
    if value.type == kind:
        return value
    if isinstance(kind, Struct) or isinstance(value.type, Struct):
        return lowering.readers.converting(lowering, value, kind, node)
    return converted(lowering, value, kind, node)


def temporary(lowering: Lowering, kind: Type, node: Node) -> Lvalue:
    """A new object without a name."""
    if not lies_in_registers(kind):
        return local_object(lowering, "temporary", kind, lowering.place(node))
    return InRegisters(kind, tuple(lowering.temporary(leaf.scalar) for leaf in leaves_of(kind)))


# --------------------------------------------------------------------------------------------------------------- lists

Items = deque[Node | tuple[Rvalue, Node]]


def listed(lowering: Lowering, kind: Type, node: Node) -> Rvalue:
    """The value of a list in braces: aggregate initialisation, what is missing is zero."""
    return Rvalue(kind, tuple(_aggregate(lowering, kind, deque(parts(node)), node)))


def zero(kind: Type) -> Rvalue:
    """The value of the type all of whose scalars are zero."""
    return Rvalue(kind, tuple(_zero(leaf) for leaf in leaves_of(kind)))


def _zero(leaf: Leaf) -> Constant:
    return Constant(0.0 if leaf.scalar.is_float else 0, leaf.scalar)


def _aggregate(lowering: Lowering, kind: Type, items: Items, node: Node) -> Iterator[Operand]:
    """The leaves of a value whose own list the items are."""
    match kind:
        case Array():
            for _ in range(kind.length or 0):
                yield from _item(lowering, kind.of, items, node)
        case Struct() if items and isinstance(items[0], Node) and items[0].type == "initializer_pair":
            yield from _designated(lowering, kind, items, node)
        case Struct() if kind.is_union and items:
            lowering.refuse_construct(node, "a union initialised by a list")
        case Struct() if lowering.constructors(kind):
            made = temporary(lowering, kind, node)
            lowering.readers.construct(lowering, made, [item for item in items if isinstance(item, Node)], node)
            items.clear()
            yield from loaded(lowering, made, lowering.place(node)).leaves
        case Struct():
            for known in kind.fields:
                yield from _item(lowering, known.type, items, node)
        case _:
            yield from _item(lowering, kind, items, node)
    if items:
        left = items[0]
        lowering.refuse(left if isinstance(left, Node) else left[1], "the list has more values than the type")


def _item(lowering: Lowering, kind: Type, items: Items, node: Node) -> Iterator[Operand]:
    """The leaves of one element or field, from a list of its own or from the next items."""
    if not items:
        yield from zero(kind).leaves
        return
    first = items.popleft()
    if isinstance(first, Node) and first.type == "initializer_list":
        yield from _aggregate(lowering, kind, deque(parts(first)), first)
        return
    value, where = (rvalue(lowering, first), first) if isinstance(first, Node) else first
    if isinstance(kind, Arithmetic | Pointer) or value.type == kind or lowering.constructors(kind):
        yield from as_type(lowering, value, kind, where).leaves
        return
    items.appendleft((value, where))
    inside = [kind.of] * (kind.length or 0) if isinstance(kind, Array) else []
    inside = [known.type for known in kind.fields] if isinstance(kind, Struct) else inside
    if not inside:
        lowering.refuse(where, "this value does not fit here")
    for part in inside:
        yield from _item(lowering, part, items, node)


def _designated(lowering: Lowering, kind: Struct, items: Items, node: Node) -> Iterator[Operand]:
    """`{.x = 1, .y = 2}`."""
    given: dict[str, Node] = {}
    for item in items:
        value = item.child_by_field_name("value") if isinstance(item, Node) else None
        designator = item.child_by_field_name("designator") if isinstance(item, Node) else None
        if value is None or designator is None:
            lowering.refuse(node, "this list names some of its values only")
        given[text(designator).removeprefix(".")] = value
    items.clear()
    for known in kind.fields:
        if known.name in given:
            yield from initial(lowering, known.type, given[known.name]).leaves
        else:
            yield from zero(known.type).leaves


# -------------------------------------------------------------------------------------------------------------- arrays


def _fill_array(lowering: Lowering, target: InMemory, value: Rvalue, node: Node) -> None:
    """Writes the leaves, four words at once where they lie so; a long tail of zeros by a loop."""
    place = lowering.place(node)
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
        address = offset_by(lowering, target.address, places[at][0].offset, place)
        values = tuple(operand for _, operand in places[at : at + count])
        lowering.builder.emit(simt.Store(values, address, (), place))
        at += count
    if end < len(places):
        _repeat(lowering, target, places[end], node)


def _lie_together(places: list[tuple[Leaf, Operand]]) -> bool:
    first = places[0][0]
    expected = [Leaf(first.offset + 4 * i, first.scalar) for i in range(4)]
    return [leaf for leaf, _ in places] == expected and first.scalar.bits == 32 and first.offset % 16 == 0


def _repeat(lowering: Lowering, target: InMemory, first: tuple[Leaf, Operand], node: Node) -> None:
    """Writes one value from a leaf on up to the end of the object."""
    leaf, value = first
    place, builder = lowering.place(node), lowering.builder
    cursor, end = lowering.temporary(Scalar.U64), Label()
    move(lowering, cursor, offset_by(lowering, target.address, leaf.offset, place), place)
    limit = offset_by(lowering, target.address, size_of(target.type), place)
    with builder.loop(place):
        head = Label()
        lowering.land(head)
        builder.branch(binary(lowering, Operator.LESS, (cursor, limit), place), end, place)
        builder.emit(simt.Store((value,), cursor, (), place))
        step = integer(leaf.scalar.bytes, Scalar.U64)
        move(lowering, cursor, binary(lowering, Operator.ADD, (cursor, step), place), place)
        builder.jump(head, place)
    lowering.land(end)
