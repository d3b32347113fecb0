"""Races in what threads did: accesses that some reordering of their traces has next to each other.

A trace holds accesses, (kind, place, set of cells, value written), and barriers, ("meet", the threads that passed it
together). Only barriers make threads wait for each other here. No clocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

ACCESSES = ("load", "store", "atomic")
UNDEFINED, UNWRITTEN = "undefined", "unwritten"
"""What has no value, for a reason that is found by itself, or since it comes of memory that nothing was written to."""

NO_VALUE = (UNDEFINED, UNWRITTEN)
Trace = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Side:
    """An access of a race."""

    place: int
    thread: int


Races = set[tuple[frozenset[Side], bool]]
"""Pairs of accesses, and whether both write equal values."""


def shape(trace: Trace) -> Trace:
    """A trace without the values."""
    return tuple(event[:3] for event in trace)


def races(traces: tuple[Trace, ...]) -> Races:
    """Accesses that are next to each other in some reordering in which barriers wait for all who take part."""
    found: Races = set()
    start = (0,) * len(traces)
    pending, seen = [start], {start}
    while pending:
        at = pending.pop()
        heads = [
            trace[position] if position < len(trace) else ("end",) for trace, position in zip(traces, at, strict=True)
        ]
        for one, other in combinations(range(len(traces)), 2):
            if conflict(heads[one], heads[other]):
                sides = frozenset((Side(heads[one][1], one), Side(heads[other][1], other)))
                found.add((sides, are_equal(heads[one], heads[other])))
        for after in advanced(heads, at):
            if after not in seen:
                seen.add(after)
                pending.append(after)
    return found


def conflict(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two events are accesses of one cell that may not be unordered."""
    if one[0] not in ACCESSES or other[0] not in ACCESSES or one[2].isdisjoint(other[2]):
        return False
    return "store" in (one[0], other[0]) or one[0] != other[0]


def are_equal(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether both write the same value to the same cells."""
    return one[0] == other[0] == "store" and one[2:] == other[2:] and one[3] not in NO_VALUE


def advanced(heads: list[tuple[Any, ...]], at: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The positions after one more event."""
    found = []
    for t, head in enumerate(heads):
        moving: tuple[int, ...] = ()
        if head[0] in ACCESSES:
            moving = (t,)
        elif head[0] == "meet" and all(heads[other] == head for other in head[1]):
            moving = head[1]
        if moving:
            found.append(tuple(position + (thread in moving) for thread, position in enumerate(at)))
    return found
