"""Expressions of the SIMT form, evaluated for a group of lanes at once.

A lane whose operand is not known gives a result that is not known; such a lane stops the run (`Undecided`) only where
it would have to choose between operands that access memory. Must not know statements.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np

from rewright.kernels import lanes, memory
from rewright.kernels.block import Block, Undecided
from rewright.kernels.lanes import Array, Group, Lanes, Value
from rewright.model.body import (
    Binary,
    Connective,
    Convert,
    Expression,
    Function,
    Integer,
    Load,
    Logical,
    Position,
    Real,
    Select,
    Unary,
    Variable,
    parts,
)
from rewright.model.simt.types import Operator
from rewright.model.violation import DivisionByZero

_DIVISIONS = (Operator.DIVIDE, Operator.REMAINDER)

CONTROL = "control depends on floating-point data or on memory that was not written"


def evaluate(block: Block, expression: Expression, group: Group) -> Value:
    """The value in each lane of the group. Raises `Undecided`."""
    match expression:
        case Variable():
            return _variable(block, expression, group)
        case Integer():
            return lanes.constant(expression.value, expression.type)
        case Binary():
            return _binary(block, expression, group)
        case Load():
            indices = [evaluate(block, index, group) for index in expression.indices]
            return memory.load(block, memory.Request(block.regions[expression.array], group, indices, expression.place))
        case Position():
            data = block.positions[expression.of, expression.axis].astype(lanes.DTYPES[expression.type])
            return Lanes(data[group] if group is not None and data.ndim else data)
        case Convert():
            operand = evaluate(block, expression.operand, group)
            return None if operand is None or expression.type.is_float else lanes.convert(operand, expression.type)
        case Unary():
            operand = evaluate(block, expression.operand, group)
            return None if operand is None else lanes.unary(expression.operator, operand)
        case Logical():
            return _logical(block, expression, group)
        case Select():
            return _select(block, expression, group)
        case Function():
            for operand_expression in expression.operands:
                evaluate(block, operand_expression, group)
            return None
        case Real():
            return None
        case _:
            assert_never(expression)


def is_sensitive(expression: Expression) -> bool:
    """Whether it matters which lanes evaluate the expression: it accesses an array or may divide by zero."""
    return any(isinstance(part, Load) or _divides(part) for part in parts(expression))


def _divides(part: Expression) -> bool:
    return isinstance(part, Binary) and part.operator in _DIVISIONS and part.type.is_integer


def _variable(block: Block, expression: Variable, group: Group) -> Value:
    value = block.variables.get(expression.name)
    return value if value is None or group is None else lanes.part(value, group)


def _binary(block: Block, expression: Binary, group: Group) -> Value:
    left = evaluate(block, expression.left, group)
    right = evaluate(block, expression.right, group)
    if right is not None and expression.operator in _DIVISIONS:
        right = _divisor(block, expression, group, right)
    if left is None or right is None:
        return None
    return lanes.binary(expression.operator, left, right)


def _divisor(block: Block, expression: Binary, group: Group, right: Lanes) -> Lanes:
    """The divisor with zeros replaced by 1, in lanes whose result is not known."""
    zero = right.data == 0
    if not zero.any():
        return right
    count = block.count(group)
    zero = lanes.spread(np.asarray(zero), count)
    known = np.ones(count, np.bool_) if right.known is None else lanes.spread(right.known, count)
    culprits = np.flatnonzero(zero & known)
    if len(culprits):
        thread = block.thread(int(block.lane_numbers(group)[culprits[0]]))
        claim = DivisionByZero(block.interval, thread, expression.place)
        block.claim((DivisionByZero, expression.place), claim)
    data = np.where(zero, 1, right.data).astype(right.data.dtype)
    return Lanes(data, known & ~zero, right.sources)


def _logical(block: Block, expression: Logical, group: Group) -> Value:
    left = evaluate(block, expression.left, group)
    if not is_sensitive(expression.right):
        right = evaluate(block, expression.right, group)
        return None if left is None or right is None else _connect(expression.connective, left, right)
    if left is None or left.known is not None:
        raise Undecided(CONTROL, expression.left.place)
    block.depends |= left.sources
    chosen = left.data if expression.connective is Connective.AND else ~left.data
    if not chosen.any():
        return left
    if chosen.all():
        return evaluate(block, expression.right, group)
    positions = np.flatnonzero(chosen)
    right = evaluate(block, expression.right, _narrow(block, group, positions))
    return lanes.merge(left, positions, right, block.count(group))


def _connect(connective: Connective, left: Lanes, right: Lanes) -> Lanes:
    return lanes.binary(Operator.AND if connective is Connective.AND else Operator.OR, left, right)


def _select(block: Block, expression: Select, group: Group) -> Value:
    condition = evaluate(block, expression.condition, group)
    if not (is_sensitive(expression.on_true) or is_sensitive(expression.on_false)):
        on_true, on_false = (evaluate(block, e, group) for e in (expression.on_true, expression.on_false))
        return None if condition is None else lanes.choose(condition, on_true, on_false, block.count(group))
    if condition is None or condition.known is not None:
        raise Undecided(CONTROL, expression.condition.place)
    block.depends |= condition.sources
    if condition.data.all():
        return evaluate(block, expression.on_true, group)
    if not condition.data.any():
        return evaluate(block, expression.on_false, group)
    yes, no = np.flatnonzero(condition.data), np.flatnonzero(~condition.data)
    on_true = evaluate(block, expression.on_true, _narrow(block, group, yes))
    on_false = evaluate(block, expression.on_false, _narrow(block, group, no))
    count = block.count(group)
    return lanes.merge(lanes.merge(None, yes, on_true, count), no, on_false, count)


def _narrow(block: Block, group: Group, chosen: Array) -> Group:
    """The lanes of the group at the chosen places."""
    return block.lane_numbers(group)[chosen]
