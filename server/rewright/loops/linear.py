"""Expressions as sums of variables with coefficients, and variables solved out of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rewright.model.index import Name
from rewright.model.nest import AffineExpression, AffineNumber, AffineOperation, AffineVariable

LinearSum = dict[Name | None, int]
"""A coefficient for each variable; that of None is the constant."""


def linear(expression: AffineExpression) -> LinearSum | None:
    """The expression as a sum; None if it has a quotient, a remainder, `min` or `max`."""
    match expression:
        case AffineNumber(value=value):
            return {None: value}
        case AffineVariable(name=name):
            return {name: 1}
        case AffineOperation(operator="+" | "-" as operator, left=left, right=right):
            one, other = linear(left), linear(right)
            if one is None or other is None:
                return None
            sign = 1 if operator == "+" else -1
            return {name: one.get(name, 0) + sign * other.get(name, 0) for name in one | other}
        case AffineOperation(operator="*", left=AffineNumber(value=factor), right=operand):
            return _scaled(linear(operand), factor)
        case AffineOperation(operator="*", left=operand, right=AffineNumber(value=factor)):
            return _scaled(linear(operand), factor)
        case _:
            return None


def _scaled(found: LinearSum | None, factor: int) -> LinearSum | None:
    return {name: factor * each for name, each in found.items()} if found is not None else None


def total(left: AffineExpression, right: AffineExpression) -> AffineExpression:
    """The sum of two expressions, simplified where it is linear."""
    return _simple(AffineOperation("+", left, right))


def difference(left: AffineExpression, right: AffineExpression) -> AffineExpression:
    """The difference of two expressions, simplified where it is linear."""
    return _simple(AffineOperation("-", left, right))


def _simple(expression: AffineOperation) -> AffineExpression:
    """The expression, its variables collected where it is linear."""
    found = linear(expression)
    return expression_of(found) if found is not None else expression


def expression_of(terms: LinearSum) -> AffineExpression:
    """The sum as an expression, what is subtracted last."""
    named = [(name, factor) for name, factor in terms.items() if name is not None and factor]
    made: AffineExpression | None = None
    for name, factor in sorted(named, key=lambda each: each[1] < 0):
        term = (
            AffineVariable(name)
            if abs(factor) == 1
            else AffineOperation("*", AffineNumber(abs(factor)), AffineVariable(name))
        )
        if made is None:
            made = term if factor > 0 else AffineOperation("-", AffineNumber(0), term)
        else:
            made = AffineOperation("+" if factor > 0 else "-", made, term)
    constant = terms.get(None, 0)
    if made is None:
        return AffineNumber(constant)
    return AffineOperation("+" if constant > 0 else "-", made, AffineNumber(abs(constant))) if constant else made


def solved(
    subscript: AffineExpression,
    value: AffineExpression,
    known: Mapping[Name, AffineExpression],
    open_: Collection[Name],
) -> tuple[Name, AffineExpression] | None:
    """The one iterator among `open_` in a subscript, as an expression, where that subscript has a value.

    `known` are expressions for the other iterators. None if there is none, several, or its coefficient is not 1 or -1.
    """
    found = linear(subscript)
    if found is None:
        return None
    unknown = [name for name, factor in found.items() if name is not None and name in open_ and factor]
    if len(unknown) != 1 or abs(found[unknown[0]]) != 1:
        return None
    (needed,) = unknown
    rest: AffineExpression = AffineNumber(found.get(None, 0))
    for name, factor in found.items():
        if name is not None and name != needed and factor:
            of = known.get(name, AffineVariable(name))
            rest = total(rest, of if factor == 1 else _simple(AffineOperation("*", AffineNumber(factor), of)))
    return needed, difference(value, rest) if found[needed] == 1 else difference(rest, value)
