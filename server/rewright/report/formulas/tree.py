"""The formula of one element as a tree, which is printed as text or as LaTeX.

Must not know what operators there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Sign = Literal["+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "and", "or"]


@dataclass(frozen=True, slots=True)
class Value:
    """A number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Variable:
    """A name: an index, a size, a scalar, or what is not a number that can be written down, as `true`."""

    name: str


@dataclass(frozen=True, slots=True)
class Indexed:
    """The element of a tensor at an index. `written`: it has no name, but this text."""

    tensor: str
    indices: tuple[Formula, ...]
    written: bool = False


@dataclass(frozen=True, slots=True)
class Infix:
    """An infix operator on two operands."""

    sign: Sign
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Called:
    """A function of operands, by the name that it is called by in the language."""

    function: str
    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Piecewise:
    """One formula where a condition holds, else another."""

    condition: Formula
    consequent: Formula
    alternative: Formula


@dataclass(frozen=True, slots=True)
class Folded:
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
