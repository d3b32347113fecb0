"""What is asked of the solver about a goal: premises, and two terms that are to be equal.

Owns the assertions of a query at one rank vector. At a leaf, every test that is known to fail is asserted on an axis of
its own; where the bound does not hold for a class, only that it fails. Must not know which rank vectors are asked.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from rewright.equality import EVERYWHERE, Fact
from rewright.rules.bound import has_reduction
from rewright.rules.requirement import beyond
from rewright.solve import Assertion, Differ, TruthFails, TruthHolds
from rewright.terms import Term
from rewright.terms.node import Fold

Ranks = tuple[tuple[str, int], ...]


class Sequent(Struct, frozen=True):
    """Where the facts hold on every axis of their homes, `given` holds and `failing` fails, left equals right."""

    facts: tuple[Fact, ...]
    given: tuple[Term, ...]
    failing: tuple[Term, ...]
    left: Term
    right: Term

    @property
    def parts(self) -> list[Fact]:
        """Everything that it is made of, each with the class of whose axis it may speak."""
        return [*self.facts, *((EVERYWHERE, term) for term in self.open), *map(_on_axis, self.failing)]

    @property
    def open(self) -> list[Term]:
        """The truths and elements that speak of no axis, apart from the tests that fail."""
        return [*self.given, self.left, self.right]

    @property
    def terms(self) -> list[Term]:
        """The terms whose tests and reads are counted."""
        return [term for _, term in self.parts]

    @property
    def has_reduction(self) -> bool:
        """Whether a reduction, which is an unknown to the solver, occurs."""
        return has_reduction(*self.terms)

    @property
    def beyond(self) -> frozenset[str]:
        """The rank classes for which the bound does not hold."""
        return beyond(self.parts)

    @property
    def covered(self) -> Sequent:
        """The same without the premises that the bound does not cover: what follows from fewer follows from all."""
        return replace(
            self,
            facts=tuple(fact for fact in self.facts if not beyond([fact])),
            given=tuple(truth for truth in self.given if not beyond([(EVERYWHERE, truth)])),
            failing=tuple(test for test in self.failing if not beyond([_on_axis(test)])),
        )

    def assertions(self, ranks: Ranks, limited: frozenset[str]) -> tuple[Assertion, ...]:
        """What a countermodel at these ranks satisfies."""
        asserted = everywhere(self.facts, ranks)
        used: dict[str, int] = {}
        for test in self.failing:
            if isinstance(test, Fold) and test.rank_class not in limited:
                axis = used.get(test.rank_class, 0)
                used[test.rank_class] = axis + 1
                asserted.append(TruthFails(test.predicate, ((test.rank_class, axis),)))
            else:
                asserted.append(TruthFails(test))
        return (*asserted, *map(TruthHolds, self.given), Differ(self.left, self.right))


def _on_axis(test: Term) -> Fact:
    """A test as what it says of one axis."""
    return (test.rank_class, test.predicate) if isinstance(test, Fold) else (EVERYWHERE, test)


def everywhere(facts: tuple[Fact, ...], ranks: Ranks) -> list[Assertion]:
    """The facts on every axis that there is."""
    asserted: list[Assertion] = [TruthHolds(fact) for home, fact in facts if home == EVERYWHERE]
    for rank_class, rank in ranks:
        known = [fact for home, fact in facts if home == rank_class]
        asserted += (TruthHolds(fact, ((rank_class, axis),)) for axis in range(rank) for fact in known)
    return asserted
