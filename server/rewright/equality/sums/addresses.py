"""A summand as the weight of its addresses.

Owns the data of the fibre argument: hidden unknowns, conditions and weights, the addresses that stand for the indices
of atoms, and replacing an unknown everywhere. Must not know how weights are brought into canonical form.
"""

from __future__ import annotations

from msgspec import Struct, field

from rewright.equality.facts import Fact
from rewright.equality.sums.linear_forms import has_unknown
from rewright.terms.binding import substitute
from rewright.terms.node import Coefficient, Term, Variable


class Dead(Exception):
    """The conditions contradict each other: the summand is 0."""


class Address(Struct, frozen=True):
    """An unknown that stands for an index of an atom, along a group if the atom is a read, and what it is there."""

    unknown: Variable
    group: str
    index: Term


class Fibre(Struct):
    """A summand as the weight of its addresses, while it is brought into canonical form.

    `heads` are the atoms without their indices. `inside` are facts: addresses lie inside their tensors. `idempotent`:
    only whether the weight is 0 matters. For people: `addresses` and `binders` of the summand, on which side it stands,
    and in `pinned` what the binders are that were eliminated.
    """

    coefficient: Coefficient
    heads: tuple[str, ...]
    hidden: list[Variable]
    conditions: list[Fact]
    weights: dict[str, Term]
    inside: tuple[Fact, ...] = ()
    idempotent: bool = False
    pinned: dict[Term, Term] = field(default_factory=dict)
    addresses: tuple[Address, ...] = ()
    binders: tuple[Variable, ...] = ()
    right: bool = False

    @property
    def guard(self) -> list[Fact]:
        """The conditions, and what is known of the addresses."""
        return [*self.conditions, *self.inside]

    @property
    def signature(self) -> tuple[frozenset[Fact], tuple[tuple[str, Term], ...], tuple[Variable, ...]]:
        """What two canonical weights agree in, apart from the coefficient."""
        return frozenset(self.conditions), tuple(sorted(self.weights.items())), tuple(self.hidden)


def put_in_place(fibre: Fibre, unknown: Variable, value: Term) -> None:
    """Replaces an unknown that is pinned, and remembers what it is."""
    values: dict[Term, Term] = {unknown: value}
    fibre.conditions = [
        (home, substitute(part, values) if has_unknown(part, unknown) else part) for home, part in fibre.conditions
    ]
    fibre.weights = {home: substitute(weight, values) for home, weight in fibre.weights.items()}
    fibre.pinned = {key: substitute(known, values) for key, known in fibre.pinned.items()}
    fibre.pinned[unknown] = value
