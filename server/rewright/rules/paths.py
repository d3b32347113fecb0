"""From a goal to leaves: normal forms, and a split on every test that remains.

Owns the search over the truth of all-axes tests and index comparisons. A test that holds becomes a fact (a fold on
every axis of its class), one that fails is remembered. A path closes when both sides have the same normal form, or when
what is given turns out false. The number of paths is capped; beyond it the goal goes to the solver unsplit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from msgspec.structs import replace

from rewright.equality import Facts, simplify
from rewright.equality.embedding import among_reals
from rewright.equality.sums import Entailment, NotSummable, Solver, Unpaired, in_words, pairing, prove_equal, unpaired
from rewright.rules.bound import has_reduction
from rewright.rules.cases import by_cases, choice_of_scalars, divided_by_zero, without_what_is_given
from rewright.rules.decision import Mode
from rewright.rules.equations import TermPlace, equations
from rewright.rules.leaf import Closed, Countermodel, Leaf, Leaves, OpenLeaf, Result
from rewright.rules.obligations import Goal
from rewright.rules.search_plan import SearchPlan
from rewright.solve import Oracle
from rewright.terms import (
    FALSE,
    TRUE,
    OutOfNodes,
    Term,
    allowing,
    complement,
    conjoin,
    conjuncts,
    equal,
    non_negative,
    substitute,
)
from rewright.terms.interning import children, subterms
from rewright.terms.node import (
    INDEX,
    INT,
    REAL,
    Access,
    Exponential,
    Fold,
    Infinity,
    Logarithm,
    Negative,
    NonNegative,
    Not,
    Reciprocal,
    Reduce,
    Root,
    TruncatedDivide,
    Zero,
)

PATHS = 128
"""So many splits are made for a goal; one that needs more goes to the solver unsplit. The library's need 6 at most."""

PATHS_WITHOUT = 24
"""The same where no solver is asked, and the answer is only worth a hint."""

CHOICES = 2
"""So many choices that scalars make are taken apart on one path; both cases of each are proved anew."""

FEW = 40
"""So many implications are looked at in a first comparison of reductions: no rule of the library needs more than 28."""

FOR_A_HINT = 4
"""The same where the answer is only worth a hint."""


class TakesLong(Exception):
    """An attempt is given up where the prover would begin what takes long."""


def give_up() -> None:
    """A look that ends an attempt. Raises `TakesLong`."""
    raise TakesLong


