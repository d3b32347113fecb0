"""Integer expressions in a normal form: sums of variables, quotients, minima and maxima with whole coefficients.

Two expressions with one normal form are equal. So a macro such as `(n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d)` is
seen to be a quotient. Must not know C.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.nest import AffineExpression, AffineNumber, AffineOperation, AffineVariable
from rewright.model.nest_text import expression_text

Atom = AffineVariable | AffineOperation
"""A variable, a quotient that is rounded down, a minimum or a maximum."""

Extremum = Literal["min", "max"]


class Sum(Struct, frozen=True):
    """Atoms with their coefficients, none of them 0, in one order; and a constant."""

    terms: tuple[tuple[Atom, int], ...]
    constant: int

    @property
    def number(self) -> int | None:
        """The value if it is a number."""
        return None if self.terms else self.constant


def number(value: int) -> Sum:
    """The sum that is a number."""
    return Sum((), value)


def variable(name: Name) -> Sum:
    """The sum that is a variable."""
    return Sum(((AffineVariable(name), 1),), 0)


def plus(left: Sum, right: Sum) -> Sum:
    """The sum of two."""
    return _collected((*left.terms, *right.terms), left.constant + right.constant)


def minus(left: Sum, right: Sum) -> Sum:
    """The difference of two."""
    return plus(left, scaled(right, -1))


def scaled(one: Sum, factor: int) -> Sum:
    """A multiple of one."""
    if factor == 0:
        return number(0)
    return Sum(tuple((atom, factor * each) for atom, each in one.terms), factor * one.constant)


def _collected(terms: Iterable[tuple[Atom, int]], constant: int) -> Sum:
    found: dict[Atom, int] = {}
    for atom, factor in terms:
        found[atom] = found.get(atom, 0) + factor
    kept = sorted(((atom, factor) for atom, factor in found.items() if factor), key=lambda each: _order(each[0]))
    return Sum(tuple(kept), constant)


def _order(atom: Atom) -> tuple[bool, str]:
    return isinstance(atom, AffineOperation), expression_text(atom)


def quotient(one: Sum, by: int) -> Sum:
    """`one / by`, rounded down; `by` is positive.

    What `by` divides is taken out, and the first coefficient of the rest is made positive: -floor(-a / b) and
    floor((a + b - 1) / b) are the same.
    """
    whole = Sum(tuple((atom, each // by) for atom, each in one.terms if each % by == 0), one.constant // by)
    rest = Sum(tuple((atom, each) for atom, each in one.terms if each % by), one.constant % by)
    if not rest.terms:
        return whole
    if rest.terms[0][1] > 0:
        return plus(whole, _atom(AffineOperation("//", expression(rest), AffineNumber(by))))
    turned = plus(scaled(rest, -1), number(by - 1))
    return minus(whole, quotient(turned, by))


def extremum(kind: Extremum, one: Sum, other: Sum) -> Sum:
    """The smaller or the greater of two."""
    difference = minus(one, other)
    if difference.number is not None:
        first = difference.number <= 0 if kind == "min" else difference.number >= 0
        return one if first else other
    return _atom(AffineOperation(kind, expression(one), expression(other)))


def _atom(operation: AffineOperation) -> Sum:
    return Sum(((operation, 1),), 0)


def sum_of(found: AffineExpression) -> Sum:
    """The sum that an expression is."""
    match found:
        case AffineNumber(value=value):
            return number(value)
        case AffineOperation(operator="+", left=left, right=right):
            return plus(sum_of(left), sum_of(right))
        case AffineOperation(operator="-", left=left, right=right):
            return minus(sum_of(left), sum_of(right))
        case AffineOperation(operator="*", left=AffineNumber(value=factor), right=operand):
            return scaled(sum_of(operand), factor)
        case AffineOperation(operator="*", left=operand, right=AffineNumber(value=factor)):
            return scaled(sum_of(operand), factor)
        case AffineOperation(operator="%", left=left, right=AffineNumber(value=by)):
            whole = sum_of(left)
            return minus(whole, scaled(quotient(whole, by), by))
        case atom:
            return Sum(((atom, 1),), 0)


def expression(found: Sum) -> AffineExpression:
    """The sum as an expression: what is subtracted last, and all of it inside of a minimum or maximum that it has.

    A bound that is a minimum on its outside comes to two conditions, which isl likes better than one with `min`.
    """
    extrema = [(atom, each) for atom, each in found.terms if _is_extremum(atom)]
    if len(extrema) == 1:
        (atom, factor), *_ = extrema
        assert isinstance(atom, AffineOperation)
        rest = minus(found, Sum(((atom, factor),), 0))
        kind: Extremum = "min" if (atom.operator == "min") == (factor > 0) else "max"
        left, right = (plus(scaled(sum_of(each), factor), rest) for each in (atom.left, atom.right))
        return AffineOperation(kind, expression(left), expression(right))
    return _written(found)


def _is_extremum(atom: Atom) -> bool:
    return isinstance(atom, AffineOperation) and atom.operator in ("min", "max")


def _written(found: Sum) -> AffineExpression:
    made: AffineExpression | None = None
    for atom, factor in sorted(found.terms, key=lambda each: each[1] < 0):
        term: AffineExpression = atom if abs(factor) == 1 else AffineOperation("*", AffineNumber(abs(factor)), atom)
        if made is None:
            made = term if factor > 0 else AffineOperation("-", AffineNumber(0), term)
        else:
            made = AffineOperation("+" if factor > 0 else "-", made, term)
    if made is None:
        return AffineNumber(found.constant)
    if found.constant == 0:
        return made
    return AffineOperation("+" if found.constant > 0 else "-", made, AffineNumber(abs(found.constant)))
