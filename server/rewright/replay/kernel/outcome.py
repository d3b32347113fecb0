"""What a replay gives: whether a claim holds, and what a picture of it needs.

Plain data. Must not know how it was run.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from rewright.model.simt.violation import Thread
from rewright.verdict import AccessKind, Place


class ReplayOutcome(StrEnum):
    """How a replay ends."""

    HOLDS = "holds"
    FAILS = "fails"
    TOO_LONG = "too long"


class Pass(Struct, frozen=True):
    """The pass of a loop, counted from 1, that a thread is in."""

    loop: Place
    number: int


class ReplayedAccess(Struct, frozen=True):
    """An access of one of the threads in question, in the interval in question; `turn` orders what happened."""

    thread: Thread
    kind: AccessKind
    object: int
    offset: int
    width: int
    place: Place
    turn: int


class Replayed(Struct, frozen=True):
    """The outcome of a replay.

    `iterations` has, for each access or event of the violation in its order, the loops around it, outermost first.
    `opened` is the barrier that opened the interval, None if it is the first one. `moments` are the last accesses of
    the threads in question within the interval, up to those that the violation names.
    """

    outcome: ReplayOutcome
    iterations: tuple[tuple[Pass, ...], ...] = ()
    opened: Place | None = None
    moments: tuple[ReplayedAccess, ...] = ()
