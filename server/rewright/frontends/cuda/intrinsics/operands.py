"""The operands of a call of a built-in: how many there are, in which type they are computed.

Must not know any built-in.
"""

from __future__ import annotations

from functools import reduce

from rewright.emit.emitter import Emitter
from rewright.emit.operators import convert
from rewright.emit.types import Arithmetic
from rewright.emit.values import Rvalue
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, Lowering
from rewright.frontends.cuda.cxx.operands import number, scalar
from rewright.model.conversions import common_type
from rewright.model.simt.instructions import Operand
from rewright.model.simt.types import Scalar


def counted(emitter: Emitter, call: BuiltInCall, least: int, most: int | None = None) -> None:
    """Refuses a call with too few or too many arguments."""
    most = least if most is None else most
    if not least <= len(call.arguments) <= most:
        takes = f"{least}" if least == most else f"{least} to {most}"
        there = len(call.arguments)
        emitter.refuse(call.node, f"`{call.name}` takes {takes} argument{'s' * (most != 1)}, {there} given")


def typed(lowering: Lowering, call: BuiltInCall, types: tuple[Scalar, ...]) -> tuple[Operand, ...]:
    """The arguments, each in its type."""
    counted(lowering.emitter, call, len(types))
    pairs = zip(call.arguments, types, strict=True)
    return tuple(scalar(lowering, argument, kind) for argument, kind in pairs)


def alike(lowering: Lowering, call: BuiltInCall, count: int) -> tuple[Operand, ...]:
    """The arguments in the type that the usual conversions give all of them."""
    counted(lowering.emitter, call, count)
    values = [number(lowering, argument) for argument in call.arguments]
    common = reduce(common_type, (value.type for value in values))
    return tuple(convert(lowering.emitter, value, common, call.place) for value in values)


def real(lowering: Lowering, call: BuiltInCall, count: int) -> tuple[Operand, ...]:
    """The arguments as floats of one type; integers count as `double`, as in C++ ([c.math])."""
    counted(lowering.emitter, call, count)
    values = [number(lowering, argument) for argument in call.arguments]
    common = reduce(common_type, (value.type if value.type.is_float else Scalar.F64 for value in values))
    return tuple(convert(lowering.emitter, value, common, call.place) for value in values)


def given(operand: Operand) -> Rvalue:
    """The value that an operand is."""
    return Rvalue(Arithmetic(operand.type), (operand,))
