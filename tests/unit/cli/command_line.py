"""`rewright` run inside the process of the tests, where to start one would take longer than what it is asked.

`check_here` answers its questions there, too, with the handlers of the workers. What is about processes (streams,
signals, an exit, the death of a worker) is tested on real ones: `test_streams.py`, `test_library.py`, and the tests of
the engine.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter
from unittest.mock import patch

from rewright.cli.commands import app
from rewright.engine import wire, worker_pool
from rewright.engine.jobs import Question, WorkerLimits
from rewright.engine.worker import Handler


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def rewright(folder: Path, *arguments: str) -> Done:
    """What a command does in a folder, its streams being pipes in UTF-8. Raises what it does not catch itself."""
    stdout, stderr = _stream(), _stream()
    with chdir(folder), redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            app(list(arguments), prog_name="rewright")
        except SystemExit as ended:
            status = ended.code
    assert isinstance(status, int)
    return Done(status, _written(stdout), _written(stderr))


def check_here(folder: Path, *arguments: str) -> Done:
    """What `rewright check` does, its worker being in this process: to start one takes longer than a few questions."""
    with patch.object(worker_pool, "Worker", WorkerHere):
        return rewright(folder, "check", "--jobs", "1", *arguments)


class WorkerHere:
    """What the engine sees of a worker process, in this process."""

    pid = None
    usable = True

    def __init__(self, command: tuple[str, ...], _: WorkerLimits) -> None:
        self.tasks = 0
        self._handler = _handler(command[-1])
        self._budget = 0
        self._questions: list[Question] = []

    async def greeted(self) -> None:
        """Nothing is waited for."""

    async def ready(self) -> None:
        """Nothing is waited for."""

    async def hand_over(self, task: wire.Task) -> None:
        """Takes a task."""
        self.tasks += 1
        self._questions, self._budget = list(task.questions), task.budget

    async def answer(self) -> wire.Decided | None:
        """The next answer of the task, None at its end. Raises what the handler raises."""
        if not self._questions:
            return None
        question = self._questions.pop(0)
        start = perf_counter()
        decision = self._handler(question.payload, self._budget)
        return wire.Decided(question.key, decision, 1e3 * (perf_counter() - start))

    def processor_seconds(self) -> float | None:
        """None: the processor time is that of the tests."""
        return None

    def kill(self) -> None:
        """Nothing is left to end."""

    async def closed(self) -> None:
        """Nothing is waited for."""


@cache
def _handler(module: str) -> Handler:
    """The handler of the worker whose program is this module."""
    load: Callable[[], Handler] = import_module(module).load
    return load()


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
