"""The worker process: reads questions, answers them, until its server is gone (`python -m rewright.checks.worker`)."""

from __future__ import annotations

from rewright.engine.jobs import Decision, Standing
from rewright.engine.worker import Handler, serve


def load() -> Handler:
    """The function that answers a payload under so many times the usual budget, in wire form."""
    from rewright.checks.table import answer
    from rewright.rules.decision import Budget
    from rewright.verdict import Verdict
    from rewright.verdict.codec import encode

    usual = Budget()
    standing = {
        Verdict.PROVED: Standing.DEFINITE,
        Verdict.CHECKED: Standing.DEFINITE,
        Verdict.REFUTED: Standing.DEFINITE,
        Verdict.UNKNOWN: Standing.BUDGET,
    }

    def handle(payload: str, budget: int) -> Decision:
        found = answer(payload, Budget(usual.steps * budget, usual.seconds * budget))
        return Decision(encode(found), standing.get(found.verdict, Standing.PASSING))

    return handle


if __name__ == "__main__":
    serve(load)
