"""A worker that judges by the operators in a rule, at once, and leaves a line for each question; it lowers as the real
one does. Run as a program.

`negate`: refuted, with a finding at the left side; `abs`: unknown below a budget of three; `exponential`: unknown this
time; anything else is proved. Arguments: the file for the lines, and what to say of a refutation.
"""

from __future__ import annotations

import json
import sys

from rewright.checks.table import lowering_answer
from rewright.engine.jobs import AnswerStanding, Decision
from rewright.engine.worker import Handler, serve
from rewright.verdict import NOTHING, Answer, Coverage, Finding, Severity, Site, Verdict
from rewright.verdict.codec import encode
from rewright.verdict.diagnostics.rules import NotDecided

LOWERED = ("LoweringPayload", "OutlinePayload", "NestReadingPayload")
"""The questions that are about sources as they are written."""


def judged(payload: str, budget: int, what: str) -> tuple[Answer, AnswerStanding]:
    if '"negate"' in payload:
        finding = Finding(NotDecided(what), Severity.WARNING, Site(_left(json.loads(payload))))
        return Answer(Verdict.REFUTED, NOTHING, findings=(finding,)), AnswerStanding.DEFINITE
    if '"abs"' in payload and budget < 3:
        return Answer(Verdict.UNKNOWN, NOTHING, reason="too few steps"), AnswerStanding.BUDGET
    if '"exponential"' in payload:
        return Answer(Verdict.UNKNOWN, NOTHING, reason="too slow"), AnswerStanding.PASSING
    return Answer(Verdict.PROVED, Coverage("all", bounded=False)), AnswerStanding.DEFINITE


def _left(payload: dict[str, dict[str, dict[str, dict[str, int]]]]) -> int:
    return payload["question"]["rule"]["left"]["site"]


def handler(log_path: str, what: str) -> Handler:
    """Answers, a line in the file for each; `what` is said of a refutation."""

    def handle(payload: str, budget: int) -> Decision:
        if any(f'"{name}"' in payload for name in LOWERED):
            return Decision(encode(lowering_answer(payload)), AnswerStanding.PASSING)
        with open(log_path, "a") as log:
            print(budget, file=log)
        answer, standing = judged(payload, budget, what)
        return Decision(encode(answer), standing)

    return handle


if __name__ == "__main__":
    serve(lambda: handler(*sys.argv[1:]))
