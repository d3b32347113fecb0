"""The worker process of a run about kernels in sources only (`python -m rewright.workers.kernels`).

It answers as the worker for everything does, but is there sooner: it loads what reads and runs kernels, and no solver.
"""

from __future__ import annotations

from rewright.engine.jobs import Decision
from rewright.engine.worker import Handler, serve


def load() -> Handler:
    """The function that answers a payload under so many times the usual budget, in wire form."""
    import rewright.checks.kernel
    import rewright.checks.lowering  # noqa: F401
    from rewright.checks import table as checks
    from rewright.frontends.table import LANGUAGES
    from rewright.verdict.codec import decode
    from rewright.workers.checking import allowed, decide

    for language in LANGUAGES:
        language.front_end()

    def handle(payload: str, times: int) -> Decision:
        asked: checks.Payload = decode(checks.Payload, payload)
        return decide(asked, allowed(times))

    return handle


if __name__ == "__main__":
    serve(load)
