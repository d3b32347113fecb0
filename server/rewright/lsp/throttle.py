"""Actions that may run often but should not: at once where that is fair, later and once where it is not.

Invariant: two runs of one throttle are at least its interval apart, and a run that was asked for takes place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Throttle:
    """Runs an action on the event loop, at most once in `interval` seconds."""

    def __init__(self, interval: float, action: Callable[[], None]) -> None:
        self._interval = interval
        self._action = action
        self._last = float("-inf")
        self._due: asyncio.TimerHandle | None = None

    def now(self) -> None:
        """Runs the action at the next turn of the loop, or once the interval since its last run is over."""
        self._at(self._last + self._interval)

    def later(self) -> None:
        """Runs the action when an interval has passed from now, unless it runs before that."""
        self._at(max(self._last, asyncio.get_running_loop().time()) + self._interval)

    def stop(self) -> None:
        """Forgets what was asked for."""
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _at(self, time: float) -> None:
        loop = asyncio.get_running_loop()
        if self._due is not None and self._due.when() <= max(time, loop.time()):
            return
        self.stop()
        self._due = loop.call_at(max(time, loop.time()), self._run)

    def _run(self) -> None:
        self._due = None
        self._last = asyncio.get_running_loop().time()
        self._action()
