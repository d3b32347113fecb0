"""The functions of our own syntax by those that the SIMT form has. Must not know the rest of the language."""

from __future__ import annotations

from rewright.emit.builder import Builder
from rewright.model.body import Function
from rewright.model.simt import functions
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Operand, Register
from rewright.model.simt.types import BinaryOperator, UnaryOperator

_OTHER_NAMES = {"power": "pow"}


def lower_function(builder: Builder, call: Function, operands: tuple[Operand, ...], result: Register) -> None:
    """Emits the call of a function of floats."""
    match call.name:
        case "sigmoid":
            _sigmoid(builder, call, operands[0], result)
        case "abs":
            builder.emit(simt.Unary(UnaryOperator.ABSOLUTE, result, operands[0], call.place))
        case name:
            known = _OTHER_NAMES.get(name, name)
            assert functions.ARITY[known] == len(operands)
            builder.emit(simt.Function(known, result, operands, call.place))


def _sigmoid(builder: Builder, call: Function, operand: Operand, result: Register) -> None:
    """1 / (1 + exp(-x))."""
    place, one = call.place, Constant(1.0, call.type)
    negative, power, sum_ = (builder.register(call.type) for _ in range(3))
    builder.emit(simt.Unary(UnaryOperator.NEGATE, negative, operand, place))
    builder.emit(simt.Function("exp", power, (negative,), place))
    builder.emit(simt.Binary(BinaryOperator.ADD, sum_, one, power, place))
    builder.emit(simt.Binary(BinaryOperator.DIVIDE, result, one, sum_, place))
