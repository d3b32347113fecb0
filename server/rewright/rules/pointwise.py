"""Elementwise operators: shape that of the operands, valid when the sizes agree, pointwise elements.

`select` looks only at the operand chosen; every other operator is undefined where an operand is, arithmetic also where
one is infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rewright.model.index import Name
from rewright.model.tensor import Pointwise
from rewright.rules.infinity import compared, finite, greatest_or_least, negated
from rewright.rules.meaning import Entry, Indices, Meaning, Side
from rewright.rules.scope import Undecided
from rewright.terms import Term, add, choose, complement, conjoin, disjoin, equal, multiply, subtract

ARITHMETIC: dict[str, Callable[[Term, Term], Term]] = {"add": add, "subtract": subtract, "multiply": multiply}
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def pointwise(node: Pointwise, operands: list[Meaning], side: Side) -> Meaning:
    """The meaning of an elementwise operator."""
    shape: Mapping[Name, Term] = {}
    for operand in operands:
        if not operand.shape:
            continue
        if shape and set(shape) != set(operand.shape):
            raise Undecided(f"the operands of `{node.operator}` have different axis groups")
        for group, size in shape.items():
            side.need(group, equal(size, operand.shape[group]))
        shape = shape or operand.shape

    def at(indices: Indices) -> Entry:
        return apply(node.operator, [operand.at(indices if operand.shape else {}) for operand in operands])

    return Meaning(shape, side.scope.sort(node.type), at)


def apply(operator: str, entries: list[Entry]) -> Entry:
    """The element of an elementwise operator. Raises `Undecided` for one that is not decided."""
    values = [entry.value for entry in entries]
    if operator == "select":
        predicate, yes, no = entries
        defined = conjoin(predicate.defined, choose(predicate.value, yes.defined, no.defined))
        return Entry(choose(predicate.value, yes.value, no.value), defined)
    defined = conjoin(*(entry.defined for entry in entries))
    if operator in ARITHMETIC:
        defined = conjoin(defined, *map(finite, values))
        return Entry(_arithmetic(operator, values), defined)
    return Entry(_total(operator, values), defined)


def _arithmetic(operator: str, values: list[Term]) -> Term:
    left, right = values
    if left.sort not in ("int", "real"):
        raise Undecided(f"`{operator}` needs numbers")
    return ARITHMETIC[operator](left, right)


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
