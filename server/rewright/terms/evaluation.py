"""The value of a rank-free term: every rank class at exactly one axis, unknowns given, integers in, integers out.

Owns a plain reading of terms for guesses and for tests. Raises `KeyError` for what is not given and has no value here:
unknowns, accesses, reductions, infinities, exponentials, and functions of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rewright.terms.node import (
    Absolute,
    And,
    AxisProduct,
    Choose,
    Coefficient,
    Constant,
    Digit,
    ElementOf,
    Extremum,
    FloorDivide,
    Fold,
    IndexOf,
    Negative,
    NonNegative,
    Not,
    Number,
    Polynomial,
    Position,
    Reciprocal,
    Term,
    TruncatedDivide,
    Zero,
)


def evaluate(term: Term, values: Mapping[Term, Coefficient]) -> Coefficient:
    """The number, or for a truth 1 or 0, of a term at one axis per rank class."""
    match term:
        case Number(value=value):
            return value
        case Polynomial(monomials=monomials):
            total: Coefficient = 0
            for monomial, factor in monomials:
                for atom, power in monomial:
                    factor = factor * evaluate(atom, values) ** power
                total = total + factor
            return total
        case FloorDivide(left=left, right=right):
            divisor = evaluate(right, values)
            return evaluate(left, values) // divisor if divisor else 0
        case Extremum(greatest=greatest, operands=operands):
            return (max if greatest else min)(evaluate(operand, values) for operand in operands)
        case AxisProduct(factor=inner) | ElementOf(index=inner) | IndexOf(element=inner):
            return evaluate(inner, values)
        case Position(index=index):
            return evaluate(index, values)
        case Digit(place=place, size=size):
            at, axis = evaluate(place, values), evaluate(size, values)
            return at % axis if axis else at
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            return evaluate(consequent if evaluate(condition, values) else alternative, values)
        case Reciprocal(operand=operand):
            divisor = evaluate(operand, values)
            return 1 / Fraction(divisor) if divisor else 0
        case TruncatedDivide(left=left, right=right):
            divisor = evaluate(right, values)
            return int(Fraction(evaluate(left, values)) / divisor) if divisor else 0
        case Absolute(operand=operand):
            value = evaluate(operand, values)
            return value if value >= 0 else -value
        case _:
            return _truth(term, values)


def _truth(term: Term, values: Mapping[Term, Coefficient]) -> Coefficient:
    match term:
        case Constant(value=value):
            return int(value)
        case NonNegative(polynomial=polynomial):
            return int(evaluate(polynomial, values) >= 0)
        case Negative(polynomial=polynomial):
            return int(evaluate(polynomial, values) < 0)
        case Zero(polynomial=polynomial):
            return int(evaluate(polynomial, values) == 0)
        case Not(operand=operand):
            return int(not evaluate(operand, values))
        case And(operands=operands):
            return int(all(evaluate(operand, values) for operand in operands))
        case Fold(predicate=predicate):
            return evaluate(predicate, values)
        case _:
            return values[term]
