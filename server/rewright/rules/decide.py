"""Answers one question of a rule: is it right at every rank and size?

Owns the order of the work: right side valid, shapes equal, elements refined, then vacuity; a rule that is false is
refuted before it is called vacuous. Must not know files, the protocol, or how a countermodel is replayed.
"""

from __future__ import annotations

from rewright.model.rule import RuleQuestion
from rewright.rules.bound import Bound
from rewright.rules.claim import Claim, claim_of
from rewright.rules.decision import Budget, Decision, Mode, Proved, Refuted, Unknown, Vacuous
from rewright.rules.leaf import Broken, Closed, Open
from rewright.rules.obligations import goals
from rewright.rules.paths import Prover, wider
from rewright.rules.raw import by_class
from rewright.rules.reductions import countermodel
from rewright.rules.scope import Undecided
from rewright.rules.vacuity import Inputs, inputs
from rewright.solve import Oracle
from rewright.verdict import Failure, Method

OUT_OF_STEPS = "the solver gave up within its budget; a larger `@budget` may decide it"
REDUCTIONS = "the two sides' reductions have different normal forms, and no small counterexample was found"


def decide(question: RuleQuestion, budget: Budget, mode: Mode = Mode.NORMAL_FORMS) -> Decision:
    """The decision on a question; for a checked rule it never raises, whatever the rule contains."""
    return decide_with(question, Oracle(budget.steps, budget.seconds), mode)


def decide_with(question: RuleQuestion, oracle: Oracle, mode: Mode) -> Decision:
    """The decision on a question by an oracle, which then holds what the solver was asked."""
    try:
        claim = claim_of(question)
        return _decide(claim, oracle, mode)
    except Undecided as reason:
        return Unknown(str(reason))


def _decide(claim: Claim, oracle: Oracle, mode: Mode) -> Decision:
    prover = Prover(oracle, mode)
    asked: Bound | None = None
    unknown: Unknown | None = None
    for goal in goals(claim, mode):
        match prover.prove(goal):
            case Closed(bound=bound):
                asked = wider(asked, bound)
            case Broken(ranks=ranks):
                return Refuted(Method.SOLVER, goal.fails, by_class(claim, ranks))
            case Open(reductions=True):
                ranks_found = countermodel(claim, oracle)
                if ranks_found is not None:
                    return Refuted(Method.SOLVER, Failure.VALUE, by_class(claim, ranks_found))
                unknown = unknown or Unknown(REDUCTIONS)
            case Open():
                unknown = unknown or Unknown(OUT_OF_STEPS)
    return unknown or _proved(claim, oracle, mode, asked)


def _proved(claim: Claim, oracle: Oracle, mode: Mode, asked: Bound | None) -> Decision:
    by = Method.NORMAL_FORM if asked is None else Method.SOLVER
    match inputs(claim, oracle, mode):
        case Inputs.NONE:
            return Vacuous(Method.SOLVER)
        case Inputs.UNKNOWN:
            return Unknown("it holds, but no input that satisfies the preconditions was found")
        case found:
            ranks, reasons = _explained(claim, asked)
            return Proved(by, ranks, reasons, found is Inputs.ONLY_EMPTY)


def _explained(
    claim: Claim, asked: Bound | None
) -> tuple[tuple[tuple[str, int], ...] | None, tuple[tuple[str, str], ...]]:
    """The bound per axis group, and why it suffices."""
    groups = claim.scope.rule.groups
    if asked is None:
        return None, tuple((str(group.name), "both sides have the same normal form at every rank") for group in groups)
    ranks, reasons = [], []
    for group in groups:
        if group.rank_class in claim.scope.singles:
            ranks.append((str(group.name), 1))
            reasons.append((str(group.name), "a single axis"))
            continue
        counts = asked.of(group.rank_class)
        ranks.append((str(group.name), max(counts.axes, int(group.rank_class in claim.scope.nonempty))))
        reasons.append((str(group.name), counts.reason()))
    return tuple(ranks), tuple(reasons)
