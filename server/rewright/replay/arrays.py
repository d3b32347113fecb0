"""Dense arrays whose axes belong to named axis groups.

Owns the one array type of the replay: NumPy object arrays that hold exact elements, their axes laid out group after
group. Invariant: `data` is an `ndarray` even at rank 0, where NumPy itself likes to return the bare element. Must not
know what the operators mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from rewright.model.index import Name
from rewright.replay.elements import Element, TooLarge, element_text
from rewright.verdict import TensorValue

Data: TypeAlias = npt.NDArray[np.object_]
"""object, with an axis for each axis of each group, () at rank 0: exact elements (`Element`)."""

Position = tuple[int, ...]
"""An index: a number for each axis."""

MOST_ELEMENTS = 1 << 20
"""Elements of the largest tensor that is evaluated."""


class Array(Struct, frozen=True, eq=False):
    """A tensor's value: `groups` in the order of their axes, and the elements."""

    groups: tuple[Name, ...]
    data: Data


def fits(shape: tuple[int, ...]) -> bool:
    """Whether a tensor of this shape is small enough to be evaluated."""
    return prod(shape) <= MOST_ELEMENTS


def require_room(shape: tuple[int, ...]) -> None:
    """Raises `TooLarge` for a tensor that is."""
    if not fits(shape):
        raise TooLarge(f"a tensor of {prod(shape)} elements is too large to be replayed")


def filled(shape: tuple[int, ...], element: Element) -> Data:
    """An array that holds `element` everywhere. Raises `TooLarge` if there would be too many elements."""
    require_room(shape)
    data = np.empty(shape, dtype=object)
    data.fill(element)
    return data


def from_flat(shape: tuple[int, ...], elements: Iterable[Element]) -> Data:
    """The array with these elements in row-major order; there must be exactly as many as the shape asks for."""
    listed = list(elements)
    return np.fromiter(listed, dtype=object, count=len(listed)).reshape(shape)


def scattered(data: Data, target: Data, layout: Sequence[tuple[int, int]]) -> Data:
    """The target with elements written over it: on each axis the first at an offset, the others so many steps apart.

    Those that fall outside are dropped.
    """
    taken, written = [], []
    for (offset, step), size, room in zip(layout, data.shape, target.shape, strict=True):
        places = [(at, offset + step * at) for at in range(size) if 0 <= offset + step * at < room]
        if not places:
            return target
        taken.append(slice(places[0][0], places[-1][0] + 1))
        written.append(slice(places[0][1], places[-1][1] + 1, step))
    target[tuple(written)] = data[tuple(taken)]
    return target


def scalar(element: Element) -> Array:
    """A tensor without groups."""
    return Array((), filled((), element))


def only(array: Array) -> Element:
    """The element of a tensor without axes."""
    return cast(Element, array.data[()])


def as_array(result: Any) -> Data:
    """A NumPy result as an array: views of rank 0 come back as bare elements and are wrapped again."""
    return result if isinstance(result, np.ndarray) else filled((), result)


def axes_of(groups: tuple[Name, ...], ranks: Mapping[Name, int], group: Name) -> range:
    """The positions of a group's axes in an array with these groups. Raises `KeyError` if it is none of them."""
    start = 0
    for other in groups:
        if other == group:
            return range(start, start + ranks[group])
        start += ranks[other]
    raise KeyError(group)


def aligned(array: Array, groups: tuple[Name, ...], ranks: Mapping[Name, int]) -> Array:
    """The same tensor with its groups in another order."""
    if array.groups == groups:
        return array
    order = [axis for group in groups for axis in axes_of(array.groups, ranks, group)]
    return Array(groups, as_array(np.transpose(array.data, order)))


def positions(shape: tuple[int, ...]) -> Iterator[Position]:
    """All indices of an array with this shape, row-major; one empty index at rank 0."""
    return product(*map(range, shape))


def elements(array: Array) -> Iterator[Element]:
    """The elements in row-major order."""
    return (array.data[position] for position in positions(array.data.shape))


def tensor_value(array: Array) -> TensorValue:
    """The array as witnesses carry it."""
    return TensorValue(array.data.shape, tuple(map(element_text, elements(array))))
