"""Where answers are remembered between runs: a key, an answer, what it cost, when it was last used.

Invariants: a definite answer is never replaced by an indefinite one; what `put` was given is committed when it returns;
no operation raises for what is wrong with the file or the disk, it says so once and does without. Must not know what
keys and answers mean.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct


class KeptAnswer(Struct, frozen=True):
    """An answer to keep, and the milliseconds it cost. One that is not definite stands up to `budget`."""

    key: str
    text: str
    milliseconds: float = 0.0
    definite: bool = True
    budget: int = 0


class Cache(Protocol):
    """What the engine asks of a memory."""

    def get(self, keys: Iterable[str], budget: int = 0) -> dict[str, KeptAnswer]:
        """The entries found, by key, that are definite or were made with at least this budget."""

    def put(self, entries: Iterable[KeptAnswer]) -> None:
        """Keeps the entries; committed on return."""

    def costs(self, jobs: Iterable[str]) -> dict[str, float]:
        """The milliseconds that each of these jobs took when last computed, where known."""

    def put_cost(self, job: str, milliseconds: float) -> None:
        """Remembers what a job took."""

    def clear(self) -> None:
        """Forgets everything."""

    def close(self) -> None:
        """Lets go of the file. Later operations find and keep nothing."""


class NoCache:
    """A cache that remembers nothing."""

    def get(self, keys: Iterable[str], budget: int = 0) -> dict[str, KeptAnswer]:
        """Nothing."""
        return {}

    def put(self, entries: Iterable[KeptAnswer]) -> None:
        """Keeps nothing."""

    def costs(self, jobs: Iterable[str]) -> dict[str, float]:
        """Nothing."""
        return {}

    def put_cost(self, job: str, milliseconds: float) -> None:
        """Remembers nothing."""

    def clear(self) -> None:
        """Has nothing to forget."""

    def close(self) -> None:
        """Has nothing to let go of."""
