"""Numbers at which comparisons in a program change: worth trying as elements of inputs.

What is compared with a constant may be an element, or may come from one by moves, conversions and arithmetic with
constants: the constant is traced back through these, rounding left out. This chooses which contents are tried and
decides nothing. Must not know where the elements are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rewright.model.simt.instructions import (
    Binary,
    Constant,
    Convert,
    Instruction,
    Move,
    Operand,
    Register,
    Unary,
    results,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator, UnaryOperator

MOST = 12
"""Numbers taken, the smallest first; the counters of loops are compared too."""

LARGEST = 1 << 40
"""No number beyond is taken; floats that are not numbers are none."""

_MOST_STEPS = 8
"""Instructions that a compared value is followed back through, to the number that it was computed from."""


def thresholds(program: Program) -> tuple[float, ...]:
    """The numbers, the smallest in magnitude first."""
    settings: dict[int, list[Instruction]] = {}
    for instruction in program.code:
        for result in results(instruction):
            settings.setdefault(result.number, []).append(instruction)
    once = {number: made[0] for number, made in settings.items() if len(made) == 1}
    found = {number for instruction in program.code for number in _of(instruction, once)}
    return tuple(sorted((each for each in found if abs(each) <= LARGEST), key=lambda each: (abs(each), each))[:MOST])


def _of(instruction: Instruction, once: Mapping[int, Instruction]) -> Iterator[float]:
    if isinstance(instruction, Binary) and instruction.operator.is_comparison:
        for operand, other in ((instruction.left, instruction.right), (instruction.right, instruction.left)):
            value = _constant(other, once)
            if value is not None:
                yield from _traced(operand, float(value), once)


def _constant(operand: Operand, once: Mapping[int, Instruction]) -> int | float | None:
    """The constant that an operand is, or is set to by moves, conversions and signs."""
    sign = 1
    for _ in range(_MOST_STEPS):
        if isinstance(operand, Constant):
            return sign * operand.value
        match once.get(operand.number):
            case Move() | Convert() as made:
                operand = made.operand
            case Unary(operator=UnaryOperator.NEGATE) as made:
                operand, sign = made.operand, -sign
            case _:
                return None
    return None


def _traced(operand: Operand, value: float, once: Mapping[int, Instruction]) -> Iterator[float]:
    """The value that an operand is compared with, and for which values of what it comes from it is that."""
    yield value
    for _ in range(_MOST_STEPS):
        made = once.get(operand.number) if isinstance(operand, Register) else None
        match made:
            case Move() | Convert():
                operand = made.operand
            case Binary(left=Register() as left, right=Constant(value=amount)):
                operand, value = left, _before(made.operator, value, amount)
                yield value
            case Binary(left=Constant(value=amount), right=Register() as right):
                turned = made.operator is BinaryOperator.SUBTRACT
                operand, value = right, amount - value if turned else _before(made.operator, value, amount)
                yield value
            case _:
                return


def _before(operator: BinaryOperator, value: float, amount: float) -> float:
    """The left operand for which the operator gives the value; the value itself where that is not known."""
    match operator:
        case BinaryOperator.ADD:
            return value - amount
        case BinaryOperator.SUBTRACT:
            return value + amount
        case BinaryOperator.MULTIPLY if amount:
            return value / amount
        case BinaryOperator.DIVIDE:
            return value * amount
        case BinaryOperator.SHIFT_LEFT if 0 <= amount < 64:
            return value / (1 << int(amount))
        case BinaryOperator.SHIFT_RIGHT if 0 <= amount < 64:
            return value * (1 << int(amount))
        case _:
            return value
