"""The instructions of the SIMT form: three-address code, one thread at a time.

An instruction reads operands (registers, constants), and most write one register. Invariants: operands of arithmetic
and comparisons have one type (the amount of a shift may differ), every conversion is an instruction; integers wrap at
their width, signed ones in two's complement, `/` truncates; a pointer is a `u64` in the encoding of `addresses`. Each
place is that of the smallest expression or statement that the instruction comes from; that of an access is the whole
access. Must not know threads in the plural, except where an instruction says so.
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar, UnaryOperator
from rewright.verdict import Place


class Register(Struct, frozen=True):
    """A variable of each thread; it has no value until an instruction writes it."""

    number: int
    type: Scalar


class Constant(Struct, frozen=True):
    """A literal. Integers lie in the range of their type; `pred` is 0 or 1; a float is the nearest double."""

    value: int | float
    type: Scalar


Operand = Register | Constant


# --------------------------------------------------------------------------------------------------------- registers


class Move(Struct, frozen=True):
    """Copies a value of the same type."""

    result: Register
    operand: Operand
    place: Place


class Forget(Struct, frozen=True):
    """From here on these registers, and these objects of the thread, have no value: a variable is declared again."""

    registers: tuple[Register, ...]
    objects: tuple[int, ...]
    place: Place


class Unary(Struct, frozen=True):
    """A unary operator; the result has the operand's type."""

    operator: UnaryOperator
    result: Register
    operand: Operand
    place: Place


class Binary(Struct, frozen=True):
    """A binary operator; a comparison gives `pred`. Integer division by zero is a violation and gives 0.

    The amount of a shift counts as unsigned; one of the width or more shifts everything out. The least and greatest of
    floats is the other one where one is not a number.
    """

    operator: BinaryOperator
    result: Register
    left: Operand
    right: Operand
    place: Place


class Convert(Struct, frozen=True):
    """A value as one of the result's type: integers wrap, floats truncate into its range, `pred` tests for non-zero."""

    result: Register
    operand: Operand
    place: Place


class Reinterpret(Struct, frozen=True):
    """The bits of a value as one of the result's type, which has the same width."""

    result: Register
    operand: Operand
    place: Place


class Choose(Struct, frozen=True):
    """One of two values; both were evaluated."""

    result: Register
    condition: Operand
    on_true: Operand
    on_false: Operand
    place: Place


class Function(Struct, frozen=True):
    """A mathematical function of floats by its name in `functions`."""

    name: str
    result: Register
    operands: tuple[Operand, ...]
    place: Place


class Position(Struct, frozen=True):
    """One component of a built-in triple of the thread; axis 0 is x."""

    of: Coordinate
    axis: int
    result: Register
    place: Place


# ------------------------------------------------------------------------------------------------------------ memory


class Subscript(Struct, frozen=True):
    """One index of an access and the extent that it must stay below, both of type s64; outermost dimension first."""

    index: Operand
    extent: Operand


class AddressOf(Struct, frozen=True):
    """The pointer to the first byte of an object."""

    result: Register
    object: int
    place: Place


class Load(Struct, frozen=True):
    """Reads consecutive elements, all of one type, in one access aligned to its whole width.

    `subscripts`: the indices by which the text names the element, one per dimension of the object, empty if by pointer.
    """

    results: tuple[Register, ...]
    address: Operand
    subscripts: tuple[Subscript, ...]
    place: Place


class Store(Struct, frozen=True):
    """Writes consecutive elements, all of one type, in one access aligned to its whole width."""

    values: tuple[Operand, ...]
    address: Operand
    subscripts: tuple[Subscript, ...]
    place: Place


class AtomicOperation(StrEnum):
    """What an atomic does with the old value and its operand."""

    ADD = "add"
    SUBTRACT = "sub"
    MINIMUM = "min"
    MAXIMUM = "max"
    AND = "and"
    OR = "or"
    XOR = "xor"
    EXCHANGE = "exch"
    COMPARE_AND_SWAP = "cas"
    INCREMENT = "inc"
    DECREMENT = "dec"


class AtomicScope(StrEnum):
    """Among whom an atomic happens at once: the threads of its block, or all that may access the element."""

    BLOCK = "block"
    DEVICE = "device"


