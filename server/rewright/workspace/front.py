"""The lowerings under way: one job at a time, of a worker that does nothing else, so that no proof is in its way.

Belongs to a workspace and its event loop. Invariant: what is awaited when a job ends is asked next, and nothing else;
so the latest text wins, and typing queues nothing up. A job that nobody waits for any more is killed once it is slow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rewright.engine.jobs import Answered, Ended, Event, Job, Question
from rewright.engine.scheduler import Engine
from rewright.engine.tickets import Ticket
from rewright.workspace.lowering import Lowerings

PATIENCE = 1.0
"""Seconds that a job may go on that nobody waits for: to end it costs a worker, which takes part of that to start."""


class Front:
    """What is lowered for a workspace. `awaited` tells which questions are open, `changed` hears that some are not."""

    def __init__(
        self,
        engine: Engine,
        lowerings: Lowerings,
        awaited: Callable[[], dict[str, Question]],
        changed: Callable[[frozenset[str]], None],
    ) -> None:
        self._engine = engine
        self._lowerings = lowerings
        self._awaited = awaited
        self._changed = changed
        self._ticket: Ticket | None = None
        self._since = 0.0

    def go_on(self) -> None:
        """Asks for what is awaited, unless a job is under way that is worth waiting for."""
        awaited = self._awaited()
        if self._ticket is not None:
            if not awaited.keys().isdisjoint(self._ticket.waiting) or self._elapsed() < PATIENCE:
                return
            self.stop()
        if awaited:
            self._since = asyncio.get_running_loop().time()
            self._ticket = self._engine.submit(Job("lowering", tuple(awaited.values()), 1), self._take)

    def stop(self) -> None:
        """Ends what is under way."""
        ticket, self._ticket = self._ticket, None
        if ticket is not None:
            self._engine.cancel(ticket)

    async def close(self) -> None:
        """Ends the worker."""
        await self._engine.close()

    def _elapsed(self) -> float:
        return asyncio.get_running_loop().time() - self._since

    def _take(self, event: Event) -> None:
        match event:
            case Answered(_, outcome):
                self._lowerings.take(outcome)
            case Ended(job, _) if self._ticket is not None and self._ticket.job is job:
                self._ticket = None
                self._changed(frozenset(question.key for question in job.questions))
                self.go_on()
            case _:
                return
