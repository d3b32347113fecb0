"""Pictures of values: a tensor as a grid of cells, for hovers and for the terminal.

A tensor of rank 3 and more is drawn as one grid per index of its leading axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from msgspec import Struct

from rewright.verdict import TensorValue

LIMIT = 64
"""Larger tensors are described, not drawn."""


class CellMatrix(Struct, frozen=True):
    """A matrix of cells: the leading index that it belongs to (empty up to rank 2) and its rows."""

    leading: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]


def grids(value: TensorValue, marked: tuple[int, ...] | None = None) -> tuple[CellMatrix, ...]:
    """The grids of a tensor, the cell at index `marked` in brackets; none for one that is empty or too large."""
    if not value.data or len(value.data) > LIMIT:
        return ()
    matrix = (1, 1, *value.shape)[-2:]
    leading = value.shape[:-2]
    cells = _marked(value, marked)
    return tuple(
        CellMatrix(index, tuple(tuple(next(cells) for _ in range(matrix[1])) for _ in range(matrix[0])))
        for index in product(*(range(size) for size in leading))
    )


def inline(value: TensorValue, marked: tuple[int, ...] | None = None) -> str:
    """A tensor on one line: nested brackets, or its shape if it is empty or too large."""
    if not value.shape:
        return next(_marked(value, marked))
    if not value.data:
        return f"empty, shape {shape(value)}"
    if len(value.data) > LIMIT:
        return f"shape {shape(value)}"
    return _nested(value.shape, list(_marked(value, marked)))


def shape(value: TensorValue) -> str:
    """The sizes of a tensor, as in `2×3`; `scalar` for rank 0."""
    return "×".join(map(str, value.shape)) or "scalar"


def _marked(value: TensorValue, marked: tuple[int, ...] | None) -> Iterator[str]:
    position = None
    if marked is not None and len(marked) == len(value.shape):
        strides = [prod(value.shape[axis + 1 :]) for axis in range(len(value.shape))]
        position = sum(index * stride for index, stride in zip(marked, strides, strict=True))
    return (f"⟦{cell}⟧" if number == position else cell for number, cell in enumerate(value.data))


def _nested(sizes: tuple[int, ...], cells: list[str]) -> str:
    if len(sizes) == 1:
        return f"[{', '.join(cells)}]"
    step = len(cells) // sizes[0]
    return f"[{', '.join(_nested(sizes[1:], cells[i * step : (i + 1) * step]) for i in range(sizes[0]))}]"
