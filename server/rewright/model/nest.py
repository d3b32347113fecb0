"""Checked `loops` and `transform` declarations as values: what `loops/` proves and what `replay/` runs.

Owns the meaning-carrying form of an affine loop nest, whatever language it is written in. Invariants: every variable is
a parameter or the iterator of a loop around it, and no name has two meanings in one place; a product has a number as
one operand; `//` and `%` are by a positive number, floor and its remainder; a step is not 0; an access has as many
subscripts as its array has sizes. Must not know how anything is decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from rewright.model.index import Name

ArithmeticOperator = Literal["+", "-", "*", "//", "%", "min", "max"]
ComparisonOperator = Literal["==", "!=", "<", "<=", ">", ">="]


class AffineNumber(Struct, frozen=True):
    """A number."""

    value: int


class AffineVariable(Struct, frozen=True):
    """A parameter, or the iterator of a loop."""

    name: Name


class AffineOperation(Struct, frozen=True):
    """Integer arithmetic on two operands."""

    operator: ArithmeticOperator
    left: AffineExpression
    right: AffineExpression


AffineExpression = AffineNumber | AffineVariable | AffineOperation


class AffineComparison(Struct, frozen=True):
    """A comparison of two expressions."""

    operator: ComparisonOperator
    left: AffineExpression
    right: AffineExpression


class BothHold(Struct, frozen=True):
    """`p and q`."""

    left: Condition
    right: Condition


class EitherHolds(Struct, frozen=True):
    """`p or q`."""

    left: Condition
    right: Condition


class DoesNotHold(Struct, frozen=True):
    """`not p`."""

    operand: Condition


Condition = AffineComparison | BothHold | EitherHolds | DoesNotHold


class ElementAccess(Struct, frozen=True):
    """An element of an array; without an array it is the value of its one subscript, as the `i` in `A[i] = i`.

    It is not `certain` if a condition on the right side decides whether it is read.
    """

    array: Name | None
    subscripts: tuple[AffineExpression, ...]
    site: int
    certain: bool = True


class NestStatement(Struct, frozen=True):
    """An assignment; `signature` is its right side with `#0`, `#1`, … for what it reads, in the order of `reads`.

    `macro` is the name under which it is written, if it is the use of a macro; nothing rests on it.
    """

    label: str
    write: ElementAccess
    reads: tuple[ElementAccess, ...]
    signature: str
    site: int
    macro: str = ""


class ParallelMark(Struct, frozen=True):
    """That the iterations of a loop may run at once.

    Each iteration has its own copy of the arrays that are `private`, without a value at its start; statements may
    combine their values into elements of `reductions` in any order. `has_clauses` if the loop itself says so, as in C,
    not items of its declaration.
    """

    private: tuple[Name, ...] = ()
    reductions: tuple[Name, ...] = ()
    has_clauses: bool = False


class NestLoop(Struct, frozen=True):
    """`for iterator in low..high step step`: up to, not including, `high`; with a negative step down to it.

    `parallel` if it is marked so.
    """

    iterator: Name
    low: AffineExpression
    high: AffineExpression
    step: int
    body: tuple[NestItem, ...]
    site: int
    parallel: ParallelMark | None = None


class NestGuard(Struct, frozen=True):
    """`if condition { then } else { otherwise }`."""

    condition: Condition
    then: tuple[NestItem, ...]
    otherwise: tuple[NestItem, ...]
    site: int


NestItem = NestStatement | NestLoop | NestGuard


class NestArray(Struct, frozen=True):
    """An array with its sizes, outermost first; a scalar has none. A size that nobody said is None.

    `written` are the sizes as a source has them, without blanks, where some say nothing of the nest's parameters: where
    rows begin depends on them all the same.
    """

    name: Name
    element: str
    sizes: tuple[AffineExpression | None, ...]
    written: tuple[str | None, ...] = ()


class Relaxations(Struct, frozen=True):
    """What a user allows besides: it is assumed, and a verdict that rests on it says so.

    Of an array that is `private` only the values matter that are read; not which of them are overwritten, or left at
    the end. A statement whose label is among `reductions`, or that writes an array among `combined`, combines a value
    into an element by an operator that is taken as associative and commutative.
    """

    private: tuple[Name, ...] = ()
    reductions: tuple[str, ...] = ()
    combined: tuple[Name, ...] = ()

    def also(self, other: Relaxations) -> Relaxations:
        """What these and others allow together."""
        return Relaxations(
            tuple(dict.fromkeys((*self.private, *other.private))),
            tuple(dict.fromkeys((*self.reductions, *other.reductions))),
            tuple(dict.fromkeys((*self.combined, *other.combined))),
        )


UNRELAXED = Relaxations()
"""Every order is kept."""


class Nest(Struct, frozen=True):
    """A loop nest: what it assigns, in which order, for every value of its parameters that satisfies `requires`.

    Those of `at_least_one` are at least 1, since nothing else is required of them. Sites are those of the declaration
    `name`. The relaxations of a transform are its own and those of what it transforms.
    """

    name: Name
    parameters: tuple[Name, ...]
    at_least_one: tuple[Name, ...]
    arrays: tuple[NestArray, ...]
    requires: tuple[Condition, ...]
    body: tuple[NestItem, ...]
    relaxed: Relaxations = UNRELAXED


class Transformation(Struct, frozen=True):
    """`transform transformed of specification`; parameters and arrays of both are those of the specification.

    `tiles` are the values of tile sizes for which this is the transform; `pinned` are the parameters that have only
    these values here.
    """

    specification: Nest
    transformed: Nest
    tiles: tuple[tuple[Name, int], ...] = ()
    pinned: tuple[tuple[Name, tuple[int, ...]], ...] = ()


class TiledTransformation(Struct, frozen=True):
    """`transform name(T) of specification`: the transform for each of several choices of its tile sizes.

    `listed` if the declaration lists them; else they stand for all tile sizes.
    """

    choices: tuple[Transformation, ...]
    listed: bool


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


def loops_of(body: tuple[NestItem, ...]) -> Iterator[NestLoop]:
    """The loops of a body in the order of the text, each before those in it."""
    for item in body:
        match item:
            case NestLoop():
                yield item
                yield from loops_of(item.body)
            case NestGuard():
                yield from loops_of(item.then)
                yield from loops_of(item.otherwise)
            case NestStatement():
                pass


_COMBINES = re.compile(r"\(#0(?:([-+*/&|^])[^<>=]| (and|or) ).*\)|(min|max)\(#0,.*\)")


def combining_operator(statement: NestStatement) -> str | None:
    """The operator of a statement such as `x += e`, `x = x - e` or `x = max(x, e)`, None of any other."""
    found = _COMBINES.fullmatch(statement.signature)
    if found is None or not statement.reads:
        return None
    first, write = statement.reads[0], statement.write
    same = (first.array, first.subscripts) == (write.array, write.subscripts)
    return (found[1] or found[2] or found[3]) if same else None


def combine_alike(one: str, other: str) -> bool:
    """Whether values may be combined by two operators in any order: by one and the same, or added and subtracted."""
    return one == other or {one, other} == {"+", "-"}


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