class Prover:
    """Decides goals with one oracle; without any, by normal forms alone."""

    def __init__(
        self, oracle: Oracle | None, mode: Mode, plan: SearchPlan | None = None, few: int | None = None
    ) -> None:
        self._oracle = oracle
        self._few = FEW if few is None else few
        self._plan = plan or SearchPlan()
        self._leaves = None if oracle is None else Leaves(oracle, mode, self._plan)
        self._mode = mode
        self._paths = 0
        self._apart: Goal | None = None
        """The last goal whose reductions were compared without success."""

    def prove(self, goal: Goal) -> Result:
        """Whether a goal holds at every rank and size. Raises `Noticed` if the lookout finds a countermodel."""
        if self._mode is Mode.SOLVER_ONLY:
            return self._leaf(Leaf(goal))
        goal = without_what_is_given(goal)
        if goal.given is FALSE or goal.left is goal.right:
            return Closed()
        return (None if goal.general is None else self._in_general(goal.general)) or self._proved(goal)

    def _in_general(self, goal: Goal) -> Closed | None:
        """Closed if a goal that implies another holds, found without what takes long; that it does not says nothing."""
        prover = Prover(self._oracle, self._mode, SearchPlan(give_up), self._few)
        try:
            found = prover.prove(goal)
        except TakesLong:
            return None
        return found if isinstance(found, Closed) and not found.limits else None

    def _proved(self, goal: Goal, choices: int = CHOICES) -> Result:
        return self._by_scalars(goal, choices) or self._undivided(goal)

    def _by_scalars(self, goal: Goal, choices: int) -> Closed | None:
        """Closed if a goal with reductions holds in both cases of a choice that scalars make, of at most so many."""
        case = None if choices == 0 else choice_of_scalars(goal)
        if case is None:
            return None
        known = Closed()
        for truth, known_to_be in (
            (case, {case: TRUE, **divided_by_zero(goal, case)}),
            (complement(case), {case: FALSE}),
        ):
            inner = replace(goal, facts=goal.facts.also(truth))
            found = self._proved(_replaced(inner, known_to_be), choices - 1)
            if not isinstance(found, Closed):
                return None
            known = known.both(found)
        return known

    def _undivided(self, goal: Goal) -> Result:
        self._paths = 0
        normal = _normal(goal)
        summed = self._of_functions(goal, normal) if _has_functions(normal) else self._summed(Leaf(normal))
        if summed is not None:
            return summed
        result = self._split(Leaf(normal))
        return self._leaf(Leaf(goal)) if result is None else result

    def _of_functions(self, goal: Goal, normal: Goal) -> Closed | None:
        """Closed if sums of exponentials and quotients are shown to be equal, where both sides are defined.

        First in few terms, each sum being one factor: multiplied out they are many.
        """
        wide = normal if goal.besides is TRUE else _normal(replace(goal, given=conjoin(goal.given, goal.besides)))
        if _equal(wide):
            return Closed()
        if any(isinstance(inner, Reciprocal) for inner in subterms(wide.left, wide.right)):
            # quotients of sums that are multiplied out have many summands: a counterexample is found sooner
            self._plan.look()
        summed = self._summed(Leaf(wide))
        if summed is None:
            self._apart = normal
        return summed

    def _leaf(self, leaf: Leaf) -> Result:
        return OpenLeaf(reductions=False) if self._leaves is None else self._leaves.decide(leaf)

    def _summed(self, leaf: Leaf) -> Closed | None:
        """Closed if the goal's reductions are shown to be equal."""
        goal = leaf.goal
        if goal is self._apart or not has_reduction(goal.left, goal.right):
            return None
        first = Solver(self._oracle, self._few)
        found = self._compared(leaf, first)
        if found is None and (real := _among_reals(_with_what_is_assumed(goal, first))) is not None and _equal(real):
            found = Closed()
        if found is None:
            self._plan.look()
            found = self._compared(leaf, Solver(self._oracle)) if first.spent else None
        self._apart = goal if found is None else None
        return found

    def _compared(self, leaf: Leaf, solver: Solver) -> Closed | None:
        goal = leaf.goal
        facts = goal.facts if goal.given is TRUE else goal.facts.also(goal.given)
        failing = tuple(test for test in leaf.failing if isinstance(test, Fold))
        around = replace(goal.around, failing=failing)
        for left, right in _forms(goal, facts, solver):
            found = prove_equal(left, right, Entailment(facts, solver), around)
            if found is not None:
                return Closed(asked=found.asked, correspondence=found.correspondence)
        return None

    def _split(self, leaf: Leaf) -> Result | None:
        """The result of a leaf's paths; None if there are too many."""
        goal = leaf.goal
        if goal.given is FALSE or goal.left is goal.right:
            return Closed()
        test = next(chain(tests(goal.given, goal.left, goal.right), signs(goal)), None)
        if test is None:
            return Closed() if _equal(goal) or by_cases(goal) else self._summed(leaf) or self._leaf(leaf)
        self._paths += 1
        if self._paths > (PATHS if self._leaves else PATHS_WITHOUT):
            return None
        if self._oracle is not None and self._oracle.exhausted:
            return OpenLeaf(reductions=False)
        first = self._split(_holding(leaf, test))
        if first is None or isinstance(first, Countermodel) or (isinstance(first, OpenLeaf) and self._leaves is None):
            return first
        second = self._split(_failing(leaf, test))
        if isinstance(first, Closed) and isinstance(second, Closed):
            return first.both(second)
        return second if second is None or isinstance(second, Countermodel) else _open(first, second)


NODES = 30_000
"""Nodes that words for an undecided comparison may ask for."""


def unpaired_terms(goal: Goal) -> Unpaired | None:
    """The sums of a goal that were compared without success, and what has no partner in them; None of other goals."""
    try:
        with allowing(NODES):
            normal = _normal(goal)
            facts = normal.facts if normal.given is TRUE else normal.facts.also(normal.given)
            terms = unpaired(normal.left, normal.right, Entailment(facts, Solver(None, FEW)), normal.around)
    except OutOfNodes:
        return None
    return terms if terms is None else replace(terms, fact=_sufficient(goal, terms))


def _sufficient(goal: Goal, terms: Unpaired) -> str:
    """A condition under which the goal is proved without a solver, in words; empty if none was found."""
    for home, condition in pairing(terms, goal.left, goal.right):
        facts = goal.facts.with_facts([(home, condition)])
        prover = Prover(None, Mode.NORMAL_FORMS, SearchPlan(give_up), FOR_A_HINT)
        try:
            with allowing(NODES):
                impossible = Entailment(goal.facts, Solver(None, FEW)).impossible(home, [(home, condition)])
                if not impossible and isinstance(prover.prove(replace(goal, facts=facts, general=None)), Closed):
                    return in_words(condition)
        except (OutOfNodes, TakesLong, NotSummable):
            continue
    return ""


TENSORS: tuple[Literal["first", "last"], ...] = ("first", "last")
"""Of those that an assumption speaks of, the one for which its equation is solved."""


def _forms(goal: Goal, facts: Facts, solver: Solver) -> Iterator[tuple[Term, Term]]:
    """Both sides with what assumptions say of their reads in place, in two ways, and as they are."""
    sides = goal.left, goal.right
    tried = {sides}
    for solved_for in TENSORS if goal.linked else ():
        place = TermPlace(facts, solver, equations(goal.linked, solved_for), goal.linked)
        left, right = (simplify(place.known(place.replaced(side)), facts) for side in sides)
        if (left, right) not in tried:
            tried.add((left, right))
            yield left, right
    yield sides


def _open(*results: Result) -> Result:
    """What keeps the whole open; reductions first, which another search may decide."""
    found = [result for result in results if isinstance(result, OpenLeaf)]
    return next((result for result in found if result.reductions), found[0])


