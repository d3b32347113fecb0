"""A proof is looked at before it is believed: of a rule that folds, small inputs are replayed first.

Owns which proofs are looked at, and what becomes of one that the replay contradicts. The proof speaks for every size,
the look for a few; it is there for mistakes of ours.
"""

from __future__ import annotations

from rewright.model.rule import RuleQuestion
from rewright.model.tensor import Convolution, Dot, Reduce, ReduceWindow
from rewright.model.walk import nodes
from rewright.replay.inputs import write_instance
from rewright.replay.looking import before_believing, look


class Contradiction(Exception):
    """The replay contradicts the decision: an input of a rule called vacuous, a failing one of a proved rule."""


def folds(question: RuleQuestion) -> bool:
    """Whether a rule combines elements over a range: a reduction, windows, a contraction."""
    sides = question.rule.left, question.rule.right
    return any(isinstance(node, Reduce | ReduceWindow | Dot | Convolution) for node in nodes(sides))


def replays_of_proof(question: RuleQuestion) -> int | None:
    """On how many small inputs a proved claim was replayed, None of a rule that does not fold.

    Raises `Contradiction` if it fails on one.
    """
    if not folds(question):
        return None
    seen = look(question, before_believing(question))
    if seen.failing is not None:
        raise Contradiction(f"proved, but the replay fails on {write_instance(question.rule, seen.failing)}")
    return seen.replayed
