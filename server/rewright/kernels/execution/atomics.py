"""Atomics: each lane in turn reads, combines and writes one element, in the order that the setting names.

Lanes are taken together where it makes no difference: they access different elements, or the operation commutes and
nobody reads the old values. Must not know registers or control.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rewright.kernels.execution import arithmetic, numbers
from rewright.kernels.execution.arrays import Whys
from rewright.kernels.execution.bounds import parts
from rewright.kernels.execution.groups import LaneGroup, Value
from rewright.kernels.execution.memory import Elements, Target, left_out, log, piece, target_of, why_missing
from rewright.kernels.execution.regions import Flat, LocalRows, Region
from rewright.kernels.execution.requests import AccessRequest
from rewright.kernels.execution.taint import ATOMIC_ORDER, NOTHING, UNDEFINED, Taint
from rewright.kernels.execution.unset_reads import first, placed
from rewright.model.simt.instructions import AtomicOperation
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.model.simt.violation import Order


class CombinedOperands(NamedTuple):
    """What lanes combine, what it is compared with (the same again if with nothing), the inputs that both come from.

    `whys`: the lanes in which one of them has no value, and why (None: there are none).
    """

    operand: Value
    compare: Value
    taint: Taint
    whys: Whys | None


class Operation(NamedTuple):
    """What an atomic does to elements of a type; `is_read`: somebody reads the old values."""

    name: AtomicOperation
    type: Scalar
    is_read: bool


def perform(attempt: AccessRequest, operation: Operation, operands: CombinedOperands) -> Elements:
    """The old values of an atomic with these operands."""
    target = target_of(attempt)
    if target is not None:
        return _perform(attempt, target, operation, operands)
    group = attempt.group
    old: Any = np.zeros(group.count, numbers.DTYPES[operation.type])
    reached = parts(attempt)
    taint, whys = NOTHING, left_out(attempt, reached)
    for part in reached:
        x, y = (piece(each, part.at, part.group) for each in (operands.operand, operands.compare))
        mine = CombinedOperands(x, y, operands.taint, None if operands.whys is None else operands.whys[part.at])
        done = _perform(attempt._replace(group=part.group), Target(part.region, part.offsets), operation, mine)
        old[part.at] = done.values[0]
        taint |= done.taint
        for more in done.whys:
            if more is not None:
                whys = placed(whys, group.count, part.at, more)
    return Elements([old[0] if group.single else old], taint, (whys,))


def _perform(attempt: AccessRequest, target: Target, operation: Operation, operands: CombinedOperands) -> Elements:
    group, (region, offsets) = attempt.group, target
    if region.watched:
        log(attempt, target, None)
    missing = region.missing(offsets, group, attempt.request.width)
    there = None if missing is None else why_missing(attempt, target, missing, 0)
    is_whole = there is None and (operands.whys is None or not operands.whys.any())
    region.taint |= operands.taint | attempt.taint | _order_of(target, operation)
    if attempt.block.muted:
        region.taint |= UNDEFINED
    old = _combined(attempt, target, operation, (operands.operand, operands.compare))
    whys = () if is_whole else (_left(attempt, target, operation, (there, operands.whys)),)
    return Elements([old], region.taint | ATOMIC_ORDER, whys)


def _left(attempt: AccessRequest, target: Target, operation: Operation, holes: tuple[Whys | None, Whys | None]) -> Whys:
    """The lanes that read what has no value, which is reported: why elements have none at first, and why operands.

    One after the other, as the lanes are performed: what comes of one without a value has none for the next.
    """
    block, group, (region, offsets) = attempt.block, attempt.group, target
    block.is_hollow = True
    there, given = ([0] * group.count if each is None else first(each)[:, 0].tolist() for each in holes)
    places = [_cell(region, *each) for each in zip(group.lanes.tolist(), group.spread(offsets).tolist(), strict=True)]
    left: dict[tuple[int, int], int] = {}
    found = np.zeros((group.count, 1), np.int64)
    for at in range(group.count - 1, -1, -1) if _is_backwards(attempt) else range(group.count):
        before = left.get(places[at], there[at])
        found[at] = before
        left[places[at]] = given[at] if operation.name is AtomicOperation.EXCHANGE else before or given[at]
    block.unset_reads.report(found[::-1] if _is_backwards(attempt) else found)
    region.write(offsets, group, region.read(offsets, group, attempt.request.element))
    region.leave(offsets, group, attempt.request.width, np.array([[left[place]] for place in places], np.int64))
    return found


def _cell(region: Region, lane: int, offset: int) -> tuple[int, int]:
    """What an element has that another one has not: local memory is another one in each lane."""
    return (lane if isinstance(region, LocalRows) else 0), offset


def _is_backwards(attempt: AccessRequest) -> bool:
    return attempt.block.scene.setting.order is Order.DESCENDING


_COMMUTING: dict[AtomicOperation, np.ufunc] = {
    AtomicOperation.ADD: np.add,
    AtomicOperation.SUBTRACT: np.subtract,
    AtomicOperation.MINIMUM: np.fmin,
    AtomicOperation.MAXIMUM: np.fmax,
    AtomicOperation.AND: np.bitwise_and,
    AtomicOperation.OR: np.bitwise_or,
    AtomicOperation.XOR: np.bitwise_xor,
}


def _order_of(target: Target, operation: Operation) -> Taint:
    """Whether what is in memory in the end depends on the order in which atomics are performed."""
    region, name = target.region, operation.name
    family = AtomicOperation.ADD if name is AtomicOperation.SUBTRACT else name
    others = region.combined is not None and region.combined is not family
    region.combined = family
    sums = family is AtomicOperation.ADD and operation.type.is_float
    return ATOMIC_ORDER if others or sums or family in _ORDERED else NOTHING


_ORDERED = (
    AtomicOperation.EXCHANGE,
    AtomicOperation.COMPARE_AND_SWAP,
    AtomicOperation.INCREMENT,
    AtomicOperation.DECREMENT,
)
"""Of these even two of one kind may not be exchanged, unless their operands are equal."""


def _combined(attempt: AccessRequest, target: Target, operation: Operation, operands: tuple[Value, Value]) -> Value:
    """The old values, after the lanes have combined theirs with them."""
    region, group, scalar = target.region, attempt.group, operation.type
    if group.single or not isinstance(region, Flat):
        return _one_by_one(attempt, target, operation, operands)
    elements, index = region.elements(group.spread(target.offsets), attempt.request.element)
    if operation.name in _COMMUTING and not operation.is_read and scalar is not Scalar.BF16:
        backwards = slice(None, None, -1 if _is_backwards(attempt) else 1)
        _COMMUTING[operation.name].at(elements, index[backwards], group.spread(operands[0])[backwards])
        return numbers.DTYPES[scalar].type(0)
    if len(np.unique(index)) < len(index):
        return _one_by_one(attempt, target, operation, operands)
    old = _decoded(scalar, elements[index])
    elements[index] = _encoded(scalar, _new(operation, old, operands))
    return old


def _one_by_one(attempt: AccessRequest, target: Target, operation: Operation, operands: tuple[Value, Value]) -> Value:
    group, region, scalar = attempt.group, target.region, operation.type
    offsets = group.spread(target.offsets)
    x, y = group.spread(operands[0]), group.spread(operands[1])
    found = np.empty(group.count, numbers.DTYPES[scalar])
    for at in range(group.count - 1, -1, -1) if _is_backwards(attempt) else range(group.count):
        lane = group if group.single else _lane(attempt, group, at)
        offset = int(offsets[at])
        old = _decoded(scalar, region.read(offset, lane, attempt.request.element))
        region.write(offset, lane, _encoded(scalar, _new(operation, old, (x[at], y[at]))))
        found[at] = old
    return found[0] if group.single else found


def _lane(attempt: AccessRequest, group: LaneGroup, at: int) -> LaneGroup:
    return attempt.block.groups.of(group.lanes[at : at + 1])


def _new(operation: Operation, old: Value, operands: tuple[Value, Value]) -> Value:
    """What is written instead of the old value."""
    operand, compare = operands
    match operation.name:
        case AtomicOperation.EXCHANGE:
            return operand
        case AtomicOperation.COMPARE_AND_SWAP:
            return _either(old == compare, operand, old)
        case AtomicOperation.INCREMENT:
            return _either(old >= operand, old.dtype.type(0), old + old.dtype.type(1))
        case AtomicOperation.DECREMENT:
            return _either((old == 0) | (old > operand), operand, old - old.dtype.type(1))
        case name:
            return arithmetic.binary(_OPERATORS[name], operation.type)(old, operand)


_OPERATORS = {
    AtomicOperation.ADD: BinaryOperator.ADD,
    AtomicOperation.SUBTRACT: BinaryOperator.SUBTRACT,
    AtomicOperation.MINIMUM: BinaryOperator.MINIMUM,
    AtomicOperation.MAXIMUM: BinaryOperator.MAXIMUM,
    AtomicOperation.AND: BinaryOperator.AND,
    AtomicOperation.OR: BinaryOperator.OR,
    AtomicOperation.XOR: BinaryOperator.XOR,
}


def _either(truth: Value, on_true: Value, on_false: Value) -> Value:
    if isinstance(truth, np.ndarray):
        return np.where(truth, on_true, on_false)
    return on_true if truth else on_false


def _decoded(scalar: Scalar, element: Value) -> Value:
    decode = numbers.loaded(scalar)
    return element if decode is None else decode(element)


def _encoded(scalar: Scalar, value: Value) -> Value:
    encode = numbers.stored(scalar)
    return value if encode is None else encode(value)
