"""The workers an engine has: idle ones, a spare, and those about to end.

Invariants: every worker ever made here is either handed out, idle or being reaped, and `close` leaves none. Workers are
made when asked for; after `warm`, a worker that is discarded is replaced at once, so that a cancelled job costs the
next one no start. Must not know about jobs.
"""

from __future__ import annotations

import asyncio

from rewright.engine.jobs import WorkerLimits
from rewright.engine.worker_process import Worker


class WorkerPool:
    """Workers that run `command` within `limits`."""

    def __init__(self, command: tuple[str, ...], limits: WorkerLimits) -> None:
        self._command = command
        self._limits = limits
        self._idle: list[Worker] = []
        self._out: set[Worker] = set()
        self._reapers: set[asyncio.Task[None]] = set()
        self._needed = 0

    @property
    def workers(self) -> tuple[Worker, ...]:
        """All workers that are handed out or idle."""
        return (*self._out, *self._idle)

    @property
    def has_idle(self) -> bool:
        """Whether a worker waits for a task."""
        return any(worker.usable for worker in self._idle)

    def take(self) -> Worker:
        """A worker, the most recently used if one is idle."""
        self._sweep()
        return self._hand_out(self._idle.pop() if self._idle else self._make())

    def take_fresh(self) -> Worker:
        """A worker that has had no task yet."""
        self._sweep()
        fresh = next((worker for worker in self._idle if worker.tasks == 0), None)
        if fresh is not None:
            self._idle.remove(fresh)
        return self._hand_out(fresh or self._make())

    def give_back(self, worker: Worker) -> None:
        """Takes back a worker whose task is done."""
        self._out.discard(worker)
        self._idle.append(worker)
        self._sweep()

    def discard(self, worker: Worker) -> None:
        """Kills a worker that was handed out; one takes its place if workers are kept warm."""
        self._out.discard(worker)
        self._reap(worker)
        self._replenish()

    def add(self) -> Worker:
        """A worker that starts now and is idle."""
        worker = self._make()
        self._idle.append(worker)
        return worker

    def warm(self, count: int) -> None:
        """From now on keeps at least `count` workers, handed out or idle."""
        self._needed = count
        self._replenish()

    async def close(self) -> None:
        """Kills all workers and waits until their processes are gone."""
        self._needed = 0
        for worker in self.workers:
            self._reap(worker)
        self._out.clear()
        self._idle.clear()
        while self._reapers:
            await asyncio.wait(self._reapers)

    def _make(self) -> Worker:
        return Worker(self._command, self._limits)

    def _hand_out(self, worker: Worker) -> Worker:
        self._out.add(worker)
        self._replenish()
        return worker

    def _sweep(self) -> None:
        """Lets go of idle workers that are of no use."""
        useless = [worker for worker in self._idle if not worker.usable]
        for worker in useless:
            self._idle.remove(worker)
            self._reap(worker)
        if useless:
            self._replenish()

    def _replenish(self) -> None:
        while len(self._out) + len(self._idle) < self._needed:
            self._idle.insert(0, self._make())

    def _reap(self, worker: Worker) -> None:
        worker.kill()
        reaper = asyncio.get_running_loop().create_task(worker.closed())
        self._reapers.add(reaper)
        reaper.add_done_callback(self._reapers.discard)
