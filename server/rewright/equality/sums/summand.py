"""Formal sums: what both sides of an equation become.

Owns the summand and its arithmetic. A summand is a number times one weight per rank class times a product of elements,
summed over all integer values of its binders that satisfy its conditions; a condition or weight of a class is meant on
every axis of it. Must not know what terms sums are made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rewright.equality.facts import EVERYWHERE, Fact
from rewright.terms import variable
from rewright.terms.binding import substitute
from rewright.terms.node import TRUTH, Coefficient, RankClass, Term, Variable
from rewright.terms.polynomial import multiply, number
from rewright.terms.truth import TRUE

LIMIT = 200
"""A formal sum has so many summands at most, since products multiply them; the library's have 8."""


class NotSummable(Exception):
    """What this method does not cover; it then claims nothing."""


class Summand(Struct, frozen=True):
    """coefficient · Π weights · Π atoms, over the binders' values that satisfy the conditions.

    `right`: it comes from the right side, which matters to people only.
    """

    coefficient: Coefficient = 1
    atoms: tuple[Term, ...] = ()
    binders: tuple[Variable, ...] = ()
    conditions: tuple[Fact, ...] = ()
    weights: tuple[tuple[str, Term], ...] = ()
    right: bool = False


Formal = list[Summand]
"""The sum of its summands."""

ONE = Summand()


class FreshNames:
    """Fresh unknowns, numbered in the order in which they are made."""

    def __init__(self) -> None:
        self._next = 0

    def fresh(self, rank_class: RankClass) -> Variable:
        """An unknown index of the class that nothing else mentions."""
        self._next += 1
        return variable(f"#{self._next}", rank_class)


def home_of(unknown: Variable) -> str:
    """Where conditions on an unknown are kept."""
    return unknown.rank_class or EVERYWHERE


def conditioned(*facts: Fact) -> Summand:
    """1 where the conditions hold, else 0."""
    return Summand(conditions=tuple(dict.fromkeys(fact for fact in facts if fact[1] is not TRUE)))


def weighted(home: str, weight: Term) -> Summand:
    """The weight, over every axis of its class."""
    return Summand(weights=((home, weight),))


def times(left: Summand, right: Summand) -> Summand:
    """The product; the binders of the two are different ones."""
    weights = dict(left.weights)
    for home, weight in right.weights:
        weights[home] = multiply(weights[home], weight) if home in weights else weight
    truths = [atom for atom in right.atoms if atom.sort == TRUTH and atom in left.atoms]
    return Summand(
        left.coefficient * right.coefficient,
        (*left.atoms, *(atom for atom in right.atoms if atom not in truths)),
        (*left.binders, *right.binders),
        tuple(dict.fromkeys((*left.conditions, *right.conditions))),
        tuple(sorted(weights.items())),
    )


def product(left: Formal, right: Formal) -> Formal:
    """The product of two formal sums. Raises `NotSummable` if it is too long."""
    if len(left) * len(right) > LIMIT:
        raise NotSummable("too many summands")
    return [times(one, other) for one in left for other in right]


def scaled(factor: Coefficient, terms: Formal) -> Formal:
    """The multiple of a formal sum."""
    return [replace(term, coefficient=term.coefficient * factor) for term in terms if term.coefficient * factor]


def difference(left: Formal, right: Formal) -> Formal:
    """left − right. Raises `NotSummable` if it is too long."""
    return total((left, on_the_right(scaled(-1, right))))


def on_the_right(terms: Formal) -> Formal:
    """The summands, marked as those of the right side."""
    return [replace(term, right=True) for term in terms]


def total(parts: Iterable[Formal]) -> Formal:
    """The sum of formal sums. Raises `NotSummable` if it is too long."""
    terms = [term for part in parts for term in part]
    if len(terms) > LIMIT:
        raise NotSummable("too many summands")
    return terms


def opposite(terms: Formal) -> Formal:
    """1 − terms."""
    return [ONE, *scaled(-1, terms)]


def replaced(summand: Summand, values: Mapping[Term, Term]) -> Summand:
    """The summand with unknowns replaced that are no binders of it."""
    return replace(
        summand,
        atoms=tuple(substitute(atom, values) for atom in summand.atoms),
        conditions=conditions_of((home, substitute(predicate, values)) for home, predicate in summand.conditions),
        weights=tuple((home, substitute(weight, values)) for home, weight in summand.weights),
    )


def conditions_of(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The conditions, without those that always hold. A false one stays: of a class it is true at rank 0."""
    return tuple(dict.fromkeys(fact for fact in facts if fact[1] is not TRUE))


def weight_at(weights: Sequence[tuple[str, Term]] | Mapping[str, Term], home: str) -> Term:
    """The weight of a class."""
    return dict(weights).get(home, number(1))
