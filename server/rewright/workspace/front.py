"""The lowerings under way: one job at a time, of a worker that does nothing else, so that no proof is in its way.

Belongs to a workspace and its event loop. Invariant: what is awaited when a job ends is asked next, and nothing else;
so the latest text wins, and typing queues nothing up. A job that nobody waits for any more is killed once it is slow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rewright.engine.jobs import Answered, Ended, Event, Job, Outcome, Question
from rewright.engine.scheduler import Engine
from rewright.engine.tickets import Ticket

PATIENCE = 1.0
"""Seconds after which a job is slow: what is shown is no longer that of the text before, and it may be ended.

To end one costs a worker, which takes part of that to start.
"""


class Front:
    """What is lowered for a workspace.

    `awaited` returns the open questions; `on_outcome` gets each outcome, `changed` which are not open any more,
    or that they take long.
    """

    def __init__(
        self,
        engine: Engine,
        awaited: Callable[[], dict[str, Question]],
        on_outcome: Callable[[Outcome], None],
        changed: Callable[[frozenset[str]], None],
    ) -> None:
        self._engine = engine
        self._awaited = awaited
        self._on_outcome = on_outcome
        self._changed = changed
        self._ticket: Ticket | None = None
        self._since = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def is_slow(self) -> bool:
        """Whether what is under way takes long."""
        return self._ticket is not None and self._elapsed() >= PATIENCE

    def go_on(self) -> None:
        """Asks for what is awaited, unless a job is under way that is worth waiting for."""
        awaited = self._awaited()
        if self._ticket is not None:
            if not awaited.keys().isdisjoint(self._ticket.waiting) or not self.is_slow:
                return
            self.stop()
        if awaited:
            self._start(tuple(awaited.values()))

    def stop(self) -> None:
        """Ends what is under way."""
        ticket, self._ticket = self._ticket, None
        if ticket is not None:
            self._engine.cancel(ticket)
        if self._alarm is not None:
            self._alarm.cancel()

    def _start(self, questions: tuple[Question, ...]) -> None:
        loop = asyncio.get_running_loop()
        self._since = loop.time()
        self._ticket = self._engine.submit(Job("lowering", questions, 1), self._take)
        self._alarm = loop.call_later(PATIENCE, self._changed, frozenset(question.key for question in questions))

    async def close(self) -> None:
        """Ends the worker."""
        self.stop()
        await self._engine.close()

    def _elapsed(self) -> float:
        return asyncio.get_running_loop().time() - self._since

    def _take(self, event: Event) -> None:
        match event:
            case Answered(_, outcome):
                self._on_outcome(outcome)
            case Ended(job, _) if self._ticket is not None and self._ticket.job is job:
                self._ticket = None
                if self._alarm is not None:
                    self._alarm.cancel()
                self._changed(frozenset(question.key for question in job.questions))
                self.go_on()
            case _:
                return
