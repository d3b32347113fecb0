"""Elementwise operators: shape that of the operands, valid when the sizes agree, pointwise elements.

`select` looks only at the operand chosen; every other operator is undefined where an operand is; arithmetic and
functions also where one is infinite, quotients and remainders where the divisor is 0. A declared function has a value
at all finite operands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rewright.meaning.forms import Entry, Indices, Meaning, Side
from rewright.meaning.infinity import compared, finite, greatest_or_least, negated, number_part
from rewright.meaning.scope import Undecided
from rewright.model.index import Name
from rewright.model.tensor import Apply, Combine, Pointwise
from rewright.terms import (
    INT,
    REAL,
    Sort,
    Term,
    absolute,
    add,
    applied,
    choose,
    complement,
    conjoin,
    disjoin,
    equal,
    exponential,
    multiply,
    number,
    reciprocal,
    sign,
    subtract,
    truncated_divide,
    truncated_remainder,
    zero,
)

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
DIVISIONS = ("divide", "remainder")
NUMERIC: dict[str, Callable[..., Term]] = {
    "add": add,
    "subtract": subtract,
    "multiply": multiply,
    "abs": absolute,
    "sign": sign,
}
"""Over int and real alike."""

INTEGER: dict[str, Callable[..., Term]] = {"divide": truncated_divide, "remainder": truncated_remainder}


def _ratio(left: Term, right: Term) -> Term:
    return multiply(left, reciprocal(right))


FRACTIONAL: dict[str, Callable[..., Term]] = {"divide": _ratio, "exponential": exponential}
ARITHMETIC: dict[Sort, dict[str, Callable[..., Term]]] = {INT: {**NUMERIC, **INTEGER}, REAL: {**NUMERIC, **FRACTIONAL}}
FINITE = frozenset(name for table in ARITHMETIC.values() for name in table)
"""The operators that are undefined where an operand is infinite."""


def pointwise(node: Pointwise, operands: list[Meaning], side: Side) -> Meaning:
    """The meaning of an elementwise operator."""
    return _elementwise(node, operands, side, lambda entries: apply(node.operator, entries))


def call(node: Apply, operands: list[Meaning], side: Side) -> Meaning:
    """The meaning of a call of a declared function."""
    sort = side.scope.sort(node.type)
    return _elementwise(node, operands, side, lambda entries: value_of(node.function, entries, sort))


def combine(node: Combine, operands: list[Meaning], side: Side) -> Meaning:
    """The meaning of a call of a declared monoid, which is taken for addition; of no operands, its identity."""
    none = number(0, side.scope.sort(node.type))

    def combined(entries: list[Entry]) -> Entry:
        value = add(none, *(entry.value for entry in entries))
        return Entry(value, conjoin(*(entry.defined for entry in entries)))

    return _elementwise(node, operands, side, combined)


def _elementwise(
    node: Pointwise | Apply | Combine, operands: list[Meaning], side: Side, combine: Callable[[list[Entry]], Entry]
) -> Meaning:
    shape: Mapping[Name, Term] = {}
    for operand in operands:
        if not operand.shape:
            continue
        if shape and set(shape) != set(operand.shape):
            raise Undecided("the operands of an elementwise operator have different axis groups")
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
    """The element of an elementwise operator. Raises `Undecided` for one that is not decided."""
    values = [entry.value for entry in entries]
    if operator == "select":
        predicate, yes, no = entries
        defined = conjoin(predicate.defined, choose(predicate.value, yes.defined, no.defined))
        return Entry(choose(predicate.value, yes.value, no.value), defined)
    defined = conjoin(*(entry.defined for entry in entries))
    if operator in FINITE:
        return _arithmetic(operator, values, conjoin(defined, *map(finite, values)))
    return Entry(_total(operator, values), defined)


def _arithmetic(operator: str, values: list[Term], defined: Term) -> Entry:
    sort = values[0].sort
    operation = ARITHMETIC.get(sort, {}).get(operator)
    if operation is None:
        raise Undecided(f"`{operator}` over `{sort}` is not decided")
    numbers = [number_part(value) for value in values]
    if operator in DIVISIONS:
        defined = conjoin(defined, complement(zero(numbers[1])))
    return Entry(operation(*numbers), defined)


def _total(operator: str, values: list[Term]) -> Term:
    match operator, values:
        case "negate", [operand]:
            return negated(operand)
        case "not", [operand]:
            return complement(operand)
        case "and", [left, right]:
            return conjoin(left, right)
        case "or", [left, right]:
            return disjoin(left, right)
        case "maximum" | "minimum", [left, right]:
            return greatest_or_least(operator == "maximum", left, right)
        case "clamp", [low, operand, high]:
            return greatest_or_least(False, greatest_or_least(True, operand, low), high)
        case name, [left, right] if name in COMPARISONS:
            return compared(name, left, right)
        case _:
            raise Undecided(f"the operator `{operator}` is not decided yet")
