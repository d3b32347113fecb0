"""Work that waits for a pause in typing.

Invariant: while keys follow each other nothing runs; after the last one it runs once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PAUSE = 1.0
"""Seconds without a key after which a document is checked that is never saved, or that is to be checked unsaved."""


class Pauses:
    """What is to be done for each document once nothing is typed in it."""

    def __init__(self) -> None:
        self._due: dict[str, asyncio.TimerHandle] = {}

    def after(self, path: str, work: Callable[[], None]) -> None:
        """Does the work for a document after a pause from now, in place of what was to be done for it."""
        self.forget(path)
        self._due[path] = asyncio.get_running_loop().call_later(PAUSE, self._run, path, work)

    def forget(self, path: str) -> None:
        """Leaves undone what was to be done for a document."""
        due = self._due.pop(path, None)
        if due is not None:
            due.cancel()

    def stop(self) -> None:
        """Leaves everything undone."""
        for path in tuple(self._due):
            self.forget(path)

    def _run(self, path: str, work: Callable[[], None]) -> None:
        self._due.pop(path, None)
        work()
