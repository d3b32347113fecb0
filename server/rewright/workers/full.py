"""The worker process: reads questions, answers them, until its server is gone (`python -m rewright.workers.full`).

It loads all that rules need before it says that it is ready, so that no question is charged for it.
"""

from __future__ import annotations

from rewright.engine.jobs import AnswerStanding, Decision
from rewright.engine.worker import Handler, serve


def load() -> Handler:
    """The function that answers a payload under so many times the usual budget, in wire form."""
    import rewright.checks.rule
    import rewright.solve.session  # noqa: F401
    from rewright.checks import table as checks
    from rewright.checks.nest_question import NestFactsPayload
    from rewright.fixes import questions as fixes
    from rewright.fixes.generating.question import TransformRequest
    from rewright.fixes.graphs.question import GraphSearch
    from rewright.fixes.kernels.question import KernelSearch
    from rewright.fixes.loops.question import LoopsSearch, SourceLoopsSearch
    from rewright.fixes.preconditions.question import RuleSearch
    from rewright.rules.decision import Budget
    from rewright.verdict.codec import decode, encode
    from rewright.workers.checking import allowed, decide

    Payload = checks.Payload | fixes.Payload | NestFactsPayload

    def handle(payload: str, times: int) -> Decision:
        asked: Payload = decode(Payload, payload)
        match asked:
            case RuleSearch() | KernelSearch() | GraphSearch() | LoopsSearch() | SourceLoopsSearch():
                return _search(asked, allowed(times))
            case TransformRequest():
                return _search(asked, allowed(times))
            case NestFactsPayload():
                from rewright.checks.nest_facts import facts

                return Decision(encode(facts(asked, allowed(times))), AnswerStanding.DEFINITE)
            case _:
                budget = allowed(times)
                return decide(lambda: checks.answer(asked, budget), budget)

    def _search(asked: fixes.Payload, budget: Budget) -> Decision:
        found = fixes.answer(asked, budget)
        return Decision(encode(found), AnswerStanding.DEFINITE if found.complete else AnswerStanding.PASSING)

    return handle


if __name__ == "__main__":
    serve(load)
