"""Values of integer parameters that a program singles out: those at which a comparison or a remainder changes.

A register counts as a uniform where it is set once, from a uniform by moves, conversions and arithmetic with constants,
or read from a variable of the source that has one element; as a loop's counter where one of its settings adds a
constant to itself. What is compared with anything else is compared with the size of the block. This chooses which
launches are run and decides nothing. Must not know how they run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from rewright.kernels.launches.varying import varying
from rewright.model.index import Name
from rewright.model.simt.instructions import (
    AddressOf,
    Binary,
    Constant,
    Convert,
    Instruction,
    Load,
    Move,
    Operand,
    Register,
    results,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator

_DIVIDES = (BinaryOperator.REMAINDER, BinaryOperator.DIVIDE)

LARGEST = 1 << 20
"""No larger value is chosen for its own sake."""


class _Linear(Struct, frozen=True):
    """`scale * uniform + offset`, rounding left out."""

    uniform: Name
    scale: Fraction
    offset: Fraction

    def solved(self, value: int) -> int:
        """The uniform for which this comes near the value."""
        return round((value - self.offset) / self.scale)


class Singled(Struct, frozen=True):
    """What a program compares a parameter with: numbers, and whether with something that grows with the block.

    `divides`: it divides by the parameter, which so is a size and not 0. `varies`: it is compared with what differs
    between threads or grows with the launch; where it is not, all threads count up to it alike. `pace`: by how much a
    counter at most grows that it is compared with.
    """

    numbers: frozenset[int] = frozenset()
    block: bool = False
    divides: bool = False
    varies: bool = False
    pace: int = 0


class _Beside(Enum):
    """What a uniform is compared with that is no number: all threads have it alike, or not."""

    ALIKE = auto()
    VARYING = auto()


class _Pace(Struct, frozen=True):
    """A uniform is compared with a counter: it comes to grow by this much."""

    number: int


_Mark = int | _Beside | _Pace


def singled_out(program: Program) -> Mapping[Name, Singled]:
    """What the program does with each uniform of integers; those that it neither compares nor divides are left out."""
    scan = _Scan(program)
    found = {name: Singled(divides=True) for name in scan.divisors()}
    for name, mark in scan.found():
        known = found.get(name, Singled())
        match mark:
            case _Beside.VARYING:
                found[name] = replace(known, block=True, varies=True)
            case _Beside.ALIKE:
                found[name] = replace(known, block=True)
            case _Pace(number) if abs(number) <= LARGEST:
                found[name] = replace(known, numbers=known.numbers | {number}, pace=max(known.pace, number))
            case int() if abs(mark) <= LARGEST:
                found[name] = replace(known, numbers=known.numbers | {mark})
            case _:
                pass
    return found


class _Scan:
    """The one setting of each register that has one, and the steps of loop counters."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._uniforms = {uniform.register.number: uniform.name for uniform in program.uniforms}
        self._settings: dict[int, list[Instruction]] = {}
        for instruction in program.code:
            for result in results(instruction):
                self._settings.setdefault(result.number, []).append(instruction)
        self._linear: dict[int, _Linear | None] = {}
        self._objects = program.objects
        self._varying = varying(program)

    def found(self) -> Iterator[tuple[Name, _Mark]]:
        """Uniforms with a number that each is compared with, or what is to be known of anything else."""
        for instruction in self._program.code:
            if isinstance(instruction, Binary):
                if instruction.operator.is_comparison:
                    yield from self._compared(instruction.left, instruction.right)
                    yield from self._compared(instruction.right, instruction.left)
                elif instruction.operator in (*_DIVIDES, BinaryOperator.AND):
                    yield from self._divided(instruction)

    def divisors(self) -> Iterator[Name]:
        """Uniforms that something is divided by."""
        for instruction in self._program.code:
            if isinstance(instruction, Binary) and instruction.operator in _DIVIDES:
                linear = self._as_linear(instruction.right)
                if linear is not None and linear.offset == 0:
                    yield linear.uniform

    def _compared(self, operand: Operand, other: Operand) -> Iterator[tuple[Name, _Mark]]:
        linear = self._as_linear(operand)
        if linear is None or linear.scale == 0:
            return
        if isinstance(other, Constant):
            yield linear.uniform, linear.solved(int(other.value))
            return
        varies = not isinstance(other, Register) or other.number in self._varying
        yield linear.uniform, _Beside.VARYING if varies else _Beside.ALIKE
        for step in self._steps(other):
            yield linear.uniform, _Pace(linear.solved(step))
            yield linear.uniform, linear.solved(2 * step)

    def _divided(self, instruction: Binary) -> Iterator[tuple[Name, _Mark]]:
        linear = self._as_linear(instruction.left)
        if linear is None or linear.scale == 0 or not isinstance(instruction.right, Constant):
            return
        unit = int(instruction.right.value) + (instruction.operator is BinaryOperator.AND)
        for number in (unit, 2 * unit):
            yield linear.uniform, linear.solved(number)

    def _steps(self, operand: Operand) -> Iterator[int]:
        """The constants that a loop's counter grows by."""
        if not isinstance(operand, Register):
            return
        for setting in self._settings.get(operand.number, ()):
            source = self._through_moves(setting)
            if isinstance(source, Binary) and source.operator is BinaryOperator.ADD and source.left == operand:
                amount = source.right
                if isinstance(amount, Constant):
                    yield int(amount.value)

    def _through_moves(self, instruction: Instruction) -> Instruction:
        """The instruction that computed what a chain of moves and conversions passes on."""
        while isinstance(instruction, Move | Convert) and isinstance(instruction.operand, Register):
            settings = self._settings.get(instruction.operand.number, ())
            if len(settings) != 1:
                break
            instruction = settings[0]
        return instruction

    def _as_linear(self, operand: Operand) -> _Linear | None:
        if not isinstance(operand, Register) or not operand.type.is_integer:
            return None
        number = operand.number
        if number not in self._linear:
            self._linear[number] = None
            self._linear[number] = self._computed(operand)
        return self._linear[number]

    def _computed(self, register: Register) -> _Linear | None:
        settings = self._settings.get(register.number, ())
        if register.number in self._uniforms:
            return _Linear(self._uniforms[register.number], Fraction(1), Fraction(0)) if not settings else None
        if len(settings) != 1:
            return None
        match settings[0]:
            case Load() as load:
                name = self._variable(load.address)
                return None if name is None else _Linear(name, Fraction(1), Fraction(0))
            case Move() | Convert() as copied:
                return self._as_linear(copied.operand)
            case Binary() as binary if isinstance(binary.right, Constant):
                return _combined(binary.operator, self._as_linear(binary.left), int(binary.right.value))
            case Binary(operator=BinaryOperator.ADD | BinaryOperator.MULTIPLY) as binary if isinstance(
                binary.left, Constant
            ):
                return _combined(binary.operator, self._as_linear(binary.right), int(binary.left.value))
            case _:
                return None

    def _variable(self, address: Operand) -> Name | None:
        """The variable of the source whose first element lies at an address."""
        settings = self._settings.get(address.number, ()) if isinstance(address, Register) else ()
        if len(settings) != 1 or not isinstance(settings[0], AddressOf):
            return None
        made = self._objects[settings[0].object]
        return made.name if made.variable is not None else None


def _combined(operator: BinaryOperator, linear: _Linear | None, amount: int) -> _Linear | None:
    if linear is None:
        return None
    match operator:
        case BinaryOperator.ADD:
            return replace(linear, offset=linear.offset + amount)
        case BinaryOperator.SUBTRACT:
            return replace(linear, offset=linear.offset - amount)
        case BinaryOperator.MULTIPLY:
            factor = Fraction(amount)
        case BinaryOperator.DIVIDE if amount:
            factor = Fraction(1, amount)
        case BinaryOperator.SHIFT_LEFT if 0 <= amount < 32:
            factor = Fraction(1 << amount)
        case BinaryOperator.SHIFT_RIGHT if 0 <= amount < 32:
            factor = Fraction(1, 1 << amount)
        case _:
            return None
    return replace(linear, scale=linear.scale * factor, offset=linear.offset * factor)
