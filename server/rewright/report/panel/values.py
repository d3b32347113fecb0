"""Values as a panel draws them: grids of cells, each with its number, and the same in one line."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from rewright.report import picture
from rewright.report.panel.shown import PanelCell, PanelGrid, PanelValue
from rewright.verdict import TensorValue


def value(
    tensor: TensorValue, passed: Collection[tuple[int, ...]] = (), differs: tuple[int, ...] | None = None
) -> PanelValue:
    """A tensor with the elements marked that were passed through, and the one that differs."""
    through = {number(tensor.shape, index) for index in passed}
    differing = None if differs is None else number(tensor.shape, differs)
    numbers, grids = itertools.count(), []

    def cell(text: str) -> PanelCell:
        at = next(numbers)
        return PanelCell(at, text, at in through, at == differing)

    for drawn in picture.grids(tensor):
        rows = tuple(tuple(map(cell, row)) for row in drawn.rows)
        leading = f"[{', '.join([*map(str, drawn.leading), '·', '·'])}]" if drawn.leading else ""
        grids.append(PanelGrid(leading, rows))
    return PanelValue(picture.shape(tensor), tuple(grids), picture.inline(tensor, differs))


def number(shape: tuple[int, ...], index: tuple[int, ...]) -> int:
    """The number of an element in row-major order."""
    found = 0
    for size, at in zip(shape, index, strict=True):
        found = found * size + at
    return found
