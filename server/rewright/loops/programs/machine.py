"""What a run of a program has: steps that are left, calls that are open, what ran, and what takes its operations."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

Cell = tuple[str | int, ...]
"""An array with the subscripts of an element, or of a part."""

Reads = tuple[Cell | int, ...]
"""What an operation reads: elements, and plain numbers."""

DEEPEST = 400
"""Calls that are open at once."""


STACK = 65_000
"""Words of the frames for which there is room at once: of `DEEPEST` calls, each some dozens of closures deep."""


def with_room(run: Callable[[], object]) -> None:
    """Runs what calls deeply.

    CPython takes frames out of chunks of 16 KB, and gives a chunk back as soon as its first frame ends. Calls at such
    an end take three times as long. A chunk for a frame as large as this one has as much room again.
    """
    _with_room(run)


def _with_room(run: Callable[[], object]) -> None:
    run()


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=STACK)


class Stopped(Exception):
    """A run that is not carried on: why, and at which site."""

    def __init__(self, reason: str, site: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.site = site


class DoesNotEnd(Stopped):
    """A run that does not end in the steps that it has."""


class ProgramMachine(Struct):
    """One run. An operation is handed to `perform` with its signature, what it writes and what it reads.

    Loops, calls and operations are steps. `ran` are the sites of operations and of branches that were executed.
    """

    perform: Callable[[str, Cell, Reads], None]
    left: int
    calls: int = 0
    ran: set[int] = field(default_factory=set)
