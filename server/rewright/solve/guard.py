"""Seconds for what steps should have ended.

Owns the guard beside a limit of steps: processor time, so that how busy the machine is decides nothing.
"""

from __future__ import annotations

from time import process_time

LEAST = 0.001
"""Seconds; 0 would be no limit to the solver."""


class Guard:
    """Seconds of processor time from now on."""

    def __init__(self, seconds: float) -> None:
        self._until = process_time() + seconds

    @property
    def over(self) -> bool:
        """Whether they are used up."""
        return process_time() >= self._until

    @property
    def left(self) -> float:
        """The seconds that are left; a millisecond where none are."""
        return max(LEAST, self._until - process_time())
