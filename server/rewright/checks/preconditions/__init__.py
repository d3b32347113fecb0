"""Preconditions found for a rule that lacks one.

Owns the whole search: small inputs that are replayed, a grammar of formulas, conjunctions that exclude what fails, and
the proof of what is offered. Must not know how a suggestion becomes an edit.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from rewright.checks.preconditions.search import SECONDS, preconditions
from rewright.checks.preconditions.written import formula_text
from rewright.model.rule import RuleQuestion
from rewright.replay.elements import NotReplayable
from rewright.rules.scope import Undecided
from rewright.verdict import Suggestion, Suggestions


def suggestions(questions: Sequence[RuleQuestion]) -> Suggestions:
    """Up to three preconditions with which all questions of a rule are proved, as text, the weakest first."""
    start = time.monotonic()
    try:
        found = preconditions(questions)
    except (NotReplayable, Undecided):
        return Suggestions((), complete=True)
    listed = tuple(Suggestion(tuple(map(formula_text, each.parts)), each.kept, each.of) for each in found)
    return Suggestions(listed, complete=time.monotonic() - start < SECONDS)
