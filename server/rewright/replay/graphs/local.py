"""What one rank computes by itself, on dense arrays of exact elements.

Owns the operators of a graph that are no collectives, at the ranks at hand. Reals only: integers and machine numbers
are evaluated as the numbers that they are. Must not know symbols or other ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import lcm, prod
from typing import Any

import numpy as np

from rewright.replay.arrays import Data, as_array, filled, from_flat, require_room
from rewright.replay.elements import UNDECIDED, UNDEFINED, Element, combine, identity, pointwise
from rewright.replay.enclosures import Enclosure
from rewright.replay.graphs.extents import Unfit

Pairs = Sequence[tuple[int, int]]
"""Dimensions of the left operand with those of the right one."""


def elementwise(operator: str, operands: Sequence[Data]) -> Data:
    """The operator on elements of one place, the shape being theirs. Raises `Unfit` where their shapes differ."""
    if len({operand.shape for operand in operands}) != 1:
        raise Unfit("shapes")
    function = np.frompyfunc(partial(_applied, operator), len(operands), 1)
    return as_array(function(*operands))


def _applied(operator: str, *operands: Element) -> Element:
    return pointwise(operator, operands)


def spread(operand: Data, dimensions: Sequence[int], shape: tuple[int, ...]) -> Data:
    """The operand in a larger shape. Raises `Unfit` where a dimension has neither the result's size nor 1."""
    require_room(shape)
    aligned = [1] * len(shape)
    for dimension, size in zip(dimensions, operand.shape, strict=True):
        if size not in (1, shape[dimension]):
            raise Unfit("shapes")
        aligned[dimension] = size
    return as_array(np.broadcast_to(operand.reshape(aligned), shape).copy())


def iota(dimension: int, shape: tuple[int, ...]) -> Data:
    """The index of each element along a dimension."""
    require_room(shape)
    return from_flat(shape, (Fraction(index[dimension]) for index in np.ndindex(*shape)))


def dot(left: Data, right: Data, batch: Pairs, contract: Pairs) -> Data:
    """The sums of products; its dimensions are batch, left free, right free. Raises `Unfit` where sizes differ."""
    if any(left.shape[one] != right.shape[other] for one, other in (*batch, *contract)):
        raise Unfit("shapes")
    rows, left_free = _matrices(left, [pair[0] for pair in batch], [pair[0] for pair in contract])
    columns, right_free = _matrices(right, [pair[1] for pair in batch], [pair[1] for pair in contract])
    shape = (*(left.shape[one] for one, _ in batch), *left_free, *right_free)
    require_room(shape)
    exact = _exact_products(rows, columns)
    return (_products(rows, columns) if exact is None else exact).reshape(shape)


def _matrices(operand: Data, batch: list[int], contract: list[int]) -> tuple[Data, tuple[int, ...]]:
    """The operand as matrices, a row for each free index, a column for each contracted one; the free sizes."""
    free = [each for each in range(operand.ndim) if each not in (*batch, *contract)]
    sizes = [prod(operand.shape[each] for each in dimensions) for dimensions in (batch, free, contract)]
    ordered = as_array(np.transpose(operand, [*batch, *free, *contract]))
    return ordered.reshape(sizes), tuple(operand.shape[each] for each in free)


def _products(rows: Data, columns: Data) -> Data:
    shape = (rows.shape[0], rows.shape[1], columns.shape[1])
    elements = (
        combine("add", (pointwise("multiply", pair) for pair in zip(row, column, strict=True)), Fraction(0))
        for at in range(rows.shape[0])
        for row in rows[at]
        for column in columns[at]
    )
    return from_flat(shape, elements)


def _exact_products(rows: Data, columns: Data) -> Data | None:
    """The same, of fractions only, which are brought to one denominator first: this is several times faster."""
    left, right = _whole(rows), _whole(columns)
    if left is None or right is None or rows.size == 0:
        return None
    products = as_array(np.matmul(left[0], right[0].transpose(0, 2, 1)))
    denominator = left[1] * right[1]
    return from_flat(products.shape, (Fraction(each, denominator) for each in products.ravel()))


