"""Owns the nodes of expressions, arguments and types.

Invariant: an expression that is not written is a `Missing`, never None, so that every `match` meets it.
It must not know in which item an expression stands.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from rewright.syntax.text import Span

ArithmeticOperator: TypeAlias = Literal["+", "-", "*", "/", "%", "@", "<<", ">>", "&", "^", "|"]
SignOperator: TypeAlias = Literal["-", "+", "~"]
CompareOperator: TypeAlias = Literal["<", "<=", ">", ">=", "==", "!="]
Quantifier: TypeAlias = Literal["some", "every", "forall"]


class Node(Struct, frozen=True):
    """Anything with a place; the span counts from the start of the declaration that holds it."""

    span: Span


class Name(Node, frozen=True):
    """An identifier, used or declared."""

    text: str


class Number(Node, frozen=True):
    """A number as written: `12`, `0x1f`, `1_000`, `0.5`, `1e-6`."""

    text: str


class String(Node, frozen=True):
    """A quoted string; the value is without quotes and escapes."""

    value: str


class Hole(Node, frozen=True):
    """`?`: an expression or a precondition that is asked for."""


class Missing(Node, frozen=True):
    """An expression that is not written yet; the span is empty, at the place where it belongs."""


class Call(Node, frozen=True):
    """`callee(arguments)`."""

    callee: Name
    arguments: tuple[Argument, ...]


class Index(Node, frozen=True):
    """`base[entries]`."""

    base: Expression
    entries: tuple[Argument, ...]


class Field(Node, frozen=True):
    """`base.name`, as in `thread.x`."""

    base: Expression
    name: Name


class Unary(Node, frozen=True):
    """`-x`, `+x` or `~x`."""

    operator: SignOperator
    operand: Expression


class Binary(Node, frozen=True):
    """Arithmetic on two operands."""

    left: Expression
    operator: ArithmeticOperator
    right: Expression


class Compare(Node, frozen=True):
    """One comparison; comparisons do not chain."""

    left: Expression
    operator: CompareOperator
    right: Expression


class Not(Node, frozen=True):
    """`not p`."""

    operand: Expression


class And(Node, frozen=True):
    """`p and q`."""

    left: Expression
    right: Expression


class Or(Node, frozen=True):
    """`p or q`."""

    left: Expression
    right: Expression


class Range(Node, frozen=True):
    """`low..high step k`, half-open; the step is None where it is not written."""

    low: Expression
    high: Expression
    step: Expression | None


class Binder(Node, frozen=True):
    """`A`, `i in 0..N`, `i on A` of a quantifier; at most one domain is given."""

    name: Name | None
    within: Expression | None
    on: Name | None


class Quantified(Node, frozen=True):
    """`some A: p`, `every A: p`, `forall i in 0..N: p`, `forall i on A, j on B: p`."""

    word: Quantifier
    binders: tuple[Binder, ...]
    body: Expression


class ListExpr(Node, frozen=True):
    """`[A, B]` or `[A: n, B: m]`."""

    entries: tuple[Argument, ...]


class Tuple(Node, frozen=True):
    """`(a, b)` or `(low = l, high = h)`; one expression in parentheses is that expression, not a tuple."""

    entries: tuple[Argument, ...]


class Spread(Node, frozen=True):
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


class Positional(Node, frozen=True):
    """An argument `e`."""

    value: Expression


class Keyed(Node, frozen=True):
    """An argument `name = e`."""

    name: Name
    value: Expression


class Grouped(Node, frozen=True):
    """An argument `Group: e`; a `Tuple` as value is that group's values in parentheses."""

    name: Name
    value: Expression


class Renaming(Node, frozen=True):
    """An argument `source -> target`."""

    source: Selector
    target: Selector


Argument: TypeAlias = Positional | Keyed | Grouped | Renaming
Selector: TypeAlias = Name | ListExpr | Missing


class ShapeEntry(Node, frozen=True):
    """One entry of a shape: `A: n` with its axis, `N` without."""

    axis: Name | None
    size: Expression


class TypeRef(Node, frozen=True):
    """`T` or `T[A: n, d: m]`; the shape is None where no brackets are written."""

    element: Name | None
    shape: tuple[ShapeEntry, ...] | None


class FnType(Node, frozen=True):
    """`(T, T) -> T`."""

    parameters: tuple[TypeRef, ...]
    result: TypeRef | None