def _normal(goal: Goal) -> Goal:
    return _replaced(goal, {})


def _replaced(goal: Goal, known: dict[Term, Term]) -> Goal:
    """The goal in normal form: both sides under what is given, too."""
    given = _among_itself(simplify(substitute(goal.given, known), goal.facts), goal.facts)
    facts = goal.facts if given is TRUE else goal.facts.also(given)
    left, right = (simplify(substitute(term, known), facts) for term in (goal.left, goal.right))
    return replace(goal, given=given, left=left, right=right)


def _among_itself(given: Term, facts: Facts) -> Term:
    """What is given, its tests of sums of elements under what it says of sizes: they then have the form of others."""
    tests_of_sums = [part for part in conjuncts(given) if _is_of_sums(part)]
    others = conjoin(*(part for part in conjuncts(given) if not _is_of_sums(part)))
    if not tests_of_sums or others is TRUE:
        return given
    inside = facts.also(others)
    return conjoin(others, *(simplify(part, inside) for part in tests_of_sums))


def _is_of_sums(truth: Term) -> bool:
    test = truth.operand if isinstance(truth, Not) else truth
    if not isinstance(test, Zero | Negative) or test.polynomial.sort != REAL:
        return False
    return any(isinstance(inner, Reduce) for inner in subterms(test))


def _equal(goal: Goal) -> bool:
    """Whether two numbers that differ as terms are shown to be equal: their difference is bounded, or has divisors."""
    if goal.left.sort not in (INDEX, INT, REAL):
        return False
    facts = goal.facts if goal.given is TRUE else goal.facts.also(goal.given)
    return simplify(equal(goal.left, goal.right), facts) is TRUE


def _with_what_is_assumed(goal: Goal, solver: Solver) -> Goal:
    """The goal with what assumptions say of the reads in its sides given, too."""
    if not goal.linked:
        return goal
    facts = goal.facts if goal.given is TRUE else goal.facts.also(goal.given)
    said = TermPlace(facts, solver, {}, goal.linked).said(goal.left, goal.right)
    return replace(goal, given=conjoin(goal.given, *said))


def _among_reals(goal: Goal) -> Goal | None:
    """A goal of real elements that implies this one: of integers their images; None of other elements."""
    if goal.left.sort != INT:
        return goal if goal.left.sort == REAL else None
    left, right = among_reals(goal.left), among_reals(goal.right)
    if left is None or right is None:
        return None
    known = ((home, among_reals(part)) for home, parts in goal.facts.known.items() for part in parts)
    facts = goal.facts.with_facts((home, image) for home, image in known if image is not None)
    given = conjoin(*filter(None, map(among_reals, conjuncts(goal.given))))
    return _normal(replace(goal, facts=facts, given=given, left=left, right=right))


def _has_functions(goal: Goal) -> bool:
    """Whether reductions of real elements stand beside exponentials or divisors, or there are logarithms."""
    if goal.left.sort != REAL:
        return False
    among = subterms(goal.left, goal.right)
    functions = Exponential | Reciprocal | Root if has_reduction(goal.left, goal.right) else Logarithm
    return any(isinstance(inner, functions | Logarithm) for inner in among)


def _holding(leaf: Leaf, test: Term) -> Leaf:
    goal = leaf.goal
    facts = goal.facts.also(test)
    inner = replace(goal, facts=facts)
    return Leaf(_replaced(inner, {test: TRUE}), leaf.failing)


def _failing(leaf: Leaf, test: Term) -> Leaf:
    goal = leaf.goal
    if isinstance(test, Fold):
        # it fails on some axis, of which nothing else is known: no fact of the class, which would hold on every axis
        return Leaf(_replaced(goal, {test: FALSE}), (*leaf.failing, test))
    facts = goal.facts.also(complement(test))
    inner = replace(goal, facts=facts)
    return Leaf(_replaced(inner, {test: FALSE}), leaf.failing)


def tests(*terms: Term) -> dict[Term, None]:
    """The tests to split on: folds and index comparisons outside reads that are not below a binder of theirs."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    stack = list(reversed(terms))
    while stack:
        term = stack.pop()
        if term in seen or isinstance(term, Access):
            continue
        seen.add(term)
        if _is_test(term):
            found[term] = None
        else:
            stack.extend(reversed(children(term)))
    return found


def signs(goal: Goal) -> Iterator[Term]:
    """Tests of the signs of what is divided and rounded towards 0, as far as they compare indices and are open."""
    for term in subterms(goal.left, goal.right):
        if isinstance(term, TruncatedDivide):
            for operand in (term.right, term.left):
                test = non_negative(operand)
                if _is_test(test) and simplify(test, goal.facts) is test:
                    yield test


def _is_test(term: Term) -> bool:
    """Whether a term is one truth: not below a binder of its own, not about one axis (inside a fold that is)."""
    if term.loose or term.classes:
        return False
    if isinstance(term, Fold):
        return True
    if not isinstance(term, NonNegative | Zero) or term.polynomial.sort != INDEX:
        return False
    return not any(isinstance(inner, Access | Reduce | Infinity) for inner in subterms(term))
