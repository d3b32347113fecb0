"""One attempt to prove a rule with a candidate precondition.

Owns what an attempt may cost, and the failing input that a refutation leaves: any, not a small one. Must not know where
candidates come from.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.checks.counterexample import ContentSource, InstancePlan, instance_of
from rewright.checks.looked import Contradiction, replays_of_proof
from rewright.fixes.preconditions.work import ASKED, NODE, Limit
from rewright.model.rule import RuleQuestion
from rewright.replay.elements import NotReplayable
from rewright.replay.inputs import Excluded, Inputs, read_instance
from rewright.replay.outcomes import Fails
from rewright.replay.rule import replay
from rewright.rules.decide import decide_with
from rewright.rules.decision import Decision, Mode, Proved, Refuted
from rewright.rules.models import CHECK_STEPS, GaveUp, Model, ModelSession
from rewright.solve import Oracle
from rewright.terms import interned

LEAST, STEPS = 300_000, 1_000_000
"""The solver's steps for an attempt at least and at most."""

SECONDS = 20.0
"""A guard: far more than these take."""

LIMITS = (2, 5, None)
"""Bounds on the absolute value of integers of a failing input, tried in this order; at last any."""


class ProvedWithInput(Struct, frozen=True):
    """Proved, and some input has a result that is not empty."""


class Inconclusive(Struct, frozen=True):
    """Neither proved nor refuted by an input that fails when it is replayed."""


def attempt(question: RuleQuestion, limit: Limit) -> ProvedWithInput | Inconclusive | Inputs:
    """Whether a question is proved within the limit, else an input on which its claim fails."""
    match _decided(question, limit):
        case Proved(only_empty=False):
            return ProvedWithInput() if _is_believed(question) else Inconclusive()
        case Refuted() as refuted:
            return _failing(question, refuted, limit) or Inconclusive()
        case _:
            return Inconclusive()


def _is_believed(question: RuleQuestion) -> bool:
    try:
        replays_of_proof(question)
    except Contradiction:
        return False
    return True


def _decided(question: RuleQuestion, limit: Limit) -> Decision:
    """The decision, whose work is counted."""
    oracle, before = Oracle(_units(limit), SECONDS), interned()
    found = decide_with(question, oracle, Mode.NORMAL_FORMS)
    limit.work.spend(NODE * (interned() - before) + ASKED * oracle.checks + oracle.wasted)
    return found


def _units(limit: Limit) -> int:
    return max(LEAST, min(STEPS, limit.left))


def _failing(question: RuleQuestion, refuted: Refuted, limit: Limit) -> Inputs | None:
    ranks = dict(refuted.ranks)
    before, found = interned(), None
    with ModelSession(question, ranks, refuted.fails, _units(limit)) as session:
        for most in LIMITS:
            found = session.find(most)
            limit.work.spend(ASKED if not isinstance(found, GaveUp) else CHECK_STEPS)
            if isinstance(found, Model) or limit.over:
                break
    limit.work.spend(NODE * (interned() - before))
    for contents in ContentSource if isinstance(found, Model) else ():
        assert isinstance(found, Model)
        try:
            instance = instance_of(InstancePlan(question, ranks, found, contents))
            if isinstance(replay(question, instance), Fails):
                return read_instance(question, instance)
        except (Excluded, NotReplayable):
            continue
    return None
