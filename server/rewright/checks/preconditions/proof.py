"""One attempt to prove a rule with a candidate precondition.

Owns what an attempt may cost, and the failing input that a refutation leaves: any, not a small one. Must not know where
candidates come from.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass

from rewright.checks.counterexample import Filling, Plan, instance_of
from rewright.checks.looked import Contradiction, replays_of_proof
from rewright.model.rule import RuleQuestion
from rewright.replay.elements import NotReplayable
from rewright.replay.inputs import Excluded, Inputs, read_instance
from rewright.replay.outcomes import Fails
from rewright.replay.rule import replay
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Proved, Refuted
from rewright.rules.models import Model, ModelSession

STEPS = 3_000_000
SECONDS = 0.6
LIMITS = (2, 5, None)


@dataclass(frozen=True, slots=True)
class Holds:
    """Proved, and some input has a result that is not empty."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither proved nor refuted by an input that fails when it is replayed."""


def attempt(question: RuleQuestion, until: float) -> Holds | Undecided | Inputs:
    """Whether a question is proved before the clock says `until`, else an input on which its claim fails."""
    budget = _budget(until)
    match decide(question, budget):
        case Proved(only_empty=False):
            return Holds() if _is_believed(question) else Undecided()
        case Refuted() as refuted:
            return _failing(question, refuted, until) or Undecided()
        case _:
            return Undecided()


def _is_believed(question: RuleQuestion) -> bool:
    try:
        replays_of_proof(question)
    except Contradiction:
        return False
    return True


def _budget(until: float) -> Budget:
    return Budget(STEPS, max(0.05, min(SECONDS, until - time.monotonic())))


def _failing(question: RuleQuestion, refuted: Refuted, until: float) -> Inputs | None:
    ranks = dict(refuted.ranks)
    until = min(until, time.monotonic() + SECONDS / 2)
    with ModelSession(question, ranks, refuted.fails, _budget(until)) as session:
        limits = itertools.takewhile(lambda _: time.monotonic() < until, LIMITS)
        found = next((model for limit in limits if isinstance(model := session.find(limit), Model)), None)
    for filling in Filling if found is not None else ():
        assert found is not None
        try:
            instance = instance_of(Plan(question, ranks, found, filling))
            if isinstance(replay(question, instance), Fails):
                return read_instance(question, instance)
        except (Excluded, NotReplayable):
            continue
    return None
