"""What the engine's tests share: fake jobs, real process ids, a cache in memory of the test's own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from rewright.engine.cache import NoCache
from rewright.engine.jobs import Ended, Event, Job, JobFailure, Outcome, Question, Reply, WorkerLimits
from rewright.engine.keys import digest
from rewright.engine.scheduler import Engine

HERE = Path(__file__).parent
COMMAND = (sys.executable, str(HERE / "fake_worker.py"))
LIMITS = WorkerLimits(seconds=20.0, memory=None)


def question(act: str, **order: object) -> Question:
    payload = json.dumps({"do": act, **order})
    return Question(digest(payload), payload)


def job(name: str, *questions: Question, budget: int = 10, priority: int = 0) -> Job:
    return Job(name, questions, budget, priority)


def engine(workers: int = 1, limits: WorkerLimits = LIMITS) -> Engine:
    return Engine(NoCache(), COMMAND, workers, limits)


def replies(ended: Ended) -> list[str]:
    """The answers of a job all of whose questions were answered."""
    assert all(isinstance(outcome, Reply) for outcome in ended.outcomes), ended.outcomes
    return [outcome.answer for outcome in ended.outcomes if isinstance(outcome, Reply)]


def failures(outcomes: Iterable[Outcome]) -> list[JobFailure]:
    return [outcome for outcome in outcomes if isinstance(outcome, JobFailure)]


def is_alive(pid: int) -> bool:
    """Whether a process of this id runs; a zombie that nobody has reaped yet does not."""
    return _status(str(pid))[0] not in "ZX"


def children() -> set[int]:
    """Process ids of the live children of this process."""
    processes = [name for name in os.listdir("/proc") if name.isdigit()]
    return {int(name) for name in processes if _status(name)[1] == str(os.getpid()) and is_alive(int(name))}


def _status(pid: str) -> list[str]:
    """State and parent of a process, and so on; `X` for one that does not exist."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ["X", ""]


def until(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether `condition` comes to hold in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True


async def there(path: Path) -> None:
    """Waits until something was written to the file at `path`."""
    while not logged(path):
        await asyncio.sleep(0.005)


def logged(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def environment() -> dict[str, str]:
    """An environment in which a program of the tests' own finds the package."""
    return {**os.environ, "PYTHONPATH": str(HERE.parents[2] / "server") + os.pathsep + str(HERE)}


class Listener:
    """Remembers what it hears."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.events.append(event)
