"""What can go wrong when a block of a kernel runs, as values: claims that a search makes and a replay confirms.

Places are those of the accesses and barriers; threads are indices in the block, x first; an interval is the number of
barriers of the whole block before the event. Must not know how a violation was found.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rewright.model.index import Name
from rewright.verdict import Place

ThreadIndex = tuple[int, int, int]


class AccessKind(StrEnum):
    """What an access does to its element."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Access:
    """A thread reads or writes an element at a place of the text."""

    thread: ThreadIndex
    kind: AccessKind
    place: Place


@dataclass(frozen=True, slots=True)
class Race:
    """Two threads access one element, at least one writes, and no barrier stands between; `first` ran first."""

    array: Name
    address: tuple[int, ...]
    interval: int
    first: Access
    second: Access


@dataclass(frozen=True, slots=True)
class Wait:
    """A thread waits at the barrier at this place, or has left the kernel (None)."""

    thread: ThreadIndex
    place: Place | None


@dataclass(frozen=True, slots=True)
class Divergence:
    """`first` waits at a barrier at which `second` never arrives."""

    interval: int
    first: Wait
    second: Wait


@dataclass(frozen=True, slots=True)
class OutOfBounds:
    """An access leaves its array in some dimension."""

    array: Name
    address: tuple[int, ...]
    extents: tuple[int, ...]
    interval: int
    access: Access


@dataclass(frozen=True, slots=True)
class DivisionByZero:
    """An integer division or remainder by zero."""

    interval: int
    thread: ThreadIndex
    place: Place


@dataclass(frozen=True, slots=True)
class FailedAssertion:
    """An `assert` that does not hold."""

    interval: int
    thread: ThreadIndex
    place: Place


Violation = Race | Divergence | OutOfBounds | DivisionByZero | FailedAssertion


@dataclass(frozen=True, slots=True)
class Setting:
    """One run of a block: the launch, which block, the sizes and scalar parameters, and the integer inputs.

    Floating-point parameters and inputs are not listed: no run depends on their values.
    """

    grid: ThreadIndex
    block: ThreadIndex
    at: ThreadIndex
    values: tuple[tuple[Name, int], ...]
    contents: tuple[tuple[Name, tuple[int, ...]], ...]
