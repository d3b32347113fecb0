"""What variables outside functions hold before a program starts: the elements of objects in device memory.

Their initialisers are constant expressions; what these come to is emitted as for any other object, run here in one
thread, and dropped. Arithmetic is that of `model.simt.constants`. Must not know which variables there are.
"""

from __future__ import annotations

import struct
from typing import assert_never

from msgspec import Struct, field
from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import loaded, shape
from rewright.emit.types import ArrayType, ScalarLeaf, StructType, Type, leaves_of, size_of
from rewright.emit.values import Rvalue
from rewright.frontends.cuda.cxx.construct import construct
from rewright.frontends.cuda.cxx.initial import initial, temporary, zero_value
from rewright.frontends.cuda.cxx.lowering import Lowering, NamesInScope
from rewright.model.simt import instructions as simt
from rewright.model.simt.addresses import pointer
from rewright.model.simt.constants import NoValue, Number, binary, converted, unary
from rewright.model.simt.instructions import Constant, Instruction, Operand
from rewright.model.simt.types import Scalar

MOST_STEPS = 1 << 20
"""Instructions that one initialiser may take: a loop in it need not end."""


class _NotConstant(Exception):
    """An initialiser depends on what is not known when the text is read."""


def static_contents(lowering: Lowering, kind: Type, written: Node | None, node: Node) -> tuple[Number, ...]:
    """The elements of an object of the type that starts as written, trailing zeros left out.

    Refuses, at the initialiser, what is not constant.
    """
    emitter = lowering.emitter
    if written is None and not _starts_itself(lowering.names, kind):
        return ()
    begin = len(emitter.builder.code)
    with emitter.unevaluated():
        value = _default(lowering, kind, node) if written is None else initial(lowering, kind, written)
        running = _Running(emitter.builder.code, begin, _addresses(emitter))
        try:
            running.run()
            leaves = [running.value(leaf) for leaf in value.leaves]
        except (_NotConstant, NoValue):
            emitter.refuse_construct(written or node, "an initialiser in device memory that is not constant")
    return _without_zeros(_elements(kind, leaves))


def _starts_itself(names: NamesInScope, kind: Type) -> bool:
    """Whether an object without an initialiser gets values by its type: by a constructor, or defaults of members."""
    while isinstance(kind, ArrayType):
        kind = kind.of
    if not isinstance(kind, StructType) or names.members(kind) is None:
        return False
    return bool(names.constructors(kind)) or _has_defaults(names, kind)


def _has_defaults(names: NamesInScope, kind: StructType) -> bool:
    text = names.definitions[kind].text
    inside = text.child_by_field_name("body") if text is not None else None
    written = inside.named_children if inside is not None else ()
    return any(each.child_by_field_name("default_value") is not None for each in written)


def _default(lowering: Lowering, kind: Type, node: Node) -> Rvalue:
    """The value of an object that is declared without an initialiser."""
    emitter = lowering.emitter
    if isinstance(kind, ArrayType):
        one = _default(lowering, kind.of, node)
        return Rvalue(kind, one.leaves * (kind.length or 0))
    if not isinstance(kind, StructType):
        return zero_value(kind)
    made = temporary(emitter, kind, node)
    construct(lowering, made, [], node)
    return loaded(emitter, made, emitter.place(node))


# ------------------------------------------------------------------------------------------------------------ elements


def _elements(kind: Type, leaves: list[Number]) -> list[Number]:
    """The elements of the object that has a value of the type: its scalars, or bytes if these differ in type."""
    listed = leaves_of(kind)
    if shape(kind)[1] is not Scalar.U8 or {leaf.scalar for leaf in listed} == {Scalar.U8}:
        return leaves
    data = bytearray(size_of(kind))
    for leaf, value in zip(listed, leaves, strict=True):
        data[leaf.offset : leaf.offset + leaf.scalar.bytes] = packed(leaf, value)
    return list(data)


_FORMATS = {Scalar.F16: "<e", Scalar.F32: "<f", Scalar.F64: "<d"}


def packed(leaf: ScalarLeaf, value: Number) -> bytes:
    """A scalar as it lies in memory."""
    if leaf.scalar is Scalar.BF16:
        return struct.pack("<f", converted(value, Scalar.BF16))[2:]
    if leaf.scalar.is_float:
        return struct.pack(_FORMATS[leaf.scalar], converted(value, leaf.scalar))
    bits = int(value) & ((1 << 8 * leaf.scalar.bytes) - 1)
    return bits.to_bytes(leaf.scalar.bytes, "little")


def _without_zeros(elements: list[Number]) -> tuple[Number, ...]:
    """The elements up to the last one that is not plain zero; -0.0 is none."""
    end = len(elements)
    while end and str(elements[end - 1]) in ("0", "0.0"):
        end -= 1
    return tuple(elements[:end])


# ------------------------------------------------------------------------------------------------------------- running


def _addresses(emitter: Emitter) -> dict[int, Number]:
    """The registers that hold addresses of objects."""
    made = (each for each in emitter.prologue if isinstance(each, simt.AddressOf))
    return {each.result.number: pointer(each.object) for each in made}


class _Running(Struct):
    """Code that runs in one thread from `begin` on; `memory` has what it stored, by address."""

    code: list[Instruction]
    begin: int
    registers: dict[int, Number]
    memory: dict[int, tuple[Scalar, Number]] = field(default_factory=dict)

    def run(self) -> None:
        """Runs to the end. Raises `_NotConstant` for what is not known, and `NoValue`."""
        at, steps = self.begin, 0
        while at < len(self.code):
            steps += 1
            if steps > MOST_STEPS or at < self.begin:
                raise _NotConstant
            at = self._step(self.code[at], at)

    def value(self, operand: Operand) -> Number:
        """What an operand holds. Raises `_NotConstant`."""
        match operand:
            case Constant():
                return operand.value
            case simt.Register():
                if operand.number not in self.registers:
                    raise _NotConstant
                return self.registers[operand.number]
            case _:
                assert_never(operand)

    def _step(self, instruction: Instruction, at: int) -> int:
        """Runs one instruction and gives the place of the next."""
        match instruction:
            case simt.Jump():
                return instruction.target
            case simt.Branch():
                return at + 1 if self.value(instruction.condition) else instruction.otherwise
            case simt.Store():
                address, width = int(self.value(instruction.address)), instruction.values[0].type.bytes
                for place, each in enumerate(instruction.values):
                    self.memory[address + place * width] = each.type, self.value(each)
            case simt.Load():
                address, width = int(self.value(instruction.address)), instruction.results[0].type.bytes
                for place, result in enumerate(instruction.results):
                    self.registers[result.number] = self._loaded(address + place * width, result.type)
            case _:
                self.registers[simt.results(instruction)[0].number] = self._computed(instruction)
        return at + 1

    def _loaded(self, address: int, scalar: Scalar) -> Number:
        found = self.memory.get(address)
        if found is None or found[0] is not scalar:
            raise _NotConstant
        return found[1]

    def _computed(self, instruction: Instruction) -> Number:
        match instruction:
            case simt.Move():
                return self.value(instruction.operand)
            case simt.Convert():
                return converted(self.value(instruction.operand), instruction.result.type)
            case simt.Unary():
                return unary(instruction.operator, self.value(instruction.operand), instruction.operand.type)
            case simt.Binary():
                left, right = self.value(instruction.left), self.value(instruction.right)
                return binary(instruction.operator, left, right, instruction.left.type)
            case simt.Choose():
                chosen = instruction.on_true if self.value(instruction.condition) else instruction.on_false
                return self.value(chosen)
            case _:
                raise _NotConstant
