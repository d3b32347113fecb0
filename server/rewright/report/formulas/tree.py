"""The formula of one element as a tree, which is printed as text or as LaTeX.

Must not know what operators there are.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from msgspec import Struct

Sign = Literal["+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "and", "or"]


class Value(Struct, frozen=True):
    """A number."""

    value: Fraction


class Variable(Struct, frozen=True):
    """A name: an index, a size, a scalar, or what is not a number that can be written down, as `true`."""

    name: str


class Indexed(Struct, frozen=True):
    """The element of a tensor at an index. `written`: it has no name, but this text."""

    tensor: str
    indices: tuple[Formula, ...]
    written: bool = False


class Infix(Struct, frozen=True):
    """An infix operator on two operands."""

    sign: Sign
    left: Formula
    right: Formula


class Called(Struct, frozen=True):
    """A function of operands, by the name that it is called by in the language."""

    function: str
    operands: tuple[Formula, ...]


class Piecewise(Struct, frozen=True):
    """One formula where a condition holds, else another."""

    condition: Formula
    consequent: Formula
    alternative: Formula


class Folded(Struct, frozen=True):
    """The body combined over indices from 0 to below their sizes; None is a size that is not known."""

    monoid: str
    ranges: tuple[tuple[Variable, Formula | None], ...]
    body: Formula


Formula = Value | Variable | Indexed | Infix | Called | Piecewise | Folded


def value(number: int) -> Value:
    """The whole number."""
    return Value(Fraction(number))


def plus(left: Formula, right: Formula) -> Formula:
    """The sum, without zeros."""
    if left == value(0):
        return right
    return left if right == value(0) else Infix("+", left, right)


def minus(left: Formula, right: Formula) -> Formula:
    """The difference, without zeros."""
    return left if right == value(0) else Infix("-", left, right)


def times(left: Formula, right: Formula) -> Formula:
    """The product, without ones."""
    if left == value(1):
        return right
    return left if right == value(1) else Infix("*", left, right)
