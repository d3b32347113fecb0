"""What comes out of deciding a question: proved, checked up to a rank, refuted, vacuous, unmet or unknown.

Owns the values that `decide` takes and returns. Invariant: `Proved` speaks for every rank and size, `Bounded` for every
size; `Refuted` names a rank vector at which a countermodel exists, unless it says that it need not.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from msgspec import Struct

from rewright.model.index import Name
from rewright.verdict import Failure, Instance, Method
from rewright.verdict.undecided import UnknownReason


class Budget(Struct, frozen=True):
    """`steps` of the solver (its own resource count) and `nodes` of terms that are asked for, for a whole question.

    `seconds` of processor time are a guard, far above what these take.
    """

    steps: int = 30_000_000
    seconds: float = 10.0
    nodes: int = 400_000


class Mode(Enum):
    """Whether normal forms may close obligations, or everything goes to the solver.

    A second opinion is for whoever asks: the question is decided with normal forms and then asked again elsewhere.
    """

    NORMAL_FORMS = "normal forms"
    SOLVER_ONLY = "solver only"
    SECOND_OPINION = "second opinion"


class Proved(Struct, frozen=True):
    """The question holds at every rank and size.

    `bound` maps each axis group to the rank at which the solver decided it; None if no solver was needed.
    `bound_reason` says per axis group why that rank suffices. `only_empty`: every input that meets the preconditions
    (with each group at rank >= 1) has an empty result. `correspondence` says for people which reduced indices of the
    left correspond to which of the right. `nowhere`: no element of the left side is defined.
    """

    by: Method
    bound: tuple[tuple[str, int], ...] | None
    bound_reason: tuple[tuple[str, str], ...]
    only_empty: bool
    correspondence: tuple[str, ...] = ()
    nowhere: bool = False


class Bounded(Struct, frozen=True):
    """The question holds at every size, at every rank vector in which no axis group of `limits` has a greater rank.

    Groups that are not in `limits` have any rank, as in `Proved`, which the other fields are as in.
    """

    by: Method
    limits: tuple[tuple[str, int], ...]
    bound: tuple[tuple[str, int], ...]
    bound_reason: tuple[tuple[str, str], ...]
    only_empty: bool
    nowhere: bool = False


class Refuted(Struct, frozen=True):
    """A countermodel exists at `ranks` (by rank class, every class listed); the obligation that failed is `fails`.

    If it is not `exact`, only the laws that are known of the exponential allow one, and the replay has the last word.
    `instance` is a countermodel that was seen to fail already, if one was looked for outside.
    """

    by: Method
    fails: Failure
    ranks: tuple[tuple[Name, int], ...]
    exact: bool = True
    instance: Instance | None = None


class Vacuous(Struct, frozen=True):
    """No input with every group at rank >= 1 meets the preconditions and makes the left side valid."""

    by: Method


class Unmet(Struct, frozen=True):
    """What was decided holds of every input that meets the preconditions; whether there is one was not decided."""

    held: Proved | Bounded


class ComparedSums(Struct, frozen=True):
    """Two sums in words, the terms of each that have no partner, and a condition that would pair them, if known."""

    left: str
    right: str
    left_terms: tuple[str, ...]
    right_terms: tuple[str, ...]
    fact: str


class Unknown(Struct, frozen=True):
    """Not decided, for a reason that a reader can act on; `sums` are those that were compared."""

    reason: str
    why: UnknownReason = UnknownReason.CONSTRUCT
    sums: ComparedSums | None = None


Decision = Proved | Bounded | Refuted | Vacuous | Unmet | Unknown

Look = Callable[[], Refuted | None]
"""A search for a countermodel by other means than the solver's, made at most once: before what takes long."""
