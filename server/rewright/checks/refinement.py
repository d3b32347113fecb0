"""The question of a refinement: does the distributed graph compute what the sequential one does?"""

from __future__ import annotations

from rewright.model.graph import Refinement
from rewright.rules.decision import Budget
from rewright.verdict import NOTHING, Answer, Finding, Severity, Site, Verdict
from rewright.verdict.diagnostics.rules import NotDecided


def answer(asked: Refinement, budget: Budget) -> Answer:
    """The answer: no refinement is decided yet."""
    reason = "not supported yet"
    finding = Finding(NotDecided(reason), Severity.INFORMATION, Site(0))
    return Answer(Verdict.UNKNOWN, NOTHING, reason=reason, findings=(finding,))
