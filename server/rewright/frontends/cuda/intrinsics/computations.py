"""Computations of operands of one type, and built-in functions made of one: what differs is how the type is found.

Must not know the names of functions.
"""

from __future__ import annotations

from collections.abc import Callable

from rewright.emit.emitter import Emitter
from rewright.emit.operators import binary, function, unary
from rewright.emit.values import Value
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, Lowering
from rewright.frontends.cuda.intrinsics.operands import alike, given, real, typed
from rewright.model.simt.instructions import Operand
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.verdict import Place

Compute = Callable[[Emitter, tuple[Operand, ...], Place], Operand]


def named(name: str) -> Compute:
    """The mathematical function of this name."""
    return lambda emitter, values, place: function(emitter, name, values, place)


def operated(operator: BinaryOperator) -> Compute:
    """A binary operator."""
    return lambda emitter, values, place: binary(emitter, operator, (values[0], values[1]), place)


def signed(operator: UnaryOperator) -> Compute:
    """A unary operator."""
    return lambda emitter, values, place: unary(emitter, operator, values[0], place)


def not_a_number(emitter: Emitter, values: tuple[Operand, ...], place: Place) -> Operand:
    """Whether the operand differs from itself."""
    return binary(emitter, BinaryOperator.NOT_EQUAL, (values[0], values[0]), place)


def of_alike(arity: int, compute: Compute) -> BuiltInFunction:
    """A function in the type that the usual conversions give all operands."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        return given(compute(lowering.emitter, alike(lowering, call, arity), call.place))

    return lower


def of_real(arity: int, compute: Compute) -> BuiltInFunction:
    """A function in the floating-point type of its operands."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        return given(compute(lowering.emitter, real(lowering, call, arity), call.place))

    return lower


def of_type(kind: Scalar, arity: int, compute: Compute) -> BuiltInFunction:
    """A function in a type that its name says."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        return given(compute(lowering.emitter, typed(lowering, call, (kind,) * arity), call.place))

    return lower
