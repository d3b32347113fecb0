"""The worker process of a run about kernels in sources only (`python -m rewright.workers.kernels`).

It answers as the worker for everything does, but is there sooner: it loads what reads and runs kernels, no solver, and
nothing of the other declarations.
"""

from __future__ import annotations

from rewright.engine.jobs import Decision
from rewright.engine.worker import Handler, serve


def load() -> Handler:
    """The function that answers a payload under so many times the usual budget, in wire form."""
    from rewright.checks.kernel import answer_question
    from rewright.checks.kernel_question import KernelPayload, LoweringPayload, OutlinePayload
    from rewright.checks.lowering import lower_kernel, outline_source
    from rewright.frontends.table import LANGUAGES
    from rewright.verdict.codec import decode
    from rewright.workers.checking import allowed, decide

    Payload = KernelPayload | LoweringPayload | OutlinePayload

    for language in LANGUAGES:
        language.front_end()

    def handle(payload: str, times: int) -> Decision:
        asked: Payload = decode(Payload, payload)
        budget = allowed(times)
        match asked:
            case KernelPayload():
                return decide(lambda: answer_question(asked, budget), budget)
            case LoweringPayload():
                return decide(lambda: lower_kernel(asked), budget)
            case OutlinePayload():
                return decide(lambda: outline_source(asked), budget)

    return handle


if __name__ == "__main__":
    serve(load)
