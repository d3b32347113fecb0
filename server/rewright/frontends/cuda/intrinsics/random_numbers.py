"""Random numbers on the device (cuRAND): states of generators and what is drawn from them.

A generator gives any number. Here its state is a number that its seed, or the contents of its array, chose; what is
drawn is made of it, and the next state is another one (a linear congruence). So drawn numbers depend on inputs, and
control that depends on them is tried with several. Must not know distributions beyond their range.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import loaded, stored_in_memory
from rewright.emit.operators import binary, convert, integer, unary
from rewright.emit.types import (
    UNSIGNED,
    ArrayType,
    StructType,
    TemplateArguments,
    Type,
    lay_out,
    leaves_of,
    vector,
)
from rewright.emit.values import NOTHING, InMemory, Rvalue, Value
from rewright.frontends.cuda.cxx.conversions import described
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, BuiltInType, Lowering, NamesInScope
from rewright.frontends.cuda.cxx.operands import scalar
from rewright.frontends.cuda.intrinsics.objects import pointee
from rewright.frontends.cuda.intrinsics.operands import counted, given
from rewright.frontends.cuda.intrinsics.unknown_inputs import unknown_input
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.verdict import Place

_FACTOR, _STEP = 1664525, 1013904223
"""Of the linear congruence ("Numerical Recipes", section 7.1)."""

_SPREAD = 2654435769
"""2^32 over the golden ratio: sequences and seeds that are neighbours get states that are none."""

Distribution = Callable[[Emitter, Operand, Place], Operand]
"""Makes a number of 32 random bits."""


@cache
def _state(words: int) -> StructType:
    """A generator's state: as many words as the library's, of which the first says what comes next."""
    made = StructType("curandState")
    lay_out(made, [("state", ArrayType(UNSIGNED, words))], 8)
    return made


def _type(words: int) -> BuiltInType:
    def named(emitter: Emitter, names: NamesInScope, given: TemplateArguments, node: Node) -> Type:
        return _state(words)

    return named


def _init(lowering: Lowering, call: BuiltInCall) -> Value:
    """`curand_init(seed, sequence, offset, &state)`."""
    emitter, place = lowering.emitter, call.place
    counted(emitter, call, 4)
    numbers = [scalar(lowering, argument, Scalar.U32) for argument in call.arguments[:3]]
    target = _target(lowering, call.arguments[3])
    found: Operand = unknown_input(emitter, "curand_seed", Scalar.U32, place)
    for each in numbers:
        found = binary(emitter, BinaryOperator.ADD, (found, _times(emitter, each, _SPREAD, place)), place)
    rest = (integer(0, Scalar.U32),) * (len(leaves_of(target.type)) - 1)
    stored_in_memory(emitter, target, Rvalue(target.type, (found, *rest)), place)
    return NOTHING


def _drawn(distribution: Distribution, of: str | None = None) -> BuiltInFunction:
    """What is drawn: one number, or one for each component of a vector. Further arguments only shape it."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        counted(emitter, call, 1, 3)
        first = _first_word(_target(lowering, call.arguments[0]))
        if of is None:
            return given(distribution(emitter, _bits(emitter, first, call.place), call.place))
        kind = vector(of)
        assert kind is not None
        bits = [_bits(emitter, first, call.place) for _ in kind.fields]
        return Rvalue(kind, tuple(distribution(emitter, each, call.place) for each in bits))

    return lower


def _skipped(lowering: Lowering, call: BuiltInCall) -> Value:
    """`skipahead(n, &state)`: another state."""
    counted(lowering.emitter, call, 2)
    _bits(lowering.emitter, _first_word(_target(lowering, call.arguments[1])), call.place)
    return NOTHING


def _target(lowering: Lowering, argument: Node) -> InMemory:
    """The state that an argument points to."""
    target = pointee(lowering, argument)
    if not isinstance(target.type, StructType) or target.type.name != "curandState":
        lowering.emitter.refuse(argument, f"expected the state of a generator, got {described(target.type)}")
    return target


def _first_word(state: InMemory) -> InMemory:
    return InMemory(UNSIGNED, state.address)


def _bits(emitter: Emitter, state: InMemory, place: Place) -> Operand:
    """32 random bits: those of the state in reverse, so that small states give numbers far from each other."""
    now = loaded(emitter, state, place).operand
    following = _times(emitter, now, _FACTOR, place)
    following = binary(emitter, BinaryOperator.ADD, (following, integer(_STEP, Scalar.U32)), place)
    stored_in_memory(emitter, state, Rvalue(UNSIGNED, (following,)), place)
    return unary(emitter, UnaryOperator.REVERSE_BITS, now, place)


def _times(emitter: Emitter, operand: Operand, factor: int, place: Place) -> Operand:
    return binary(emitter, BinaryOperator.MULTIPLY, (operand, integer(factor, Scalar.U32)), place)


def _as_bits(emitter: Emitter, bits: Operand, place: Place) -> Operand:
    return bits


def _uniform(kind: Scalar) -> Distribution:
    """Above 0, up to 1, with 1 (cuRAND, "Device API Overview": "from 0.0 to 1.0, where 1.0 is included")."""

    def made(emitter: Emitter, bits: Operand, place: Place) -> Operand:
        number = convert(emitter, bits, kind, place)
        number = binary(emitter, BinaryOperator.MULTIPLY, (number, Constant(2.0**-32, kind)), place)
        return binary(emitter, BinaryOperator.ADD, (number, Constant(2.0**-33, kind)), place)

    return made


def _normal(kind: Scalar) -> Distribution:
    """Between -8 and 8: a number that the bell has, with another weight."""

    def made(emitter: Emitter, bits: Operand, place: Place) -> Operand:
        number = _uniform(kind)(emitter, bits, place)
        number = binary(emitter, BinaryOperator.MULTIPLY, (number, Constant(16.0, kind)), place)
        return binary(emitter, BinaryOperator.SUBTRACT, (number, Constant(8.0, kind)), place)

    return made


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    "curand_init": _init,
    "curand": _drawn(_as_bits),
    "curand4": _drawn(_as_bits, "uint4"),
    "curand_uniform": _drawn(_uniform(Scalar.F32)),
    "curand_uniform4": _drawn(_uniform(Scalar.F32), "float4"),
    "curand_uniform_double": _drawn(_uniform(Scalar.F64)),
    "curand_uniform2_double": _drawn(_uniform(Scalar.F64), "double2"),
    "curand_normal": _drawn(_normal(Scalar.F32)),
    "curand_normal2": _drawn(_normal(Scalar.F32), "float2"),
    "curand_normal4": _drawn(_normal(Scalar.F32), "float4"),
    "curand_normal_double": _drawn(_normal(Scalar.F64)),
    "curand_normal2_double": _drawn(_normal(Scalar.F64), "double2"),
    "skipahead": _skipped,
    "skipahead_sequence": _skipped,
}

_WORDS = {"XORWOW": 12, "Philox4_32_10": 16, "MRG32k3a": 18}
"""32-bit words of each generator's state (`curand_kernel.h`)."""

TYPES: Mapping[str, BuiltInType] = {
    "curandState": _type(12),
    "curandState_t": _type(12),
    **{f"curandState{name}{end}": _type(words) for name, words in _WORDS.items() for end in ("", "_t")},
}
