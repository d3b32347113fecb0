"""How much a search has done, counted, and how much it may do, however busy the machine is.

Owns what a piece of work counts for: a step is about a microsecond of a machine of 2026 that does nothing else, and one
of the solver's own where it gives up. The clock is a guard, far above what the steps of any search take; one that it
ends is not complete. Must not know what is searched.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.replay.arrays import Array
from rewright.replay.rule import SideName
from rewright.solve import Guard

GUARD = 50.0
"""Seconds of processor time after which a search ends, whatever it has counted: before its worker is ended."""

VALUE = 25
"""A value that a replay computes; an element of it counts for less than a step."""

ELEMENTS = 2
"""Elements of a value that count for a step."""

ATOM = 7
"""A formula that is made and judged on all inputs."""

JUDGED = 3
"""A formula that is judged again on one input."""

RANKED = 3
"""A formula that is compared with others by what it keeps and excludes."""

COVERING = 10
"""A formula of which conjunctions are made."""

NODE = 23
"""A node of a term that is asked for."""

ASKED = 5_000
"""A question that the solver answers, as a rule with few steps of its own."""


class Work:
    """What was done so far, in `steps`."""

    def __init__(self) -> None:
        self.steps = 0
        self._guard = Guard(GUARD)

    @property
    def guarded(self) -> bool:
        """Whether the guard ended it."""
        return self._guard.over

    def spend(self, steps: int) -> None:
        """Counts so many steps."""
        self.steps += steps

    def heard(self, side: SideName, site: int, value: Array) -> None:
        """Counts a value of a replay."""
        self.steps += VALUE + value.data.size // ELEMENTS


class Limit(Struct, frozen=True):
    """Work that ends when `until` steps are counted."""

    work: Work
    until: int

    @staticmethod
    def of(steps: int) -> Limit:
        """New work of so many steps."""
        return Limit(Work(), steps)

    @property
    def left(self) -> int:
        """The steps that are left."""
        return max(0, self.until - self.work.steps)

    @property
    def over(self) -> bool:
        """Whether no more is to be done."""
        return self.work.steps > self.until or self.work.guarded

    def share(self, share: float) -> Limit:
        """The first so many of the steps that are left."""
        return Limit(self.work, self.work.steps + int(share * self.left))

    def at_most(self, steps: int) -> Limit:
        """Not more than so many of them."""
        return Limit(self.work, min(self.until, self.work.steps + steps))
