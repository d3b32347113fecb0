"""Concrete inputs of a rule at one rank vector: the raw rule, no normal forms, asked of the solver.

Owns the search that minimising a counterexample is made of. Invariant: a `Model` satisfies the preconditions and the
left side's validity as the solver sees them, and violates the claim in the way it says; whether it really does is for
the replay to find out. Must not know how inputs are filled up, replayed or shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rewright.model.rule import Name, RuleQuestion
from rewright.rules.decision import Budget
from rewright.verdict import Failure


class Role(StrEnum):
    """What an integer unknown is: a size of a declared tensor, another map, an `int`, or an index of the result."""

    SIZE = "size"
    ATTRIBUTE = "attribute"
    INTEGER = "integer"
    INDEX = "index"


@dataclass(frozen=True, slots=True)
class Quantity:
    """One integer unknown: a map on axis `axis`, an `int` or integer scalar (axis None), the index on a group's axis.

    `name` is the map's, the integer's, or for an index the axis group's.
    """

    role: Role
    name: Name
    axis: int | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a tensor that the model constrains: its index, one integer per axis in the order declared."""

    tensor: Name
    at: tuple[int, ...]
    element: str


@dataclass(frozen=True, slots=True)
class Model:
    """An input that breaks the rule.

    `integers` has every quantity. `scalars` has the element scalars (integer scalars included); `entries` the entries
    of tensors that matter. Entries that are not listed are free, except in tensors listed in `unread`: there they are
    to hold the given element, so that assumptions on contents hold. Elements are strings as in `verdict.Instance`;
    those of an uninterpreted type are "0", "1", "2", … where only equality means something.
    """

    fails: Failure
    integers: tuple[tuple[Quantity, int], ...]
    scalars: tuple[tuple[Name, str], ...]
    entries: tuple[Entry, ...]
    unread: tuple[tuple[Name, str], ...]


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The solver did not answer within its steps."""


class ModelSession:
    """The raw rule at one rank vector, kept open so that a model can be made smaller step by step.

    `ranks` maps each rank class to its rank (single axes: 1). `fails` restricts the way in which the claim is to break;
    None accepts any. Use as a context manager, or call `close`.
    """

    def __init__(
        self, question: RuleQuestion, ranks: Mapping[Name, int], fails: Failure | None, budget: Budget
    ) -> None:
        raise NotImplementedError

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Every integer unknown, in declared order."""
        raise NotImplementedError

    def find(self, limit: int | None) -> Model | GaveUp | None:
        """A model in which every integer quantity (and bounded element) is at most `limit` in absolute value.

        None if there is none. The limit stays in force for `minimise`.
        """
        raise NotImplementedError

    def minimise(self, order: Sequence[Quantity]) -> Model:
        """Fixes the quantities, in this order, each at its smallest absolute value that still breaks the rule.

        Positive before negative. Then makes the elements small. Starts from the last model found; a step on which the
        solver gives up keeps that model's value. Raises `ValueError` if no model was found yet.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Frees the solver."""
        raise NotImplementedError

    def __enter__(self) -> ModelSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def find_model(
    question: RuleQuestion, ranks: Mapping[Name, int], limit: int | None, fails: Failure | None = None
) -> Model | GaveUp | None:
    """A model of the raw rule at `ranks` with integers at most `limit` in absolute value; None if there is none."""
    with ModelSession(question, ranks, fails, Budget()) as session:
        return session.find(limit)
