"""Which preconditions and assumptions does a proof not need?

Owns the search: each is dropped in turn, the last one first, and stays dropped if the rest of the rule is proved
without it. What is reported can be left out together. Never reported is what was not proved without; so what is not
reported may be unneeded all the same. Must not know how failing inputs are looked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rewright.model.rule import RuleQuestion
from rewright.rules.bound import has_reduction
from rewright.rules.claim import Claim, claim_of
from rewright.rules.decision import Budget, Mode, Proved
from rewright.rules.leaf import Closed, Result
from rewright.rules.obligations import goals
from rewright.rules.paths import Prover
from rewright.rules.scope import Undecided
from rewright.solve import Oracle
from rewright.verdict import Method

STEPS = 200_000
"""The solver's steps for one attempt, about 60 ms: a hint is not worth more."""

Fails = Callable[[RuleQuestion], bool]
"""Whether a small input is known for which a question fails."""


def none_known(question: RuleQuestion) -> bool:
    """No failing input is known."""
    return False


def unneeded(question: RuleQuestion, proved: Proved, budget: Budget, fails: Fails = none_known) -> tuple[int, ...]:
    """The sites of the conjuncts of `where`, and of the assumptions, that a proved question holds without, in order.

    All of them can be left out together. A proof by normal forms is repeated by normal forms alone, any other with few
    of the solver's steps. With reductions an attempt can take long, so that a failing input is looked for first.
    """
    if not (question.rule.where or question.rule.assumptions):
        return ()
    claim = claim_of(question)
    oracle = None if proved.by is Method.NORMAL_FORM else Oracle(budget.steps, budget.seconds)
    found: list[int] = []
    for site in reversed(_sites(claim)):
        fewer, asked = _without(claim, site), _question_without(question, site)
        if _sums(claim) and asked != question and fails(asked):
            continue
        if _holds(fewer, oracle, min(STEPS, budget.steps)):
            claim, question = fewer, asked
            found.append(site)
    return tuple(reversed(found))


def _sites(claim: Claim) -> list[int]:
    return [*(condition.site for condition in claim.preconditions), *(linked.site for linked in claim.linked)]


def _without(claim: Claim, site: int) -> Claim:
    conditions = tuple(condition for condition in claim.preconditions if condition.site != site)
    linked = tuple(item for item in claim.linked if item.site != site)
    return replace(claim, preconditions=conditions, linked=linked)


def _question_without(question: RuleQuestion, site: int) -> RuleQuestion:
    rule = question.rule
    conditions = tuple(condition for condition in rule.where if condition.site != site)
    assumptions = tuple(assumption for assumption in rule.assumptions if assumption.site != site)
    return replace(question, rule=replace(rule, where=conditions, assumptions=assumptions))


def _sums(claim: Claim) -> bool:
    return has_reduction(claim.left_entry.value, claim.right_entry.value)


def _holds(claim: Claim, oracle: Oracle | None, steps: int) -> bool:
    if oracle is not None:
        oracle.allow(steps)
    prover = Prover(oracle, Mode.NORMAL_FORMS)
    try:
        return all(_at_every_rank(prover.prove(goal)) for goal in goals(claim, Mode.NORMAL_FORMS))
    except Undecided:
        return False


def _at_every_rank(result: Result) -> bool:
    return isinstance(result, Closed) and not result.limits
