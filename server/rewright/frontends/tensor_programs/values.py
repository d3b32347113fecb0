"""What a value of a tensor program is while its graph is made.

Numbers are kept as numbers until an operator on tensors takes them, and so are integers that each rank computes from
its own number: offsets are made of them. Plain data.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from msgspec import Struct

Infinite = Literal["inf", "-inf"]
"""What no real number is: where a maximum or a minimum begins."""

Scalar = Fraction | Infinite


class Tensor(Struct, frozen=True):
    """What a node of the graph computes."""

    node: int
    shape: tuple[int, ...]


class Splat(Struct, frozen=True):
    """One number everywhere."""

    number: Scalar
    shape: tuple[int, ...]


class RankNumbers(Struct, frozen=True):
    """A number of each rank, the same everywhere on it, in the order of the ranks; truth is 1 and 0."""

    numbers: tuple[Fraction, ...]
    shape: tuple[int, ...] = ()


class Listed(Struct, frozen=True):
    """A constant tensor whose elements differ, row-major."""

    numbers: tuple[Fraction, ...]
    shape: tuple[int, ...]


class Untaken(Struct, frozen=True):
    """What an operation gives that is not taken, or that reads what is not: number of the problem that says why."""

    problem: int


Value = Tensor | Splat | RankNumbers | Listed | Untaken


class NotTaken(Exception):
    """An operation is not taken; the text says why, as the end of a sentence about it."""
