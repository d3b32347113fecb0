"""Answers one question of a rule: is it right at every rank and size?

Owns the order of the work: right side valid, shapes equal, elements refined, then vacuity. Must not know files, the
protocol, or how a countermodel is replayed.
"""

from __future__ import annotations

from rewright.model.rule import RuleQuestion
from rewright.rules.decision import Budget, Decision, Mode


def decide(question: RuleQuestion, budget: Budget, mode: Mode = Mode.NORMAL_FORMS) -> Decision:
    """The decision on a question; never raises for a well-formed rule, whatever it contains."""
    raise NotImplementedError
