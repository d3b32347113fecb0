"""Which numbers a program gives a chance to meet: the ground on which a condition may relate them.

What may be in a register is followed through all instructions, in no order, through memory too: the sizes and
parameters that it is computed from, the arrays whose elements are in it, and those that it points into. So more is
told to meet than does. Must not know conditions, or how a program runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rewright.kernels.execution.flow import operands
from rewright.model.body import Expression, Integer, Variable, parts
from rewright.model.index import Name
from rewright.model.simt.instructions import (
    AddressOf,
    Atomic,
    Binary,
    Choose,
    Constant,
    Instruction,
    Load,
    Operand,
    Register,
    Store,
    results,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator

_SAME = (BinaryOperator.EQUAL, BinaryOperator.NOT_EQUAL)


@dataclass(frozen=True, slots=True)
class Sources:
    """What a value is made of: sizes and parameters, elements of arrays by name, and objects that it points into."""

    names: frozenset[Name] = frozenset()
    elements: frozenset[Name] = frozenset()
    objects: frozenset[int] = frozenset()

    def __or__(self, other: Sources) -> Sources:
        return Sources(self.names | other.names, self.elements | other.elements, self.objects | other.objects)


@dataclass(frozen=True, slots=True)
class Met:
    """What the elements of an array meet: names that they are ordered with, and names that they may be equal to.

    `numbers` are those that they are ordered with, and extents of what they index, products among them.
    """

    ordered: frozenset[Name] = frozenset()
    equated: frozenset[Name] = frozenset()
    numbers: frozenset[int] = frozenset()


def met(program: Program, arrays: Iterable[Name]) -> dict[Name, Met]:
    """What the elements of each of the arrays meet in a program."""
    flow = _Flow(program)
    return {array: _met(program, flow, array) for array in arrays}


def _met(program: Program, flow: _Flow, array: Name) -> Met:
    ordered, equated, numbers = set[Name](), set[Name](), set[int]()
    for instruction in program.code:
        match instruction:
            case Binary(operator=operator) if operator.is_comparison:
                for one, other in ((instruction.left, instruction.right), (instruction.right, instruction.left)):
                    if array in flow.of(one).elements:
                        (equated if operator in _SAME else ordered).update(flow.of(other).names)
                        if isinstance(other, Constant) and other.type.is_integer and operator not in _SAME:
                            numbers.add(int(other.value))
            case Load() | Store() | Atomic():
                address = flow.of(instruction.address)
                if array in address.elements:
                    for extents in (program.objects[each].extents for each in address.objects):
                        for extent in extents or ():
                            ordered |= _names(extent)
                        numbers |= set(_known(extents or ()))
            case _:
                pass
    return Met(frozenset(ordered), frozenset(equated), frozenset(numbers))


def _names(expression: Expression) -> set[Name]:
    return {part.name for part in parts(expression) if isinstance(part, Variable)}


def _known(extents: tuple[Expression, ...]) -> Iterator[int]:
    """The extents that are numbers, from the innermost on also their products."""
    product = 1
    for extent in reversed(extents):
        if not isinstance(extent, Integer):
            return
        product *= extent.value
        yield extent.value
        yield product


@dataclass(slots=True)
class _Flow:
    """What may be in each register, and what elements each object may hold."""

    program: Program
    registers: dict[int, Sources] = field(default_factory=dict)
    held: dict[int, Sources] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for uniform in self.program.uniforms:
            self.registers[uniform.register.number] = Sources(names=frozenset({uniform.name}))
        for number, made in enumerate(self.program.objects):
            names = [name for name, _ in made.inputs]
            self.held[number] = Sources(elements=frozenset(names))
        growing = True
        while growing:
            growing = False
            for each in self.program.code:
                growing |= self._follow(each)

    def of(self, operand: Operand) -> Sources:
        """What an operand is made of."""
        return self.registers.get(operand.number, Sources()) if isinstance(operand, Register) else Sources()

    def _follow(self, instruction: Instruction) -> bool:
        """Whether an instruction passes on more than was known."""
        match instruction:
            case AddressOf():
                made = Sources(objects=frozenset({instruction.object}))
            case Load():
                made = self._in_memory(instruction.address)
            case Atomic():
                made = self._in_memory(instruction.address)
                return self._write(instruction.address, (instruction.operand,)) | self._set(instruction, made)
            case Store():
                return self._write(instruction.address, instruction.values)
            case Binary(operator=operator) if operator.is_comparison:
                return False
            case Choose():
                made = self._together((instruction.on_true, instruction.on_false))
            case _:
                made = self._together(operands(instruction))
        return self._set(instruction, made)

    def _set(self, instruction: Instruction, made: Sources) -> bool:
        grown = False
        for result in results(instruction):
            known = self.registers.get(result.number, Sources())
            self.registers[result.number] = known | made
            grown |= self.registers[result.number] != known
        return grown

    def _write(self, address: Operand, values: Iterable[Operand]) -> bool:
        made, grown = self._together(values), False
        for each in self.of(address).objects:
            known = self.held[each]
            self.held[each] = known | made
            grown |= self.held[each] != known
        return grown

    def _in_memory(self, address: Operand) -> Sources:
        found = Sources()
        for each in self.of(address).objects:
            found |= self.held[each]
        return found

    def _together(self, values: Iterable[Operand]) -> Sources:
        found = Sources()
        for each in values:
            found |= self.of(each)
        return found
