"""What can go wrong when a kernel runs, as values: claims that a search makes and a replay confirms.

Places are those of the instructions; threads are indices in their block, x first; an interval is the number of barriers
of the whole block that the thread passed before. `address` is the index of an element, one number per dimension, as
the text names it, or by the extents of the object. Must not know how a violation was found.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from rewright.model.index import Name
from rewright.verdict import AccessKind, Place

Triple = tuple[int, int, int]


# ---------------------------------------------------------------------------------------------------------- settings


class Order(StrEnum):
    """In which order threads that come to an atomic together perform it."""

    ASCENDING = "ascending"
    DESCENDING = "descending"


class Setting(Struct, frozen=True):
    """One run: the launch, the sizes and scalar parameters, the contents of inputs, and what the machine may choose.

    Variables of the source that `contents` does not name have those that they are declared with, else zeros.
    Threads are scheduled smallest place in the code first: again and again, all threads whose next instruction has the
    smallest number among those that can go on execute it together. `warp` is the number of threads of a warp.
    """

    grid: Triple
    block: Triple
    values: tuple[tuple[Name, int | float], ...]
    contents: tuple[tuple[Name, tuple[int | float, ...]], ...]
    order: Order = Order.ASCENDING
    warp: int = 32


# ---------------------------------------------------------------------------------------------------------- accesses


class Thread(Struct, frozen=True):
    """A thread by its block's index in the grid and its own in the block."""

    block: Triple
    index: Triple


class Access(Struct, frozen=True):
    """A thread touches `width` bytes of an object from `offset` on, by the instruction at a place of the text."""

    thread: Thread
    kind: AccessKind
    object: int
    offset: int
    width: int
    interval: int
    place: Place


# -------------------------------------------------------------------------------------------------------- violations


class CollisionScope(StrEnum):
    """Who collides: threads of different warps, of one warp that would be ordered in lock step, or of two blocks."""

    BLOCK = "block"
    WARP = "warp"
    GRID = "grid"


class Race(Struct, frozen=True):
    """Two threads access a byte, one of them writes, not both atomically, and nothing orders them; `first` ran first.

    `equal`: both write, and the same value. `WARP` is the scope only in a block of several warps.
    """

    array: Name
    address: tuple[int, ...]
    scope: CollisionScope
    equal: bool
    first: Access
    second: Access


class Wait(Struct, frozen=True):
    """A thread waits at the barrier at this place (for the lanes of `mask`, if of a warp), or has ended (None).

    `left`: the `return` by which it ended before it could come to where the other thread waits.
    """

    thread: Thread
    place: Place | None
    mask: int | None = None
    left: Place | None = None


class Divergence(Struct, frozen=True):
    """`first` waits at a barrier of the block at which `second`, which waits elsewhere or has ended, never arrives."""

    interval: int
    first: Wait
    second: Wait


class EarlyExit(Struct, frozen=True):
    """`first` passes a barrier of the block that the whole warp of `second` skips, since it has left before."""

    interval: int
    first: Wait
    second: Wait


class Deadlock(Struct, frozen=True):
    """`first` waits, in its warp, for `second`, which waits elsewhere or for others: nobody can go on."""

    interval: int
    first: Wait
    second: Wait


class OutOfBounds(Struct, frozen=True):
    """An access leaves its object, or an index the dimension that it is for; no extents: there is no object."""

    array: Name
    address: tuple[int, ...]
    extents: tuple[int, ...]
    access: Access


class Uninitialised(Struct, frozen=True):
    """An access reads memory that nothing was written to."""

    array: Name
    address: tuple[int, ...]
    access: Access


class Unset(Struct, frozen=True):
    """A variable is read before it was set; `f()` is the value of a function whose end is reached without `return`."""

    variable: str
    interval: int
    thread: Thread
    place: Place


class Misaligned(Struct, frozen=True):
    """An access of several bytes whose address is no multiple of `alignment`."""

    array: Name
    address: tuple[int, ...]
    alignment: int
    access: Access


class ReadOnly(Struct, frozen=True):
    """A kernel writes constant memory."""

    array: Name
    address: tuple[int, ...]
    access: Access


class InactiveLane(Struct, frozen=True):
    """A shuffle takes the value of a lane that does not take part in it."""

    interval: int
    thread: Thread
    source: int
    place: Place


class DivisionByZero(Struct, frozen=True):
    """An integer division or remainder by zero."""

    interval: int
    thread: Thread
    place: Place


class FailedAssertion(Struct, frozen=True):
    """An `assert` that does not hold."""

    interval: int
    thread: Thread
    place: Place


Violation = (
    Race
    | Divergence
    | EarlyExit
    | Deadlock
    | OutOfBounds
    | Uninitialised
    | Unset
    | Misaligned
    | ReadOnly
    | InactiveLane
    | DivisionByZero
    | FailedAssertion
)
