"""The body of a kernel in our own syntax after its names and types were checked: expressions and structured statements.

Also the form of the expressions of every declaration: sizes, launches, requirements. Invariants: every name is declared
once; operands of arithmetic and comparisons have one type, all conversions are written out; operands are evaluated from
left to right, of `Select` and `Logical` only those chosen; only atomics, shuffles and votes do more than give a value,
and those of declarations have none. Must not know threads in the plural, except where an operation is one of a warp.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from rewright.model.index import Name
from rewright.model.simt.instructions import AtomicOperation, ShuffleKind, VoteKind
from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar, Space, UnaryOperator
from rewright.verdict import Place

# ------------------------------------------------------------------------------------------------------ expressions


class Connective(StrEnum):
    """A connective that evaluates its right operand only where the left one does not decide."""

    AND = "and"
    OR = "or"


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer of the given type, or a truth (0 or 1) of type `pred`."""

    value: int
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Real:
    """A floating-point literal as written."""

    text: str
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Variable:
    """A local variable, a size or a scalar parameter."""

    name: Name
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Position:
    """`thread.x` and its like; axis 0 is x."""

    of: Coordinate
    axis: int
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Load:
    """An element of an array, one index per dimension; the place is that of the whole access."""

    array: Name
    indices: tuple[Expression, ...]
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Unary:
    """A unary operator; the type is the operand's."""

    operator: UnaryOperator
    operand: Expression
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Binary:
    """A binary operator on operands of one type (the amount of a shift may differ)."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Logical:
    """`and`, `or` on truths."""

    connective: Connective
    left: Expression
    right: Expression
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Select:
    """The value of one of two operands."""

    condition: Expression
    on_true: Expression
    on_false: Expression
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Convert:
    """A value as one of another type: integers wrap, to `pred` is the test for non-zero."""

    operand: Expression
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Function:
    """A function of floats that is known by name only (exp, sqrt, …)."""

    name: str
    operands: tuple[Expression, ...]
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Atomic:
    """Reads, combines and writes an element at once; the value is the old one. `compare` is for compare-and-swap."""

    operation: AtomicOperation
    array: Name
    indices: tuple[Expression, ...]
    operand: Expression
    compare: Expression | None
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The value of another lane of the warp; `lane` and `width` are s32, `mask` is u32."""

    kind: ShuffleKind
    value: Expression
    lane: Expression
    width: Expression
    mask: Expression
    type: Scalar
    place: Place


@dataclass(frozen=True, slots=True)
class Vote:
    """What the truths of the lanes in `mask` (u32) come to: a u32 for a ballot, else a truth."""

    kind: VoteKind
    operand: Expression
    mask: Expression
    type: Scalar
    place: Place


Expression = (
    Integer
    | Real
    | Variable
    | Position
    | Load
    | Unary
    | Binary
    | Logical
    | Select
    | Convert
    | Function
    | Atomic
    | Shuffle
    | Vote
)


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The expressions that an expression is made of, in the order of evaluation."""
    match expression:
        case Binary() | Logical():
            return (expression.left, expression.right)
        case Unary() | Convert():
            return (expression.operand,)
        case Select():
            return (expression.condition, expression.on_true, expression.on_false)
        case Function():
            return expression.operands
        case Load():
            return expression.indices
        case Atomic():
            compare = () if expression.compare is None else (expression.compare,)
            return (*expression.indices, *compare, expression.operand)
        case Shuffle():
            return (expression.value, expression.lane, expression.width, expression.mask)
        case Vote():
            return (expression.operand, expression.mask)
        case Integer() | Real() | Variable() | Position():
            return ()
        case _:
            assert_never(expression)


def parts(expression: Expression) -> Iterator[Expression]:
    """The expression and everything in it, the outer before the inner."""
    yield expression
    for operand in operands(expression):
        yield from parts(operand)


# ------------------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Assign:
    """Sets a local variable; the value has its type."""

    name: Name
    value: Expression
    place: Place


@dataclass(frozen=True, slots=True)
class Forget:
    """A variable without a value, or an array of each thread, begins: in each pass of a loop nothing has set it yet."""

    name: Name
    place: Place


@dataclass(frozen=True, slots=True)
class Store:
    """Sets an element of an array; the place is that of the access, as for `Load`."""

    array: Name
    indices: tuple[Expression, ...]
    value: Expression
    place: Place


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Evaluates an expression for what it does."""

    value: Expression
    place: Place


@dataclass(frozen=True, slots=True)
class If:
    """Two branches on a truth."""

    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class While:
    """A loop: the condition is tested before each pass; `advance` ends one, also after `Continue`."""

    condition: Expression
    body: tuple[Statement, ...]
    place: Place
    advance: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Break:
    """Leaves the innermost loop."""

    place: Place


@dataclass(frozen=True, slots=True)
class Continue:
    """Ends the pass of the innermost loop."""

    place: Place


@dataclass(frozen=True, slots=True)
class Barrier:
    """Waits until every thread of the block waits here."""

    place: Place


@dataclass(frozen=True, slots=True)
class WarpBarrier:
    """Waits until the lanes of the warp in `mask` (u32) wait so."""

    mask: Expression
    place: Place


@dataclass(frozen=True, slots=True)
class Return:
    """Ends the thread."""

    place: Place


@dataclass(frozen=True, slots=True)
class Assert:
    """Claims a truth."""

    condition: Expression
    place: Place


@dataclass(frozen=True, slots=True)
class Assume:
    """Leaves out of consideration every run in which some thread finds this false."""

    condition: Expression
    place: Place


Statement = (
    Assign
    | Forget
    | Store
    | Evaluate
    | If
    | While
    | Break
    | Continue
    | Barrier
    | WarpBarrier
    | Return
    | Assert
    | Assume
)

# --------------------------------------------------------------------------------------------------------- programs


@dataclass(frozen=True, slots=True)
class Array:
    """An array; its extents are expressions over sizes and scalar parameters, outermost dimension first.

    The contents of a shared array, and of a global one that is only written (`is_input` false), are undefined at first.
    """

    name: Name
    space: Space
    type: Scalar
    extents: tuple[Expression, ...]
    is_input: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Local:
    """A variable of each thread, without a value until it is assigned."""

    name: Name
    type: Scalar


@dataclass(frozen=True, slots=True)
class Body:
    """What each thread of a kernel runs. `uniforms` are the sizes and scalar parameters, set before it starts."""

    arrays: tuple[Array, ...]
    uniforms: tuple[Local, ...]
    locals: tuple[Local, ...]
    body: tuple[Statement, ...]
