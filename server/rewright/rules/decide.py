"""Answers one question of a rule: is it right at every rank and size?

Owns the order of the work: right side valid, shapes equal, elements refined, then vacuity; a rule that is false is
refuted before it is called vacuous. Must not know files, the protocol, or how a countermodel is replayed.
"""

from __future__ import annotations

from rewright.meaning.scope import NotCovered
from rewright.model.rule import Group, RuleQuestion
from rewright.rules.bound import Counts, has_reduction
from rewright.rules.claim import Claim, claim_of, generalized
from rewright.rules.decision import (
    Bounded,
    Budget,
    ComparedSums,
    Decision,
    Look,
    Mode,
    Proved,
    Refuted,
    Unknown,
    Unmet,
    Vacuous,
)
from rewright.rules.leaf import Closed, Countermodel, OpenLeaf
from rewright.rules.nowhere import is_defined_nowhere
from rewright.rules.obligations import Goal, goals
from rewright.rules.paths import Prover, unpaired_terms
from rewright.rules.raw import by_class
from rewright.rules.reductions import ALONE, QUICK, THOROUGH, ReductionSearch, countermodel
from rewright.rules.search_plan import Noticed, SearchPlan
from rewright.rules.vacuity import InputsExist, inputs
from rewright.solve import Oracle
from rewright.terms import OutOfNodes, allowing
from rewright.verdict import Failure, Method
from rewright.verdict.undecided import UnknownReason

OUT_OF_STEPS = "the solver gave up within its budget; a larger `@budget` may decide it"
BY_THE_CLOCK = "stopped by the clock, which is a guard far above what the steps take; checked again, it may be decided"
SAME = "both sides have the same normal form at every rank"
SUMS = "the sums were compared on one axis, which decides every rank"
REDUCTIONS = "the two sides' reductions have different normal forms, and no small counterexample was found"


def nothing_seen() -> None:
    """The look that finds nothing."""


def decide(
    question: RuleQuestion, budget: Budget, mode: Mode = Mode.NORMAL_FORMS, look: Look = nothing_seen
) -> Decision:
    """The decision on a question; for a checked rule it never raises, whatever the rule contains.

    If something is reduced, `look` is asked for a countermodel before what takes long.
    """
    oracle = Oracle(budget.steps, budget.seconds)
    try:
        with allowing(budget.nodes):
            return decide_with(question, oracle, mode, look)
    except OutOfNodes:
        return Unknown(OUT_OF_STEPS, UnknownReason.STEPS)


def decide_with(question: RuleQuestion, oracle: Oracle, mode: Mode, look: Look = nothing_seen) -> Decision:
    """The decision on a question by an oracle, which then holds what the solver was asked."""
    try:
        claim = claim_of(question)
        if mode is not Mode.SOLVER_ONLY and _reduces(claim):
            claim = generalized(claim, question)
        return _decide(claim, oracle, mode, look)
    except NotCovered as reason:
        return Unknown(str(reason))
    except Noticed as seen:
        return seen.refuted


def _decide(claim: Claim, oracle: Oracle, mode: Mode, look: Look) -> Decision:
    prover = Prover(oracle, mode, _searches(claim, oracle, mode, look))
    known = Closed()
    unknown: Unknown | None = None
    allowed: Refuted | None = None
    differing: Goal | None = None
    for goal in goals(claim, mode):
        match prover.prove(goal):
            case Closed() as closed:
                known = known.both(closed)
            case Countermodel(ranks=ranks, exact=exact):
                broken = Refuted(Method.SOLVER, goal.fails, by_class(claim, ranks), exact)
                if exact:
                    return broken
                # the solver knows of exponentials laws only: its model may be none, and another goal may have a real
                # one
                allowed = allowed or broken
            case OpenLeaf(reductions=True):
                differing = differing or goal
            case OpenLeaf():
                unknown = unknown or _ended(oracle)
    if differing is not None:
        broken_at = _spelled_out(claim, oracle, ALONE if mode is Mode.SOLVER_ONLY else THOROUGH)
        return broken_at or allowed or unknown or _differ(differing)
    return allowed or unknown or _holds(claim, oracle, mode, known)


