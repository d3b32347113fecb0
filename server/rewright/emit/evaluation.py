"""Constants that take code to compute: what was emitted for an expression is run here, if constants are all it needs.

Owns the meaning of `constexpr` functions: their code, read in one thread, with arithmetic as constants fold. Must not
know text.
"""

from __future__ import annotations

from typing import assert_never

from rewright.emit.operators import folded_binary, folded_convert, folded_unary
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Instruction, Operand

MOST_STEPS = 20_000
"""Instructions of a constant expression: a loop in it need not end."""


def evaluated(code: list[Instruction], begin: int, operand: Operand) -> Constant | None:
    """The value of an operand after the code from `begin` on, None if it depends on anything or takes too long."""
    values: dict[int, Constant] = {}
    at, steps = begin, 0
    while at < len(code):
        steps += 1
        if steps > MOST_STEPS or at < begin:
            return None
        following = _step(code[at], values, at)
        if following is None:
            return None
        at = following
    return _value(operand, values)


def _step(instruction: Instruction, values: dict[int, Constant], at: int) -> int | None:
    """Runs one instruction and gives the place of the next, None if it cannot be run here."""
    made: Constant | None
    match instruction:
        case simt.Jump():
            return instruction.target
        case simt.Branch():
            condition = _value(instruction.condition, values)
            if condition is None:
                return None
            return at + 1 if condition.value else instruction.otherwise
        case simt.Move():
            made = _value(instruction.operand, values)
        case simt.Unary():
            operand = _value(instruction.operand, values)
            made = None if operand is None else folded_unary(instruction.operator, operand)
        case simt.Convert():
            operand = _value(instruction.operand, values)
            made = None if operand is None else folded_convert(operand, instruction.result.type)
        case simt.Binary():
            left, right = _value(instruction.left, values), _value(instruction.right, values)
            made = None if left is None or right is None else folded_binary(instruction.operator, left, right)
        case simt.Choose():
            condition = _value(instruction.condition, values)
            chosen = instruction.on_true if condition is not None and condition.value else instruction.on_false
            made = None if condition is None else _value(chosen, values)
        case _:
            return None
    if made is None:
        return None
    values[simt.results(instruction)[0].number] = made
    return at + 1


def _value(operand: Operand, values: dict[int, Constant]) -> Constant | None:
    match operand:
        case Constant():
            return operand
        case simt.Register():
            return values.get(operand.number)
        case _:
            assert_never(operand)
