"""The examples of a rule, completed to instances and replayed.

Owns what an `example { … }` comes to under one question. Must not know how the question was decided.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.checks.counterexample import Reproduced
from rewright.model.rule import Pinned, RuleQuestion
from rewright.replay.elements import NotReplayable
from rewright.replay.example import complete
from rewright.replay.outcomes import Fails, Undecided
from rewright.replay.rule import replay

NO_INPUT = "no input of the rule was found that fits it"

ENCLOSURES = "its numbers are known by enclosures only, and these do not decide whether the sides are equal"


class Examples(Struct, frozen=True):
    """Those that break the claim, and those that were not replayed, with the reason; the others hold."""

    failing: tuple[Reproduced, ...]
    not_replayed: tuple[tuple[Pinned, str], ...]


def replayed(question: RuleQuestion) -> Examples:
    """Every example of the question's rule, replayed as far as it can be."""
    failing: list[Reproduced] = []
    not_replayed: list[tuple[Pinned, str]] = []
    for pinned in question.rule.examples:
        try:
            instance = complete(question, pinned)
            outcome = None if instance is None else replay(question, instance)
        except NotReplayable as error:
            not_replayed.append((pinned, str(error)))
            continue
        if instance is None:
            not_replayed.append((pinned, NO_INPUT))
        elif isinstance(outcome, Undecided):
            not_replayed.append((pinned, ENCLOSURES))
        elif isinstance(outcome, Fails):
            failing.append(Reproduced(instance, outcome))
    return Examples(tuple(failing), tuple(not_replayed))
