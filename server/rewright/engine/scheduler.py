"""The scheduler: jobs in, events out.

Looks answers up first, computes what is missing on workers, each question once however many jobs ask it, keeps it, and
then says it. Invariants: each distinct key of a submitted job has exactly one outcome and then the job ends, whatever
dies; a reply is kept before it is delivered; cancelling kills; nothing that fails in the background is lost: it ends
its job as crashed. Belongs to one event loop and is not to be used from other threads; the thread of that loop must
live as long as the engine, since on Linux its end kills the workers. Must not know what a question means.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from rewright.engine import wire
from rewright.engine.cache import Cache, KeptAnswer
from rewright.engine.jobs import (
    Answered,
    AnswerStanding,
    Ended,
    Event,
    FailureKind,
    Job,
    JobFailure,
    Outcome,
    Reply,
    WorkerLimits,
)
from rewright.engine.tickets import Books, Ticket, TicketRun
from rewright.engine.worker_pool import WorkerPool
from rewright.engine.worker_process import Worker, WorkerDied, WorkerOutOfMemory

CANCELLED = "cancelled"
SUPERSEDED = "superseded by a newer submission"
CLOSED = "the engine was closed"

_DEATHS_ALLOWED = 1
"""A worker may have died of what it did before; a second death, in a fresh one, is the question's."""

_UNKNOWN_COST = 50.0
"""Milliseconds that a job counts for before it was ever timed."""


_LOOKS_PER_SECOND = 5
"""How often the processor time of a worker is read: a guard strikes at most so much later."""


async def _watch(worker: Worker, until: float, guard: asyncio.Timeout) -> None:
    """Lets a guard strike once a worker has used the processor until a time."""
    while (used := worker.processor_seconds()) is None or used < until:
        await asyncio.sleep(min(1 / _LOOKS_PER_SECOND, max(until - used, 0.01)) if used is not None else 1.0)
    guard.reschedule(asyncio.get_running_loop().time())


def _ignore(event: Event) -> None:
    return None


