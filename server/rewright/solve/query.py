"""What the solver is asked and what it answers, as plain data.

Owns the form of a query: assertions about terms at one rank vector. Nothing here touches a solver.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct, field

from rewright.terms import Term, Variable

Unknown = tuple[Variable, int | None]
"""A variable and the axis that it stands for (None for a single one)."""


class SolverOutcome(Enum):
    """No model exists; a model exists; what is known of the exponential allows one; the steps ran out."""

    UNSATISFIABLE = "unsat"
    SATISFIABLE = "sat"
    ALLOWED = "allowed"
    GAVE_UP = "unknown"


class TruthHolds(Struct, frozen=True):
    """A truth holds; `axes` says which axis of each rank class it speaks of, as far as it does."""

    truth: Term
    axes: tuple[tuple[str, int], ...] = ()


class TruthFails(Struct, frozen=True):
    """A truth does not hold, on the axes given."""

    truth: Term
    axes: tuple[tuple[str, int], ...] = ()


class Differ(Struct, frozen=True):
    """Two terms of one sort have different values."""

    left: Term
    right: Term


class AllOf(Struct, frozen=True):
    """Every one of the assertions holds."""

    parts: tuple[Assertion, ...]


class AnyOf(Struct, frozen=True):
    """One of the assertions holds."""

    parts: tuple[Assertion, ...]


Assertion = TruthHolds | TruthFails | Differ | AllOf | AnyOf


class Query(Struct, frozen=True):
    """Is there a model of all assertions with the given number of axes per rank class (0 where not listed)?

    `expand_to` None makes every reduction an unknown of its own, the same term the same unknown; a number k asserts
    that each reduced axis has at most k indices and spells the reduction out.
    """

    ranks: tuple[tuple[str, int], ...]
    assertions: tuple[Assertion, ...]
    expand_to: int | None = None


class Quotients(Enum):
    """Floor division by the solver's own division, or by a fresh quotient with its two inequalities."""

    NATIVE = "native"
    AXIOMS = "axioms"


class ReadEncoding(Enum):
    """Tensors as uninterpreted functions, or one unknown per read with consistency spelled out.

    The second is Ackermann's reduction (Kroening and Strichman, Decision Procedures, "Uninterpreted Functions").
    """

    FUNCTIONS = "functions"
    ACKERMANN = "ackermann"


class Encoding(Struct, frozen=True):
    """How terms are put to the solver."""

    quotients: Quotients = Quotients.NATIVE
    reads: ReadEncoding = ReadEncoding.FUNCTIONS


class Attempt(Struct, frozen=True):
    """One try of a portfolio: an encoding and the solver's steps that it may take."""

    steps: int
    encoding: Encoding = field(default_factory=Encoding)


_NATIVE = Encoding()
_AXIOMS = Encoding(Quotients.AXIOMS)
_ACKERMANN = Encoding(Quotients.NATIVE, ReadEncoding.ACKERMANN)

PORTFOLIO = (
    Attempt(1_000_000, _NATIVE),
    Attempt(1_000_000, _AXIOMS),
    Attempt(3_000_000, _ACKERMANN),
    Attempt(10_000_000, _NATIVE),
    Attempt(10_000_000, _AXIOMS),
)
"""Tried in this order; every encoding has questions that only it answers quickly. A million steps are about 0.3 s."""

QUICK = (Attempt(1_000_000, _NATIVE),)
"""For one-axis lemmas, whose failure only costs another axis."""
