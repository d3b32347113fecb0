"""Jobs answered from a program without an event loop: the command line's way in.

Invariant: when the iterator is exhausted, closed or interrupted, the engine is closed and no process is left. Must not
be used where an event loop already runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterable

from rewright.engine.jobs import Ended, Event, Job
from rewright.engine.scheduler import Engine


def _nothing(_: Ended) -> Iterable[Job]:
    return ()


def run(
    engine: Engine, jobs: Iterable[Job], following: Callable[[Ended], Iterable[Job]] = _nothing
) -> Generator[Event]:
    """The events of `jobs` as they come, then closes `engine`. Jobs are taken one by one, while workers already run.

    `following` gives the jobs that the end of one leads to. The jobs' ids must differ while they live, else the later
    one supersedes the earlier. A Ctrl-C raises `KeyboardInterrupt` here after
    all workers are gone. Wrap it in `contextlib.closing` where the loop over it may be left early.
    """
    with asyncio.Runner() as runner:
        events: asyncio.Queue[Event] = asyncio.Queue()
        try:
            left = runner.run(_submit_all(engine, jobs, events))
            while left:
                event = runner.run(events.get())
                yield event
                if isinstance(event, Ended):
                    left += runner.run(_submit_all(engine, following(event), events)) - 1
        finally:
            runner.run(engine.close())


async def _submit_all(engine: Engine, jobs: Iterable[Job], events: asyncio.Queue[Event]) -> int:
    count = 0
    for job in jobs:
        engine.submit(job, events.put_nowait)
        count += 1
        await asyncio.sleep(0)
    return count
