"""Jobs answered from a program without an event loop: the command line's way in.

Invariant: when the context is left, also by an interruption, the engine is closed and no process is left.
Must not be used where an event loop already runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct

from rewright.engine.jobs import Ended, Event, Job
from rewright.engine.scheduler import Engine


def _nothing(_: Ended) -> Iterable[Job]:
    return ()


class Running(Struct, frozen=True):
    """An engine whose workers may already load while what it is asked is still made."""

    _engine: Engine
    _loop: asyncio.Runner

    def ask(self, jobs: Iterable[Job], following: Callable[[Ended], Iterable[Job]] = _nothing) -> Generator[Event]:
        """The events of `jobs` as they come. Jobs are taken one by one, while workers already run.

        `following` gives the jobs that the end of one leads to. The jobs' ids must differ while they live, else the
        later one supersedes the earlier. A Ctrl-C raises `KeyboardInterrupt` here.
        """
        events: asyncio.Queue[Event] = asyncio.Queue()
        left = self._loop.run(_submit_all(self._engine, jobs, events))
        while left:
            event = self._loop.run(events.get())
            yield event
            if isinstance(event, Ended):
                left += self._loop.run(_submit_all(self._engine, following(event), events)) - 1


@contextmanager
def running(engine: Engine, workers: int = 0) -> Iterator[Running]:
    """The engine, `workers` of whose workers start at once, until the context is left."""
    with asyncio.Runner() as loop:
        try:
            loop.run(engine.begin(workers))
            yield Running(engine, loop)
        finally:
            loop.run(engine.close())


async def _submit_all(engine: Engine, jobs: Iterable[Job], events: asyncio.Queue[Event]) -> int:
    count = 0
    for job in jobs:
        engine.submit(job, events.put_nowait)
        count += 1
        await asyncio.sleep(0)
    return count
