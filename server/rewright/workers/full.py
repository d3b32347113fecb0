"""The worker process: reads questions, answers them, until its server is gone (`python -m rewright.workers.full`).

It loads all that rules need before it says that it is ready, so that no question is charged for it.
"""

from __future__ import annotations

import time

from rewright.engine.jobs import AnswerStanding, Decision
from rewright.engine.worker import Handler, serve


def load() -> Handler:
    """The function that answers a payload under so many times the usual budget, in wire form."""
    import rewright.checks.rule
    import rewright.solve.session  # noqa: F401
    from rewright.checks import table as checks
    from rewright.checks.kernel_limits import MOST_SECONDS, SECONDS_PER_SECOND
    from rewright.checks.kernel_question import LoweredKernel, OutlinedSource
    from rewright.fixes import questions as fixes
    from rewright.fixes.kernels.question import KernelSearch
    from rewright.fixes.preconditions.question import RuleSearch
    from rewright.rules.decision import Budget
    from rewright.verdict import Answer, Method, Verdict
    from rewright.verdict.codec import decode, encode

    usual = Budget()

    def handle(payload: str, budget: int) -> Decision:
        allowed = Budget(usual.steps * budget, usual.seconds * budget)
        asked: checks.Payload | fixes.Payload = decode(checks.Payload | fixes.Payload, payload)
        match asked:
            case RuleSearch() | KernelSearch():
                return _search(asked, allowed)
            case _:
                return _check(asked, allowed)

    def _search(asked: fixes.Payload, allowed: Budget) -> Decision:
        found = fixes.answer(asked, allowed)
        return Decision(encode(found), AnswerStanding.DEFINITE if found.complete else AnswerStanding.PASSING)

    def _check(asked: checks.Payload, allowed: Budget) -> Decision:
        start = time.process_time()
        found = checks.answer(asked, allowed)
        match found:
            case LoweredKernel() | OutlinedSource():
                return Decision(encode(found), AnswerStanding.PASSING)
            case Answer():
                pass
        is_kernel = found.by is Method.EXECUTION
        most = min(SECONDS_PER_SECOND * allowed.seconds, MOST_SECONDS) if is_kernel else allowed.seconds
        return Decision(encode(found), _standing(found.verdict, by_the_clock=time.process_time() - start >= most))

    def _standing(verdict: Verdict, by_the_clock: bool) -> AnswerStanding:
        """Unknown after so many steps stands until there are more; unknown by the clock is this machine's affair."""
        match verdict:
            case Verdict.PROVED | Verdict.CHECKED | Verdict.CONDITIONAL | Verdict.REFUTED:
                return AnswerStanding.DEFINITE
            case Verdict.UNKNOWN if not by_the_clock:
                return AnswerStanding.BUDGET
            case _:
                return AnswerStanding.PASSING

    return handle


if __name__ == "__main__":
    serve(load)
