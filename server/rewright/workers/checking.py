"""How a worker answers what is checked, and for how long its answer stands.

Loads what answers a question when the first one comes; what a worker loads before is its own affair.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rewright.checks.kernel_limits import MOST_SECONDS, SECONDS_PER_SECOND
from rewright.engine.jobs import AnswerStanding, Decision
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Method, Verdict
from rewright.verdict.codec import encode

if TYPE_CHECKING:
    from rewright.checks.table import Decided

_USUAL = Budget()


def allowed(times: int) -> Budget:
    """So many times the usual budget."""
    return Budget(_USUAL.steps * times, _USUAL.seconds * times)


def decide(answer: Callable[[], Decided], budget: Budget) -> Decision:
    """What is answered about a declaration within a budget, in wire form."""
    start = time.process_time()
    found = answer()
    if not isinstance(found, Answer):
        return Decision(encode(found), AnswerStanding.PASSING)
    is_kernel = found.by is Method.EXECUTION
    most = min(SECONDS_PER_SECOND * budget.seconds, MOST_SECONDS) if is_kernel else budget.seconds
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
