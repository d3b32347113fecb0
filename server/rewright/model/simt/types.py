"""The types, operators and coordinates of kernels, under declarations and programs alike."""

from __future__ import annotations

from enum import StrEnum


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

    # Of each member once, not at each use: millions of values are wrapped to their types.
    is_float: bool
    """Whether values are floating-point numbers."""
    is_integer: bool
    """Whether values are machine integers; `pred` is not one."""
    is_signed: bool
    """Whether an integer type has negative values."""
    bits: int
    """The width, 1 for `pred`."""
    bytes: int
    """The width in memory, 1 for `pred`."""

    def __init__(self, name: str) -> None:
        digits = name.lstrip("subf")
        self.is_float = name.lstrip("b").startswith("f")
        self.is_integer = name[0] in "su"
        self.is_signed = name[0] == "s"
        self.bits = int(digits) if digits.isdigit() else 1
        self.bytes = max(self.bits // 8, 1)


class BinaryOperator(StrEnum):
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
    MULTIPLY_HIGH = "mulhi"
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
        return self in (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)


_COMPARISONS = frozenset(
    {
        BinaryOperator.LESS,
        BinaryOperator.LESS_EQUAL,
        BinaryOperator.GREATER,
        BinaryOperator.GREATER_EQUAL,
        BinaryOperator.EQUAL,
        BinaryOperator.NOT_EQUAL,
    }
)


class UnaryOperator(StrEnum):
    """A unary operator: minus, all bits flipped, truth negated, the absolute value; then those that look at bits.

    Counts of bits keep the type of the operand; the first set bit counts from 1, 0 if there is none.
    """

    NEGATE = "-"
    COMPLEMENT = "~"
    NOT = "not"
    ABSOLUTE = "abs"
    COUNT_ONES = "popc"
    LEADING_ZEROS = "clz"
    FIRST_ONE = "ffs"
    REVERSE_BITS = "brev"


class Coordinate(StrEnum):
    """A built-in triple of a thread: its index in the block, the block's in the grid, and both sizes.

    Of one axis only: its number in its warp, its warp's in the block, the size of a warp; threads are counted x first.
    """

    THREAD = "thread"
    BLOCK = "block"
    BLOCK_DIM = "block_dim"
    GRID_DIM = "grid_dim"
    LANE = "lane"
    WARP = "warp"
    WARP_SIZE = "warp_size"


class Space(StrEnum):
    """Where an array lives: one per launch, per block or per thread."""

    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
