"""The books of the scheduler: who waits for what, who runs, who is next.

A `Ticket` is one submission of a job, a `TicketRun` is some of its questions on a worker. Plain state and its look-ups;
must not know about processes, the cache or the event loop.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable

from msgspec import Struct, field

from rewright.engine.jobs import Ended, Event, Job, Outcome, Question, Reply
from rewright.engine.worker_process import Worker


class Ticket(Struct, eq=False):
    """One submission of a job: what it still waits for, and the replies found in the cache but not yet delivered."""

    job: Job
    listen: Callable[[Event], None]
    end: asyncio.Future[Ended]
    waiting: dict[str, Question]
    found: list[Reply] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    computed: float = 0.0
    """Milliseconds that workers spent on this ticket's own runs."""
    queued: bool = False

    @property
    def ended(self) -> bool:
        """Whether every question has its outcome and that was said."""
        return self.end.done()


class TicketRun(Struct, eq=False):
    """Questions of one ticket on their way through a worker; `remaining` keeps their order."""

    owner: Ticket
    remaining: dict[str, Question]
    budget: int
    seconds_left: float
    since: float = 0.0
    """When the question that it is at was begun, on the clock of the loop."""
    worker: Worker | None = None
    task: asyncio.Task[None] | None = None
    deaths: int = 0
    needs_fresh: bool = False


class Books(Struct):
    """All live tickets and runs."""

    tickets: dict[str, Ticket] = field(default_factory=dict)
    runs: list[TicketRun] = field(default_factory=list)
    _waiting: dict[str, list[Ticket]] = field(default_factory=dict)
    _queue: list[tuple[int, float, int, Ticket]] = field(default_factory=list)
    _sequence: int = 0

    def enter(self, ticket: Ticket) -> None:
        """Notes what a ticket waits for."""
        for key in ticket.waiting:
            self._waiting.setdefault(key, []).append(ticket)

    def settle(self, ticket: Ticket, outcome: Outcome) -> None:
        """Notes the outcome of one of the questions that `ticket` waits for."""
        del ticket.waiting[outcome.key]
        ticket.outcomes[outcome.key] = outcome
        tickets = self._waiting[outcome.key]
        tickets.remove(ticket)
        if not tickets:
            del self._waiting[outcome.key]

    def waiting_for(self, key: str) -> list[Ticket]:
        """The tickets that wait for `key`."""
        return list(self._waiting.get(key, ()))

    def running(self, key: str, budget: int) -> bool:
        """Whether a run is about to answer `key` with at least this budget."""
        return any(key in run.remaining and run.budget >= budget for run in self.runs)

    def to_run(self, ticket: Ticket) -> dict[str, Question]:
        """What `ticket` waits for and no run is about to answer."""
        budget = ticket.job.budget
        return {key: question for key, question in ticket.waiting.items() if not self.running(key, budget)}

    def heir(self, run: TicketRun) -> Ticket | None:
        """Another ticket that waits for all that `run` has still to answer."""
        for ticket in self._waiting.get(next(iter(run.remaining), ""), ()):
            needs_all = run.remaining.keys() <= ticket.waiting.keys()
            if needs_all and ticket is not run.owner and ticket.job.budget <= run.budget:
                return ticket
        return None

    def unwanted_runs(self) -> list[TicketRun]:
        """The runs that still have something to answer, but nothing that anyone waits for."""
        return [run for run in self.runs if run.remaining and not any(key in self._waiting for key in run.remaining)]

    def queue(self, ticket: Ticket, cost: float) -> None:
        """Puts a ticket in line: higher priority first, then what costs less, then first come."""
        if ticket.queued:
            return
        ticket.queued = True
        self._sequence += 1
        heapq.heappush(self._queue, (-ticket.job.priority, cost, self._sequence, ticket))

    def next_in_line(self) -> Ticket | None:
        """Takes the next live ticket out of the line."""
        while self._queue:
            ticket = heapq.heappop(self._queue)[3]
            ticket.queued = False
            if not ticket.ended:
                return ticket
        return None
