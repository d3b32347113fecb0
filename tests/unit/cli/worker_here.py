"""A worker inside the process of the tests: to start a process takes longer than to answer a few questions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from time import perf_counter

from rewright.engine import wire
from rewright.engine.jobs import Question, WorkerLimits
from rewright.engine.worker import Handler

HandlerOf = Callable[[tuple[str, ...]], Handler]
"""The handler of the worker that a command starts."""


class WorkerHere:
    """What the engine sees of a worker process, in this process."""

    pid = None
    usable = True

    def __init__(self, handler: HandlerOf, command: tuple[str, ...], _: WorkerLimits) -> None:
        self.tasks = 0
        self._handler = handler(command)
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
def handler_of(command: tuple[str, ...]) -> Handler:
    """The handler of a worker of the product, whose program is a module."""
    load: Callable[[], Handler] = import_module(command[-1]).load
    return load()
