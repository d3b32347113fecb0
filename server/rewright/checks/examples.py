"""The examples of a rule, completed to instances and replayed.

Owns what an `example { … }` comes to under one question. Must not know how the question was decided.
"""

from __future__ import annotations

from dataclasses import dataclass

from rewright.checks.counterexample import Reproduced
from rewright.model.rule import Pinned, RuleQuestion
from rewright.replay.elements import NotReplayable
from rewright.replay.example import complete
from rewright.replay.outcomes import Fails
from rewright.replay.rule import replay


@dataclass(frozen=True, slots=True)
class Examples:
    """Those that break the claim, and those that no input fits; the others hold."""

    failing: tuple[Reproduced, ...] = ()
    without_input: tuple[Pinned, ...] = ()


def replayed(question: RuleQuestion) -> Examples:
    """Every example of the question's rule, replayed; none of them where its element types are not replayed."""
    failing: list[Reproduced] = []
    without_input: list[Pinned] = []
    try:
        for pinned in question.rule.examples:
            instance = complete(question, pinned)
            outcome = None if instance is None else replay(question, instance)
            if instance is None:
                without_input.append(pinned)
            elif isinstance(outcome, Fails):
                failing.append(Reproduced(instance, outcome))
    except NotReplayable:
        return Examples()
    return Examples(tuple(failing), tuple(without_input))
