"""Owns the nodes of expressions, arguments and types.

Invariant: an expression that is not written is a `Missing`, never None, so that every `match` meets it.
It must not know in which item an expression stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rewright.syntax.text import Span

ArithmeticOperator: TypeAlias = Literal["+", "-", "*", "/", "%", "@", "<<", ">>", "&", "^", "|"]
SignOperator: TypeAlias = Literal["-", "+", "~"]
CompareOperator: TypeAlias = Literal["<", "<=", ">", ">=", "==", "!="]
Quantifier: TypeAlias = Literal["some", "every", "forall"]


@dataclass(frozen=True, slots=True)
class Node:
    """Anything with a place; the span counts from the start of the declaration that holds it."""

    span: Span


@dataclass(frozen=True, slots=True)
class Name(Node):
    """An identifier, used or declared."""

    text: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number as written: `12`, `0x1f`, `1_000`, `0.5`, `1e-6`."""

    text: str


@dataclass(frozen=True, slots=True)
class String(Node):
    """A quoted string; the value is without quotes and escapes."""

    value: str


@dataclass(frozen=True, slots=True)
class Hole(Node):
    """`?`: an expression or a precondition that is asked for."""


@dataclass(frozen=True, slots=True)
class Missing(Node):
    """An expression that is not written yet; the span is empty, at the place where it belongs."""


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`callee(arguments)`."""

    callee: Name
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`base[entries]`."""

    base: Expression
    entries: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Field(Node):
    """`base.name`, as in `thread.x`."""

    base: Expression
    name: Name


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`-x`, `+x` or `~x`."""

    operator: SignOperator
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Arithmetic on two operands."""

    left: Expression
    operator: ArithmeticOperator
    right: Expression


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """One comparison; comparisons do not chain."""

    left: Expression
    operator: CompareOperator
    right: Expression


@dataclass(frozen=True, slots=True)
class Not(Node):
    """`not p`."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class And(Node):
    """`p and q`."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Or(Node):
    """`p or q`."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Range(Node):
    """`low..high step k`, half-open; the step is None where it is not written."""

    low: Expression
    high: Expression
    step: Expression | None


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`A`, `i in 0..N`, `i on A` of a quantifier; at most one domain is given."""

    name: Name | None
    within: Expression | None
    on: Name | None


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`some A: p`, `every A: p`, `forall i in 0..N: p`, `forall i on A, j on B: p`."""

    word: Quantifier
    binders: tuple[Binder, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class ListExpr(Node):
    """`[A, B]` or `[A: n, B: m]`."""

    entries: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    """`(a, b)` or `(low = l, high = h)`; one expression in parentheses is that expression, not a tuple."""

    entries: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Spread(Node):
    """`e...`: each member of a family as an operand; stands as an argument only."""

    value: Expression


Expression: TypeAlias = (
    Name
    | Number
    | String
    | Hole
    | Missing
    | Call
    | Index
    | Field
    | Unary
    | Binary
    | Compare
    | Not
    | And
    | Or
    | Range
    | Quantified
    | ListExpr
    | Tuple
    | Spread
)


@dataclass(frozen=True, slots=True)
class Positional(Node):
    """An argument `e`."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Keyed(Node):
    """An argument `name = e`."""

    name: Name
    value: Expression


@dataclass(frozen=True, slots=True)
class Grouped(Node):
    """An argument `Group: e`; a `Tuple` as value is that group's values in parentheses."""

    name: Name
    value: Expression


@dataclass(frozen=True, slots=True)
class Renaming(Node):
    """An argument `source -> target`."""

    source: Selector
    target: Selector


Argument: TypeAlias = Positional | Keyed | Grouped | Renaming
Selector: TypeAlias = Name | ListExpr | Missing


@dataclass(frozen=True, slots=True)
class ShapeEntry(Node):
    """One entry of a shape: `A: n` with its axis, `N` without."""

    axis: Name | None
    size: Expression


@dataclass(frozen=True, slots=True)
class TypeRef(Node):
    """`T` or `T[A: n, d: m]`; the shape is None where no brackets are written."""

    element: Name | None
    shape: tuple[ShapeEntry, ...] | None


@dataclass(frozen=True, slots=True)
class FnType(Node):
    """`(T, T) -> T`."""

    parameters: tuple[TypeRef, ...]
    result: TypeRef | None