class Atomic(Struct, frozen=True):
    """Reads, combines and writes one element at once; `result` gets the old value.

    `compare` is set for compare-and-swap only. Increment wraps to 0 at the operand, decrement to the operand at 0.
    """

    operation: AtomicOperation
    result: Register
    address: Operand
    operand: Operand
    compare: Operand | None
    subscripts: tuple[Subscript, ...]
    place: Place
    scope: AtomicScope = AtomicScope.DEVICE


# ----------------------------------------------------------------------------------------------------------- control


class Branch(Struct, frozen=True):
    """Goes on with the next instruction where the condition holds, at the instruction `otherwise` elsewhere."""

    condition: Operand
    otherwise: int
    place: Place


class Jump(Struct, frozen=True):
    """Goes on at the instruction `target`."""

    target: int
    place: Place


class Exit(Struct, frozen=True):
    """Ends the thread."""

    place: Place


class Assert(Struct, frozen=True):
    """Claims a truth."""

    condition: Operand
    place: Place


class Assume(Struct, frozen=True):
    """Leaves out of consideration every run in which some thread finds this false."""

    condition: Operand
    place: Place


# --------------------------------------------------------------------------------------------------- several threads


class VoteKind(StrEnum):
    """How the truths of several threads become one value."""

    ALL = "all"
    ANY = "any"
    COUNT = "count"
    BALLOT = "ballot"


class Barrier(Struct, frozen=True):
    """Waits until every thread of the block waits at this very place, and orders what they did.

    With `vote` the result gets what their operands (of type `pred`) come to.
    """

    vote: VoteKind | None
    result: Register | None
    operand: Operand | None
    place: Place


class WarpBarrier(Struct, frozen=True):
    """Waits until all threads of the warp in `mask` (u32) that have not ended wait so with this mask; orders memory."""

    mask: Operand
    place: Place


class ShuffleKind(StrEnum):
    """Whose value a lane gets: by index in its segment, from below, from above, by exclusive or."""

    INDEX = "idx"
    UP = "up"
    DOWN = "down"
    XOR = "xor"


class Shuffle(Struct, frozen=True):
    """Exchanges values of a warp. Waits for the threads in `mask` as a warp barrier does, but orders no memory.

    `lane` (s32) is the index, distance or mask of the kind; `width` (s32), a power of two, the size of a segment. The
    result is the thread's own value where the source lies outside the segment (for xor: after it).
    """

    kind: ShuffleKind
    result: Register
    mask: Operand
    value: Operand
    lane: Operand
    width: Operand
    place: Place


class Vote(Struct, frozen=True):
    """Combines truths of a warp. Waits for the threads in `mask` as a warp barrier does, but orders no memory.

    `result` is a `pred` for all and any, a u32 for ballot and count; None if the instruction only brings them together.
    """

    kind: VoteKind
    result: Register | None
    mask: Operand
    operand: Operand
    place: Place


class ActiveMask(Struct, frozen=True):
    """The threads of the warp (u32) that execute this together. Which these are is up to the machine."""

    result: Register
    place: Place


class Fence(Struct, frozen=True):
    """Makes writes visible in order; between threads it orders nothing by itself."""

    place: Place


Instruction = (
    Move
    | Forget
    | Unary
    | Binary
    | Convert
    | Reinterpret
    | Choose
    | Function
    | Position
    | AddressOf
    | Load
    | Store
    | Atomic
    | Branch
    | Jump
    | Exit
    | Assert
    | Assume
    | Barrier
    | WarpBarrier
    | Shuffle
    | Vote
    | ActiveMask
    | Fence
)


def results(instruction: Instruction) -> tuple[Register, ...]:
    """The registers that an instruction writes."""
    match instruction:
        case Load():
            return instruction.results
        case Barrier() | Vote():
            return () if instruction.result is None else (instruction.result,)
        case (
            Move()
            | Unary()
            | Binary()
            | Convert()
            | Reinterpret()
            | Choose()
            | Function()
            | Position()
            | AddressOf()
            | Atomic()
            | Shuffle()
            | ActiveMask()
        ):
            return (instruction.result,)
        case Forget() | Store() | Branch() | Jump() | Exit() | Assert() | Assume() | WarpBarrier() | Fence():
            return ()
        case _:
            assert_never(instruction)
