"""The launches that were found of a kernel, in words: in the line above it, and in its hover.

Must not know how a launch is found, nor what came of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rewright.model.found_launch import FoundLaunch
from rewright.report.tables import code

LONGEST = 56
"""Characters of a launch that are shown in a line above a kernel."""

MOST_NAMES = 4
"""Free values that are named in that line."""

MOST_LISTED = 16
"""Launches that are listed in a hover."""


def in_line(launches: Sequence[FoundLaunch]) -> str:
    """`<<<(n + 255) / 256, 256>>> · n free`: the first launch, how many others there are, and what is free in all."""
    calls = [each.shown for each in launches if each.shown]
    shown = [each if len(each) <= LONGEST else f"{each[: LONGEST - 1]}…" for each in calls[:1]]
    others = [f"and {_counted(len(calls) - 1, 'other')}"] if len(calls) > 1 else []
    free = tuple(dict.fromkeys(name for each in launches for name in each.free))
    said = [" ".join([*shown, *others]), f"{_named(free)} free" if free else ""]
    return " · ".join(filter(None, said))


def listed(launches: Sequence[FoundLaunch]) -> Iterator[str]:
    """A line of Markdown for each launch, with what it leaves free."""
    for each in launches[:MOST_LISTED]:
        launch = f"launch {code(each.shown)}, by {code(each.written)}" if each.shown else code(each.written)
        free = f"free: {', '.join(map(code, each.free))}" if each.free else "nothing is free"
        yield f"- {launch}; {free}"
    if len(launches) > MOST_LISTED:
        yield f"- {_counted(len(launches) - MOST_LISTED, 'more launch', 'more launches')}"


def _named(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:MOST_NAMES])} and {more} more"


def _counted(count: int, one: str, several: str = "") -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"
