"""Map and integer expressions as index terms.

Owns index arithmetic and its divisions. An expression of integers alone is evaluated always, a map expression on the
axes there are; a division by zero makes invalid what it stands in, so every divisor comes back with the term.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from msgspec import Struct

from rewright.meaning.scope import MeaningScope
from rewright.model.index import (
    BoundIndex,
    Index,
    IndexOperation,
    IntegerReference,
    MapReference,
    Name,
    Number,
    Product,
)
from rewright.terms import (
    TRUE,
    Term,
    Variable,
    add,
    axis_product,
    complement,
    conjoin,
    every_axis,
    floor_divide,
    maximum,
    minimum,
    multiply,
    number,
    remainder,
    subtract,
    variable,
    zero,
)


class IndexMeaning(Struct, frozen=True):
    """The term of an expression on "the" axis; `defined` says that no divisor is zero there."""

    term: Term
    defined: Term
    rank_class: Name | None


def index_meaning(index: Index, scope: MeaningScope) -> IndexMeaning:
    """What an index expression means; `rank_class` is None if it has no maps."""
    match index:
        case Number(value=value):
            return IndexMeaning(number(value), TRUE, None)
        case MapReference(name=name, rank_class=rank_class):
            return IndexMeaning(variable(name, scope.of_class(rank_class)), TRUE, rank_class)
        case IntegerReference(name=name):
            return IndexMeaning(variable(name, None), TRUE, None)
        case BoundIndex(group=group, rank_class=rank_class):
            return IndexMeaning(bound_index(group, scope), TRUE, rank_class)
        case IndexOperation():
            return _operation(index, scope)
        case Product(operand=operand):
            return _product(index_meaning(operand, scope), scope)
        case _:
            assert_never(index)


def bound_index(group: Name, scope: MeaningScope) -> Variable:
    """The index along a group at which an assumption is read."""
    return variable(f"?{group}", scope.classes[group])


def _product(operand: IndexMeaning, scope: MeaningScope) -> IndexMeaning:
    """The product over the axes there are; of an integer, the integer. Its divisions matter where there is an axis."""
    if operand.rank_class is None:
        return operand
    axis = scope.of_class(operand.rank_class)
    return IndexMeaning(axis_product(axis, operand.term), every_axis(axis, operand.defined), None)


def _operation(index: IndexOperation, scope: MeaningScope) -> IndexMeaning:
    left, right = index_meaning(index.left, scope), index_meaning(index.right, scope)
    defined = conjoin(left.defined, right.defined)
    if index.operator in ("//", "%"):
        defined = conjoin(defined, complement(zero(right.term)))
    term = _ARITHMETIC[index.operator](left.term, right.term)
    return IndexMeaning(term, defined, left.rank_class or right.rank_class)


_ARITHMETIC: dict[str, Callable[[Term, Term], Term]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "//": floor_divide,
    "%": remainder,
    "min": minimum,
    "max": maximum,
}
