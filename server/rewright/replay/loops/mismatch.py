"""In which ways a run is no legal reordering of another: the first operation that is wrong."""

from __future__ import annotations

from msgspec import Struct

from rewright.model.nest import NestLoop, NestStatement
from rewright.replay.loops.running import Element, ExecutedOperation


class OutOfOrder(Struct, frozen=True):
    """An operation that gets an element from `found`, not from `expected`; None is the initial value."""

    operation: ExecutedOperation
    due: ExecutedOperation
    element: Element
    expected: ExecutedOperation | None
    found: ExecutedOperation | None
    loop: NestLoop | None


class MissingOperation(Struct, frozen=True):
    """An operation of the specification that is not executed, and how `many` in all.

    `statement` is the one of the transform that it should be, `loop` the one that loses it.
    """

    due: ExecutedOperation
    many: int
    statement: NestStatement | None
    loop: NestLoop | None


class ExtraOperation(Struct, frozen=True):
    """An operation that writes an element once too often."""

    operation: ExecutedOperation


class AnotherThanDue(Struct, frozen=True):
    """An operation that is not what is `due`: another statement, or it reads `found` in place of `expected`."""

    operation: ExecutedOperation
    due: ExecutedOperation
    found: Element | int | None
    expected: Element | int | None


Mismatch = OutOfOrder | MissingOperation | ExtraOperation | AnotherThanDue
