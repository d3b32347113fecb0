"""Work-done progress: one bar while checks run, for clients that show one.

Invariant: a bar appears only for work that lasts, at most one at a time, and every bar that began ends.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.progress import Progress

PATIENCE = 0.3
"""Seconds of work before a bar appears."""


class Bar:
    """The progress of what is pending. `pending` tells how many checks are.

    `_rested` is when last none was, by the loop's clock: a check that follows another has its own time before a bar.
    """

    def __init__(self, progress: Progress, pending: Callable[[], int]) -> None:
        self._progress = progress
        self._pending = pending
        self._changed = asyncio.Event()
        self._running = False
        self._rested = 0.0
        self._numbers = itertools.count(1)

    def changed(self) -> None:
        """Notes that checks were added, or came to an end."""
        self._changed.set()
        if not self._pending():
            self._rested = asyncio.get_running_loop().time()

    def start(self) -> Coroutine[Any, Any, None] | None:
        """Returns the life of a new bar, to be run as a task; None while one runs."""
        if self._running:
            return None
        self._running = True
        return self._run()

    async def _run(self) -> None:
        try:
            await asyncio.sleep(PATIENCE)
            while self._pending() and (early := self._rested + PATIENCE - asyncio.get_running_loop().time()) > 0:
                await asyncio.sleep(early)
            if self._pending():
                await self._show(f"rewright-check-{next(self._numbers)}")
        finally:
            self._running = False

    async def _show(self, token: str) -> None:
        try:
            await self._progress.create_async(token)
        except JsonRpcException:
            return
        all_of_it = self._pending()
        self._progress.begin(
            token, types.WorkDoneProgressBegin(title="Rewright: checking", cancellable=True, percentage=0)
        )
        try:
            while remaining := self._pending():
                all_of_it = max(all_of_it, remaining)
                done = all_of_it - remaining
                self._progress.report(
                    token,
                    types.WorkDoneProgressReport(
                        message=f"{done} of {all_of_it}", percentage=100 * done // all_of_it, cancellable=True
                    ),
                )
                self._changed.clear()
                await self._changed.wait()
        finally:
            self._progress.end(token, types.WorkDoneProgressEnd())
            self._progress.tokens.pop(token, None)
