"""Asks the solver about a goal whose tests are known, at exactly the ranks that decide it.

Owns the queries of a leaf. Every test that fails is asserted on an axis of its own. A model of a leaf without
reductions is a countermodel of the rule at that rank vector; with reductions, which are unknowns of their own here, it
is not.
"""

from __future__ import annotations

from dataclasses import dataclass

from rewright.equality import EVERYWHERE, Facts, simplify
from rewright.rules.bound import Bound, has_reduction, open_reads
from rewright.rules.decision import Mode
from rewright.rules.instances import at_origin, instances
from rewright.rules.obligations import Goal
from rewright.solve import QUICK, Assertion, Differ, Fails, Holds, Oracle, Outcome, Query
from rewright.terms import FALSE, TRUE, Term
from rewright.terms.node import Fold


@dataclass(frozen=True, slots=True)
class Leaf:
    """A goal and the tests on it that are known to fail."""

    goal: Goal
    failing: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Closed:
    """The goal holds; `bound` says at which ranks the solver was asked, None if it was not."""

    bound: Bound | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """A countermodel exists at these ranks (0 where not listed)."""

    ranks: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Open:
    """Not decided: the solver gave up, or reductions differ as terms."""

    reductions: bool


Result = Closed | Broken | Open


class Leaves:
    """Decides leaves with one oracle."""

    def __init__(self, oracle: Oracle, mode: Mode) -> None:
        self._oracle = oracle
        self._mode = mode

    def decide(self, leaf: Leaf) -> Result:
        """The solver's answer, at every rank vector that matters."""
        goal = leaf.goal
        hypotheses = self._hypotheses(goal)
        terms = (goal.given, goal.left, goal.right, *hypotheses)
        bound = Bound(goal.facts.nonempty)
        bound.count_failing(leaf.failing)
        bound.count_open(terms)
        bound.count_pairs(open_reads(terms), lambda name, truth: self._same(name, truth, goal.facts))
        for ranks in bound.vectors():
            outcome = self._oracle.ask(Query(ranks, _assertions(leaf, ranks, hypotheses)))
            if outcome is Outcome.GAVE_UP:
                return Open(False)
            if outcome is Outcome.SATISFIABLE:
                return Open(True) if has_reduction(*terms) else Broken(ranks)
        return Closed(bound)

    def _hypotheses(self, goal: Goal) -> list[Term]:
        """What assumptions say where they are read; of tensors that are not read, that contents can meet them."""
        terms = (goal.given, goal.left, goal.right)
        found = instances(goal.linked, terms)
        read = {access.tensor for access in open_reads((*terms, *found))}
        found += (at_origin(linked) for linked in goal.linked if not linked.tensors & read)
        if self._mode is Mode.SOLVER_ONLY:
            return found
        return [shown for shown in (simplify(one, goal.facts) for one in found) if shown is not TRUE]

    def _same(self, rank_class: str, truth: Term, facts: Facts) -> bool:
        """Whether a truth about one axis of the class follows from the facts: then it holds on all, at every rank."""
        if self._mode is Mode.NORMAL_FORMS:
            truth = simplify(truth, facts)
        if truth in (TRUE, FALSE):
            return truth is TRUE
        axis = ((rank_class, 0),)
        known = [Holds(fact, axis) for fact in facts.known.get(rank_class, ())]
        known += [Holds(fact) for fact in facts.known.get(EVERYWHERE, ())]
        return self._oracle.ask(Query(axis_ranks(axis), (*known, Fails(truth, axis))), QUICK) is Outcome.UNSATISFIABLE


def axis_ranks(axis: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """The ranks of a query about one axis."""
    return tuple((rank_class, 1) for rank_class, _ in axis)


def _assertions(leaf: Leaf, ranks: tuple[tuple[str, int], ...], hypotheses: list[Term]) -> tuple[Assertion, ...]:
    goal = leaf.goal
    asserted: list[Assertion] = list(everywhere(goal.facts, ranks))
    used: dict[str, int] = {}
    for test in leaf.failing:
        if isinstance(test, Fold):
            axis = used.get(test.rank_class, 0)
            used[test.rank_class] = axis + 1
            asserted.append(Fails(test.predicate, ((test.rank_class, axis),)))
        else:
            asserted.append(Fails(test))
    asserted += (Holds(truth) for truth in (goal.given, *hypotheses) if truth is not TRUE)
    return (*asserted, Differ(goal.left, goal.right))


def everywhere(facts: Facts, ranks: tuple[tuple[str, int], ...]) -> list[Assertion]:
    """The facts on every axis that there is."""
    asserted: list[Assertion] = [Holds(fact) for fact in facts.known.get(EVERYWHERE, ())]
    for rank_class, rank in ranks:
        parts = facts.known.get(rank_class, ())
        asserted += (Holds(fact, ((rank_class, axis),)) for axis in range(rank) for fact in parts)
    return asserted
