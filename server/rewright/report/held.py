"""What the ranks of a mesh hold of a tensor, as Markdown: the placement, and a grid of who holds which part."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from rewright.report.tables import code, table
from rewright.verdict import HeldTensor


def held(tensor: HeldTensor, mesh: tuple[tuple[str, int], ...], whole: str) -> str:
    """The tensor in the words of `whole`, by which placement it is held, and the grid of its parts."""
    return f"Held as {code(tensor.placements)} of {whole}\n\n{_grid(tensor, mesh)}".rstrip()


def _grid(tensor: HeldTensor, mesh: tuple[tuple[str, int], ...]) -> str:
    """A row for each coordinate on the axes but the last, a column for each on that; nothing of equal parts."""
    if len(set(tensor.parts)) < 2 or len(tensor.parts) != prod(size for _, size in mesh):
        return ""
    (*outer, (last, size)) = mesh
    head = [" / ".join(name for name, _ in outer) or "", *(f"{last} = {number}" for number in range(size))]
    return table(tuple(head), list(_rows(tensor, outer, size)))


def _rows(tensor: HeldTensor, outer: list[tuple[str, int]], size: int) -> Iterator[tuple[str, ...]]:
    for row in range(prod(count for _, count in outer)):
        parts = tensor.parts[row * size : (row + 1) * size]
        yield (", ".join(_coordinates(row, outer)), *map(code, parts))


def _coordinates(row: int, outer: list[tuple[str, int]]) -> list[str]:
    found: list[str] = []
    for name, count in reversed(outer):
        found.append(f"{name} = {row % count}")
        row //= count
    return found[::-1]
