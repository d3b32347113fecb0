"""A server that tests kill: starts one job per line of its input, says the workers' ids, and what it has published.

Arguments: the cache directory, the number of workers.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from engine_support import COMMAND, LIMITS

from rewright.engine.jobs import Answered, Event, Job, Question, Reply
from rewright.engine.opening import open_cache
from rewright.engine.scheduler import Engine


def say(**fields: object) -> None:
    print(json.dumps(fields), flush=True)


def publish(event: Event) -> None:
    match event:
        case Answered(job, Reply() as reply):
            say(published=reply.key, text=reply.answer, cached=reply.cached, job=job.id)


async def main(directory: str, workers: int) -> None:
    cache = open_cache(Path(directory), lambda message: say(message=message))
    engine = Engine(cache, COMMAND, workers, LIMITS)
    engine.warm()
    while len(engine.worker_ids) < workers + 1:
        await asyncio.sleep(0.01)
    say(workers=engine.worker_ids)
    for name, questions in json.loads(sys.stdin.readline()):
        engine.submit(Job(name, tuple(Question(key, payload) for key, payload in questions), 10), publish)
    await asyncio.sleep(1000)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
