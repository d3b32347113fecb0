"""Operators that combine many elements: reductions and sums of products.

Owns how a range of elements becomes one with a binder, and when the result is defined: where all that is combined is,
and, for sums and products, finite. Must not know how the operands' elements are found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from rewright.meaning.forms import Entry, Indices, Meaning, RuleSide
from rewright.meaning.infinity import empty, finite, has_infinity
from rewright.meaning.pointwise import apply
from rewright.meaning.scope import NotCovered
from rewright.model.index import Name
from rewright.model.operator_table import FINITE, MONOIDS
from rewright.model.tensor import DECLARED, Dot, Reduce
from rewright.model.types import Need
from rewright.terms import (
    INT,
    REAL,
    TRUE,
    TRUTH,
    OpenReduce,
    Range,
    Sort,
    close_reduce,
    conjoin,
    disjoin,
    equal,
    identity,
    opened_indices,
    reduction,
)

Body = Callable[[Indices], Entry]
"""What is combined, by the indices of the groups that are combined over."""


class Combination(Struct, frozen=True):
    """A monoid of the domain, what it starts from, and the groups whose indices run through ranges."""

    monoid: str
    start: Entry
    ranges: Mapping[Name, Range]

    def over(self, indices: Indices, body: Body) -> Entry:
        """The start combined with the body at every index in the ranges; `indices` are those that it is used at.

        Nothing is added to the start, which then may be infinite, where there are no elements.
        """
        above = max((index.opened for index in indices.values()), default=0)
        ranges = tuple(self.ranges.values())
        bound = opened_indices(ranges, above)
        entry = body(dict(zip(self.ranges, bound, strict=True)))
        inside, begun = entry.defined, self.start.defined
        if self.monoid in FINITE:
            inside = conjoin(inside, finite(entry.value))
            begun = conjoin(begun, disjoin(finite(self.start.value), empty(ranges)))
        defined = TRUE if inside is TRUE else close_reduce(OpenReduce("and", bound, ranges, inside))
        value = reduction(OpenReduce(self.monoid, bound, ranges, entry.value), self.start.value)
        return Entry(value, conjoin(begun, defined))


def combination(monoid: str, initial: Meaning | None, sort: Sort, ranges: Mapping[Name, Range]) -> Combination:
    """The combination by a monoid of the model, from an initial value or the identity. Raises `NotCovered`."""
    known = _monoid(monoid, sort)
    start = Entry(identity(known, sort)) if initial is None else initial.at({})
    if known in FINITE and has_infinity(start.value):
        raise NotCovered(f"`{known}` from an infinite initial value is not decided yet")
    return Combination(known, start, ranges)


def reduce(node: Reduce, operand: Meaning, initial: Meaning | None, side: RuleSide) -> Meaning:
    """All of the operand over the reduced groups, combined with the initial value, by default the identity."""
    ranges = {group: Range(side.scope.classes[group], operand.shape[group]) for group in node.reduced}
    combined = combination(node.monoid, initial, operand.sort, ranges)

    def at(indices: Indices) -> Entry:
        return combined.over(indices, lambda bound: operand.at({**indices, **bound}))

    shape = {group: size for group, size in operand.shape.items() if group not in node.reduced}
    return Meaning(shape, operand.sort, at)


def dot(node: Dot, left: Meaning, right: Meaning, side: RuleSide) -> Meaning:
    """The sum over all contracted axes of products; the sizes of groups that both operands have agree."""
    for group, size in left.shape.items():
        if group in right.shape:
            side.need(group, equal(size, right.shape[group]))
    ranges = {group: Range(side.scope.classes[group], left.shape[group]) for group in node.contracted}
    summed = combination("add", None, left.sort, ranges)

    def at(indices: Indices) -> Entry:
        def term(bound: Indices) -> Entry:
            places = {**indices, **bound}
            return apply("multiply", [_at(left, places), _at(right, places)])

        return summed.over(indices, term)

    sizes = {**right.shape, **left.shape}
    return Meaning({group: size for group, size in sizes.items() if group not in ranges}, left.sort, at)


def _at(operand: Meaning, places: Indices) -> Entry:
    return operand.at({group: places[group] for group in operand.shape})


def _monoid(monoid: str, sort: Sort) -> str:
    """The monoid: a declared one is taken for addition, on truths there are only `and` and `or`.

    Raises `NotCovered` for one that does not exist in the domain.
    """
    if monoid == DECLARED:
        return "add"
    if sort == TRUTH:
        known = {"and": "and", "or": "or", "minimum": "and", "maximum": "or"}
    else:
        known = {row.name: row.name for row in MONOIDS if row.need is not Need.LOGIC and sort in (INT, REAL)}
    if monoid not in known:
        raise NotCovered(f"a reduction by `{monoid}` over `{sort}` is not decided yet")
    return known[monoid]
