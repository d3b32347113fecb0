"""Checked `loops` and `transform` declarations as values: what `loops/` proves and what `replay/` runs.

Owns the meaning-carrying form of an affine loop nest, whatever language it is written in. Invariants: every variable is
a parameter or the iterator of a loop around it, and no name has two meanings in one place; a product has a number as
one operand; `//` and `%` are by a positive number, floor and its remainder; a step is not 0; an access has as many
subscripts as its array has sizes. Must not know how anything is decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rewright.model.index import Name

ArithmeticOperator = Literal["+", "-", "*", "//", "%", "min", "max"]
ComparisonOperator = Literal["==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class AffineNumber:
    """A number."""

    value: int


@dataclass(frozen=True, slots=True)
class AffineVariable:
    """A parameter, or the iterator of a loop."""

    name: Name


@dataclass(frozen=True, slots=True)
class AffineOperation:
    """Integer arithmetic on two operands."""

    operator: ArithmeticOperator
    left: AffineExpression
    right: AffineExpression


AffineExpression = AffineNumber | AffineVariable | AffineOperation


@dataclass(frozen=True, slots=True)
class AffineComparison:
    """A comparison of two expressions."""

    operator: ComparisonOperator
    left: AffineExpression
    right: AffineExpression


@dataclass(frozen=True, slots=True)
class BothHold:
    """`p and q`."""

    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class EitherHolds:
    """`p or q`."""

    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class DoesNotHold:
    """`not p`."""

    operand: Condition


Condition = AffineComparison | BothHold | EitherHolds | DoesNotHold


@dataclass(frozen=True, slots=True)
class ElementAccess:
    """An element of an array; without an array it is the value of its one subscript, as the `i` in `A[i] = i`."""

    array: Name | None
    subscripts: tuple[AffineExpression, ...]
    site: int


@dataclass(frozen=True, slots=True)
class NestStatement:
    """An assignment; `signature` is its right side with `#0`, `#1`, … for what it reads, in the order of `reads`."""

    label: str
    write: ElementAccess
    reads: tuple[ElementAccess, ...]
    signature: str
    site: int


@dataclass(frozen=True, slots=True)
class NestLoop:
    """`for iterator in low..high step step`: up to, not including, `high`; with a negative step down to it."""

    iterator: Name
    low: AffineExpression
    high: AffineExpression
    step: int
    body: tuple[NestItem, ...]
    site: int


@dataclass(frozen=True, slots=True)
class NestGuard:
    """`if condition { then } else { otherwise }`."""

    condition: Condition
    then: tuple[NestItem, ...]
    otherwise: tuple[NestItem, ...]
    site: int


NestItem = NestStatement | NestLoop | NestGuard


@dataclass(frozen=True, slots=True)
class NestArray:
    """An array with its sizes, outermost first; a scalar has none. A size that nobody said is None."""

    name: Name
    element: str
    sizes: tuple[AffineExpression | None, ...]


@dataclass(frozen=True, slots=True)
class Nest:
    """A loop nest: what it assigns, in which order, for every value of its parameters that satisfies `requires`.

    Those of `at_least_one` are at least 1, since nothing else is required of them. Sites are those of the declaration
    `name`.
    """

    name: Name
    parameters: tuple[Name, ...]
    at_least_one: tuple[Name, ...]
    arrays: tuple[NestArray, ...]
    requires: tuple[Condition, ...]
    body: tuple[NestItem, ...]


@dataclass(frozen=True, slots=True)
class Transformation:
    """`transform transformed of specification`; parameters and arrays of both are those of the specification."""

    specification: Nest
    transformed: Nest


def statements(body: tuple[NestItem, ...]) -> Iterator[NestStatement]:
    """The statements of a body in the order of the text."""
    for item in body:
        match item:
            case NestStatement():
                yield item
            case NestLoop():
                yield from statements(item.body)
            case NestGuard():
                yield from statements(item.then)
                yield from statements(item.otherwise)


def variables_of(condition: Condition) -> Iterator[Name]:
    """The variables of which a condition speaks, some more than once."""
    match condition:
        case AffineComparison(left=left, right=right):
            yield from _variables(left)
            yield from _variables(right)
        case BothHold(left=one, right=other) | EitherHolds(left=one, right=other):
            yield from variables_of(one)
            yield from variables_of(other)
        case DoesNotHold(operand=operand):
            yield from variables_of(operand)


def _variables(expression: AffineExpression) -> Iterator[Name]:
    match expression:
        case AffineVariable(name=name):
            yield name
        case AffineOperation(left=left, right=right):
            yield from _variables(left)
            yield from _variables(right)
        case AffineNumber():
            return
