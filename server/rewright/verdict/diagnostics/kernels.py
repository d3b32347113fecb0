"""What is said of a kernel that was run, or could not be: RW301 to RW321."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from rewright.verdict.answer import Condition
from rewright.verdict.diagnosis import Diagnosis
from rewright.verdict.witness import AccessKind


class Who(Struct, frozen=True):
    """A thread: its index in its block, that of the block, None where there is one, the passes of the loops it is in.

    An index has one number for each dimension that counts, x first; passes are those of the outermost loop first.
    """

    thread: tuple[int, ...]
    block: tuple[int, ...] | None
    passes: tuple[int, ...]


class ArrayElement(Struct, frozen=True):
    """An element of an array: one number per dimension, none for a variable."""

    array: str
    address: tuple[int, ...]


class Act(Struct, frozen=True):
    """Who does what."""

    who: Who
    does: AccessKind


class Collision(Struct, frozen=True):
    """Two threads access one element."""

    element: ArrayElement
    first: Act
    second: Act


class Whereabouts(StrEnum):
    """Where a thread is that does not come to a barrier."""

    LEFT = "left"
    PASSES_BY = "passes by"
    WAITS_ELSEWHERE = "waits elsewhere"


class DataRace(Diagnosis, code="RW301"):
    """Threads of a block race in this barrier interval."""

    collision: Collision
    interval: int


class DeadlockOutsideMask(Diagnosis, code="RW302"):
    """A thread waits with a mask that does not name it."""

    who: Who
    mask: int
    interval: int


class WarpDeadlock(Diagnosis, code="RW302"):
    """A thread waits for another of its warp that does not come; `mask` is that which it waits with, if any."""

    who: Who
    mask: int | None
    other: Who
    whereabouts: Whereabouts
    interval: int


class BarrierDivergence(Diagnosis, code="RW303"):
    """A thread waits at a barrier of the block to which another does not come."""

    who: Who
    other: Who
    whereabouts: Whereabouts
    interval: int


class NoArrayElement(Diagnosis, code="RW304"):
    """An access through a pointer that points into no array."""

    act: Act


class BeforeTheStart(Diagnosis, code="RW304"):
    """An access before the start of an array."""

    act: Act
    element: ArrayElement


class BeyondTheEnd(Diagnosis, code="RW304"):
    """An access of `width` bytes from byte `offset` on, which begins inside the array and ends after its `end`."""

    act: Act
    element: ArrayElement
    width: int
    offset: int
    end: int


class IndexOutside(Diagnosis, code="RW304"):
    """An index that leaves the array.

    `bounds` are what comes to the extent that it leaves: sizes and parameters, and products of two (`m * k`); None
    where the array is not one of the kernel's parameters.
    """

    act: Act
    element: ArrayElement
    extents: tuple[int, ...]
    bounds: tuple[str, ...] | None


class ReadOfUnwritten(Diagnosis, code="RW305"):
    """A read of an element that was never written."""

    who: Who
    element: ArrayElement
    interval: int


class ReadOfUnset(Diagnosis, code="RW305"):
    """A variable is read before it was set; empty if what is read has no name.

    `f()` is what a function gives whose end is reached without a `return`, `()` what a lambda does. The name is a
    number where questions are asked, so only who puts it into words can tell.
    """

    who: Who
    variable: str
    interval: int


class MisalignedAccess(Diagnosis, code="RW306"):
    """An access of `width` bytes from byte `offset` of the array on, which is no multiple of `alignment`."""

    act: Act
    element: ArrayElement
    width: int
    offset: int
    alignment: int


class IntegerDividedByZero(Diagnosis, code="RW307"):
    """An integer division by zero."""

    who: Who


class AssertionFails(Diagnosis, code="RW308"):
    """An assertion that does not hold."""

    who: Who


class RaceWithinWarp(Diagnosis, code="RW309"):
    """Threads of a warp race that only lock step would keep apart."""

    collision: Collision
    interval: int


class NotChecked(Diagnosis, code="RW310"):
    """A kernel that is not checked."""

    reason: str


class EqualWrites(Diagnosis, code="RW311"):
    """Threads write one value to one element."""

    collision: Collision
    interval: int


class BarrierNotNeeded(Diagnosis, code="RW312"):
    """Without this barrier nothing goes wrong at these launches."""

    launches: str


class RaceBetweenBlocks(Diagnosis, code="RW313"):
    """Threads of two blocks race."""

    collision: Collision


class ShuffleFromInactiveLane(Diagnosis, code="RW314"):
    """A shuffle takes the value of a lane that does not take part."""

    who: Who
    lane: int


class BarrierAfterExit(Diagnosis, code="RW315"):
    """A thread passes a barrier that the whole warp of another skips, which has left."""

    who: Who
    other: Who
    interval: int


class StoreToConstant(Diagnosis, code="RW316"):
    """A kernel writes constant memory."""

    act: Act
    element: ArrayElement


class BlockScopeBetweenBlocks(Diagnosis, code="RW317"):
    """Atomics of block scope meet in two blocks."""

    collision: Collision


class BudgetUsedUp(Diagnosis, code="RW318"):
    """A kernel takes more than it may; `can_be_raised` unless the limit is fixed."""

    reason: str
    can_be_raised: bool


class HandOver(Diagnosis, code="RW319"):
    """Threads may hand over data by atomics, which is not followed."""

    reason: str


class DependsOnFloats(Diagnosis, code="RW320"):
    """What happens depends on the last places of floats."""

    reason: str


class WrongUnless(Diagnosis, code="RW321"):
    """Something is wrong where one of these conditions does not hold, and none of them is stated.

    `found` is what happens at the counterexample. Without conditions none was found, and `chosen` are the values of the
    counterexample that are not stated.
    """

    found: Diagnosis
    conditions: tuple[Condition, ...]
    chosen: tuple[tuple[str, str], ...]
