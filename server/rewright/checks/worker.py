"""The worker process: reads questions, answers them, until its server is gone (`python -m rewright.checks.worker`)."""

from __future__ import annotations

from rewright.checks.table import USUAL, Budget, answer
from rewright.verdict import Verdict
from rewright.verdict.codec import encode

DEFINITE = {Verdict.PROVED, Verdict.CHECKED, Verdict.REFUTED}


def handle(payload: str, budget: int) -> tuple[str, bool]:
    """The wire form of the answer, and whether it is definite, under so many times the usual budget."""
    found = answer(payload, Budget(USUAL.steps * budget, USUAL.seconds * budget))
    return encode(found), found.verdict in DEFINITE
