"""Which numbers a program gives a chance to meet: the ground on which a condition may relate them.

What may be in a register is followed through all instructions, in no order, through memory too: the sizes and
parameters that it is computed from, the arrays whose elements are in it, and those that it points into. So more is
told to meet than does. Must not know conditions, or how a program runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from rewright.kernels.execution.flow import operands
from rewright.model import body
from rewright.model.body import Expression, Variable, parts
from rewright.model.index import Name
from rewright.model.kernel import Kernel, ScalarParameter, Size
from rewright.model.scalars import integer
from rewright.model.simt.constants import NoValue
from rewright.model.simt.instructions import (
    AddressOf,
    Atomic,
    Binary,
    Choose,
    Constant,
    Convert,
    Instruction,
    Load,
    Move,
    Operand,
    Position,
    Register,
    Store,
    results,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator, Coordinate
from rewright.verdict import Place

_SAME = (BinaryOperator.EQUAL, BinaryOperator.NOT_EQUAL)


class MadeOf(Struct, frozen=True):
    """What a value is made of: sizes and parameters, elements of arrays by name, and objects that it points into."""

    names: frozenset[Name] = frozenset()
    elements: frozenset[Name] = frozenset()
    objects: frozenset[int] = frozenset()

    def __or__(self, other: MadeOf) -> MadeOf:
        return MadeOf(self.names | other.names, self.elements | other.elements, self.objects | other.objects)


class Met(Struct, frozen=True):
    """What the elements of an array meet: names that they are ordered with, and names that they may be equal to.

    `numbers` are those that they are ordered with, and extents of what they index, products among them.
    """

    ordered: frozenset[Name] = frozenset()
    equated: frozenset[Name] = frozenset()
    numbers: frozenset[int] = frozenset()


def met(program: Program, arrays: Iterable[Name]) -> dict[Name, Met]:
    """What the elements of each of the arrays meet in a program."""
    flow, bounded = _Flow(program), _Flow(program, bounds=True)
    return {array: _met(program, (flow, bounded), array) for array in arrays}


def addressing(program: Program) -> dict[Place, frozenset[Name]]:
    """By the place of an access, the arrays of whose elements its address is made."""
    flow = _Flow(program)
    made: dict[Place, frozenset[Name]] = {}
    for each in program.code:
        if isinstance(each, Load | Store | Atomic):
            made[each.place] = made.get(each.place, frozenset()) | flow.of(each.address).elements
    return made


def _met(program: Program, flows: tuple[_Flow, _Flow], array: Name) -> Met:
    """What the elements are compared with, and the size of what they, or counters up to them, index."""
    flow, bounded = flows
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
                address = bounded.of(instruction.address)
                if array in address.elements:
                    for extents in (program.objects[each].extents for each in address.objects):
                        for extent in extents or ():
                            ordered |= _names(extent)
                        numbers |= set(_known(extents or ()))
            case _:
                pass
    return Met(frozenset(ordered), frozenset(equated), frozenset(numbers))


class MeetingSizes(Struct, frozen=True):
    """Sizes and parameters that meet: in an access to an array with its size, a comparison, or a side of the launch.

    `whole`: threads and blocks bring those along that their numbers are made of, and what a number is compared with.
    `apart`: threads and blocks do so by themselves: how many blocks there are says nothing of how many threads each of
    them has, nor, where a size is just that, of what is put together with numbers of both of one axis.
    """

    whole: tuple[frozenset[Name], ...]
    apart: tuple[frozenset[Name], ...]


_OF_THREADS = (Coordinate.THREAD, Coordinate.BLOCK_DIM)
_MIXED = tuple(Name(f"<threads {axis}>") for axis in range(3))
"""Stand for what the numbers of threads are made of where only blocks count: no size has such a name."""


def groups(kernel: Kernel, program: Program) -> MeetingSizes:
    """The sizes and parameters of a kernel that meet."""
    launched = _launched(kernel)
    threads = {at: names for at, names in launched.items() if at[0] in _OF_THREADS}
    blocks = {at: names for at, names in launched.items() if at not in threads}
    marked = blocks | {at: frozenset({_MIXED[at[1]]}) for at in threads}
    sides = enumerate(map(inside, kernel.launch.grid))
    counts = {axis: side.name for axis, side in sides if isinstance(side, Variable)}

    def alone(group: frozenset[Name]) -> frozenset[Name]:
        return group - {count for axis, count in counts.items() if _MIXED[axis] in group}

    apart = dict.fromkeys((*_groups(kernel, program, threads), *map(alone, _groups(kernel, program, marked))))
    return MeetingSizes(_groups(kernel, program, launched), tuple(apart))


def divided(kernel: Kernel, program: Program) -> tuple[tuple[Name, Name], ...]:
    """The sizes that are just a number of blocks, each with a parameter by which the number of a block is divided."""
    blocks = {at: names for at, names in _launched(kernel).items() if at[0] is Coordinate.BLOCK}
    flow = _Flow(program, blocks)
    counts = {side.name for side in map(inside, kernel.launch.grid) if isinstance(side, Variable)}
    found: dict[tuple[Name, Name], None] = {}
    for each in program.code:
        if isinstance(each, Binary) and each.operator in (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER):
            match tuple(flow.of(each.left).names), tuple(flow.of(each.right).names):
                case (left,), (right,) if left in counts and right not in counts:
                    found.setdefault((left, right))
    return tuple(found)


def _groups(kernel: Kernel, program: Program, launched: Launched) -> tuple[frozenset[Name], ...]:
    flow = _Flow(program, launched, bounds=True)
    given = {each.name: _names(each.value) for each in _valued(kernel) if each.value is not None}

    def whole(names: Iterable[Name]) -> frozenset[Name]:
        found = set(names)
        for name in names:
            found |= given.get(name, set())
        return frozenset(found)

    met = [_names(side) for side in (*kernel.launch.grid, *kernel.launch.block)]
    met += [set().union(*map(_names, made.extents)) for made in program.objects if made.extents]
    for instruction in program.code:
        match instruction:
            case Binary(operator=operator) if operator.is_comparison:
                met.append({*flow.of(instruction.left).names, *flow.of(instruction.right).names})
            case Load() | Store() | Atomic():
                address = flow.of(instruction.address)
                extents = (extent for each in address.objects for extent in program.objects[each].extents or ())
                met.append(set(address.names).union(*map(_names, extents)))
            case _:
                pass
    return tuple(dict.fromkeys(map(whole, met)))


def _valued(kernel: Kernel) -> Iterator[Size | ScalarParameter]:
    yield from kernel.sizes
    yield from (each for each in kernel.parameters if isinstance(each, ScalarParameter))


Launched = Mapping[tuple[Coordinate, int], frozenset[Name]]
"""What numbers of threads and blocks are made of, along each axis."""


def _launched(kernel: Kernel) -> Launched:
    """What the numbers of threads and blocks along each axis are made of."""
    sides = {
        (Coordinate.THREAD, kernel.launch.block),
        (Coordinate.BLOCK_DIM, kernel.launch.block),
        (Coordinate.BLOCK, kernel.launch.grid),
        (Coordinate.GRID_DIM, kernel.launch.grid),
    }
    return {(of, axis): frozenset(_names(each)) for of, shape in sides for axis, each in enumerate(shape)}


def inside(expression: Expression) -> Expression:
    """What is converted."""
    return inside(expression.operand) if isinstance(expression, body.Convert) else expression


def _names(expression: Expression) -> set[Name]:
    return {part.name for part in parts(expression) if isinstance(part, Variable)}


def _known(extents: tuple[Expression, ...]) -> Iterator[int]:
    """The extents that are numbers, from the innermost on also their products."""
    product = 1
    for extent in reversed(extents):
        try:
            size = integer(extent, {})
        except NoValue:
            return
        product *= size
        yield size
        yield product


class _Flow(Struct):
    """What may be in each register, and what elements each object may hold.

    `launched`: what positions are made of. With `bounds` a register also has the names and elements that it is compared
    with.
    """

    program: Program
    launched: Launched = field(default_factory=dict)
    bounds: bool = False
    registers: dict[int, MadeOf] = field(default_factory=dict)
    held: dict[int, MadeOf] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for uniform in self.program.uniforms:
            self.registers[uniform.register.number] = MadeOf(names=frozenset({uniform.name}))
        for number, made in enumerate(self.program.objects):
            names = [name for name, _ in made.inputs]
            self.held[number] = MadeOf(elements=frozenset(names))
        growing = True
        while growing:
            growing = False
            for each in self.program.code:
                growing |= self._follow(each)

    def of(self, operand: Operand) -> MadeOf:
        """What an operand is made of."""
        return self.registers.get(operand.number, MadeOf()) if isinstance(operand, Register) else MadeOf()

    def _follow(self, instruction: Instruction) -> bool:
        """Whether an instruction passes on more than was known."""
        match instruction:
            case AddressOf():
                made = MadeOf(objects=frozenset({instruction.object}))
            case Load():
                made = self._in_memory(instruction.address)
            case Atomic():
                made = self._in_memory(instruction.address)
                return self._write(instruction.address, (instruction.operand,)) | self._set(instruction, made)
            case Store():
                return self._write(instruction.address, instruction.values)
            case Binary(operator=operator) if operator.is_comparison:
                return self.bounds and self._compare(instruction.left, instruction.right)
            case Position(of=of, axis=axis):
                made = MadeOf(names=self.launched.get((of, axis), frozenset()))
            case Move() | Convert() if self.bounds and isinstance(instruction.operand, Register):
                # a copy that is compared bounds what it is a copy of
                made = self.of(instruction.result)
                back = self._enter(instruction.operand, MadeOf(made.names, made.elements))
                return self._set(instruction, self.of(instruction.operand)) | back
            case Choose():
                made = self._together((instruction.on_true, instruction.on_false))
            case _:
                made = self._together(operands(instruction))
        return self._set(instruction, made)

    def _set(self, instruction: Instruction, made: MadeOf) -> bool:
        grown = False
        for result in results(instruction):
            grown |= self._enter(result, made)
        return grown

    def _enter(self, register: Register, made: MadeOf) -> bool:
        known = self.registers.get(register.number, MadeOf())
        self.registers[register.number] = known | made
        return self.registers[register.number] != known

    def _compare(self, left: Operand, right: Operand) -> bool:
        one, other, grown = self.of(left), self.of(right), False
        made = MadeOf(one.names | other.names, one.elements | other.elements)
        for each in (left, right):
            if isinstance(each, Register):
                grown |= self._enter(each, made)
        return grown

    def _write(self, address: Operand, values: Iterable[Operand]) -> bool:
        made, grown = self._together(values), False
        for each in self.of(address).objects:
            known = self.held[each]
            self.held[each] = known | made
            grown |= self.held[each] != known
        return grown

    def _in_memory(self, address: Operand) -> MadeOf:
        found = MadeOf()
        for each in self.of(address).objects:
            found |= self.held[each]
        return found

    def _together(self, values: Iterable[Operand]) -> MadeOf:
        found = MadeOf()
        for each in values:
            found |= self.of(each)
        return found
