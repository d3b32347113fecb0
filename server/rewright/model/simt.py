"""The SIMT form: one small typed language under every front end of kernels.

Owns what one thread of a kernel does, as structured code with a place for every expression and statement. Front ends
make it (own syntax here in `model/`, CUDA in `kernels/`), lockstep execution and the replay of races each run it.
Invariants: every name is declared once in its program; operands of arithmetic and comparisons have one type, all
conversions are written out; expressions have no side effects, but evaluate an access each time they are evaluated;
only the chosen operand of `Select` and `Logical` is evaluated. Integers wrap at their width and `/` truncates; the
values of floats are not part of the form's meaning. Must not know threads in the plural.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from rewright.model.index import Name
from rewright.verdict import Place


class Scalar(StrEnum):
    """The type of a value."""

    PRED = "pred"
    S8 = "s8"
    S16 = "s16"
    S32 = "s32"
    S64 = "s64"
    U8 = "u8"
    U16 = "u16"
    U32 = "u32"
    U64 = "u64"
    F16 = "f16"
    BF16 = "bf16"
    F32 = "f32"
    F64 = "f64"

    @property
    def is_float(self) -> bool:
        """Whether values are floating-point numbers."""
        return self.value.lstrip("b").startswith("f")

    @property
    def is_integer(self) -> bool:
        """Whether values are machine integers; `pred` is not one."""
        return self.value[0] in "su"

    @property
    def is_signed(self) -> bool:
        """Whether an integer type has negative values."""
        return self.value[0] == "s"

    @property
    def bits(self) -> int:
        """The width, 1 for `pred`."""
        digits = self.value.lstrip("subf")
        return int(digits) if digits.isdigit() else 1


# ------------------------------------------------------------------------------------------------------ expressions


class Operator(StrEnum):
    """A binary operator; the first group keeps the type of its operands, comparisons give `pred`."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "%"
    SHIFT_LEFT = "<<"
    SHIFT_RIGHT = ">>"
    AND = "&"
    OR = "|"
    XOR = "^"
    MINIMUM = "min"
    MAXIMUM = "max"
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="
    EQUAL = "=="
    NOT_EQUAL = "!="

    @property
    def is_comparison(self) -> bool:
        """Whether the result is a `pred`."""
        return self in _COMPARISONS

    @property
    def is_shift(self) -> bool:
        """Whether the right operand is an amount with a type of its own."""
        return self in (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT)


_COMPARISONS = frozenset(
    {
        Operator.LESS,
        Operator.LESS_EQUAL,
        Operator.GREATER,
        Operator.GREATER_EQUAL,
        Operator.EQUAL,
        Operator.NOT_EQUAL,
    }
)


class UnaryOperator(StrEnum):
    """A unary operator: minus, all bits flipped, truth negated, the absolute value."""

    NEGATE = "-"
    COMPLEMENT = "~"
    NOT = "not"
    ABSOLUTE = "abs"


class Connective(StrEnum):
    """A connective that evaluates its right operand only where the left one does not decide."""

    AND = "and"
    OR = "or"


class Coordinate(StrEnum):
    """A built-in triple of a thread: its index in the block, the block's in the grid, and both sizes."""

    THREAD = "thread"
    BLOCK = "block"
    BLOCK_DIM = "block_dim"
    GRID_DIM = "grid_dim"


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

    operator: Operator
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


Expression = Integer | Real | Variable | Position | Load | Unary | Binary | Logical | Select | Convert | Function


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
class Store:
    """Sets an element of an array; the place is that of the access, as for `Load`."""

    array: Name
    indices: tuple[Expression, ...]
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
    """A loop: the condition is tested before each pass."""

    condition: Expression
    body: tuple[Statement, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Barrier:
    """Waits until every thread of the block waits here."""

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


Statement = Assign | Store | If | While | Barrier | Return | Assert | Assume

# --------------------------------------------------------------------------------------------------------- programs


class Space(StrEnum):
    """Where an array lives: one per launch or one per block."""

    GLOBAL = "global"
    SHARED = "shared"


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
class Program:
    """What each thread of a kernel runs. `uniforms` are the sizes and scalar parameters, set before it starts."""

    arrays: tuple[Array, ...]
    uniforms: tuple[Local, ...]
    locals: tuple[Local, ...]
    body: tuple[Statement, ...]
