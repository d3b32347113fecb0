"""Is there any input at all?

Owns the question whether some input with every group at rank >= 1 meets the preconditions and makes the left side
valid, and whether one of them has a result that is not empty. Small integers are tried first, on one axis per class;
only where that finds nothing is the solver asked. Rank 0 must not count: every test on all axes holds there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import product

from rewright.equality import EVERYWHERE, Fact
from rewright.rules.claim import Claim
from rewright.rules.decision import Mode
from rewright.rules.guess import satisfiable
from rewright.rules.instances import at_origin
from rewright.rules.leaf import LIMITS, VECTORS
from rewright.rules.obligations import PinnedFacts, setting
from rewright.rules.requirement import beyond
from rewright.rules.sequent import Ranks, everywhere
from rewright.solve import PORTFOLIO, Assertion, Oracle, Query, SolverOutcome, TruthHolds
from rewright.terms import INDEX, Term, Variable, at_most, conjoin, conjuncts, number, subterms
from rewright.terms.node import Fold

SMALL = 4
"""The bound on integers in the first query for an input: within a box the solver mostly finds one at once."""


class InputsExist(Enum):
    """Which inputs there are: with a result, only with an empty result, none; or it is not known."""

    SOME = "some"
    ONLY_EMPTY = "only empty"
    NONE = "none"
    UNKNOWN = "unknown"


def inputs(claim: Claim, oracle: Oracle, mode: Mode) -> InputsExist:
    """Which inputs a claim speaks of."""
    valid = (*claim.facts, *claim.left_valid)
    with_result = setting(claim, (*valid, *claim.in_range), mode)
    found = _exists(claim, with_result, oracle)
    if found is SolverOutcome.SATISFIABLE:
        return InputsExist.SOME
    empty = _exists(claim, setting(claim, valid, mode), oracle)
    if empty is SolverOutcome.SATISFIABLE and found is SolverOutcome.UNSATISFIABLE:
        return InputsExist.ONLY_EMPTY
    return InputsExist.NONE if empty is SolverOutcome.UNSATISFIABLE else InputsExist.UNKNOWN


def decisive(claim: Claim) -> Ranks | None:
    """The ranks at which it is decided whether the claim as it was read has an input; None beyond the bound."""
    given = conjoin(claim.given, *map(at_origin, claim.linked))
    premises = [*claim.facts, *claim.left_valid, *((EVERYWHERE, part) for part in conjuncts(given))]
    return None if beyond(premises) else _vectors(claim, premises, frozenset())[0]


def _exists(claim: Claim, known: PinnedFacts, oracle: Oracle) -> SolverOutcome:
    """Whether the facts, the rest of what is given and the assumptions can be met; gives up beyond the bound."""
    given = known.term(conjoin(claim.given, *map(at_origin, claim.linked)))
    premises = [(home, part) for home in sorted(known.facts.known) for part in known.facts.known[home]]
    premises += ((EVERYWHERE, part) for part in conjuncts(given))
    if satisfiable([part for _, part in premises]):
        return SolverOutcome.SATISFIABLE
    limited = beyond(premises)
    found = _met(premises, _vectors(claim, premises, limited), oracle)
    if not limited or found is SolverOutcome.SATISFIABLE:
        return found
    covered = [premise for premise in premises if not beyond([premise])]
    none = _met(covered, _vectors(claim, covered, frozenset()), oracle) is SolverOutcome.UNSATISFIABLE
    return SolverOutcome.UNSATISFIABLE if none else SolverOutcome.GAVE_UP


def _met(premises: Sequence[Fact], vectors: Iterable[Ranks], oracle: Oracle) -> SolverOutcome:
    """Whether the premises can be met at one of the rank vectors, by small integers if possible."""
    outcome = SolverOutcome.UNSATISFIABLE
    for ranks in vectors:
        assertions = tuple(everywhere(tuple(premises), ranks))
        # in a box first, which cannot show that there is none; only the query without it can
        small = _small([part for _, part in premises], ranks)
        if oracle.ask(Query(ranks, (*assertions, *small)), PORTFOLIO[:1]) is SolverOutcome.SATISFIABLE:
            return SolverOutcome.SATISFIABLE
        found = oracle.ask(Query(ranks, assertions))
        if found is SolverOutcome.SATISFIABLE:
            return found
        outcome = outcome if found is SolverOutcome.UNSATISFIABLE else found
    return outcome


def _vectors(claim: Claim, premises: Sequence[Fact], limited: frozenset[str]) -> list[Ranks]:
    """Where inputs are looked for: as many axes as tests, each of which may have to fail on one.

    Where no number is known to suffice, one and two are tried.
    """
    tests = [test for test in subterms(*(part for _, part in premises)) if isinstance(test, Fold)]
    choices = []
    for name in claim.scope.rank_classes:
        most = max(1, sum(test.rank_class == name for test in tests))
        choices.append([(str(name), rank) for rank in (LIMITS if name in limited else (most,))])
    return list(product(*choices))[:VECTORS]


def _small(terms: Iterable[Term], ranks: tuple[tuple[str, int], ...]) -> list[Assertion]:
    unknowns = [term for term in subterms(*terms) if isinstance(term, Variable) and term.sort == INDEX]
    axes = dict(ranks)
    asserted: list[Assertion] = []
    for unknown in unknowns:
        bounds = conjoin(at_most(number(-SMALL), unknown), at_most(unknown, number(SMALL)))
        name = unknown.rank_class
        if name is None:
            asserted.append(TruthHolds(bounds))
        else:
            asserted += (TruthHolds(bounds, ((name, axis),)) for axis in range(axes[name]))
    return asserted
