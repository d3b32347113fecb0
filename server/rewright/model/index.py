"""Index expressions as values: maps, integers and arithmetic on them.

Owns the meaning-carrying form of what stands for an index, a size or an attribute. Invariant: every name is declared in
the rule, `let`s are substituted. Must not know what the numbers are used for.
"""

from __future__ import annotations

from typing import Literal, NewType

from msgspec import Struct

IndexOperator = Literal["+", "-", "*", "//", "%", "min", "max"]

Name = NewType("Name", str)
"""A declared symbol. `canonical` renumbers exactly the strings of this type."""


class Number(Struct, frozen=True):
    """An integer literal; lifts to a constant map."""

    value: int
    site: int


class MapReference(Struct, frozen=True):
    """A map: one integer per axis of `rank_class`."""

    name: Name
    rank_class: Name
    site: int


class IntegerReference(Struct, frozen=True):
    """An `int k`, or an integer scalar used as an index (its value)."""

    name: Name
    site: int


class BoundIndex(Struct, frozen=True):
    """The index along `group` that `assume forall i on A` binds: one integer per axis of `rank_class`."""

    group: Name
    rank_class: Name
    site: int


class IndexOperation(Struct, frozen=True):
    """Index arithmetic over the integers, per axis. `//` floors and `%` is its remainder; negation is `0 - x`.

    A division by zero makes the side that it stands in invalid (in a `where`: the formula does not hold).
    """

    operator: IndexOperator
    left: Index
    right: Index
    site: int


class Product(Struct, frozen=True):
    """`prod(n)`: the product over the axes of a map, an integer."""

    operand: Index
    site: int


Index = Number | MapReference | IntegerReference | BoundIndex | IndexOperation | Product
"""A map expression (one integer per axis of one rank class) or an integer expression."""
