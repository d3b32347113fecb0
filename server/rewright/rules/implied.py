"""Do the preconditions of a rule imply another one?

Owns asking it as a claim: whatever satisfies the preconditions and makes the left side valid satisfies the other one,
at every rank and size. Must not know why it is asked.
"""

from __future__ import annotations

from msgspec.structs import replace

from rewright.equality import EVERYWHERE, Fact
from rewright.meaning.scope import NotCovered
from rewright.model.formula import Formula
from rewright.model.rule import RuleQuestion
from rewright.rules.claim import Claim, claim_of, conditions, precondition
from rewright.rules.decision import Budget, Mode
from rewright.rules.leaf import Closed, Countermodel
from rewright.rules.obligations import goals
from rewright.rules.paths import Prover
from rewright.solve import Oracle
from rewright.terms import TRUE
from rewright.verdict import Failure


def implies(question: RuleQuestion, formula: Formula, budget: Budget) -> bool | None:
    """Whether the preconditions of a question imply a formula over its unknowns; None if that is not decided."""
    try:
        claim = _claiming(claim_of(question), formula)
    except NotCovered:
        return None
    prover = Prover(Oracle(budget.steps, budget.seconds), Mode.NORMAL_FORMS)
    results = [prover.prove(goal) for goal in goals(claim, Mode.NORMAL_FORMS) if goal.fails is Failure.VALIDITY]
    if any(isinstance(result, Countermodel) and result.exact for result in results):
        return False
    return True if all(isinstance(result, Closed) and not result.limits for result in results) else None


def _claiming(claim: Claim, formula: Formula) -> Claim:
    """The claim that the formula holds, in the place of the right side's validity."""
    parts = [precondition(part, claim.scope) for part in conditions(formula)]
    facts: list[Fact] = [fact for part in parts for fact in part.facts]
    facts += ((EVERYWHERE, part.rest) for part in parts if part.rest is not TRUE)
    return replace(claim, right_valid=tuple(facts))