class Engine:
    """Answers jobs from `cache`, or by at most `workers` processes at a time that run `command` within `limits`."""

    def __init__(self, cache: Cache, command: tuple[str, ...], workers: int, limits: WorkerLimits) -> None:
        if workers < 1:
            raise ValueError(f"at least one worker is needed, got {workers}")
        self._cache = cache
        self._limits = limits
        self._width = workers
        self._pool = WorkerPool(command, limits)
        self._books = Books()
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False

    def submit(self, job: Job, listen: Callable[[Event], None] = _ignore) -> Ticket:
        """Starts on a job; `listen` hears `Answered` once per distinct key, then `Ended`, always after this returns.

        A live job of the same id is superseded; what it was computing goes on if this one needs all of it. Raises
        `RuntimeError` once the engine is closed.
        """
        if self._closed:
            raise RuntimeError(CLOSED)
        loop = asyncio.get_running_loop()
        ticket = Ticket(job, listen, loop.create_future(), {question.key: question for question in job.questions})
        found = self._cache.get(ticket.waiting, job.budget)
        previous, self._books.tickets[job.id] = self._books.tickets.get(job.id), ticket
        self._books.enter(ticket)
        ticket.found = [Reply(e.key, e.text, e.definite, e.milliseconds, cached=True) for e in found.values()]
        if len(found) < len(ticket.waiting):
            self._enqueue(ticket)
        if previous is not None:
            self._drop(previous, SUPERSEDED)
        loop.call_soon(self._deliver_found, ticket)
        return ticket

    async def wait(self, ticket: Ticket) -> Ended:
        """How the job ended; waits for it."""
        return await asyncio.shield(ticket.end)

    def cancel(self, ticket: Ticket) -> None:
        """Ends a job now: what it still waits for fails as cancelled, and workers that nobody else needs are killed."""
        self._drop(ticket, CANCELLED)

    def warm(self) -> None:
        """Starts all workers and a spare, and from now on replaces a killed one at once."""
        self._pool.warm(self._width + 1)

    async def begin(self, count: int) -> None:
        """Starts `count` workers; from then on they load by themselves, also while the event loop stands still."""
        for worker in [self._pool.add() for _ in range(count)]:
            await worker.greeted()

    @property
    def worker_ids(self) -> tuple[int, ...]:
        """Process ids of the workers there are."""
        return tuple(worker.pid for worker in self._pool.workers if worker.pid is not None and worker.usable)

    async def close(self) -> None:
        """Ends all jobs as cancelled and all workers; returns when no process is left. The cache stays open."""
        self._closed = True
        for ticket in list(self._books.tickets.values()):
            self._drop(ticket, CLOSED)
        for run in list(self._books.runs):
            self._kill(run)
        while self._ending:  # only then: a run that ends may still hold a worker, or be about to take one
            await asyncio.wait(self._ending)
        await self._pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # Starting runs

    def _enqueue(self, ticket: Ticket) -> None:
        cost = self._cache.costs([ticket.job.id]).get(ticket.job.id, _UNKNOWN_COST)
        self._books.queue(ticket, cost)
        asyncio.get_running_loop().call_soon(self._pump)

    def _pump(self) -> None:
        """Starts runs while there are workers to be had and tickets in line."""
        while not self._closed and len(self._books.runs) < self._width:
            if not self._pool.has_idle and any(not run.remaining for run in self._books.runs):
                return  # a run is about to end and to give its worker back: to start another takes longer
            ticket = self._books.next_in_line()
            if ticket is None:
                return
            found = {reply.key for reply in ticket.found}
            questions = {key: q for key, q in self._books.to_run(ticket).items() if key not in found}
            if questions:  # else others are at it: their end puts this ticket in line again if it must be
                self._start(TicketRun(ticket, questions, ticket.job.budget, self._limits.seconds))

    def _start(self, run: TicketRun) -> None:
        self._books.runs.append(run)
        run.task = asyncio.get_running_loop().create_task(self._run(run))
        self._ending.add(run.task)
        run.task.add_done_callback(self._note_end)

    # One run

    async def _run(self, run: TicketRun) -> None:
        try:
            while run.remaining:
                await self._attempt(run)
        except asyncio.CancelledError:
            return
        except Exception:
            self._fail_all(run, FailureKind.CRASHED, f"internal error of the engine:\n{traceback.format_exc()}")
        finally:
            self._retire(run)

    async def _attempt(self, run: TicketRun) -> None:
        """Works through the questions that remain, on one worker, until they are answered or the worker is lost."""
        worker = self._pool.take_fresh() if run.needs_fresh else self._pool.take()
        run.worker = worker
        run.since = asyncio.get_running_loop().time()
        fresh = worker.tasks == 0
        count = len(run.remaining)
        try:
            await worker.ready()
            await self._converse(run, worker)
        except WorkerDied as death:
            run.deaths += 1
            run.needs_fresh = True
            if run.deaths > _DEATHS_ALLOWED:
                self._fail_all(run, FailureKind.CRASHED, str(death))
        except WorkerOutOfMemory:
            # What earlier questions left behind in the worker must not decide: only a fresh worker's word counts.
            run.needs_fresh = True
            if fresh and len(run.remaining) == count:
                self._fail_first(run, FailureKind.MEMORY, self._memory_limit())
        except TimeoutError:
            self._fail_all(run, FailureKind.TIME, f"time limit of {self._limits.seconds:g} s for a declaration")
        else:
            self._pool.give_back(worker)
            run.worker = None
        finally:
            if run.worker is worker:
                run.worker = None
                self._pool.discard(worker)

    async def _converse(self, run: TicketRun, worker: Worker) -> None:
        loop = asyncio.get_running_loop()
        run.since = start = loop.time()
        used = worker.processor_seconds()
        watching: asyncio.Task[None] | None = None
        try:
            async with asyncio.timeout(self._limits.patience * run.seconds_left) as guard:
                if used is not None:
                    watching = loop.create_task(_watch(worker, used + run.seconds_left, guard))
                await worker.hand_over(wire.Task(tuple(run.remaining.values()), run.budget))
                while (answer := await worker.answer()) is not None:
                    if answer.key not in run.remaining:
                        raise WorkerDied(f"the worker answered what it was not asked: `{answer.key}`")
                    self._take_in(run, answer)
                if run.remaining:
                    raise WorkerDied("the worker left questions unanswered")
        finally:
            if watching is not None:
                watching.cancel()
            now = worker.processor_seconds()
            by_the_clock = (loop.time() - start) / self._limits.patience
            run.seconds_left -= by_the_clock if used is None or now is None else now - used

    def _memory_limit(self) -> str:
        memory = self._limits.memory
        return "out of memory" if memory is None else f"memory limit of {memory >> 20} MiB"

    # Outcomes

    def _take_in(self, run: TicketRun, answer: wire.Decided | wire.Raised) -> None:
        """Keeps an answer, then tells everyone who waits for it."""
        outcome = self._kept(run, answer)
        del run.remaining[answer.key]
        run.since = asyncio.get_running_loop().time()
        run.owner.computed += answer.milliseconds
        for ticket in self._books.waiting_for(answer.key):
            if ticket.job.budget <= run.budget or (isinstance(outcome, Reply) and outcome.definite):
                self._settle(ticket, outcome)
        for other in self._books.unwanted_runs():
            self._kill(other)

    def _kept(self, run: TicketRun, answer: wire.Decided | wire.Raised) -> Outcome:
        match answer:
            case wire.Decided(key, decision, milliseconds):
                definite = decision.standing is AnswerStanding.DEFINITE
                if decision.standing is not AnswerStanding.PASSING:
                    self._cache.put([KeptAnswer(key, decision.text, milliseconds, definite, run.budget)])
                return Reply(key, decision.text, definite, milliseconds, cached=False)
            case wire.Raised(key, trace, milliseconds):
                return JobFailure(key, FailureKind.CRASHED, trace, milliseconds)

    def _fail_first(self, run: TicketRun, kind: FailureKind, detail: str) -> None:
        """Ends the question that the run was at; who else waits for it has it computed again."""
        now = asyncio.get_running_loop().time()
        milliseconds, run.since = 1e3 * (now - run.since), now
        key = next(iter(run.remaining))
        del run.remaining[key]
        run.owner.computed += milliseconds
        self._settle(run.owner, JobFailure(key, kind, detail, milliseconds))
        self._line_up([key])

    def _fail_all(self, run: TicketRun, kind: FailureKind, detail: str) -> None:
        while run.remaining:
            self._fail_first(run, kind, detail)

    def _deliver_found(self, ticket: Ticket) -> None:
        """Delivers what the cache knew."""
        while ticket.found and not ticket.ended:
            self._settle(ticket, ticket.found.pop(0))
        self._end_if_complete(ticket)

    def _settle(self, ticket: Ticket, outcome: Outcome) -> None:
        if outcome.key in ticket.waiting:
            self._books.settle(ticket, outcome)
            self._notify(ticket, Answered(ticket.job, outcome))
            self._end_if_complete(ticket)

    def _end_if_complete(self, ticket: Ticket) -> None:
        if ticket.waiting or ticket.ended:
            return
        ended = Ended(ticket.job, tuple(ticket.outcomes[question.key] for question in ticket.job.questions))
        ticket.end.set_result(ended)
        if self._books.tickets.get(ticket.job.id) is ticket:
            del self._books.tickets[ticket.job.id]
        cancelled = any(isinstance(o, JobFailure) and o.kind is FailureKind.CANCELLED for o in ended.outcomes)
        if ticket.computed and not cancelled:
            self._cache.put_cost(ticket.job.id, ticket.computed)
        self._notify(ticket, ended)

    def _notify(self, ticket: Ticket, event: Event) -> None:
        try:
            ticket.listen(event)
        except Exception as error:
            context = {"message": f"a listener of job `{ticket.job.id}` raised", "exception": error}
            asyncio.get_running_loop().call_exception_handler(context)

    # Ending

    def _drop(self, ticket: Ticket, detail: str) -> None:
        """Ends a ticket now. Its runs go to another ticket that needs all of what remains, or are killed."""
        if ticket.ended:
            return
        self._deliver_found(ticket)
        for key in list(ticket.waiting):
            self._settle(ticket, JobFailure(key, FailureKind.CANCELLED, detail))
        for run in [run for run in self._books.runs if run.owner is ticket]:
            heir = self._books.heir(run)
            if heir is not None:
                run.owner = heir
            else:
                self._kill(run)

    def _kill(self, run: TicketRun) -> None:
        if run.worker is not None:
            run.worker.kill()  # at once: the loop may be kept busy for a while
        if run.task is not None:
            run.task.cancel()
        self._retire(run)

    def _retire(self, run: TicketRun) -> None:
        """Takes a run out of the books; who still waits for what it leaves unanswered goes in line again."""
        if run in self._books.runs:
            self._books.runs.remove(run)
            self._line_up(run.remaining)
            asyncio.get_running_loop().call_soon(self._pump)

    def _line_up(self, keys: Iterable[str]) -> None:
        """Puts in line who waits for one of these keys while no run is about to answer it."""
        for ticket in {ticket for key in keys for ticket in self._books.waiting_for(key)}:
            if self._books.to_run(ticket):
                self._enqueue(ticket)

    def _note_end(self, task: asyncio.Task[None]) -> None:
        self._ending.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            task.get_loop().call_exception_handler({"message": "a run failed", "exception": error})
