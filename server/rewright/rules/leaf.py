"""Asks the solver about a goal whose tests are known, at exactly the ranks that decide it.

Owns the choice of the rank vectors. Where the bound covers every term, they decide all ranks; a rank class that is
beyond it is asked at each rank up to a limit, and the answer says so. A model of a leaf without reductions is a
countermodel of the rule at that rank vector; with reductions, which are unknowns of their own here, it is not.

Source: TensorRight (POPL 2025), section 6.4, where ranks are given and sizes are not, and section 6.5, where reductions
are unknown elements.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.equality import EVERYWHERE, Facts, simplify
from rewright.rules.bound import RankBound, open_reads
from rewright.rules.decision import Mode
from rewright.rules.instances import at_origin, instances
from rewright.rules.obligations import Goal
from rewright.rules.requirement import of_one_axis
from rewright.rules.search_plan import SearchPlan
from rewright.rules.sequent import Ranks, Sequent
from rewright.solve import PORTFOLIO, QUICK, Oracle, Query, SolverOutcome, TruthFails, TruthHolds
from rewright.terms import FALSE, TRUE, Term, conjuncts

LIMITS = (1, 2)
"""The ranks up to which a class beyond the bound is asked: first all vectors up to the first, then up to the second."""

VECTORS = 36
"""So many vectors are asked at most; where there would be more, the lower limit has to do."""


class Leaf(Struct, frozen=True):
    """A goal and the tests on it that are known to fail."""

    goal: Goal
    failing: tuple[Term, ...] = ()


class Closed(Struct, frozen=True):
    """The goal holds; `bound` says at which ranks the solver was asked, None if no rank was tried.

    Of the classes in `limits` nothing is known above the rank there. `asked`: the solver was needed to compare
    reductions, on one axis for all ranks; `correspondence` says what their indices correspond to.
    """

    bound: RankBound | None = None
    limits: tuple[tuple[str, int], ...] = ()
    asked: bool = False
    correspondence: tuple[str, ...] = ()

    def both(self, other: Closed) -> Closed:
        """What is known if this and the other are."""
        limits = dict(self.limits)
        for rank_class, limit in other.limits:
            limits[rank_class] = min(limit, limits.get(rank_class, limit))
        correspondence = tuple(dict.fromkeys((*self.correspondence, *other.correspondence)))
        asked = self.asked or other.asked
        return Closed(RankBound.wider(self.bound, other.bound), tuple(sorted(limits.items())), asked, correspondence)


class Countermodel(Struct, frozen=True):
    """A countermodel exists at these ranks (0 where not listed); not `exact`, the laws of functions allow one."""

    ranks: Ranks
    exact: bool = True


class OpenLeaf(Struct, frozen=True):
    """Not decided: the solver gave up, or reductions differ as terms."""

    reductions: bool


Result = Closed | Countermodel | OpenLeaf


class Leaves:
    """Decides leaves with one oracle."""

    def __init__(self, oracle: Oracle, mode: Mode, plan: SearchPlan | None = None) -> None:
        self._oracle = oracle
        self._mode = mode
        self._plan = plan or SearchPlan()

    def decide(self, leaf: Leaf) -> Result:
        """The solver's answer, at every rank vector that matters."""
        sequent = self._sequent(leaf)
        limited = sequent.beyond
        if not limited:
            return self._at_every_rank(sequent, leaf.goal.facts)
        covered = sequent.covered
        if not covered.beyond:
            closed = self._at_every_rank(covered, leaf.goal.facts)
            if isinstance(closed, Closed):
                return closed
        return self._up_to_limits(sequent, leaf.goal.facts, limited)

    def _at_every_rank(self, sequent: Sequent, facts: Facts) -> Result:
        bound = self._bound(sequent, facts)
        for ranks in bound.vectors():
            result = self._ask(sequent, ranks, frozenset())
            if result is not None:
                return result
        return Closed(bound)

    def _up_to_limits(self, sequent: Sequent, facts: Facts, limited: frozenset[str]) -> Result:
        """The answer at every rank of the limited classes up to the greatest limit at which there is one."""
        bound = self._bound(sequent, facts)
        found: Result = OpenLeaf(reductions=False)
        asked: set[Ranks] = set()
        for limit in LIMITS:
            limits = dict.fromkeys(limited, limit)
            vectors = bound.vectors_up_to(limits)
            if len(vectors) > VECTORS:
                break
            results = [self._ask(sequent, ranks, limited) for ranks in vectors if ranks not in asked]
            broken = next((result for result in results if isinstance(result, Countermodel)), None)
            if broken is not None:
                return broken
            given_up = next((result for result in results if result is not None), None)
            if given_up is not None:
                # what was answered up to the lower limit stands, even if a vector up to the higher one is too hard
                return given_up if asked == set() else found
            asked.update(vectors)
            found = Closed(bound, tuple(sorted(limits.items())))
        return found

    def _ask(self, sequent: Sequent, ranks: Ranks, limited: frozenset[str]) -> Countermodel | OpenLeaf | None:
        """What is wrong at these ranks; None if nothing is."""
        query = Query(ranks, sequent.assertions(ranks, limited))
        outcome = self._oracle.ask(query, PORTFOLIO[:1])
        if outcome is SolverOutcome.GAVE_UP:
            self._plan.look()
            outcome = self._oracle.ask(query, PORTFOLIO[1:])
        if outcome is SolverOutcome.UNSATISFIABLE:
            return None
        if outcome is SolverOutcome.GAVE_UP:
            return OpenLeaf(reductions=False)
        return (
            OpenLeaf(reductions=True)
            if sequent.has_reduction
            else Countermodel(ranks, outcome is SolverOutcome.SATISFIABLE)
        )

    def _bound(self, sequent: Sequent, facts: Facts) -> RankBound:
        bound = RankBound(facts.nonempty)
        bound.count_failing(sequent.failing)
        bound.count_open(sequent.terms)
        bound.count_reads(open_reads(sequent.terms), lambda name, truth: self._same(name, truth, facts))
        return bound

    def _sequent(self, leaf: Leaf) -> Sequent:
        goal = leaf.goal
        facts = tuple((home, part) for home, parts in goal.facts.known.items() for part in parts)
        given = (*conjuncts(goal.given), *self._contents(goal))
        return Sequent(facts, given, leaf.failing, goal.left, goal.right)

    def _contents(self, goal: Goal) -> list[Term]:
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
        if self._mode is not Mode.SOLVER_ONLY:
            truth = simplify(truth, facts)
        if truth in (TRUE, FALSE):
            return truth is TRUE
        if not of_one_axis(truth, rank_class):
            return False
        axis = ((rank_class, 0),)
        known = [TruthHolds(fact, axis) for fact in facts.known.get(rank_class, ()) if of_one_axis(fact, rank_class)]
        known += [TruthHolds(fact) for fact in facts.known.get(EVERYWHERE, ()) if of_one_axis(fact, rank_class)]
        query = Query(((rank_class, 1),), (*known, TruthFails(truth, axis)))
        return self._oracle.ask(query, QUICK) is SolverOutcome.UNSATISFIABLE
