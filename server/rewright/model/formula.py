"""Preconditions and assumptions as values.

Owns the meaning-carrying form of `where` and `assume`. Must not know how they are decided.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from rewright.model.index import Index, Name
from rewright.model.tensor import Tensor

Comparison = Literal["==", "!=", "<", "<=", ">", ">="]


class Truth(Struct, frozen=True):
    """`true` or `false`."""

    value: bool
    site: int


class IndexComparison(Struct, frozen=True):
    """A comparison of map or integer expressions.

    With maps of rank class `rank_class` it holds on every axis of it (a fold) when it stands outside `some` and
    `every`, and speaks of one axis inside them. `rank_class` is None when both sides are integers.
    """

    operator: Comparison
    left: Index
    right: Index
    rank_class: Name | None
    site: int


class ElementComparison(Struct, frozen=True):
    """A comparison of elements: scalars, literals, arithmetic on them; in an assumption also tensors at its index."""

    operator: Comparison
    left: Tensor
    right: Tensor
    site: int


class Conjunction(Struct, frozen=True):
    """`p and q`, evaluated left to right as far as needed."""

    left: Formula
    right: Formula
    site: int


class Disjunction(Struct, frozen=True):
    """`p or q`, evaluated left to right as far as needed."""

    left: Formula
    right: Formula
    site: int


class Negation(Struct, frozen=True):
    """`not p`."""

    operand: Formula
    site: int


class Quantified(Struct, frozen=True):
    """`some A: p`, `every A: p`: p is read on one axis of the group's rank class."""

    quantifier: Literal["some", "every"]
    rank_class: Name
    body: Formula
    site: int


Formula = Truth | IndexComparison | ElementComparison | Conjunction | Disjunction | Negation | Quantified
"""A precondition. Division by zero in it makes it not hold."""


class Assumption(Struct, frozen=True):
    """`assume forall i on A, j on B: body`: at every index that is in range in all tensors read by `body`.

    In `body` a `TensorReference` stands for the element at the bound index, a `BoundIndex` for that index along one of
    the groups along which a tensor is read; `groups` are the groups that are bound.
    """

    groups: tuple[Name, ...]
    body: Formula
    site: int
