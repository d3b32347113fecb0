"""The worker process that only lowers sources, for an editor (`python -m rewright.workers.front`).

It loads no solver, so that it is there soon after it had to be killed.
"""

from __future__ import annotations

from rewright.engine.jobs import AnswerStanding, Decision
from rewright.engine.worker import Handler, serve


def load() -> Handler:
    """The function that lowers what a payload names, in wire form."""
    import rewright.checks.lowering  # noqa: F401
    from rewright.checks.table import lowering_answer
    from rewright.verdict.codec import encode

    def handle(payload: str, _: int) -> Decision:
        return Decision(encode(lowering_answer(payload)), AnswerStanding.PASSING)

    return handle


if __name__ == "__main__":
    serve(load)
