"""Accesses to memory, as functions over rows, and what is known of one before it happens.

An access that leaves its object, leaves the extent of a dimension, is not aligned or writes constant memory does not
happen; reading then gives 0. Threads store in ascending order, and perform an atomic in the order of the setting. Must
not know control.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from rewright.model.simt.instructions import Atomic, AtomicOperation, AtomicScope, Load, Operand, Store, Subscript
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.model.simt.violation import Order
from rewright.replay.kernel.conversions import Decoding, Encoding, decoding, encoding, size
from rewright.replay.kernel.frame import OBJECTS, Frame, Op, Row, Rows
from rewright.replay.kernel.memory import Cells
from rewright.replay.kernel.numbers import Number, binary
from rewright.replay.kernel.pointers import MIDDLE, SPAN, position
from rewright.verdict import AccessKind

Access = Load | Store | Atomic
_Find = Callable[[Row], tuple[Cells, int] | None]


class Reach(Struct, frozen=True):
    """Where an access finds its address and its indices, and how many bytes it touches; `values` are what it stores."""

    kind: AccessKind
    type: Scalar
    address: int
    width: int
    subscripts: tuple[tuple[int, int], ...]
    values: tuple[int, ...]
    encode: Encoding

    def target(self, row: Row) -> tuple[int, int]:
        """The number of the object (-1 for none) and the offset in bytes."""
        number, offset = position(row[self.address])
        return (number if number < len(row[OBJECTS]) else 0) - 1, offset

    def inside(self, row: Row) -> bool:
        """Whether all its bytes lie in the object, and each index in its dimension."""
        number, offset = self.target(row)
        cells = row[OBJECTS][number + 1]
        within = cells is not None and cells.reaches(offset, self.width)
        return within and all(0 <= row[index] < row[extent] for index, extent in self.subscripts)


def reach(access: Access, frame: Frame) -> Reach:
    """What is known of an access."""
    kind, values = _moved(access)
    scalar, places = values[0].type, tuple(frame.place(value) for value in values)
    subscripts = tuple(_subscript(each, frame) for each in access.subscripts)
    encode, width = encoding(scalar, len(places)), size(scalar) * len(places)
    return Reach(kind, scalar, frame.place(access.address), width, subscripts, places, encode)


def _moved(access: Access) -> tuple[AccessKind, tuple[Operand, ...]]:
    match access:
        case Load():
            return AccessKind.READ, access.results
        case Store():
            return AccessKind.WRITE, access.values
        case Atomic():
            kinds = {AtomicScope.BLOCK: AccessKind.BLOCK_ATOMIC, AtomicScope.DEVICE: AccessKind.ATOMIC}
            return kinds[access.scope], (access.result,)


def _subscript(subscript: Subscript, frame: Frame) -> tuple[int, int]:
    return frame.place(subscript.index), frame.place(subscript.extent)


def access_code(access: Access, frame: Frame, order: Order) -> Op:
    """What the access does."""
    of = reach(access, frame)
    match access:
        case Load():
            return _load(of)
        case Store():
            return _store(of)
        case Atomic():
            return _atomic(access, of, frame, order)


def _finder(of: Reach) -> _Find:
    """The function that finds the cells and the place in their data of an access, None if it does not happen."""
    address, width, subscripts = of.address, of.width, of.subscripts
    writes = of.kind is not AccessKind.READ

    # as `position`, `Cells.reaches` and `Cells.at` have it, written out: most of a replay's time is spent here
    def find(row: Row) -> tuple[Cells, int] | None:
        objects = row[OBJECTS]
        number, above = divmod(row[address], SPAN)
        offset = above - MIDDLE
        cells = objects[number] if number < len(objects) else None
        if cells is None or offset % width or (writes and cells.constant):
            return None
        known = cells.size
        if known is not None:
            if not 0 <= offset <= known - width:
                return None
        elif not cells.reaches(offset, width):
            return None
        for index, extent in subscripts:
            if not 0 <= row[index] < row[extent]:
                return None
        return cells, offset if known is not None else cells.at(offset)

    return find


def _load(of: Reach) -> Op:
    find, decode, results = _finder(of), decoding(of.type, len(of.values)), of.values
    nothing = decode(bytes(of.width), 0)
    if len(results) == 1:
        return _load_one(find, decode, results[0])

    def run(rows: Rows) -> None:
        for row in rows:
            found = find(row)
            values = nothing if found is None else decode(found[0].data, found[1])
            for result, value in zip(results, values, strict=True):
                row[result] = value

    return run


def _load_one(find: _Find, decode: Decoding, result: int) -> Op:
    def run(rows: Rows) -> None:
        for row in rows:
            found = find(row)
            row[result] = 0 if found is None else decode(found[0].data, found[1])[0]

    return run


def _store(of: Reach) -> Op:
    find, encode, places = _finder(of), of.encode, of.values

    def run(rows: Rows) -> None:
        for row in rows:
            found = find(row)
            if found is not None:
                found[0].write(found[1], encode(tuple(row[place] for place in places)))

    return run


def stored(of: Reach, row: Row) -> bytes:
    """The bytes that a store writes."""
    return of.encode(tuple(row[place] for place in of.values))


def _atomic(access: Atomic, of: Reach, frame: Frame, order: Order) -> Op:
    find, encode, decode = _finder(of), of.encode, decoding(of.type, 1)
    result, operand = of.values[0], frame.place(access.operand)
    compare = operand if access.compare is None else frame.place(access.compare)
    combine = _combination(access.operation, access.operand)

    def run(rows: Rows) -> None:
        for row in rows if order is Order.ASCENDING else reversed(rows):
            found = find(row)
            if found is None:
                row[result] = 0
                continue
            (old,) = decode(found[0].data, found[1])
            new = combine(old, row[operand], row[compare])
            found[0].write(found[1], encode((new,)))
            row[result] = old

    return run


def _combination(operation: AtomicOperation, operand: Operand) -> Callable[[Number, Number, Number], Number]:
    """The new value by the old one, the operand and what it is compared with."""
    match operation:
        case AtomicOperation.EXCHANGE:
            return lambda old, given, compare: given
        case AtomicOperation.COMPARE_AND_SWAP:
            return lambda old, given, compare: given if old == compare else old
        case AtomicOperation.INCREMENT:
            return lambda old, given, compare: 0 if old >= given else old + 1
        case AtomicOperation.DECREMENT:
            return lambda old, given, compare: given if old == 0 or old > given else old - 1
        case _:
            of = binary(BinaryOperator(_PLAIN[operation]), operand.type)
            return lambda old, given, compare: of(old, given)


_PLAIN = {
    AtomicOperation.ADD: "+",
    AtomicOperation.SUBTRACT: "-",
    AtomicOperation.MINIMUM: "min",
    AtomicOperation.MAXIMUM: "max",
    AtomicOperation.AND: "&",
    AtomicOperation.OR: "|",
    AtomicOperation.XOR: "^",
}
