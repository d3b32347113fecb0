"""What can be said of a program's control and data before it runs.

Owns the blocks of straight code, which branches only write registers before their ways meet again, which registers
nobody reads, and which objects are written. Must not know values.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from rewright.model.simt.instructions import (
    ActiveMask,
    AddressOf,
    Assert,
    Assume,
    Atomic,
    Barrier,
    Binary,
    Branch,
    Choose,
    Constant,
    Convert,
    Exit,
    Fence,
    Forget,
    Function,
    Instruction,
    Jump,
    Load,
    Move,
    Operand,
    Position,
    Register,
    Reinterpret,
    Shuffle,
    Store,
    Unary,
    Vote,
    WarpBarrier,
    results,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator, Scalar


class Diamond(Struct, frozen=True):
    """The two ways of a branch up to where they meet, if all they do is to write registers."""

    inside: tuple[int, ...]
    written: tuple[int, ...]


def operands(instruction: Instruction) -> tuple[Operand, ...]:
    """What an instruction reads."""
    match instruction:
        case Move() | Unary() | Convert() | Reinterpret():
            return (instruction.operand,)
        case Binary():
            return (instruction.left, instruction.right)
        case Choose():
            return (instruction.condition, instruction.on_true, instruction.on_false)
        case Function():
            return instruction.operands
        case Load():
            return (instruction.address, *_subscripts(instruction))
        case Store():
            return (instruction.address, *instruction.values, *_subscripts(instruction))
        case Atomic():
            compare = () if instruction.compare is None else (instruction.compare,)
            return (instruction.address, instruction.operand, *compare, *_subscripts(instruction))
        case Branch() | Assert() | Assume():
            return (instruction.condition,)
        case Barrier():
            return () if instruction.operand is None else (instruction.operand,)
        case WarpBarrier():
            return (instruction.mask,)
        case Shuffle():
            return (instruction.mask, instruction.value, instruction.lane, instruction.width)
        case Vote():
            return (instruction.mask, instruction.operand)
        case Forget() | Position() | AddressOf() | Jump() | Exit() | ActiveMask() | Fence():
            return ()
        case _:
            assert_never(instruction)


def _subscripts(instruction: Load | Store | Atomic) -> tuple[Operand, ...]:
    return tuple(operand for subscript in instruction.subscripts for operand in (subscript.index, subscript.extent))


def successors(code: tuple[Instruction, ...], at: int) -> tuple[int, ...]:
    """Where a thread goes on after an instruction; the end of the code is a place too."""
    match code[at]:
        case Jump() as jump:
            return (jump.target,)
        case Branch() as branch:
            return (at + 1, branch.otherwise)
        case Exit():
            return ()
        case _:
            return (at + 1,)


def leaders(code: tuple[Instruction, ...]) -> frozenset[int]:
    """The places at which a group of threads may begin to run: all but the first end a block of straight code."""
    found = {0}
    for at, instruction in enumerate(code):
        match instruction:
            case Jump():
                found.add(instruction.target)
            case Branch():
                found |= {at + 1, instruction.otherwise}
            case Barrier() | WarpBarrier() | Shuffle() | Vote():
                found.add(at + 1)
            case _:
                pass
    return frozenset(found)


# --------------------------------------------------------------------------------------------------------- diamonds


def diamonds(code: tuple[Instruction, ...]) -> dict[int, Diamond]:
    """The branches whose ways only write registers, without loops, until they meet."""
    found = {}
    for at, instruction in enumerate(code):
        if isinstance(instruction, Branch):
            inside = _inside(code, at)
            if inside is not None:
                written = {register.number for number in inside for register in results(code[number])}
                found[at] = Diamond(inside, tuple(sorted(written)))
    return found


def _inside(code: tuple[Instruction, ...], branch: int) -> tuple[int, ...] | None:
    """What lies on the ways of a branch before the first place that all of them come to.

    Taken in the order of the text; as all jumps go forward, the ways have met when there is only one place to go on at.
    """
    open_at, inside = set(successors(code, branch)), []
    while len(open_at) > 1:
        at = min(open_at)
        if at <= branch or at >= len(code) or not _only_writes_registers(code[at]):
            return None
        onward = successors(code, at)
        if any(target <= at for target in onward):
            return None
        open_at.remove(at)
        open_at |= set(onward)
        inside.append(at)
    return tuple(inside) if min(open_at) > branch else None


def _only_writes_registers(instruction: Instruction) -> bool:
    match instruction:
        case Forget():
            return not instruction.objects
        case Position() | AddressOf() | Branch() | Jump():
            return True
        case _:
            return only_computes(instruction)


def only_computes(instruction: Instruction) -> bool:
    """Whether an instruction makes a value of values and does nothing else, so that it may be left out."""
    match instruction:
        case Binary():
            by_zero = not isinstance(instruction.right, Constant) or instruction.right.value == 0
            divides = instruction.operator in (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)
            return not (divides and by_zero) or instruction.left.type.is_float
        case Move() | Unary() | Convert() | Reinterpret() | Choose() | Function():
            return True
        case _:
            return False


# -------------------------------------------------------------------------------------------------------------- data


def unread(program: Program) -> frozenset[int]:
    """The registers that no instruction reads."""
    read = {o.number for instruction in program.code for o in operands(instruction) if isinstance(o, Register)}
    return frozenset(range(len(program.names))) - read


def written_objects(program: Program) -> frozenset[int]:
    """The objects that an instruction may write: those that its address may point to.

    A register points to what its operands point to; a pointer that comes from memory or from another thread, to any
    object (after Andersen, without following memory).
    """
    everything = frozenset(range(len(program.objects)))
    points: dict[int, frozenset[int]] = {}
    changed = True
    while changed:
        changed = False
        for instruction in program.code:
            reached = _reached(instruction, points, everything)
            for register in results(instruction):
                if not reached <= points.get(register.number, frozenset()):
                    points[register.number] = points.get(register.number, frozenset()) | reached
                    changed = True
    found: frozenset[int] = frozenset()
    for instruction in program.code:
        if isinstance(instruction, Store | Atomic):
            found |= _targets(instruction.address, points) or everything
    return found


def _reached(instruction: Instruction, points: dict[int, frozenset[int]], everything: frozenset[int]) -> frozenset[int]:
    match instruction:
        case AddressOf():
            return frozenset({instruction.object})
        case Load() | Atomic() | Shuffle():
            # only 64 bits hold a pointer
            wide = any(register.type in (Scalar.U64, Scalar.S64) for register in results(instruction))
            return everything if wide else frozenset()
        case _:
            found: frozenset[int] = frozenset()
            for operand in operands(instruction):
                found |= _targets(operand, points)
            return found


def _targets(operand: Operand, points: dict[int, frozenset[int]]) -> frozenset[int]:
    return points.get(operand.number, frozenset()) if isinstance(operand, Register) else frozenset()
