"""Affine functions through given points, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Point = tuple[tuple[int, ...], int]
"""The variables, and the value there."""


def affine_through(points: Sequence[Point]) -> tuple[int, ...] | None:
    """Whole coefficients of the variables, and last the constant, of a function through all points; None if none is.

    What the points leave open is 0, the later variables first: the constant is used before any variable.
    """
    count = len(points[0][0])
    order = [count, *range(count)]
    rows: list[tuple[int, list[Fraction]]] = []
    for variables, value in points:
        row = [*map(Fraction, variables), Fraction(1), Fraction(value)]
        for pivot, known in rows:
            if row[pivot]:
                row = [each - row[pivot] * other for each, other in zip(row, known, strict=True)]
        found = next((at for at in order if row[at]), None)
        if found is None:
            if row[-1]:
                return None
            continue
        rows.append((found, [each / row[found] for each in row]))
    solution = [Fraction(0)] * (count + 1)
    for pivot, row in reversed(rows):
        solution[pivot] = row[-1] - sum(row[at] * solution[at] for at in range(count + 1) if at != pivot)
    if any(each.denominator != 1 for each in solution):
        return None
    return tuple(map(int, solution))
