"""Elementwise operators: shape that of the operands, valid when the sizes agree, pointwise elements.

`select` looks only at the operand chosen; every other operator is undefined where an operand is; arithmetic and
functions also where one is infinite, quotients and remainders where the divisor is 0, roots, logarithms and powers
where they have no real value. A declared function has a value at all finite operands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from rewright.meaning.forms import Entry, Indices, Meaning, RuleSide
from rewright.meaning.infinity import compared, finite, greater, lesser, negated, number_part
from rewright.meaning.scope import NotCovered
from rewright.model.index import Name
from rewright.model.operator_table import COMPARISONS, FINITE
from rewright.model.tensor import Apply, Combine, Pointwise
from rewright.terms import (
    FALSE,
    INT,
    REAL,
    TRUE,
    Sort,
    Term,
    absolute,
    add,
    applied,
    at_most,
    ceiling,
    choose,
    complement,
    conjoin,
    cosine,
    disjoin,
    equal,
    equivalent,
    error_function,
    exponential,
    floor,
    hyperbolic_tangent,
    less,
    logarithm,
    logistic,
    multiply,
    number,
    plus,
    power,
    reciprocal,
    sign,
    sine,
    square_root,
    subtract,
    truncated_divide,
    truncated_remainder,
    zero,
)

Elements = Mapping[str, Callable[..., Term]]
"""What an operator makes of its operands' elements, by the name of its row."""

NUMERIC: Elements = {
    "add": add,
    "subtract": subtract,
    "multiply": multiply,
    "abs": absolute,
    "sign": sign,
    "power": power,
}
"""Over int and real alike."""

INTEGER: Elements = {"divide": truncated_divide, "remainder": truncated_remainder}


def _ratio(left: Term, right: Term) -> Term:
    return multiply(left, reciprocal(right))


def _less_one(operand: Term) -> Term:
    return plus(exponential(operand), -1)


def _of_one_more(operand: Term) -> Term:
    return logarithm(plus(operand, 1))


def _reciprocal_root(operand: Term) -> Term:
    return reciprocal(square_root(operand))


FRACTIONAL: Elements = {
    "divide": _ratio,
    "exponential": exponential,
    "exponential_minus_one": _less_one,
    "log": logarithm,
    "log_plus_one": _of_one_more,
    "sqrt": square_root,
    "rsqrt": _reciprocal_root,
    "logistic": logistic,
    "tanh": hyperbolic_tangent,
    "sine": sine,
    "cosine": cosine,
    "erf": error_function,
    "floor": floor,
    "ceil": ceiling,
}
ARITHMETIC: Mapping[Sort, Elements] = {INT: {**NUMERIC, **INTEGER}, REAL: {**NUMERIC, **FRACTIONAL}}
"""The operators whose rows say that they are undefined where an operand is infinite."""


def _clamped(low: Term, operand: Term, high: Term) -> Term:
    return lesser(greater(operand, low), high)


def _exclusive(left: Term, right: Term) -> Term:
    return complement(equivalent(left, right))


TOTAL: Elements = {
    "negate": negated,
    "maximum": greater,
    "minimum": lesser,
    "clamp": _clamped,
    "and": conjoin,
    "or": disjoin,
    "xor": _exclusive,
    "not": complement,
    **{name: partial(compared, name) for name in COMPARISONS},
}
"""The others, over every domain that has them."""


def _divisor(_: Term, divisor: Term) -> Term:
    return complement(zero(divisor))


def _above_zero(operand: Term) -> Term:
    return less(number(0, REAL), operand)


def _above_minus_one(operand: Term) -> Term:
    return less(number(-1, REAL), operand)


def _not_negative(operand: Term) -> Term:
    return at_most(number(0, REAL), operand)


