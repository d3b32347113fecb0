"""Which preconditions and assumptions does a proof not need?

Owns the search: each is dropped in turn, the last one first, and stays dropped if the rest of the rule is proved
without it. What is reported can be left out together. Never reported is what was not proved without; so what is not
reported may be unneeded all the same.
"""

from __future__ import annotations

from msgspec.structs import replace

from rewright.meaning.scope import NotCovered
from rewright.model.rule import RuleQuestion
from rewright.rules.claim import Claim, claim_of, generalized
from rewright.rules.decision import Budget, Mode, Proved
from rewright.rules.leaf import Closed, Result
from rewright.rules.obligations import goals
from rewright.rules.paths import FOR_A_HINT, Prover, TakesLong, give_up
from rewright.rules.search_plan import SearchPlan
from rewright.solve import Oracle
from rewright.terms import OutOfNodes, allowing
from rewright.verdict import Method

STEPS = 200_000
"""The solver's steps for one attempt, about 60 ms."""

NODES = 20_000
"""Nodes that one attempt may ask for: no rule of the library needs as many to be proved."""


def unneeded(question: RuleQuestion, proved: Proved, budget: Budget) -> tuple[int, ...]:
    """The sites of the conjuncts of `where`, and of the assumptions, that a proved question holds without, in order.

    All of them can be left out together. A proof by normal forms is repeated by normal forms alone, any other with few
    of the solver's steps, and reductions are compared with few implications: a hint is not worth more.
    """
    if not (question.rule.where or question.rule.assumptions):
        return ()
    claim = generalized(claim_of(question), question)
    oracle = None if proved.by is Method.NORMAL_FORM else Oracle(budget.steps, budget.seconds)
    found: list[int] = []
    for site in reversed(_sites(claim)):
        fewer = _without(claim, site)
        if _holds(fewer, oracle, min(STEPS, budget.steps)):
            claim = fewer
            found.append(site)
    return tuple(reversed(found))


def _sites(claim: Claim) -> list[int]:
    return [*(condition.site for condition in claim.preconditions), *(linked.site for linked in claim.linked)]


def _without(claim: Claim, site: int) -> Claim:
    conditions = tuple(condition for condition in claim.preconditions if condition.site != site)
    linked = tuple(item for item in claim.linked if item.site != site)
    return replace(claim, preconditions=conditions, linked=linked)


def _holds(claim: Claim, oracle: Oracle | None, steps: int) -> bool:
    if oracle is not None:
        oracle.allow(steps)
    prover = Prover(oracle, Mode.NORMAL_FORMS, SearchPlan(give_up), FOR_A_HINT)
    try:
        with allowing(NODES):
            return all(_at_every_rank(prover.prove(goal)) for goal in goals(claim, Mode.NORMAL_FORMS))
    except (NotCovered, TakesLong, OutOfNodes):
        return False


def _at_every_rank(result: Result) -> bool:
    return isinstance(result, Closed) and not result.limits
