"""The body of a kernel in our own syntax after its names and types were checked: expressions and structured statements.

Also the form of the expressions of every declaration: sizes, launches, requirements. Invariants: every name is declared
once; operands of arithmetic and comparisons have one type, all conversions are written out; operands are evaluated from
left to right, of `Select` and `Logical` only those chosen; only atomics, shuffles and votes do more than give a value,
and those of declarations have none. Must not know threads in the plural, except where an operation is one of a warp.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.simt.instructions import AtomicOperation, ShuffleKind, VoteKind
from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar, Space, UnaryOperator
from rewright.verdict import Place

# ------------------------------------------------------------------------------------------------------ expressions


class Connective(StrEnum):
    """A connective that evaluates its right operand only where the left one does not decide."""

    AND = "and"
    OR = "or"


class Integer(Struct, frozen=True):
    """An integer of the given type, or a truth (0 or 1) of type `pred`."""

    value: int
    type: Scalar
    place: Place


class Real(Struct, frozen=True):
    """A floating-point literal as written."""

    text: str
    type: Scalar
    place: Place


class Variable(Struct, frozen=True):
    """A local variable, a size or a scalar parameter."""

    name: Name
    type: Scalar
    place: Place


class Position(Struct, frozen=True):
    """`thread.x` and its like; axis 0 is x."""

    of: Coordinate
    axis: int
    type: Scalar
    place: Place


class Load(Struct, frozen=True):
    """An element of an array, one index per dimension; the place is that of the whole access."""

    array: Name
    indices: tuple[Expression, ...]
    type: Scalar
    place: Place


class Unary(Struct, frozen=True):
    """A unary operator; the type is the operand's."""

    operator: UnaryOperator
    operand: Expression
    type: Scalar
    place: Place


class Binary(Struct, frozen=True):
    """A binary operator on operands of one type (the amount of a shift may differ)."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    type: Scalar
    place: Place


class Logical(Struct, frozen=True):
    """`and`, `or` on truths."""

    connective: Connective
    left: Expression
    right: Expression
    type: Scalar
    place: Place


class Select(Struct, frozen=True):
    """The value of one of two operands."""

    condition: Expression
    on_true: Expression
    on_false: Expression
    type: Scalar
    place: Place


class Convert(Struct, frozen=True):
    """A value as one of another type: integers wrap, to `pred` is the test for non-zero."""

    operand: Expression
    type: Scalar
    place: Place


class Function(Struct, frozen=True):
    """A function of floats that is known by name only (exp, sqrt, …)."""

    name: str
    operands: tuple[Expression, ...]
    type: Scalar
    place: Place


class Atomic(Struct, frozen=True):
    """Reads, combines and writes an element at once; the value is the old one. `compare` is for compare-and-swap."""

    operation: AtomicOperation
    array: Name
    indices: tuple[Expression, ...]
    operand: Expression
    compare: Expression | None
    type: Scalar
    place: Place


class Shuffle(Struct, frozen=True):
    """The value of another lane of the warp; `lane` and `width` are s32, `mask` is u32."""

    kind: ShuffleKind
    value: Expression
    lane: Expression
    width: Expression
    mask: Expression
    type: Scalar
    place: Place


class Vote(Struct, frozen=True):
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


class Assign(Struct, frozen=True):
    """Sets a local variable; the value has its type."""

    name: Name
    value: Expression
    place: Place


class Forget(Struct, frozen=True):
    """A variable without a value, or an array of each thread, begins: in each pass of a loop nothing has set it yet."""

    name: Name
    place: Place


class Store(Struct, frozen=True):
    """Sets an element of an array; the place is that of the access, as for `Load`."""

    array: Name
    indices: tuple[Expression, ...]
    value: Expression
    place: Place


class Evaluate(Struct, frozen=True):
    """Evaluates an expression for what it does."""

    value: Expression
    place: Place


class If(Struct, frozen=True):
    """Two branches on a truth."""

    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    place: Place


class While(Struct, frozen=True):
    """A loop: the condition is tested before each pass; `advance` ends one, also after `Continue`."""

    condition: Expression
    body: tuple[Statement, ...]
    place: Place
    advance: tuple[Statement, ...] = ()


class Break(Struct, frozen=True):
    """Leaves the innermost loop."""

    place: Place


class Continue(Struct, frozen=True):
    """Ends the pass of the innermost loop."""

    place: Place


class Barrier(Struct, frozen=True):
    """Waits until every thread of the block waits here."""

    place: Place


class WarpBarrier(Struct, frozen=True):
    """Waits until the lanes of the warp in `mask` (u32) wait so."""

    mask: Expression
    place: Place


class Return(Struct, frozen=True):
    """Ends the thread."""

    place: Place


class Assert(Struct, frozen=True):
    """Claims a truth."""

    condition: Expression
    place: Place


class Assume(Struct, frozen=True):
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


class Array(Struct, frozen=True):
    """An array; its extents are expressions over sizes and scalar parameters, outermost dimension first.

    The contents of a shared array, and of a global one that is only written (`is_input` false), are undefined at first.
    """

    name: Name
    space: Space
    type: Scalar
    extents: tuple[Expression, ...]
    is_input: bool
    place: Place


class Local(Struct, frozen=True):
    """A variable of each thread, without a value until it is assigned."""

    name: Name
    type: Scalar


class Body(Struct, frozen=True):
    """What each thread of a kernel runs. `uniforms` are the sizes and scalar parameters, set before it starts."""

    arrays: tuple[Array, ...]
    uniforms: tuple[Local, ...]
    locals: tuple[Local, ...]
    body: tuple[Statement, ...]
