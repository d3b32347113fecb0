"""Reductions and products of tensors, on dense arrays.

Owns the loops that combine elements of arrays one by one. Every function takes operands that were evaluated, and raises
`Invalid`. Must not know where operands come from.
"""

from __future__ import annotations

import itertools
import operator
from fractions import Fraction
from functools import partial
from typing import cast

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.tensor import Dot, Reduce
from rewright.replay import work
from rewright.replay.arrays import Array, Data, Position, aligned, axes_of, filled, only, positions
from rewright.replay.conditions import NamedOperation, axis_text
from rewright.replay.elements import Element, Number, combine, element_of, identity, pointwise
from rewright.replay.inputs import Inputs
from rewright.replay.provenance import Marking, WrittenConstant, contracted, reduced


class ReductionSetting(Struct, frozen=True, eq=False):
    """The input, what arrays hold, and the domain of the elements that are combined."""

    inputs: Inputs
    marking: Marking
    domain: str


def reduce(node: Reduce, operand: Array, initial: Array | None, setting: ReductionSetting) -> Array:
    """All elements along the reduced axes, combined with the initial value or the identity."""
    start = start_of(node.monoid, initial, setting)
    kept = tuple(group for group in operand.groups if group not in node.reduced)
    ordered = aligned(operand, kept + tuple(node.reduced), setting.inputs.ranks)
    rank = _rank(kept, setting)
    shape, inner = ordered.data.shape[:rank], ordered.data.shape[rank:]
    indices = list(positions(inner))
    function = setting.marking.lift(partial(combined, node.monoid), reduced(node.monoid, indices))
    result = filled(shape, start)
    for position in positions(shape):
        result[position] = function(start, *(ordered.data[position + at] for at in indices))
    return Array(kept, result)


def dot(node: Dot, left: Array, right: Array, setting: ReductionSetting) -> Array:
    """For each pair of a row of the left and a row of the right, within each batch, their inner product."""
    ranks = setting.inputs.ranks
    _require_equal_sizes(NamedOperation("dot", node.site), left, right, setting)
    batch = tuple(group for group in left.groups if group in right.groups and group not in node.contracted)
    own, other = (
        tuple(group for group in operand.groups if group not in (*batch, *node.contracted)) for operand in (left, right)
    )
    rows, columns = (
        aligned(left, (*batch, *own, *node.contracted), ranks).data,
        aligned(right, (*batch, *other, *node.contracted), ranks).data,
    )
    batches, outer, inner = _rank(batch, setting), _rank(own, setting), _rank(node.contracted, setting)
    left_shape, right_shape = rows.shape[: rows.ndim - inner], columns.shape[batches : columns.ndim - inner]
    result = filled(left_shape + right_shape, False)
    indices = list(positions(rows.shape[rows.ndim - inner :]))
    function = setting.marking.lift(partial(inner_product, setting.domain), contracted(indices))
    for position in positions(result.shape):
        row = _cells(rows, position[: batches + outer])
        column = _cells(columns, position[:batches] + position[batches + outer :])
        result[position] = function(*row, *column)
    return Array((*batch, *own, *other), result)


def start_of(monoid: str, initial: Array | None, setting: ReductionSetting) -> Element:
    """What a reduction starts from: the initial value, by default the identity."""
    if initial is not None:
        return only(initial)
    return setting.marking.mark(identity(monoid, setting.domain), WrittenConstant(monoid))


def _rank(groups: tuple[Name, ...], setting: ReductionSetting) -> int:
    return sum(setting.inputs.ranks[group] for group in groups)


def _require_equal_sizes(operation: NamedOperation, left: Array, right: Array, setting: ReductionSetting) -> None:
    ranks = setting.inputs.ranks
    for group in left.groups:
        if group in right.groups:
            axes = zip(axes_of(left.groups, ranks, group), axes_of(right.groups, ranks, group), strict=True)
            for number, (one, other) in enumerate(axes):
                first, second = left.data.shape[one], right.data.shape[other]
                on = axis_text(group, number)
                operation.require(first == second, f"operands have the sizes {first} and {second} on {on}")


def _cells(data: Data, at: Position) -> list[Element]:
    """The elements below an index of the first axes, in row-major order."""
    return [data[at + rest] for rest in positions(data.shape[len(at) :])]


def combined(monoid: str, start: Element, *elements: Element) -> Element:
    """The start combined with all elements by the monoid."""
    return combine(monoid, elements, start)


def inner_product(domain: str, *elements: Element) -> Element:
    """The sum of the products of the first half of the elements with the second."""
    half = len(elements) // 2
    work.count(half)
    if _NUMBERS.issuperset(map(type, elements)):
        pairs = zip(cast(tuple[Number, ...], elements[:half]), cast(tuple[Number, ...], elements[half:]), strict=True)
        return sum(itertools.starmap(operator.mul, pairs), cast(Number, element_of(0, domain)))
    products = (pointwise("multiply", pair) for pair in zip(elements[:half], elements[half:], strict=True))
    return combine("add", products, element_of(0, domain))


_NUMBERS = frozenset({int, Fraction})
"""The types of elements that are numbers, neither infinite nor special nor enclosed."""
