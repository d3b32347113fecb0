"""Inline assembly of one instruction of PTX that computes a number from numbers, and sets one variable.

Refuses all others: those that access memory, exchange values, wait, or compute what is not in the table. Must not know
other expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import stored
from rewright.emit.operators import binary, convert, function, integer, reinterpret
from rewright.emit.types import Arithmetic
from rewright.emit.values import NOTHING, Rvalue, Value
from rewright.frontends.cuda.cxx.initial import as_type
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import constant, place_of, scalar
from rewright.frontends.cuda.reading.tree import parts, text
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.verdict import Place

_INSTRUCTION = re.compile(r"\{?\s*([a-z0-9.]+)\s+([^\[\]{};]+?)\s*;?\s*\}?")
_ESCAPE = re.compile(r"\\[ntr]")
_NUMBERED = re.compile(r"%[1-9][0-9]?")
_LITERAL = re.compile(r"0[xX][0-9a-fA-F]{1,8}|[1-9][0-9]{0,8}|0")
"""A number in the text of an instruction: of at most 32 bits, and no octal one."""

_REGISTERS: Mapping[str, Scalar] = {"f": Scalar.F32, "r": Scalar.U32, "h": Scalar.U16, "d": Scalar.F64, "l": Scalar.U64}
"""What the registers of operands hold, by the letters of constraints."""


class _Computation(NamedTuple):
    """An instruction: the letters of its result and of its operands, `n` a constant, and what computes the result."""

    result: str
    operands: str
    compute: Callable[[Emitter, tuple[Operand, ...], Place], Operand]


def assembly(lowering: Lowering, node: Node) -> Value:
    """`asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(i) : "f"(x))`. Refuses what is no such instruction."""
    emitter, place = lowering.emitter, lowering.emitter.place(node)
    found = _INSTRUCTION.fullmatch(_ESCAPE.sub(" ", _written(node)).strip())
    known = None if found is None else _INSTRUCTIONS.get(found[1])
    outputs, inputs = _operands(node, "output_operands"), _operands(node, "input_operands")
    if found is None or known is None or [each for each, _ in outputs] != [f"={known.result}"]:
        emitter.refuse_construct(node, "inline assembly")
    target, *written = re.split(r"\s*,\s*", found[2])
    taken = [_taken(each, inputs) for each in written]
    if target != "%0" or "".join(letter for letter, _ in taken) != known.operands:
        emitter.refuse_construct(node, "inline assembly")
    values = [_operand(lowering, letter, value) for letter, value in inputs]
    given = tuple(value if isinstance(value, Constant) else values[value] for _, value in taken)
    (_, named), result = outputs[0], known.compute(emitter, given, place)
    variable = place_of(lowering, named)
    value = as_type(lowering, Rvalue(Arithmetic(result.type), (result,)), variable.type, named)
    stored(emitter, lowering.registers, variable, value, emitter.place(named))
    return NOTHING


def _written(node: Node) -> str:
    code = node.child_by_field_name("assembly_code")
    return "" if code is None or code.type != "string_literal" else text(code)[1:-1]


def _operands(node: Node, name: str) -> list[tuple[str, Node]]:
    """The operands of one kind: the letter of each, and what stands for it."""
    listed = node.child_by_field_name(name)
    found: list[tuple[str, Node]] = []
    for each in parts(listed) if listed is not None else ():
        letter, value = each.child_by_field_name("constraint"), each.child_by_field_name("value")
        if letter is not None and value is not None:
            found.append((text(letter)[1:-1], value))
    return found


def _taken(written: str, inputs: list[tuple[str, Node]]) -> tuple[str, int | Constant]:
    """The letter of an operand as it is written, and which input it is, or which number: then the letter is `n`."""
    if _LITERAL.fullmatch(written):
        return "n", integer(int(written, 0), Scalar.U32)
    number = int(written[1:]) if _NUMBERED.fullmatch(written) else 0
    return (inputs[number - 1][0], number - 1) if 1 <= number <= len(inputs) else ("", 0)


def _operand(lowering: Lowering, letter: str, value: Node) -> Operand:
    if letter in _REGISTERS:
        return scalar(lowering, value, _REGISTERS[letter])
    known = constant(lowering, value)
    if known is None:
        lowering.emitter.refuse(value, "this must be known when the text is read")
    return integer(known, Scalar.U32)


# --------------------------------------------------------------------------------------------------------- instructions


def _nearest(source: Scalar, low: int, high: int) -> _Computation:
    """`cvt.rni.sat`: the nearest integer, even ones first, in a range."""

    def compute(emitter: Emitter, given: tuple[Operand, ...], place: Place) -> Operand:
        number = given[0] if source is Scalar.F32 else reinterpret(emitter, given[0], source, place)
        whole = convert(emitter, function(emitter, "round_even", (number,), place), Scalar.S32, place)
        least = binary(emitter, BinaryOperator.MAXIMUM, (whole, integer(low)), place)
        return binary(emitter, BinaryOperator.MINIMUM, (least, integer(high)), place)

    return _Computation("r", "f" if source is Scalar.F32 else "h", compute)


def _to_half(emitter: Emitter, given: tuple[Operand, ...], place: Place) -> Operand:
    return reinterpret(emitter, convert(emitter, given[0], Scalar.F16, place), Scalar.U16, place)


def _from_half(emitter: Emitter, given: tuple[Operand, ...], place: Place) -> Operand:
    return convert(emitter, reinterpret(emitter, given[0], Scalar.F16, place), Scalar.F32, place)


def _function(name: str) -> _Computation:
    return _Computation("f", "f", lambda emitter, given, place: function(emitter, name, given, place))


def _bitwise(emitter: Emitter, given: tuple[Operand, ...], place: Place) -> Operand:
    """`lop3.b32`: bit `4 a + 2 b + c` of the table, the last operand, for the bits of the others."""
    *bits, table = given
    chosen: Operand = integer(0, Scalar.U32)
    for row in range(8):
        at = binary(emitter, BinaryOperator.SHIFT_RIGHT, (table, integer(row)), place)
        kept = binary(emitter, BinaryOperator.AND, (at, integer(1, Scalar.U32)), place)
        # all ones where the table has a one, else zero
        term = binary(emitter, BinaryOperator.SUBTRACT, (integer(0, Scalar.U32), kept), place)
        for shift, each in zip((4, 2, 1), bits, strict=True):
            flipped = integer(0 if row & shift else 0xFFFFFFFF, Scalar.U32)
            fitting = binary(emitter, BinaryOperator.XOR, (each, flipped), place)
            term = binary(emitter, BinaryOperator.AND, (term, fitting), place)
        chosen = binary(emitter, BinaryOperator.OR, (chosen, term), place)
    return chosen


_INSTRUCTIONS: Mapping[str, _Computation] = {
    "cvt.rni.sat.s8.f32": _nearest(Scalar.F32, -128, 127),
    "cvt.rni.sat.s8.f16": _nearest(Scalar.F16, -128, 127),
    "cvt.rni.sat.s32.f32": _nearest(Scalar.F32, -(1 << 31), (1 << 31) - 1),
    "cvt.rn.f16.f32": _Computation("h", "f", _to_half),
    "cvt.f32.f16": _Computation("f", "h", _from_half),
    "tanh.approx.f32": _function("tanh"),
    "ex2.approx.f32": _function("exp2"),
    "lop3.b32": _Computation("r", "rrrn", _bitwise),
}