def _has_power(base: Term, exponent: Term) -> Term:
    none = number(0, exponent.sort)
    if base.sort != REAL:
        return at_most(none, exponent)
    whole = equal(floor(exponent), exponent)
    if whole is TRUE:
        # any power of a number that is not 0
        return disjoin(at_most(none, exponent), complement(zero(base)))
    if whole is FALSE and at_most(none, exponent) is TRUE:
        return at_most(none, base)
    at_zero = conjoin(zero(base), at_most(none, exponent))
    return disjoin(less(none, base), at_zero, conjoin(less(base, none), whole))


DEFINED: Elements = {
    "divide": _divisor,
    "remainder": _divisor,
    "log": _above_zero,
    "log_plus_one": _above_minus_one,
    "sqrt": _not_negative,
    "rsqrt": _above_zero,
    "power": _has_power,
}
"""What more than being finite the operands must satisfy."""


def pointwise(node: Pointwise, operands: list[Meaning], side: RuleSide) -> Meaning:
    """The meaning of an elementwise operator."""
    return _elementwise(node, operands, side, lambda entries: apply(node.operator, entries))


def call(node: Apply, operands: list[Meaning], side: RuleSide) -> Meaning:
    """The meaning of a call of a declared function."""
    sort = side.scope.sort(node.type)
    return _elementwise(node, operands, side, lambda entries: value_of(node.function, entries, sort))


def combine(node: Combine, operands: list[Meaning], side: RuleSide) -> Meaning:
    """The meaning of a call of a declared monoid, which is taken for addition; of no operands, its identity."""
    none = number(0, side.scope.sort(node.type))

    def combined(entries: list[Entry]) -> Entry:
        value = add(none, *(entry.value for entry in entries))
        return Entry(value, conjoin(*(entry.defined for entry in entries)))

    return _elementwise(node, operands, side, combined)


def _elementwise(
    node: Pointwise | Apply | Combine, operands: list[Meaning], side: RuleSide, combine: Callable[[list[Entry]], Entry]
) -> Meaning:
    shape: Mapping[Name, Term] = {}
    for operand in operands:
        if not operand.shape:
            continue
        if shape and set(shape) != set(operand.shape):
            raise NotCovered("the operands of an elementwise operator have different axis groups")
        for group, size in shape.items():
            side.need(group, equal(size, operand.shape[group]))
        shape = shape or operand.shape

    def at(indices: Indices) -> Entry:
        return combine([operand.at(indices if operand.shape else {}) for operand in operands])

    return Meaning(shape, side.scope.sort(node.type), at)


def value_of(function: Name, entries: list[Entry], sort: Sort) -> Entry:
    """The element of a declared function: one for all finite operands."""
    values = [entry.value for entry in entries]
    defined = conjoin(*(entry.defined for entry in entries), *map(finite, values))
    return Entry(applied(function, tuple(map(number_part, values)), sort), defined)


def apply(operator: str, entries: list[Entry]) -> Entry:
    """The element of an elementwise operator. Raises `NotCovered` for one that is not decided."""
    values = [entry.value for entry in entries]
    if operator == "select":
        predicate, yes, no = entries
        defined = conjoin(predicate.defined, choose(predicate.value, yes.defined, no.defined))
        return Entry(choose(predicate.value, yes.value, no.value), defined)
    defined = conjoin(*(entry.defined for entry in entries))
    if operator in FINITE:
        return _arithmetic(operator, values, conjoin(defined, *map(finite, values)))
    if operator not in TOTAL:
        raise NotCovered(f"the operator `{operator}` is not decided yet")
    return Entry(TOTAL[operator](*values), defined)


def _arithmetic(operator: str, values: list[Term], defined: Term) -> Entry:
    sort = values[0].sort
    operation = ARITHMETIC.get(sort, {}).get(operator)
    if operation is None:
        raise NotCovered(f"`{operator}` over `{sort}` is not decided")
    numbers = [number_part(value) for value in values]
    if operator in DEFINED:
        defined = conjoin(defined, DEFINED[operator](*numbers))
    return Entry(operation(*numbers), defined)