def _ended(oracle: Oracle) -> Unknown:
    if oracle.by_the_clock:
        return Unknown(BY_THE_CLOCK, UnknownReason.CLOCK)
    return Unknown(OUT_OF_STEPS, UnknownReason.STEPS)


def _differ(goal: Goal) -> Unknown:
    """Undecided, with the terms of both sides that have no partner."""
    try:
        terms = unpaired_terms(goal)
    except OutOfNodes:
        terms = None
    if terms is None:
        return Unknown(REDUCTIONS, UnknownReason.REDUCTIONS)
    sums = ComparedSums(terms.left, terms.right, terms.left_terms, terms.right_terms, terms.fact)
    return Unknown(REDUCTIONS, UnknownReason.REDUCTIONS, sums)


def _searches(claim: Claim, oracle: Oracle, mode: Mode, look: Look) -> SearchPlan:
    """The searches for a question with reductions: what is seen outside, then small reductions spelled out."""
    if mode is Mode.SOLVER_ONLY or not _reduces(claim):
        return SearchPlan()
    return SearchPlan(look, lambda: _spelled_out(claim, oracle, QUICK))


def _reduces(claim: Claim) -> bool:
    return has_reduction(claim.left_entry.value, claim.right_entry.value)


def _spelled_out(claim: Claim, oracle: Oracle, search: ReductionSearch) -> Refuted | None:
    ranks = countermodel(claim, oracle, search)
    return None if ranks is None else Refuted(Method.SOLVER, Failure.VALUE, by_class(claim, ranks))


def _holds(claim: Claim, oracle: Oracle, mode: Mode, known: Closed) -> Decision:
    match inputs(claim, oracle, mode):
        case InputsExist.NONE:
            return Vacuous(Method.SOLVER)
        case InputsExist.UNKNOWN:
            return Unmet(_held(claim, known, only_empty=False))
        case found:
            return _held(claim, known, only_empty=found is InputsExist.ONLY_EMPTY)


def _held(claim: Claim, known: Closed, *, only_empty: bool) -> Proved | Bounded:
    nowhere = is_defined_nowhere(claim)
    by = Method.NORMAL_FORM if known.bound is None and not known.asked else Method.SOLVER
    if known.bound is None:
        reason = SUMS if known.asked else SAME
        same = tuple((str(group.name), reason) for group in claim.rule.groups)
        return Proved(by, None, same, only_empty, known.correspondence, nowhere)
    ranks, reasons = bound_of(claim, known)
    limits = dict(known.limits)
    limited = ((str(g.name), limits[g.rank_class]) for g in claim.rule.groups if g.rank_class in limits)
    if limits:
        return Bounded(by, tuple(limited), ranks, reasons, only_empty, nowhere)
    return Proved(by, ranks, reasons, only_empty, known.correspondence, nowhere)


def bound_of(claim: Claim, known: Closed) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, str], ...]]:
    """The rank at which each axis group was decided by the solver, and why it suffices or that it does not."""
    explained = [(str(group.name), *_explained(claim, group, known)) for group in claim.rule.groups]
    return tuple((name, rank) for name, rank, _ in explained), tuple((name, reason) for name, _, reason in explained)


def _explained(claim: Claim, group: Group, known: Closed) -> tuple[int, str]:
    limits = dict(known.limits)
    if group.rank_class in claim.scope.singles:
        return 1, "a single axis"
    if group.rank_class in limits:
        return limits[group.rank_class], "no rank is known to suffice: asked at each up to this one"
    counts = Counts() if known.bound is None else known.bound.of(group.rank_class)
    return max(counts.axes, int(group.rank_class in claim.scope.nonempty)), counts.reason()