def _whole(data: Data) -> tuple[Data, int] | None:
    """Whole numbers and what to divide them by; None where an element is no fraction."""
    flat: list[Any] = list(data.ravel())
    if not all(type(each) is Fraction for each in flat):
        return None
    denominator = lcm(*(each.denominator for each in flat))
    return from_flat(data.shape, (each.numerator * (denominator // each.denominator) for each in flat)), denominator


def reduced(monoid: str, operand: Data, dimensions: Sequence[int]) -> Data:
    """The elements combined along the dimensions, which the result lacks."""
    kept = [each for each in range(operand.ndim) if each not in dimensions]
    shape = tuple(operand.shape[each] for each in kept)
    ordered = as_array(np.transpose(operand, [*kept, *dimensions])).reshape(prod(shape), -1 if operand.size else 0)
    return from_flat(shape, (combined(monoid, list(row)) for row in ordered))


def combined(monoid: str, elements: Sequence[Element]) -> Element:
    """The elements combined; the monoid's identity over the reals where there are none."""
    if not elements:
        return identity(monoid, "real")
    return combine(monoid, elements[1:], elements[0])


def joined(monoid: str, arrays: Sequence[Data]) -> Data:
    """Arrays combined element by element. Raises `Unfit` where their shapes differ."""
    if len({each.shape for each in arrays}) != 1:
        raise Unfit("shapes")
    flat = zip(*(each.ravel() for each in arrays), strict=True)
    return from_flat(arrays[0].shape, (combined(monoid, listed) for listed in flat))


def transposed(operand: Data, permutation: Sequence[int]) -> Data:
    """The operand with its dimensions in another order."""
    return as_array(np.transpose(operand, list(permutation)))


def reshaped(operand: Data, shape: tuple[int, ...]) -> Data:
    """The operand, row-major, in another shape. Raises `Unfit` where that has not as many elements."""
    if prod(shape) != operand.size:
        raise Unfit("shapes")
    return operand.reshape(shape)


def cut(operand: Data, start: Sequence[int], shape: tuple[int, ...]) -> Data:
    """The part at an offset. Raises `Unfit` where it is not inside the operand."""
    places = list(zip(start, shape, operand.shape, strict=True))
    if any(first < 0 or first + size > room for first, size, room in places):
        raise Unfit("outside")
    return as_array(operand[tuple(slice(first, first + size) for first, size, _ in places)])


def concatenated(operands: Sequence[Data], dimension: int) -> Data:
    """The operands one after the other along a dimension. Raises `Unfit` where they differ in another."""
    if len({(*each.shape[:dimension], *each.shape[dimension + 1 :]) for each in operands}) != 1:
        raise Unfit("shapes")
    return as_array(np.concatenate(operands, axis=dimension))


def gathered(operand: Data, indices: Data, dimension: int) -> Data:
    """The parts along a dimension at the indices; what is at an index that is none of the dimension's is undefined."""
    size = operand.shape[dimension]
    before, after = operand.shape[:dimension], operand.shape[dimension + 1 :]
    shape = (*before, *indices.shape, *after)
    require_room(shape)
    found = filled(shape, UNDEFINED)
    for at in np.ndindex(*indices.shape):
        index: Element = indices[at]  # type: ignore[assignment]
        into = (*[slice(None)] * len(before), *at)
        if isinstance(index, Enclosure) or index is UNDECIDED:
            found[into] = UNDECIDED
        elif isinstance(index, Fraction | int) and index.denominator == 1 and 0 <= index < size:
            found[into] = np.take(operand, int(index), axis=dimension)
    return found


def parts(operand: Data, dimension: int, count: int) -> list[Data]:
    """The equal parts along a dimension. Raises `Unfit` where they are not equal."""
    if count == 0 or operand.shape[dimension] % count:
        raise Unfit("uneven")
    return [as_array(each) for each in np.split(operand, count, axis=dimension)]
