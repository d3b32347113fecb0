"""What follows from facts and the guard of a term, on one axis of a rank class.

Owns entailment for guarded sums: by a constant difference, by refutation of the opposite, and at last by the solver on
one axis. Invariant: a condition of a class is used for that class alone, one of no class for every class.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rewright.equality.facts import EVERYWHERE, Fact, Facts
from rewright.equality.sums.refutation import refuted
from rewright.equality.sums.summand import NotSummable
from rewright.solve import Attempt, Oracle, Query, SolverOutcome, TruthFails, TruthHolds
from rewright.terms.comparison import non_negative, zero
from rewright.terms.interning import subterms
from rewright.terms.node import (
    INDEX,
    Access,
    AxisProduct,
    Digit,
    Extremum,
    FloorDivide,
    Fold,
    Infinity,
    NonNegative,
    Position,
    Reduce,
    Term,
    Variable,
    Zero,
)
from rewright.terms.polynomial import Sum, combine, expand, negate, plus
from rewright.terms.truth import FALSE, TRUE, complement, conjuncts

ATTEMPTS = (Attempt(60_000),)
"""What the solver may take for one implication, about 20 ms."""

QUERIES = 40
"""So many implications are put to the solver for one comparison; none of the library that succeeds needs more than
7."""

IMPLICATIONS = 2000
"""So many are looked at at all; a comparison of the library that succeeds needs 28 at most."""

Guard = Sequence[Fact]


class Solver:
    """An oracle for one comparison; `asked` says whether an answer of it was used."""

    def __init__(self, oracle: Oracle | None, implications: int = IMPLICATIONS) -> None:
        self.oracle = oracle
        self.asked = False
        self.left = QUERIES
        self._implications = implications

    @property
    def spent(self) -> bool:
        """Whether more implications came up than are looked at."""
        return self._implications < 0

    def count(self) -> None:
        """Counts an implication that is looked at. Raises `NotSummable` after too many."""
        self._implications -= 1
        if self._implications < 0 or (self.oracle is not None and self.oracle.exhausted):
            raise NotSummable("too many implications")

    @property
    def exhausted(self) -> bool:
        """Whether nothing more may be asked."""
        return self.oracle is None or self.oracle.exhausted or self.left <= 0


class Entailment:
    """Facts, and what they entail together with a guard."""

    def __init__(self, facts: Facts, solver: Solver) -> None:
        self.facts = facts
        self.solver = solver
        self._memo: dict[tuple[str, Term, frozenset[Term]], bool] = {}

    def under(self, facts: Iterable[Fact]) -> Entailment:
        """The same with more facts."""
        return Entailment(self.facts.with_facts(facts), self.solver)

    def holds(self, fact: Fact, guard: Guard = ()) -> bool:
        """Whether a condition follows."""
        home, predicate = fact
        return all(self._entails(home, part, guard) for part in conjuncts(predicate))

    def non_negative(self, home: str, term: Term, guard: Guard = ()) -> bool:
        """Whether term >= 0 on every axis of the home, where the guard holds."""
        return self.holds((home, non_negative(term)), guard)

    def positive(self, home: str, term: Term, guard: Guard = ()) -> bool:
        """Whether term >= 1."""
        return self.non_negative(home, plus(term, -1), guard)

    def zero(self, home: str, term: Term, guard: Guard = ()) -> bool:
        """Whether term == 0 where the guard holds; of a weight with fractions nothing is found."""
        whole = all(isinstance(factor, int) for factor in expand(term).values())
        return whole and self.holds((home, zero(term)), guard)

    def impossible(self, home: str, guard: Guard) -> bool:
        """Whether the guard is found to have no solution on an axis of the home."""
        return self._entails(home, FALSE, guard)

    def excluded(self, home: str, guard: Guard) -> bool:
        """The same, the solver included."""
        return self.impossible(home, guard) or self._ask(home, FALSE, self._known(home, FALSE, guard))

    def _entails(self, home: str, predicate: Term, guard: Guard) -> bool:
        if predicate is TRUE:
            return True
        known = self._known(home, predicate, guard)
        if predicate in known or FALSE in known:
            return True
        key = home, predicate, frozenset(known)
        if key not in self._memo:
            self.solver.count()
            self._memo[key] = self._decide(home, predicate, known)
        return self._memo[key]

    def _known(self, home: str, predicate: Term, guard: Guard) -> list[Term]:
        """The facts and conditions that may be used and share an unknown with the goal, directly or not."""
        facts = self.facts.on_axis(home or None).known
        homes = dict.fromkeys((home, EVERYWHERE))
        found = [part for at in homes for part in facts.get(at, ())]
        found += [part for at, part in guard if at in homes]
        parts = list(dict.fromkeys(part for part in found if part is not TRUE))
        # only what is tied to the goal by shared unknowns: the rest can make a contradiction of its own, not this
        # goal true
        relevant = atoms(predicate)
        if predicate is FALSE:
            relevant = relevant.union(*(atoms(part) for at, part in guard if at in homes))
        while True:
            reached = [part for part in parts if part is FALSE or atoms(part) & relevant]
            grown = relevant.union(*map(atoms, reached))
            if len(grown) == len(relevant):
                return reached
            relevant = grown

    def _decide(self, home: str, predicate: Term, known: list[Term]) -> bool:
        if isinstance(predicate, NonNegative) and any(
            _difference(expand(predicate.polynomial), part) for part in known
        ):
            return True
        if isinstance(predicate, Zero) and predicate.polynomial.sort == INDEX:
            sides = (non_negative(predicate.polynomial), non_negative(negate(predicate.polynomial)))
            return all(self._decide(home, side, known) for side in sides)
        refutation = refuted(self.facts.on_axis(home or None), home, [*conjuncts(complement(predicate)), *known])
        if refutation.found:
            return True
        # most of what is left open is not true, and to ask about all of it took most of the time of a comparison
        return refutation.nonlinear and predicate is not FALSE and self._ask(home, predicate, known)

    def _ask(self, home: str, predicate: Term, known: list[Term]) -> bool:
        oracle = self.solver.oracle
        if oracle is None or self.solver.exhausted:
            return False
        if any(isinstance(inner, _NO_INDEX) for inner in subterms(predicate, *known)):
            return False
        self.solver.left -= 1
        ranks = ((home, 1),) if home else ()
        axes = tuple((name, 0) for name, _ in ranks)
        query = Query(ranks, (*(TruthHolds(part, axes) for part in known), TruthFails(predicate, axes)))
        shown = oracle.ask(query, ATTEMPTS) is SolverOutcome.UNSATISFIABLE
        self.solver.asked |= shown
        return shown


_NO_INDEX = (Access, Reduce, Infinity, AxisProduct, Position, Digit, Fold)


def atoms(term: Term) -> set[Term]:
    """The unknowns and quotients in a term."""
    return {inner for inner in subterms(term) if isinstance(inner, Variable | FloorDivide | Extremum | AxisProduct)}


def _difference(goal: Sum, known: Term) -> bool:
    """Whether the goal is a known inequality plus a constant that is not negative."""
    if not isinstance(known, NonNegative) or known.polynomial.sort != INDEX:
        return False
    rest = combine(goal, expand(known.polynomial), -1)
    return set(rest) <= {()} and rest.get((), 0) >= 0
